// What others leave so little room beside it that it could not be read: charts with
// labels too small, names and values of a few letters a line. The flow that it stands
// in goes on below instead, and a value stands below its name.

import { illegible } from "./legible";
import { READABLE } from "./scale";
import type { Sheet, Warning } from "./types";

/** Flows from side to side. */
export const FLOW = ".q-flow:not(.q-vertical)";
const PAIR = ".q-kv-row:not(.q-stacked)";
/** What breaks its words is a strip of letters when it is narrower than that many em; so is a cell of a table. */
const STRIP = 5;
const CELL = 2;
/** What stands in flows within flows has room after as many looks as there are flows. */
const ROUNDS = 4;

/** Lets what is pressed go on below. In each look all is read before anything is written. */
export function wrapFlows(sheets: Sheet[], warnings: Warning[]): void {
  const changed = new Map<HTMLElement, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const crowds = new Set(sheets.flatMap(({ body }) => [...pressed(body).flatMap((el) => crowd(el, body) ?? []), ...spilling(body)]));
    if (crowds.size === 0) break;
    for (const el of crowds) change(el, changed);
  }
  for (const [el, message] of changed) warnings.push({ id: el.dataset.id ?? "", message });
}

function change(el: HTMLElement, changed: Map<HTMLElement, string>): void {
  if (el.matches(PAIR)) {
    el.classList.add("q-stacked");
    changed.set(el.closest<HTMLElement>("[data-id]") ?? el, "has no room for names beside their values, which stand below them where words would be broken");
  } else {
    el.style.flexWrap = "wrap";
    el.dataset.break = "auto";
    changed.set(el, "has no room to draw all side by side so that it can be read, and goes on below");
  }
}

function pressed(body: HTMLElement): Element[] {
  const charts = [...body.querySelectorAll<SVGSVGElement>(`${FLOW} svg.q-c`)].filter((svg) => tooSmall(svg, body));
  const pairs = [...body.querySelectorAll<HTMLElement>(`${PAIR} > *, ${FLOW} .q-stacked > *`)].filter((el) => narrowerThan(el, STRIP));
  const cells = [...body.querySelectorAll<HTMLElement>(`:is(${PAIR}, ${FLOW}) table.q-fixed :is(td, th)`)].filter((el) => narrowerThan(el, CELL));
  return [...charts, ...broken([...pairs, ...cells])];
}

/** Flows that would be drawn too small to read so that what they hold has room side by side, or that hold what has none at all. */
function spilling(body: HTMLElement): HTMLElement[] {
  return [...body.querySelectorAll<HTMLElement>(FLOW)].filter((el) => el.clientWidth < el.scrollWidth && canWrap(el) && (el.clientWidth < el.scrollWidth * READABLE || crowdedOut(el)));
}

/** Whether something begins only where its flow ends: a spacer of all the width leaves others none, however small all is drawn. */
function crowdedOut(flow: HTMLElement): boolean {
  const { left, right } = flow.getBoundingClientRect();
  return [...flow.children].some((el) => {
    const r = el.getBoundingClientRect();
    return r.width > 0 && (r.left >= right - 1 || r.right <= left + 1);
  });
}

/** What reaches over the edge of its page, or out of its flow, will be drawn so much smaller. */
function tooSmall(svg: SVGSVGElement, body: Element): boolean {
  const r = svg.getBoundingClientRect();
  const page = body.getBoundingClientRect();
  const share = Math.max(0, Math.min(r.right, page.right) - Math.max(r.left, page.left)) / Math.max(r.width, 1);
  return illegible(svg, Math.min(share, flowShare(svg)));
}

/** How much of a flow around an element there is room for. */
function flowShare(el: Element): number {
  const flow = el.closest(FLOW)!;
  return flow.clientWidth / Math.max(flow.scrollWidth, 1);
}

function narrowerThan(el: HTMLElement, em: number): boolean {
  if (el.textContent!.trim().length <= em) return false;
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  return el.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) < em * parseFloat(style.fontSize);
}

/** Those that break words. */
function broken(list: HTMLElement[]): Element[] {
  for (const el of list) el.classList.add("q-unbroken");
  const found = list.filter((el) => el.scrollWidth > el.clientWidth + 1);
  for (const el of list) el.classList.remove("q-unbroken");
  return found;
}

/** The nearest flow around an element that has it stand beside others, or the pair that it is one of, if that is wide enough to part. */
function crowd(el: Element, body: Element): HTMLElement | null {
  for (let up = el.parentElement; up && up !== body; up = up.parentElement) {
    if (up.matches(PAIR) && !narrowerThan(up, STRIP)) return up;
    if (up.matches(FLOW) && canWrap(up)) return up;
  }
  return null;
}

function canWrap(flow: HTMLElement): boolean {
  return flow.childElementCount > 1 && flow.ownerDocument.defaultView!.getComputedStyle(flow).flexWrap === "nowrap";
}
