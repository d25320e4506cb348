// Tables whose columns go on on further sheets. Such a table is planned as one
// that is as wide as all its columns; each page of it then becomes several, of
// which each has the key columns and its own share of the others.

import { divisible, isRow, look } from "./look";
import { columnWidths } from "./table";
import type { PlannedPage, Sheet, Warning } from "./types";
import { px, zoomOf } from "./units";
import { roomOf } from "./wide";

const TABLE = "table.q-across";
/** A column of text is at first as wide as this share of the page, unless its author or a word of it wants more. */
const SHARE = 0.2;
/** Key columns have that much of each sheet at most; more where their headers would else be higher than this share of a page. */
const KEYS = [0.5, 0.7, 0.85];
const HEADER = 0.5;

/** Lays out the tables that ask for it and are wider than their room. */
export function continueColumns(sheets: Sheet[], warnings: Warning[]): void {
  for (const { body, geometry } of sheets) {
    for (const table of body.querySelectorAll<HTMLTableElement>("table[data-continue]")) {
      const room = widthOf(roomOf(table, body, body.getBoundingClientRect())) - margins(table) * zoomOf(table);
      if (table.getBoundingClientRect().width <= room + 1) continue;
      if (alone(table, body)) layOut(table, room / zoomOf(table), geometry.height - geometry.top - geometry.bottom);
      else warnings.push({ id: table.dataset.id ?? "", message: "continues its columns on further sheets only where nothing stands beside it" });
    }
  }
}

function widthOf({ left, right }: { left: number; right: number }): number {
  return right - left;
}

/** What a table leaves free at its sides. */
function margins(table: HTMLTableElement): number {
  const { marginLeft, marginRight } = table.ownerDocument.defaultView!.getComputedStyle(table);
  return [marginLeft, marginRight].reduce((all, side) => all + Math.max(0, parseFloat(side) || 0), 0);
}

/** Whether all around a table is broken where the table is. */
function alone(table: HTMLTableElement, body: HTMLElement): boolean {
  for (let el = table.parentElement!; el !== body; el = el.parentElement!) {
    const l = look(el, true);
    if (el.closest("td, th, .q-column, .q-columns") || l.outOfFlow || isRow(l) || !divisible(el, l)) return false;
  }
  return true;
}

function layOut(table: HTMLTableElement, room: number, page: number): void {
  const natural = naturalWidths(table, room);
  for (const share of KEYS) {
    const { widths, ends } = divide(table, [...natural], room, share);
    if (ends.length < 3) return;
    setWidths(table, widths, ends);
    if (!table.tHead || table.tHead.getBoundingClientRect().height <= page * HEADER) return;
  }
}

function setWidths(table: HTMLTableElement, widths: number[], ends: number[]): void {
  table.classList.add("q-across", "q-fixed");
  table.dataset.sheets = ends.join(" ");
  table.style.tableLayout = "fixed";
  table.style.width = px(sum(widths));
  table.style.minWidth = "0";
  table.style.maxWidth = "none";
  for (const old of table.querySelectorAll(":scope > colgroup, :scope > col")) old.remove();
  const group = table.ownerDocument.createElement("colgroup");
  for (const width of widths) group.appendChild(table.ownerDocument.createElement("col")).style.width = px(width);
  table.insertBefore(group, table.caption?.nextSibling ?? table.firstChild);
  for (let el: HTMLElement = table; !el.classList.contains("q-body"); el = el.parentElement!) el.dataset.break = "auto";
}

/** The widths of the columns, and where the key columns, which have a share of the room at most, and those of each sheet end. */
function divide(table: HTMLTableElement, widths: number[], room: number, share: number): { widths: number[]; ends: number[] } {
  const keys = Math.min(Math.max(0, Number(table.dataset.continue) || 0), widths.length - 1);
  limit(widths, 0, keys, room * share);
  const left = room - sum(widths.slice(0, keys));
  for (let i = keys; i < widths.length; i++) widths[i] = Math.min(widths[i]!, left);
  const ends = balanced(widths, keys, left, headed(table));
  let least = Infinity;
  for (let i = 1; i < ends.length; i++) {
    const factor = left / sum(widths.slice(ends[i - 1], ends[i]));
    const last = i === ends.length - 1;
    scale(widths, ends[i - 1]!, ends[i]!, last ? Math.min(factor, least) : factor);
    least = Math.min(least, factor);
  }
  return { widths, ends };
}

/** Where the columns of each sheet end: on as few sheets as can be, each about as full as those after it. */
function balanced(widths: number[], keys: number, room: number, together: Set<number>): number[] {
  const ends = [keys];
  let sheets = divided(widths, keys, room, together).length;
  for (let from = keys; from < widths.length; sheets--) {
    let high = room;
    for (let low = 0; high - low > 1; ) {
      const middle = (low + high) / 2;
      if (divided(widths, from, middle, together).length > sheets) low = middle;
      else high = middle;
    }
    from = divided(widths, from, high, together)[0]!;
    ends.push(from);
  }
  return ends;
}

function divided(widths: number[], keys: number, room: number, together: Set<number>): number[] {
  const ends: number[] = [];
  for (let from = keys; from < widths.length; from = ends[ends.length - 1]!) ends.push(end(widths, from, room, together));
  return ends;
}

function naturalWidths(table: HTMLTableElement, room: number): number[] {
  const own = table.style.cssText;
  const said = [...table.querySelectorAll<HTMLElement>(":scope > colgroup > col")].map((col) => col.style.width !== "");
  table.classList.remove("q-fixed");
  table.style.tableLayout = "auto";
  const zoom = zoomOf(table);
  const measured = (style: Record<string, string>) => {
    for (const [name, value] of Object.entries(style)) table.style.setProperty(name, value, "important");
    return columnWidths(table).map((w) => w / zoom);
  };
  const least = measured({ width: "1px", "min-width": "0", "max-width": "none" });
  // A table is never wider than its room by itself.
  const most = measured({ width: "auto", "margin-inline": "0 -100000px" });
  table.style.cssText = own;
  return least.map((w, i) => Math.ceil(Math.max(w, Math.min(most[i] ?? w, said[i] ? room : room * SHARE))));
}

/** Columns that stand under a header cell together with the one before. */
function headed(table: HTMLTableElement): Set<number> {
  const out = new Set<number>();
  if (!table.tHead) return out;
  for (const { at, cell } of grid(table.tHead)) for (let k = 1; k < cell.colSpan; k++) out.add(at + k);
  return out;
}

/** Where the columns of a sheet end: before the first that has no room, not under a header cell if that can be. */
function end(widths: number[], from: number, room: number, together: Set<number>): number {
  let to = from;
  for (let used = 0; to < widths.length && (to === from || used + widths[to]! <= room + 0.5); to++) used += widths[to]!;
  if (to === widths.length) return to;
  for (let before = to; before > from; before--) if (!together.has(before)) return before;
  return to;
}

function limit(widths: number[], from: number, to: number, room: number): void {
  const wanted = sum(widths.slice(from, to));
  if (wanted > room) scale(widths, from, to, room / wanted);
}

function scale(widths: number[], from: number, to: number, factor: number): void {
  for (let i = from; i < to; i++) widths[i] = widths[i]! * factor;
}

function sum(list: number[]): number {
  return list.reduce((a, b) => a + b, 0);
}

/** Gives the rows the heights that they have on the sheet where they are highest. All is read before anything is written. */
export function pinRows(sheets: Sheet[]): void {
  for (const table of sheets.flatMap(({ body }) => [...body.querySelectorAll<HTMLTableElement>(TABLE)])) {
    const zoom = zoomOf(table);
    const spanning = narrowed(table);
    for (const { cell, padding } of spanning) cell.style.setProperty("padding-inline-end", padding, "important");
    const heights = [...table.rows].map((row) => row.getBoundingClientRect().height / zoom);
    for (const { cell, own } of spanning) cell.style.cssText = own;
    [...table.rows].forEach((row, i) => (row.style.height = px(heights[i]!)));
  }
}

/** The cells over several columns, and what keeps their text as narrow as on the sheet that shows least of them. */
function narrowed(table: HTMLTableElement): { cell: HTMLElement; own: string; padding: string }[] {
  const widths = colWidths(table);
  const shares = sharesOf(table);
  const view = table.ownerDocument.defaultView!;
  return [...table.children].flatMap((part) => (part.tagName === "COLGROUP" || part.tagName === "CAPTION" ? [] : grid(part))).flatMap(({ cell, at }) => {
    if (cell.colSpan === 1) return [];
    const between = (low: number, high: number) => sum(widths.slice(Math.max(low, at), Math.max(low, at, Math.min(high, at + cell.colSpan))));
    const whole = between(at, at + cell.colSpan);
    const least = Math.min(...shares.map(({ keys, from, to }) => between(0, keys) + between(from, to)).filter((width) => width > 0));
    const padding = parseFloat(view.getComputedStyle(cell).paddingInlineEnd) || 0;
    return [{ cell, own: cell.style.cssText, padding: px(padding + whole - least) }];
  });
}

/** The columns of each sheet: the key columns, and those from one to before another. */
interface Share {
  keys: number;
  from: number;
  to: number;
}

function sharesOf(table: HTMLTableElement): Share[] {
  const [keys = 0, ...ends] = table.dataset.sheets!.split(" ").map(Number);
  return ends.map((to, i) => ({ keys, from: ends[i - 1] ?? keys, to }));
}

/** How many of some columns a sheet has. */
function shown({ keys, from, to }: Share, at: number, span: number): number {
  const both = (low: number, high: number) => Math.max(0, Math.min(at + span, high) - Math.max(at, low));
  return both(0, keys) + both(from, to);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function colWidths(table: HTMLTableElement): number[] {
  return [...table.querySelectorAll<HTMLElement>(":scope > colgroup > col")].map((col) => parseFloat(col.style.width) || 0);
}

/** A cell, and the column that it begins in. */
interface Placed {
  cell: HTMLTableCellElement;
  at: number;
}

/** The cells of a section, with the columns that they begin in. */
function grid(section: Element): Placed[] {
  const out: Placed[] = [];
  const until: number[] = [];
  [...section.children].forEach((row, i) => {
    let at = 0;
    for (const cell of (row as HTMLTableRowElement).cells) {
      while ((until[at] ?? 0) > i) at++;
      out.push({ cell, at });
      for (let k = 0; k < cell.colSpan; k++) until[at + k] = cell.rowSpan === 0 ? Infinity : i + cell.rowSpan;
      at += cell.colSpan;
    }
  });
  return out;
}

/** Adds the further sheets of the pages that have some. */
export function addSheets(pages: PlannedPage[]): PlannedPage[] {
  if (!pages.some((p) => p.sheets > 1)) return pages;
  return pages.flatMap((p) => [p, ...range(1, p.sheets).map((sheet): PlannedPage => ({ ...p, sheet, marks: [], scales: [], columns: [] }))]);
}

/** The contents of the further sheets of a page; the page keeps those of the first. */
export function takeSheets(body: HTMLElement, sheets: number): HTMLElement[] {
  const tables = [...body.querySelectorAll<HTMLTableElement>(TABLE)].map(spread);
  const bodies = range(1, sheets).map((nth) => furtherSheet(body, tables, nth));
  for (const table of tables) keepFirst(table);
  return bodies;
}

/** Tables of a further sheet begin as low as on the first. */
const BESIDE = "data-beside";

/** How a table is spread over its sheets: read once for all of them. */
interface Spread {
  table: HTMLTableElement;
  shares: Share[];
  widths: number[];
  /** The cells of each row, with the columns that they begin in. */
  rows: Map<Element, Placed[]>;
}

function spread(table: HTMLTableElement): Spread {
  const rows = new Map<Element, Placed[]>();
  for (const part of table.children) {
    if (part.tagName === "COLGROUP" || part.tagName === "CAPTION") continue;
    for (const row of part.children) rows.set(row, []);
    for (const placed of grid(part)) rows.get(placed.cell.parentElement!)!.push(placed);
  }
  return { table, shares: sharesOf(table), widths: colWidths(table), rows };
}

function furtherSheet(body: HTMLElement, tables: Spread[], nth: number): HTMLElement {
  const copies = new Map<Element, Element>([[body, bare(body)]]);
  tables.forEach((of, i) => {
    if (nth >= of.shares.length) return;
    const copy = further(of, nth);
    copy.setAttribute(BESIDE, String(i));
    place(copy, of.table.parentElement!, copies);
  });
  return copies.get(body) as HTMLElement;
}

/** Puts a copy into copies of all that stands around the element. */
function place(copy: Element, parent: Element, copies: Map<Element, Element>): void {
  let above = copies.get(parent);
  if (!above) {
    above = bare(parent);
    copies.set(parent, above);
    place(above, parent.parentElement!, copies);
  }
  above.append(copy);
}

function bare(el: Element): Element {
  const copy = el.cloneNode(false) as Element;
  copy.removeAttribute("id");
  copy.removeAttribute("data-outline");
  if (copy.tagName === "LI") copy.classList.add("q-cut-start"); // its marker stands on the first sheet
  return copy;
}

/** A table with the columns of a further sheet; names stay with the first sheet that shows them. */
function further({ table, shares, widths, rows }: Spread, nth: number): HTMLTableElement {
  const share = shares[nth]!;
  const copy = nameless(table) as HTMLTableElement;
  for (const part of table.children) {
    if (part.tagName === "CAPTION") {
      const caption = copy.appendChild(part.cloneNode(true)) as Element;
      caption.removeAttribute("id");
      caption.setAttribute("data-repeated", "");
      continue;
    }
    const section = copy.appendChild(nameless(part));
    if (part.tagName === "COLGROUP") {
      [...part.children].forEach((col, i) => shown(share, i, 1) > 0 && section.append(col.cloneNode(true)));
      continue;
    }
    for (const row of part.children) {
      const line = section.appendChild(nameless(row));
      for (const { cell, at } of rows.get(row)!) {
        const left = shown(share, at, cell.colSpan);
        if (left === 0) continue;
        const own = line.appendChild(cell.cloneNode(true)) as HTMLTableCellElement;
        if (left !== cell.colSpan) own.colSpan = left;
        if (at >= share.from) continue;
        own.setAttribute("data-repeated", "");
        for (const el of [own, ...own.querySelectorAll("[id]")]) el.removeAttribute("id");
      }
    }
  }
  copy.style.width = widthOn(share, widths);
  return copy;
}

/** Leaves a table the columns of its first sheet. */
function keepFirst({ table, shares, widths, rows }: Spread): void {
  const share = shares[0]!;
  for (const cells of rows.values()) {
    for (const { cell, at } of cells) {
      const left = shown(share, at, cell.colSpan);
      if (left === 0) cell.remove();
      else if (left !== cell.colSpan) cell.colSpan = left;
    }
  }
  table.style.width = widthOn(share, widths);
  [...table.querySelectorAll(":scope > colgroup > col")].forEach((col, i) => shown(share, i, 1) === 0 && col.remove());
}

function nameless(el: Element): Element {
  const copy = el.cloneNode(false) as Element;
  copy.removeAttribute("id");
  return copy;
}

function widthOn({ keys, from, to }: Share, widths: number[]): string {
  return px(sum(widths.slice(0, keys)) + sum(widths.slice(from, to)));
}

/** Moves the tables of further sheets to where they stand on the first, so that the sheets can be laid side by side. */
export function alignSheets(boxes: HTMLElement[], pages: PlannedPage[]): void {
  const moves: { table: Element; by: number }[] = [];
  let first: HTMLElement | null = null;
  boxes.forEach((box, i) => {
    if (pages[i]!.sheet === 0) first = box;
    else if (first) moves.push(...movesOf(first, box));
  });
  for (const { table, by } of moves) {
    if (by < 0.5) continue;
    const space = table.ownerDocument.createElement("div");
    space.style.height = px(by);
    space.setAttribute("aria-hidden", "true");
    table.before(space);
  }
}

function movesOf(first: HTMLElement, box: HTMLElement): { table: Element; by: number }[] {
  const tables = [...first.querySelectorAll(TABLE)];
  const top = (el: Element, page: Element) => el.getBoundingClientRect().top - page.getBoundingClientRect().top;
  let moved = 0;
  return [...box.querySelectorAll(`[${BESIDE}]`)].map((table) => {
    const by = top(tables[Number(table.getAttribute(BESIDE))]!, first) - top(table, box) - moved;
    moved += Math.max(0, by);
    return { table, by };
  });
}
