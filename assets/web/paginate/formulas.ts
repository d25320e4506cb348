// Formulas that are wider than the box they stand in. A formula is not broken, and would
// be drawn over what stands beside it.

import { SMALLER } from "./small";
import type { Sheet, Warning } from "./types";
import { zoomOf } from "./units";

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;
/** Nothing is drawn smaller than this. */
const LEAST = 0.2;
/** Spaces of a formula do not shrink in proportion, so that further looks are needed. */
const ROUNDS = 6;

/** Makes formulas as narrow as their boxes. In each look all is read before anything is written. */
export function fitFormulas(sheets: Sheet[], warnings: Warning[]): void {
  const formulas = sheets.flatMap(({ body }) => [...body.querySelectorAll<MathMLElement>("math")]).map(withNumber);
  const told = new Set<Element>();
  for (let round = 0; round < ROUNDS; round++) {
    const wide = formulas.map((el) => ({ el, share: shareOf(el) })).filter(({ share }) => share < 1);
    if (wide.length === 0) break;
    for (const { el, share } of wide) {
      el.style.setProperty("zoom", String(Math.max(LEAST, (Number(el.style.getPropertyValue("zoom")) || 1) * share)));
      told.add(el);
    }
  }
  for (const el of told) warnings.push({ id: el.closest<HTMLElement>("[data-id]")?.dataset.id ?? "", message: `has a formula wider than its room, which ${SMALLER}` });
}

/** A formula with its number, where it has one: they are cells of a grid. */
function withNumber(math: MathMLElement): HTMLElement | MathMLElement {
  const around = math.parentElement!;
  return math.ownerDocument.defaultView!.getComputedStyle(around).display === "grid" ? around : math;
}

/** How much of the width of a formula its box has room for, at most all of it. */
function shareOf(el: Element): number {
  const view = el.ownerDocument.defaultView!;
  const own = view.getComputedStyle(el);
  const margins = (parseFloat(own.marginLeft) || 0) + (parseFloat(own.marginRight) || 0);
  const box = boxAround(el);
  const style = view.getComputedStyle(box);
  const edges = ["borderLeftWidth", "paddingLeft", "paddingRight", "borderRightWidth"] as const;
  const frame = edges.reduce((sum, side) => sum + (parseFloat(style[side]) || 0), 0);
  const room = box.getBoundingClientRect().width - frame * zoomOf(box) - margins * zoomOf(el);
  const { width } = el.getBoundingClientRect();
  return width > room + TOLERANCE ? room / width : 1;
}

/** The block that an element stands in. */
function boxAround(el: Element): Element {
  const view = el.ownerDocument.defaultView!;
  let box = el.parentElement!;
  while (/^(inline|contents)$/.test(view.getComputedStyle(box).display)) box = box.parentElement!;
  return box;
}
