// A table that is broken keeps its column widths and repeats its header rows.

import { carryOver } from "./carry";
import { AGAIN, tableInfo } from "./table";
import type { TableInfo } from "./types";
import { px } from "./units";

/** Called when the first part of a table was taken: makes the rest a table of its own. */
export function continueTable(first: HTMLTableElement, rest: HTMLTableElement): void {
  const info = tableInfo(rest);
  if (!info) return;
  if (!rest.classList.contains("q-fixed")) freeze(first, rest, info);
  closeSpans(first, rest, info);
  repeatCaptions(rest, info);
  if (info.carry) carryOver(first, rest, info.carry);
  if (info.head && info.repeatHead) rest.prepend(repeated(info.head));
  rest.prepend(columnsOf(rest.ownerDocument, info.columns));
}

/** Fixes the widths of both parts to what they were in the whole table. */
function freeze(first: HTMLTableElement, rest: HTMLTableElement, info: TableInfo): void {
  for (const table of [first, rest]) {
    table.classList.add("q-fixed");
    table.style.tableLayout = "fixed";
    table.style.width = px(info.width);
    for (const old of table.querySelectorAll(":scope > colgroup, :scope > col")) old.remove();
  }
  first.insertBefore(columnsOf(first.ownerDocument, info.columns), first.caption?.nextSibling ?? first.firstChild);
}

/** Columns of these widths. */
export function columnsOf(doc: Document, columns: number[]): HTMLElement {
  const group = doc.createElement("colgroup");
  for (const width of columns) {
    const col = doc.createElement("col");
    col.style.width = px(width);
    group.append(col);
  }
  return group;
}

/** A copy for a later page: ids stay with the first. */
function repeated<T extends Element>(el: T): T {
  const copy = el.cloneNode(true) as T;
  copy.removeAttribute("id");
  copy.setAttribute("data-repeated", "");
  for (const again of copy.querySelectorAll<HTMLElement>(AGAIN)) again.style.visibility = "inherit";
  for (const inner of copy.querySelectorAll("[id]")) inner.removeAttribute("id");
  return copy;
}

function repeatCaptions(rest: HTMLTableElement, info: TableInfo): void {
  const row = firstRow(rest);
  const captions = row && info.captions.get(row);
  if (captions && row.parentElement!.tagName === "TBODY") row.before(...captions.map(repeated));
}

/** The first row that is left. The collections of rows and bodies are not asked: they would count all of them at each break. */
function firstRow(table: HTMLTableElement): HTMLTableRowElement | null {
  let foot: Element | null = null;
  for (let part = table.firstElementChild; part; part = part.nextElementSibling) {
    if (/^T(HEAD|BODY)$/.test(part.tagName) && part.firstElementChild) return part.firstElementChild as HTMLTableRowElement;
    if (part.tagName === "TFOOT") foot ??= part.firstElementChild;
  }
  return foot as HTMLTableRowElement | null;
}

/** A cell that reached over the cut ends there; one that repeats what it holds, or an empty one, takes its place below. */
function closeSpans(first: HTMLTableElement, rest: HTMLTableElement, info: TableInfo): void {
  const row = firstRow(rest);
  const part = row?.parentElement!.tagName === "THEAD" ? first.tHead : first.tBodies[first.tBodies.length - 1];
  if (!row || !part || !part.querySelector("[rowspan]")) return;
  const open = reaching(part, row.classList.contains("q-cut-start"));
  let cell: Element | null = row.cells[0] ?? null;
  let column = 0;
  while (open.length > 0) {
    if (!cell || open[0]!.column <= column) {
      const span = open.shift()!;
      row.insertBefore(below(span, info.repeating.has(row)), cell);
      column += span.cell.colSpan;
    } else {
      column += (cell as HTMLTableCellElement).colSpan;
      cell = cell.nextElementSibling;
    }
  }
}

/** Ends a cell at the cut; another with the rows that are left goes on below. */
function below(span: OpenSpan, repeats: boolean): HTMLTableCellElement {
  const rest = repeats && span.cell.hasAttribute("data-repeat") ? repeated(span.cell) : (span.cell.cloneNode(false) as HTMLTableCellElement);
  rest.removeAttribute("id");
  rest.rowSpan = span.left;
  span.cell.rowSpan = span.above;
  return rest;
}

interface OpenSpan {
  cell: HTMLTableCellElement;
  column: number;
  /** Rows that it takes before the cut and below it. */
  above: number;
  left: number;
}

/** Cells of a section that reach below its last row, or into it where the cut goes through that row, from left to right. */
function reaching(part: HTMLTableSectionElement, through: boolean): OpenSpan[] {
  const out: OpenSpan[] = [];
  const until: number[] = [];
  const rows = [...part.rows];
  rows.forEach((tr, i) => {
    let column = 0;
    for (const cell of tr.cells) {
      while ((until[column] ?? 0) > i) column++;
      for (let k = 0; k < cell.colSpan; k++) until[column + k] = i + cell.rowSpan;
      const above = rows.length - i;
      const left = cell.rowSpan - above + (through ? 1 : 0);
      // Cells of the row that is cut go on below by themselves.
      if (through && above === 1) cell.rowSpan = 1;
      else if (left > 0) out.push({ cell, column, above, left });
      column += cell.colSpan;
    }
  });
  return out.sort((a, b) => a.column - b.column);
}
