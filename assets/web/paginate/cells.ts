// Cells of a table with fixed columns that are too narrow for a number or a word:
// it is broken, or where its author chose so drawn smaller or replaced by signs,
// rather than drawn over its neighbour.

import { LEAST } from "./legible";
import { READABLE } from "./scale";
import type { Sheet, Warning } from "./types";
import { px } from "./units";

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;
const HASHES = "###";

interface Narrow {
  table: HTMLTableElement;
  cells: HTMLTableCellElement[];
}

/** Makes what reaches out of its cell fit. In each look all is read before anything is written. */
export function fitCells(sheets: Sheet[], warnings: Warning[]): void {
  const tables = sheets.flatMap(({ body }) => [...body.querySelectorAll<HTMLTableElement>("table.q-fixed.q-el")]);
  const found = look(tables);
  for (const { table, cells } of found) warnings.push({ id: table.dataset.id ?? "", message: said(table, cells) });
  for (const { el, size } of found.flatMap(smaller)) el.style.fontSize = px(size);
  for (const { table, cells } of found) if (table.dataset.narrow === "hashes") for (const cell of cells) cell.textContent = HASHES;
  for (const { cells } of look(tables)) for (const cell of cells) cell.classList.add("q-narrow");
  for (const { table } of look(tables)) {
    table.classList.remove("q-fixed");
    for (const cell of table.querySelectorAll(".q-narrow")) cell.classList.remove("q-narrow");
    warnings.push({ id: table.dataset.id ?? "", message: "has columns too narrow for a single letter, which are as wide as they need" });
  }
}

function look(tables: HTMLTableElement[]): Narrow[] {
  return tables.map((table) => ({ table, cells: tooNarrow(table) })).filter(({ cells }) => cells.length > 0);
}

function tooNarrow(table: HTMLTableElement): HTMLTableCellElement[] {
  const view = table.ownerDocument.defaultView!;
  const cells = [...table.rows].flatMap((tr) => [...tr.cells]).filter((c) => c.scrollWidth > c.clientWidth + TOLERANCE);
  return cells.filter((c) => view.getComputedStyle(c).overflowX === "visible" && c.textContent?.trim() !== "");
}

/** The sizes at which the cells of a table that shrinks hold what is in them, at most as small as can be read. */
function smaller({ table, cells }: Narrow): { el: HTMLElement; size: number }[] {
  if (table.dataset.narrow !== "shrink") return [];
  return cells.map((el) => {
    const style = table.ownerDocument.defaultView!.getComputedStyle(el);
    const size = parseFloat(style.fontSize);
    const start = parseFloat(style.paddingInlineStart);
    const share = (el.clientWidth - start - parseFloat(style.paddingInlineEnd)) / (el.scrollWidth - start);
    return { el, size: Math.min(size, Math.max(size * Math.max(share, READABLE), LEAST)) };
  });
}

function said({ dataset }: HTMLElement, cells: Element[]): string {
  const what = dataset.narrow === "shrink" ? "was drawn smaller" : dataset.narrow === "hashes" ? `is printed as ${HASHES}` : "was broken";
  const cell = cells.length === 1 ? "a cell is too narrow for what it holds" : `${cells.length} cells are too narrow for what they hold`;
  return `${cell}, which ${what}; ${cells.length === 1 ? "it" : "the first"} holds "${excerpt(cells[0]!)}"`;
}

function excerpt(cell: Element): string {
  return (cell.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 40);
}
