// Boxes with a height of their own that hold more than it has room for: they grow,
// or are cut off where the report says so.

import { bodyHeight } from "./pictures";
import type { Sheet, Warning } from "./types";
import { px } from "./units";

/** More than this is too high; less is rounding. */
const TOLERANCE = 2;
const SIZED = ".q-el[style*=\"height:\"]:not(figure, img, svg, table, .q-drawing, [data-space])";

const COLUMNS = ".q-el[style*=\"height:\"][style*=\"columns:\"]";
const GREW = "holds more than its height has room for and grew";

interface High {
  el: HTMLElement;
  height: number;
  /** Lines that it has room for, and the height that they leave. */
  lines: number;
  rest: number;
}

/** Lets text in columns grow that is higher than it was told to be: it would go on in columns beside its box. */
export function fitColumns(sheets: Sheet[], warnings: Warning[]): void {
  const high = sheets.flatMap(({ body }) => [...body.querySelectorAll<HTMLElement>(COLUMNS)].filter((el) => grows(el) && el.style.height !== "" && el.scrollWidth > el.clientWidth + TOLERANCE));
  for (const el of high) {
    grow(el);
    warnings.push({ id: el.dataset.id ?? "", message: GREW });
  }
}

/** Lets boxes grow to what they hold, or ends them in an ellipsis. All is read before anything is written. */
export function fitHeights(sheets: Sheet[], warnings: Warning[]): void {
  for (const el of sheets.flatMap(highTables)) {
    el.style.height = "auto";
    warnings.push({ id: el.dataset.id ?? "", message: "was told to be higher than its page and is as high as its rows" });
  }
  const high = sheets.flatMap((s) => [s.firstHeader, s.header, s.body, s.footer].flatMap(tooHigh));
  for (const h of high) change(h);
  for (const { el, height } of high.filter((h) => grows(h.el))) {
    if (el.getBoundingClientRect().height > height + 1) warnings.push({ id: el.dataset.id ?? "", message: GREW });
  }
}

/** Tables whose height, which stretches their rows, no page has room for. */
function highTables(sheet: Sheet): HTMLElement[] {
  const room = bodyHeight(sheet);
  return [...sheet.body.querySelectorAll<HTMLElement>("table.q-el[style*=\"height:\"]")].filter((el) => el.style.height !== "" && el.getBoundingClientRect().height > room);
}

function tooHigh(part: HTMLElement | null): High[] {
  const sized = [...(part?.querySelectorAll<HTMLElement>(SIZED) ?? [])].filter((el) => el.style.height !== "" && el.scrollHeight > el.clientHeight + TOLERANCE);
  return sized.flatMap((el) => {
    const style = el.ownerDocument.defaultView!.getComputedStyle(el);
    if (!el.dataset.overflow && style.overflowY !== "visible") return [];
    const line = parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.2;
    const inner = el.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    const lines = Math.max(1, Math.floor((inner + 1) / line));
    const rest = (parseFloat(style.marginBottom) || 0) + Math.max(0, inner - lines * line);
    return { el, height: el.getBoundingClientRect().height, lines, rest };
  });
}

function grows(el: HTMLElement): boolean {
  return el.dataset.overflow === undefined;
}

function grow(el: HTMLElement): void {
  el.style.minHeight = el.style.height;
  el.style.height = "auto";
}

function change({ el, lines, rest }: High): void {
  if (grows(el)) {
    grow(el);
  } else if (el.dataset.overflow === "ellipsis") {
    el.classList.add("q-ellipsis");
    el.style.setProperty("-webkit-line-clamp", String(lines));
    // The line after the last would be drawn in what is left of the height.
    el.style.height = "auto";
    el.style.marginBottom = px(rest);
  }
}
