// Charts that others leave so little room beside them that their labels could not be
// read: the flow that they stand in goes on below instead.

import type { Sheet, Warning } from "./types";

/** 5 pt: no label is drawn smaller that was not asked to be. */
const LEAST = 20 / 3;
const FLOW = ".q-flow:not(.q-vertical)";
/** A chart in flows within flows has room after as many looks as there are flows. */
const ROUNDS = 3;

/** Wraps the flows of charts drawn too small. All is read before anything is written. */
export function wrapFlows(sheets: Sheet[], warnings: Warning[]): void {
  const wrapped = new Set<HTMLElement>();
  for (let round = 0; round < ROUNDS; round++) {
    const flows = sheets.flatMap(({ body }) => [...body.querySelectorAll<SVGSVGElement>(`${FLOW} svg.q-c`)].filter((svg) => tooSmall(svg, body)).flatMap((svg) => crowded(svg, body) ?? []));
    if (flows.length === 0) break;
    for (const flow of flows) {
      flow.style.flexWrap = "wrap";
      wrapped.add(flow);
    }
  }
  for (const flow of wrapped) warnings.push({ id: flow.dataset.id ?? "", message: "has no room to draw its charts side by side so that they can be read, and goes on below" });
}

/** What reaches over the edge of its page will be drawn so much smaller. */
function tooSmall(svg: SVGSVGElement, body: Element): boolean {
  const m = svg.getScreenCTM();
  const r = svg.getBoundingClientRect();
  const page = body.getBoundingClientRect();
  const share = Math.max(0, Math.min(r.right, page.right) - Math.max(r.left, page.left)) / Math.max(r.width, 1);
  const scale = share * (m ? Math.hypot(m.a, m.b) : 1);
  if (scale >= 0.99) return false;
  const view = svg.ownerDocument.defaultView!;
  return [...svg.querySelectorAll("text")].some((text) => {
    const size = parseFloat(view.getComputedStyle(text).fontSize);
    return size >= LEAST && size * scale < LEAST;
  });
}

/** The nearest flow around an element that has it stand beside others. */
function crowded(el: Element, body: Element): HTMLElement | null {
  const view = el.ownerDocument.defaultView!;
  for (let up = el.parentElement; up && up !== body; up = up.parentElement) {
    if (up.matches(FLOW) && up.childElementCount > 1 && view.getComputedStyle(up).flexWrap === "nowrap") return up;
  }
  return null;
}
