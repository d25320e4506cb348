// Cells of a table with fixed columns that are too narrow for a number or a word
// that may not break: it is broken rather than drawn over its neighbour.

import type { Sheet, Warning } from "./types";

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;

/** Breaks what reaches out of its cell. All is read before anything is written. */
export function fitCells(sheets: Sheet[], warnings: Warning[]): void {
  const tables = sheets.flatMap(({ body }) => [...body.querySelectorAll<HTMLTableElement>("table.q-fixed.q-el")]);
  const found = tables.map((table) => ({ table, cells: tooNarrow(table) })).filter(({ cells }) => cells.length > 0);
  for (const { table, cells } of found) {
    for (const cell of cells) cell.classList.add("q-narrow");
    warnings.push({ id: table.dataset.id ?? "", message: `${cells.length} cells are too narrow for what they hold, which was broken; the first holds "${excerpt(cells[0]!)}"` });
  }
}

function tooNarrow(table: HTMLTableElement): HTMLTableCellElement[] {
  const view = table.ownerDocument.defaultView!;
  const cells = [...table.rows].flatMap((tr) => [...tr.cells]).filter((c) => c.scrollWidth > c.clientWidth + TOLERANCE);
  return cells.filter((c) => view.getComputedStyle(c).overflowX === "visible" && c.textContent?.trim() !== "");
}

function excerpt(cell: Element): string {
  return (cell.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 40);
}
