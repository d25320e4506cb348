// Tables of very many rows. A browser keeps some twenty kilobytes for each row that it
// has laid out, so the rows of such a table are laid out some at a time, and never all
// of them: first to learn how wide their columns are, then how high each row is.

import { columnWidths, type Measured, measured } from "./table";
import { columnsOf } from "./tablesplit";
import type { Sheet } from "./types";
import { px, zoomOf } from "./units";

/** From how many rows on a table is one of very many, how many are laid out at a time, and how many tables were measured so. */
export const slabs = { from: 50_000, rows: 4_000, measured: 0 };

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;
/** Widths that differ less are the same. */
const ALIKE = 0.02;
/** A row that is higher than this share of a page may have to be broken, which looks at what is in it. */
const LOW = 0.15;
/** What keeps a table from being laid out in parts: rows that hold more than text, or are not all of the same cells. */
const MORE = ":not(tr, td, th), [colspan], [rowspan], [hidden], [id], [data-outline], [style*=width], [style*='%'], [style*=position]";

/** A table whose rows are laid out some at a time. */
export interface Long {
  table: HTMLTableElement;
  rows: HTMLTableRowElement[];
  /** The height of a row that is not broken in any case. */
  low: number;
  /** What the table was told of its looks and columns. */
  style: string | null;
  columns: HTMLElement[];
}

/** Finds the tables of very many rows and hides these, before anything is laid out. */
export function hideRows(sheets: Sheet[]): Long[] {
  const found = sheets.flatMap((sheet) => long(sheet) ?? []);
  if (found.length > 0 && counts(found[0]!.table.ownerDocument)) return [];
  for (const { rows } of found) hide(rows, 0, rows.length - 1);
  return found;
}

/** Whether styles of the report count: what is hidden counts for nothing. */
function counts(doc: Document): boolean {
  return doc.querySelector("[style*=counter-]") !== null || [...doc.querySelectorAll("style")].some((s) => s.textContent.includes("counter-"));
}

/** Shows the rows again that are hidden; they must not stand in the document. */
export function showRows(sheets: Sheet[]): void {
  for (const { body } of sheets) {
    const table = body.lastElementChild;
    if (table && measured.has(table)) for (const tr of (table as HTMLTableElement).tBodies[0]!.children) (tr as HTMLElement).hidden = false;
  }
}

/** Measures the rows of the tables. Of one that is not as plain as it looked, all rows are shown. */
export async function measureRows(tables: Long[]): Promise<void> {
  for (const one of tables) {
    reset(one);
    hide(one.rows, 0, one.rows.length - 1);
    const places = await measure(one);
    if (places) {
      measured.set(one.table, places);
      slabs.measured++;
      show(one.rows, 0, slabs.rows - 1);
      show(one.rows, one.rows.length - 1, one.rows.length - 1);
    } else {
      reset(one);
      show(one.rows, 0, one.rows.length - 1);
    }
  }
}

function reset({ table, style, columns }: Long): void {
  measured.delete(table);
  setStyle(table, style);
  setColumns(table, columns);
}

function columnsIn(table: HTMLElement): HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>(":scope > colgroup, :scope > col")];
}

function setStyle(table: HTMLElement, style: string | null): void {
  if (style === null) table.removeAttribute("style");
  else table.setAttribute("style", style);
}

/** A table that ends its sheet, of rows that hold text alone. */
function long({ body, geometry }: Sheet): Long | null {
  const table = body.lastElementChild as HTMLTableElement | null;
  if (table?.tagName !== "TABLE" || table.dataset.break !== "auto" || table.dataset.continue !== undefined || table.matches(".q-fixed, [style*=height]") || table.tBodies.length !== 1) return null;
  const tbody = table.tBodies[0]!;
  const count = tbody.childElementCount;
  if (count < slabs.from || (table.nextSibling && table.nextSibling.textContent?.trim() !== "") || table.nextSibling?.nextSibling) return null;
  if (body.querySelector(".q-note") || table.querySelector(":scope > :is(thead, tfoot) [id], :scope > :is(thead, tfoot) [data-outline]")) return null;
  if (tbody.querySelector(MORE)) return null;
  const rows = [...tbody.children] as HTMLTableRowElement[];
  const cells = rows[0]!.childElementCount;
  if (rows.some((tr) => tr.childElementCount !== cells)) return null;
  return { table, rows, low: (geometry.height - geometry.top - geometry.bottom) * LOW, style: table.getAttribute("style"), columns: columnsIn(table) };
}

async function measure(one: Long): Promise<Measured | null> {
  const { table, rows } = one;
  if (zoomOf(table) !== 1) return null;
  const found = resolved(one, await contentWidths(one));
  const body = table.parentElement!.getBoundingClientRect();
  if (found.right > body.right + TOLERANCE || found.left < body.left - TOLERANCE) return null;
  table.style.tableLayout = "fixed"; // as its parts have it on their pages
  table.style.width = px(found.width);
  setColumns(table, [columnsOf(table.ownerDocument, found.columns)]);
  show(rows, 0, 0);
  if (columnWidths(table).some((width, i) => Math.abs(width - found.columns[i]!) > ALIKE)) return null;
  hide(rows, 0, 0);
  const places = await heights(one);
  return places && { width: found.width, columns: found.columns, ...places };
}

/** Widths that the rows want for each column: without any break that can be had, and with all of them. */
async function contentWidths({ table, rows, style }: Long): Promise<{ least: number[]; most: number[] }> {
  const out = { least: [] as number[], most: [] as number[] };
  table.classList.add("q-bare");
  for (let from = 0; from < rows.length; from += slabs.rows) {
    const to = Math.min(from + slabs.rows, rows.length) - 1;
    show(rows, from, to);
    for (const [side, width] of [["most", "max-content"], ["least", "min-content"]] as const) {
      table.style.setProperty("width", width, "important");
      [...rows[from]!.cells].forEach((cell, i) => (out[side][i] = Math.max(out[side][i] ?? 0, cell.getBoundingClientRect().width)));
    }
    hide(rows, from, to);
    await breath();
  }
  table.classList.remove("q-bare");
  setStyle(table, style);
  return out;
}

interface Found {
  width: number;
  left: number;
  right: number;
  columns: number[];
}

/** The columns of the whole table: a row stands in for all others that wants what these want. */
function resolved({ table, rows }: Long, { least, most }: { least: number[]; most: number[] }): Found {
  const part = table.ownerDocument.createElement("tbody");
  part.className = "q-wants";
  const row = part.insertRow();
  least.forEach((min, i) => {
    const cell = row.insertCell();
    for (let left = most[i]!; left > 0; left -= min) {
      const piece = cell.appendChild(table.ownerDocument.createElement("span"));
      piece.style.width = `${Math.min(min, left)}px`;
      if (!(min > 0)) break;
    }
  });
  table.append(part);
  show(rows, 0, 0);
  const { width, left, right } = table.getBoundingClientRect();
  const found = { width, left, right, columns: columnWidths(table) };
  hide(rows, 0, 0);
  part.remove();
  return found;
}

function setColumns(table: HTMLTableElement, columns: HTMLElement[]): void {
  const before = columnsIn(table);
  const next = before[0] ?? table.caption?.nextSibling ?? table.firstChild;
  for (const one of columns) if (!before.includes(one)) table.insertBefore(one, next);
  for (const one of before) if (!columns.includes(one)) one.remove();
}

/** Where the rows begin and end below the first one. Neighbours share lines, so that each is looked at with both of its own. */
async function heights({ table, rows, low }: Long): Promise<Pick<Measured, "tops" | "bottoms"> | null> {
  const tops = new Float64Array(rows.length);
  const bottoms = new Float64Array(rows.length);
  let above = 0;
  for (let from = 0; from < rows.length; from += slabs.rows) {
    const to = Math.min(from + slabs.rows, rows.length);
    const shown: [number, number] = [Math.max(from - 1, 0), Math.min(to, rows.length - 1)];
    show(rows, ...shown);
    if (table.scrollWidth > table.clientWidth + TOLERANCE) return null;
    const start = rows[from]!.getBoundingClientRect().top;
    for (let i = from; i < to; i++) {
      const row = rows[i]!.getBoundingClientRect();
      if (row.height > low || !whole(rows[i]!, row)) return null;
      tops[i] = above + row.top - start;
      bottoms[i] = tops[i]! + row.height;
    }
    if (to < rows.length) above += rows[to]!.getBoundingClientRect().top - start;
    hide(rows, ...shown);
    await breath();
  }
  return { tops, bottoms };
}

/** Whether a row is drawn, and all of its cells are. */
function whole(tr: HTMLTableRowElement, row: DOMRect): boolean {
  const last = tr.lastElementChild!.getBoundingClientRect();
  return row.width > 0 && last.width > 0 && Math.min(Math.abs(last.right - row.right), Math.abs(last.left - row.left)) <= TOLERANCE;
}

/** Lets the tab answer: it is taken for hung when it does one thing for too long. */
function breath(): Promise<unknown> {
  return new Promise((done) => setTimeout(done));
}

function show(rows: HTMLTableRowElement[], from: number, to: number): void {
  for (let i = from; i <= Math.min(to, rows.length - 1); i++) rows[i]!.hidden = false;
}

function hide(rows: HTMLTableRowElement[], from: number, to: number): void {
  for (let i = from; i <= to; i++) rows[i]!.hidden = true;
}
