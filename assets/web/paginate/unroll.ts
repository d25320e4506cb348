// Text that no page has room for, in boxes that cannot be broken as they are drawn:
// floats, columns of the browser, boxes in a line, upright writing. It is set again
// in columns of ours and in plain blocks, which can.

import { FLOW } from "./abreast";
import { openBlock } from "./columns";
import { illegible } from "./legible";
import { READABLE } from "./scale";
import { hasText, measuringRange } from "./nodes";
import type { PlannedPage, Scale } from "./types";
import { px } from "./units";

type Change = [el: HTMLElement, property: string, value: string];

/** What was set again: boxes made lower, and blocks that are broken now. */
export interface Again {
  lower: Set<Element>;
  broken: Set<Element>;
}

/** Sets again what the pages would show too small to read; false when there is nothing. */
export function unroll(pages: PlannedPage[], again: Again): boolean {
  const small = pages.flatMap((p) => p.scales).filter((s) => (s.factor < READABLE && s.nodes.some((n) => hasText(n))) || s.nodes.some((n) => pressesCharts(n, s.factor)));
  const high = small.filter((s) => !again.lower.has(s.nodes[0] as Element) && isEmptyBelow(s));
  for (const s of high) {
    const el = s.nodes[0] as HTMLElement;
    again.lower.add(el);
    lower(el, px(s.height * s.factor));
  }
  const changed = unrollBoxes(small.filter((s) => !high.includes(s)), again.broken);
  return high.length > 0 || changed;
}

/** Makes a box lower. One that has grown keeps its height open: shares of it that it holds would be shares again. */
function lower(el: HTMLElement, height: string): void {
  const grown = el.style.height === "auto";
  el.style.setProperty("height", grown ? "auto" : height, "important");
  el.style.setProperty("min-height", grown ? height : "0", "important");
}

/** Whether flows of charts side by side would have labels too small to read. */
function pressesCharts(n: Node, factor: number): boolean {
  if (n.nodeType !== 1) return false;
  // Selectors are matched from the top of the document: the node may be the flow.
  const charts = [...(n as Element).querySelectorAll<SVGSVGElement>(`${FLOW} svg.q-c`)];
  return charts.some((svg) => illegible(svg, factor));
}

/** Whether a box is higher than the page only because it was told to be. */
function isEmptyBelow({ nodes, height, factor }: Scale): boolean {
  const el = nodes[0] as HTMLElement;
  if (nodes.length > 1 || el.nodeType !== 1 || el.namespaceURI !== XHTML) return false;
  const range = measuringRange(el.ownerDocument);
  range.selectNodeContents(el);
  const { top, bottom } = range.getBoundingClientRect();
  return bottom - Math.min(top, el.getBoundingClientRect().top) < height * factor && bottom > top;
}

const XHTML = "http://www.w3.org/1999/xhtml";

/** All is read before anything is written, but for columns. */
function unrollBoxes(small: Scale[], done: Set<Element>): boolean {
  const boxes = [...new Set(small.flatMap((s) => s.nodes.flatMap(boxOf)))].filter((el) => !done.has(el));
  const changes = boxes.filter((el) => !openBlock(el)).flatMap((el) => [el, ...el.querySelectorAll<HTMLElement>("*")].flatMap(plain));
  for (const [el, property, value] of changes) el.style.setProperty(property, value, "important");
  for (const el of boxes) {
    done.add(el);
    for (const q of [el, ...el.querySelectorAll("[data-break]")]) q.setAttribute("data-break", "auto");
  }
  return boxes.length > 0;
}

function boxOf(n: Node): HTMLElement[] {
  return n.nodeType === 1 ? [n as HTMLElement] : n.parentElement ? [n.parentElement] : [];
}

function plain(el: HTMLElement): Change[] {
  if (el.namespaceURI !== XHTML) return [];
  const s = el.ownerDocument.defaultView!.getComputedStyle(el);
  const all: [boolean, string, string][] = [
    [s.float !== "none", "float", "none"],
    [s.columnCount !== "auto" || s.columnWidth !== "auto", "columns", "auto"],
    [s.display.startsWith("inline-") || s.display === "flex", "display", "block"],
    [s.writingMode !== "horizontal-tb", "writing-mode", "horizontal-tb"],
    [s.breakInside !== "auto", "break-inside", "auto"],
  ];
  return all.flatMap(([changes, property, value]): Change[] => (changes ? [[el, property, value]] : []));
}
