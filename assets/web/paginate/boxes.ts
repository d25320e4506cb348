// Boxes that were told to be narrower than a table in them can be read: text breaks to
// any width, a letter a line, but a table has columns beside each other. Their own width
// gives way.

import { READABLE } from "./scale";
import type { Sheet, Warning } from "./types";
import { roomOf } from "./wide";

/** Columns as wide as this hold some letters in any case. */
const ENOUGH = 60;

/** Lets boxes take the width of their place that are too narrow for their tables. */
export function widenBoxes(sheets: Sheet[], warnings: Warning[]): void {
  for (const { body } of sheets) {
    const page = body.getBoundingClientRect();
    for (const table of body.querySelectorAll<HTMLTableElement>('.q-el[style*="width:"] table.q-el')) {
      const { left, right } = roomOf(table, body, page);
      if (right - left >= columns(table) * ENOUGH) continue;
      const least = leastWidth(table);
      if (right - left >= least * READABLE) continue;
      for (const box of around(table, body)) widen(box, least, warnings);
    }
  }
}

function columns(table: HTMLTableElement): number {
  return [...(table.rows[0]?.cells ?? [])].reduce((sum, cell) => sum + cell.colSpan, 0);
}

/** How wide a table is that breaks whatever it holds. */
function leastWidth(table: HTMLTableElement): number {
  const { className } = table;
  table.classList.remove("q-fixed");
  table.classList.add("q-tight", "q-letters");
  const { width } = table.getBoundingClientRect();
  table.className = className;
  return width;
}

function around(table: HTMLElement, body: HTMLElement): HTMLElement[] {
  const out: HTMLElement[] = [];
  for (let el = table.parentElement!; el !== body; el = el.parentElement!) if (el.classList.contains("q-el")) out.push(el);
  return out;
}

function widen(box: HTMLElement, least: number, warnings: Warning[]): void {
  if (box.style.width === "" || box.getBoundingClientRect().width >= least) return;
  box.style.width = "auto";
  warnings.push({ id: box.dataset.id ?? "", message: "is too narrow for its table to be read and takes all the width that it can have" });
}
