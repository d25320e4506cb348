// Tables of very many rows. A browser keeps some twenty kilobytes for each row that it
// has laid out, so the rows of such a table are laid out some at a time, and never all of
// them. How wide their columns are is guessed from the longest texts, and known for sure
// when no row has asked for more.

import { columnWidths, type Measured, measured } from "./table";
import { columnsOf } from "./tablesplit";
import type { Sheet } from "./types";
import { px, zoomOf } from "./units";

/**
 * From how many rows on a table is one of very many, how many are laid out at a time, from how many
 * of the longest texts of a column its width is guessed, and how many tables were measured so.
 */
export const slabs = { from: 50_000, rows: 1_000, longest: 24, measured: 0 };

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;
/** Widths that differ less are the same: where one was written as a style, and where both were laid out. */
const ALIKE = 0.02;
const EXACT = 1 / 128;
/** How many texts are looked at closely of those whose letters are widest. */
const CLOSE = 400;
const SPACE = 32;
/** How often a guess may be wrong until all rows are asked. */
const GUESSES = 3;
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
  for (const { rows } of found) hide(rows);
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
    hide(one.rows);
    const places = await measure(one);
    if (places) {
      measured.set(one.table, places);
      slabs.measured++;
      show([one.rows[0]!, one.rows.at(-1)!]);
    } else {
      reset(one);
      show(one.rows);
    }
  }
}

function reset({ table, style, columns }: Long): void {
  measured.delete(table);
  dropWants(table);
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
  const end = rows.length - 1;
  const parts = Array.from({ length: Math.ceil(end / slabs.rows) }, (_, i) => new Part(rows, i * slabs.rows, Math.min((i + 1) * slabs.rows, end)));
  const last = new Part(rows, end, rows.length);
  parts.push(last);
  show([rows[0]!]); // which stays: the columns are read from it
  const wants: Wants = { least: [], most: [] };
  want(one, wants, await longest(rows));
  let found = resolved(one, wants);
  let misses = 0;
  for (const left = [...parts]; left.length > 0; await breath()) {
    const part = left.shift()!;
    show(part.shown);
    if (unlike(table, found, EXACT)) {
      hide(part.shown);
      if (++misses > GUESSES) return null; // all were asked: it is no longer to be guessed
      for (const { shown } of misses < GUESSES ? [part] : parts) want(one, wants, shown);
      found = resolved(one, wants);
      left.push(...parts.filter((p) => p.measured)); // which was in other columns
      for (const p of parts) p.measured = false;
      show(part.shown);
      if (unlike(table, found, EXACT)) return null;
    }
    if (!part.measure(one)) return null;
    hide(part.shown);
  }
  const body = table.parentElement!.getBoundingClientRect();
  if (found.right > body.right + TOLERANCE || found.left < body.left - TOLERANCE) return null;
  dropWants(table);
  table.style.tableLayout = "fixed"; // as its parts have it on their pages
  table.style.width = px(found.width);
  setColumns(table, [columnsOf(table.ownerDocument, found.columns)]);
  show(last.shown); // without the row of wants below it
  if (unlike(table, found, ALIKE) || !last.measure(one)) return null;
  hide(last.shown);
  return { width: found.width, columns: found.columns, ...places(parts, rows.length) };
}

/** Rows that are laid out at once. */
class Part {
  /** Whether they were measured in the columns of now. */
  measured = false;
  /** The rows and their neighbours, with which they share lines; the first one is shown always. */
  readonly shown: HTMLTableRowElement[];
  readonly tops: number[] = [];
  readonly heights: number[] = [];
  /** How far the first row of the next part is below the first one. */
  step = 0;

  constructor(rows: HTMLTableRowElement[], private readonly from: number, private readonly to: number) {
    this.shown = rows.slice(Math.max(from - 1, 1), to + 1);
  }

  /** Where the rows begin below the first one, and how high they are; false when one is not plain. */
  measure({ table, rows, low }: Long): boolean {
    if (table.scrollWidth > table.clientWidth + TOLERANCE) return false;
    const start = rows[this.from]!.getBoundingClientRect().top;
    for (let i = this.from; i < this.to; i++) {
      const row = rows[i]!.getBoundingClientRect();
      if (row.height > low || !whole(rows[i]!, row)) return false;
      this.tops[i - this.from] = row.top - start;
      this.heights[i - this.from] = row.height;
    }
    if (this.to < rows.length) this.step = rows[this.to]!.getBoundingClientRect().top - start;
    this.measured = true;
    return true;
  }
}

/** Where all rows begin and end below the first one. */
function places(parts: Part[], rows: number): Pick<Measured, "tops" | "bottoms"> {
  const tops = new Float64Array(rows);
  const bottoms = new Float64Array(rows);
  let above = 0;
  let i = 0;
  for (const part of parts) {
    part.tops.forEach((top, k) => {
      tops[i] = above + top;
      bottoms[i] = tops[i]! + part.heights[k]!;
      i++;
    });
    above += part.step;
  }
  return { tops, bottoms };
}

/** The rows besides the first one that probably want most: those with the longest texts and words of each column. */
async function longest(rows: HTMLTableRowElement[]): Promise<HTMLTableRowElement[]> {
  const first = rows[0]!;
  const columns = [...first.cells].map((cell) => {
    const pen = new Pen(cell);
    return { pen, texts: new Longest(pen), words: new Longest(pen) };
  });
  for (let i = 0; i < rows.length; i++) {
    let cell = rows[i]!.firstElementChild;
    for (const { pen, texts, words } of columns) {
      const text = cell!.textContent;
      let length = 0;
      let word = 0; // where it begins, and how long the text is before it
      let before = 0;
      for (let at = 0; at < text.length; at++) {
        const letter = text.charCodeAt(at);
        if (letter === SPACE) words.offer(rows[i]!, length - before, text, word, at);
        length += pen.letter(letter);
        if (letter === SPACE) [word, before] = [at + 1, length];
      }
      words.offer(rows[i]!, length - before, text, word, text.length);
      texts.offer(rows[i]!, length, text, 0, text.length);
      cell = cell!.nextElementSibling;
    }
    if (i % slabs.rows === 0) await breath();
  }
  const found = new Set(columns.flatMap(({ texts, words }) => [...texts.rows(), ...words.rows()]));
  found.delete(first);
  return [...found];
}

/** Tells how wide text is, without layout. */
class Pen {
  private readonly canvas: CanvasRenderingContext2D;
  private readonly letters: number[] = [];

  constructor(cell: HTMLElement) {
    this.canvas = cell.ownerDocument.createElement("canvas").getContext("2d")!;
    const { fontStyle, fontWeight, fontSize, fontFamily } = cell.ownerDocument.defaultView!.getComputedStyle(cell);
    this.canvas.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    this.canvas.textRendering = "geometricPrecision";
  }

  text(text: string): number {
    return this.canvas.measureText(text).width;
  }

  letter(code: number): number {
    return (this.letters[code] ??= this.text(String.fromCharCode(code)));
  }
}

/** Keeps the longest of the texts that it is offered: first by their letters, then as they are written. */
class Longest {
  private best: { tr: HTMLTableRowElement; length: number; text: string }[] = [];
  private least = 0;

  constructor(private readonly pen: Pen) {}

  offer(tr: HTMLTableRowElement, length: number, text: string, from: number, to: number): void {
    if (length <= this.least) return;
    this.best.push({ tr, length, text: text.slice(from, to) });
    if (this.best.length >= 2 * CLOSE) this.least = this.cut(CLOSE);
  }

  rows(): HTMLTableRowElement[] {
    for (const one of this.best) one.length = this.pen.text(one.text);
    this.cut(slabs.longest);
    return this.best.map(({ tr }) => tr);
  }

  private cut(most: number): number {
    this.best = this.best.sort((a, b) => b.length - a.length).slice(0, most);
    return this.best.at(-1)?.length ?? 0;
  }
}

/** The widths of columns: without any break that can be had in their texts, and with all of them. */
interface Wants {
  least: number[];
  most: number[];
}

/** Adds what more rows want; the table is to be resolved again. */
function want({ table, rows, style }: Long, { least, most }: Wants, more: HTMLTableRowElement[]): void {
  dropWants(table);
  show(more);
  table.classList.add("q-bare");
  for (const [side, width] of [[most, "max-content"], [least, "min-content"]] as const) {
    table.style.setProperty("width", width, "important");
    [...rows[0]!.cells].forEach((cell, i) => (side[i] = Math.max(side[i] ?? 0, cell.getBoundingClientRect().width)));
  }
  table.classList.remove("q-bare");
  setStyle(table, style);
  hide(more);
}

interface Found {
  width: number;
  left: number;
  right: number;
  columns: number[];
}

/** The columns of the whole table: a row stands in for all others, below them, that wants what these want. */
function resolved({ table }: Long, { least, most }: Wants): Found {
  const part = table.appendChild(table.ownerDocument.createElement("tbody"));
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
  const { width, left, right } = table.getBoundingClientRect();
  return { width, left, right, columns: columnWidths(table) };
}

function dropWants(table: HTMLTableElement): void {
  table.querySelector(":scope > .q-wants")?.remove();
}

function unlike(table: HTMLTableElement, { columns }: Found, tolerance: number): boolean {
  return columnWidths(table).some((width, i) => Math.abs(width - columns[i]!) > tolerance);
}

function setColumns(table: HTMLTableElement, columns: HTMLElement[]): void {
  const before = columnsIn(table);
  const next = before[0] ?? table.caption?.nextSibling ?? table.firstChild;
  for (const one of columns) if (!before.includes(one)) table.insertBefore(one, next);
  for (const one of before) if (!columns.includes(one)) one.remove();
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

function show(rows: HTMLTableRowElement[]): void {
  for (const tr of rows) tr.hidden = false;
}

function hide(rows: HTMLTableRowElement[]): void {
  for (const tr of rows) tr.hidden = true;
}
