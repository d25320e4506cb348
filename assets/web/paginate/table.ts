// Tables: rows are the pieces; header rows and group captions are repeated.

import { carries, carryOf, isCarrySection } from "./carry";
import { joined } from "./joined";
import { type Frame, piece, type Pieces } from "./piece";
import { RowSlicer } from "./rows";
import { KEEP, type Level, type Piece, type TableInfo } from "./types";
import { zoomOf } from "./units";

/** What says that a table or group goes on: it is shown where it repeats. */
export const AGAIN = ".q-again";

/** Higher rows, in px, fill a page with few of their kind, and may stand alone. */
const LOW = 64;

const infos = new WeakMap<Element, TableInfo>();

/** The measured facts of a table that was turned into pieces. */
export function tableInfo(table: Element): TableInfo | undefined {
  return infos.get(table);
}

/** A table of very many rows, of which few are drawn: its width, its columns, and where its rows are below the first one. */
export interface Measured {
  width: number;
  columns: number[];
  tops: Float64Array;
  bottoms: Float64Array;
}

export const measured = new WeakMap<Element, Measured>();

interface Caption {
  row: HTMLTableRowElement;
  level: number;
  height: number;
}

/** Adds the rows of a table to the flow. Adds nothing when the table has none. */
export function tablePieces(flow: Pieces, table: HTMLTableElement, f: Frame): void {
  const body = bodyRows(table);
  const rows = body.length > 0 ? body : [...(table.tHead?.rows ?? [])];
  const known = measured.get(table);
  const drawn = known ? knownRows(rows, known) : drawnRows(rows);
  const opens = drawn[0]?.tr;
  if (!opens) return;
  const edge = edges(table, rows);
  const info = remember(table, body.length > 0 ? table.tHead : null);
  info.openHead = (first) => headPieces(flow, info, first, opens);
  const inner: Frame = { head: f.head + edge.head + againHeight(table), tail: f.tail + edge.tail };
  const joins = joined(rows);
  info.repeating = joins.repeating;
  const spacing = rowSpacing(table);
  const lonely = lonelyRows(drawn);
  const captions: Caption[] = [];
  let prevKeep = false;
  let carried = false;
  for (const { tr, top, bottom } of drawn) {
    dropCaptions(captions, tr);
    const repeated = captions.reduce((sum, c) => sum + c.height, 0);
    if (captions.length > 0) info.captions.set(tr, captions.map((c) => c.row));
    const p = rowPiece(flow, tr, top, bottom, info, inner.head + repeated, inner.tail);
    carried = carryRoom(p, info, carried);
    p.level = rowLevel(tr, prevKeep || lonely.has(tr), joins.levels.get(tr));
    p.forced = tr.getAttribute("data-break-before") === "page";
    if (known && tr === rows[rows.length - 1]) p.bottom += Math.max(0, table.getBoundingClientRect().bottom - tr.getBoundingClientRect().bottom);
    flow.add(p);
    prevKeep = tr.hasAttribute("data-keep-next");
    pushCaption(captions, tr, bottom - top + spacing);
  }
}

/** Keeps room for carried sums where a row before the cut has some; tells whether rows after it may count on that. */
function carryRoom(p: Piece, { carry }: TableInfo, before: boolean): boolean {
  const inside = before || carries(p.el!);
  if (!carry) return false;
  for (const [at, here] of [[p, before], [p.slices!, inside]] as const) {
    if (!here) continue;
    at.head += carry.broughtHeight;
    at.tail += carry.forwardHeight;
  }
  return inside;
}

/** Rows before which a break would leave one row of a table or group alone on a page: its first, or its last. */
function lonelyRows(drawn: DrawnRow[]): Set<HTMLTableRowElement> {
  const lonely = new Set<HTMLTableRowElement>();
  let run: DrawnRow[] = [];
  const end = () => {
    if (run.length > 1) for (const row of [run[1]!, run[run.length - 1]!]) if (isLow(row)) lonely.add(row.tr);
    run = [];
  };
  for (const row of drawn) {
    if (isPlain(row.tr)) run.push(row);
    else end();
  }
  end();
  return lonely;
}

const isPlain = (tr: HTMLTableRowElement) => !tr.parentElement!.matches("tfoot, [data-keep]") && !tr.hasAttribute("data-repeat") && !tr.hasAttribute("data-keep-prev") && !tr.hasAttribute("data-keep-next");
const isLow = ({ tr, top, bottom }: DrawnRow) => bottom - top < LOW * zoomOf(tr);

interface DrawnRow {
  tr: HTMLTableRowElement;
  top: number;
  bottom: number;
}

/** Rows whose places are known though not all of them are drawn: the last of the body is, with those of the foot. */
function knownRows(rows: HTMLTableRowElement[], { tops, bottoms }: Measured): DrawnRow[] {
  const start = rows[0]!.getBoundingClientRect().top;
  const last = tops.length - 1;
  const lower = start + tops[last]! - rows[last]!.getBoundingClientRect().top;
  const foot = drawnRows(rows.slice(tops.length)).map(({ tr, top, bottom }) => ({ tr, top: top + lower, bottom: bottom + lower }));
  return [...rows.slice(0, tops.length).map((tr, i) => ({ tr, top: start + tops[i]!, bottom: start + bottoms[i]! })), ...foot];
}

/** The rows that are drawn, and where. Each is measured once. */
function drawnRows(rows: Iterable<HTMLTableRowElement>): DrawnRow[] {
  const out: DrawnRow[] = [];
  for (const tr of rows) {
    const { width, top, bottom } = tr.getBoundingClientRect();
    if (width > 0 || bottom > top) out.push({ tr, top, bottom });
  }
  return out;
}

function rowPiece(flow: Pieces, tr: HTMLTableRowElement, top: number, bottom: number, table: TableInfo, head: number, tail: number): Piece {
  const p = piece(opening(tr), top, bottom, { head, tail });
  p.el = tr;
  p.table = table;
  p.slices = { top, bottom, head, tail, always: false, eager: false, open: (page) => new RowSlicer(flow, [...tr.cells], page) };
  return p;
}

/** The rows of a header that is broken. They take over what opens the table from its first row, which stays with them. */
function headPieces(flow: Pieces, info: TableInfo, first: Piece, row: HTMLTableRowElement): Piece[] {
  const rows = drawnRows(info.head!.rows);
  const { levels } = joined(rows.map(({ tr }) => tr));
  const { head, tail } = first.slices!;
  const pieces = rows.map(({ tr, top, bottom }) => ({ ...rowPiece(flow, tr, top, bottom, info, head, tail), level: rowLevel(tr, false, levels.get(tr)) }));
  const { node, top, level, forced } = first;
  Object.assign(pieces[0]!, { node, top, level, forced, head: first.head });
  Object.assign(first, { node: opening(row), top: first.slices!.top, level: KEEP, forced: false, head, el: row });
  return pieces;
}

function rowLevel(tr: HTMLTableRowElement, prevKeep: boolean, joined: Level = 0): Level {
  if (joined) return joined;
  return prevKeep || tr.hasAttribute("data-keep-prev") || firstOfFoot(tr) || insideGroup(tr) ? KEEP : 0;
}

/** A section that belongs together is broken between its rows only where it is higher than a page. */
function insideGroup(tr: HTMLTableRowElement): boolean {
  return tr.parentElement!.hasAttribute("data-keep") && tr.previousElementSibling !== null;
}

/** The sums at the end of a table stay with its last row. */
function firstOfFoot(tr: HTMLTableRowElement): boolean {
  return tr.parentElement!.tagName === "TFOOT" && !tr.previousElementSibling;
}

/** Rows of the bodies and of the foot, in the order they are drawn. */
function bodyRows(table: HTMLTableElement): HTMLTableRowElement[] {
  const rows: HTMLTableRowElement[] = [];
  for (const part of table.children) {
    if (isCarrySection(part)) continue;
    if (part.tagName === "TBODY") for (const row of (part as HTMLTableSectionElement).rows) rows.push(row);
    else if (part.tagName === "TR") rows.push(part as HTMLTableRowElement);
  }
  for (const row of table.tFoot?.rows ?? []) rows.push(row);
  return rows;
}

/** A break before the first row of a section is a break before the section. */
function opening(tr: HTMLTableRowElement): Node {
  const part = tr.parentElement!;
  return part.tagName !== "TABLE" && part.firstElementChild === tr ? part : tr;
}

/** Heights of all that a part of the table carries besides its rows: header and borders. */
function edges(table: HTMLTableElement, rows: HTMLTableRowElement[]): Frame {
  const box = table.getBoundingClientRect();
  const caption = table.caption?.getBoundingClientRect();
  const above = caption && caption.top <= box.top + 1 ? caption.bottom : box.top;
  const below = caption && caption.top > box.top + 1 ? caption.top : box.bottom;
  const first = rows[0]!.getBoundingClientRect();
  const last = rows[rows.length - 1]!.getBoundingClientRect();
  // Where borders collapse, half of the cut row's own line takes the place of the table's.
  return { head: first.top - above, tail: Math.max(below - last.bottom, 1) };
}

/** The height of the row above the head that is shown where the table goes on. */
function againHeight(table: HTMLTableElement): number {
  const row = table.tHead?.querySelector<HTMLElement>(`:scope > tr${AGAIN}`);
  if (!row) return 0;
  row.style.visibility = "visible";
  const { height } = row.getBoundingClientRect();
  row.style.visibility = "";
  return height;
}

/** The gap that a table with separate borders leaves between rows. */
function rowSpacing(table: HTMLTableElement): number {
  const style = table.ownerDocument.defaultView!.getComputedStyle(table);
  if (style.borderCollapse === "collapse") return 0;
  return parseFloat(style.borderSpacing.split(" ").pop()!) || 0;
}

function remember(table: HTMLTableElement, head: HTMLTableSectionElement | null): TableInfo {
  const zoom = zoomOf(table);
  const known = measured.get(table);
  const info: TableInfo = {
    width: known?.width ?? table.getBoundingClientRect().width / zoom,
    columns: known?.columns ?? columnWidths(table).map((width) => width / zoom),
    head,
    headHeight: (head?.getBoundingClientRect().height ?? 0) + againHeight(table),
    repeatHead: true,
    sheets: sheetsOf(table),
    openHead: () => [],
    repeating: new Set(),
    captions: new Map(),
    carry: carryOf(table),
  };
  infos.set(table, info);
  return info;
}

/** How many sheets a table's pages become. */
export function sheetsOf(table: HTMLTableElement): number {
  return Math.max(1, (table.dataset.sheets ?? "").split(" ").length - 1);
}

/** Widths of the columns, read from the edges of the cells of as few rows as show all of them. */
export function columnWidths(table: HTMLTableElement): number[] {
  const rtl = table.ownerDocument.defaultView!.getComputedStyle(table).direction === "rtl";
  const edges = new Map<number, number>();
  let columns = 0;
  /** How many more rows a cell from above takes of each column; sections end it. */
  let taken: number[] = [];
  let section: Element | null = null;
  for (let i = 0; i < table.rows.length && i < 60; i++) {
    const row = table.rows[i]!;
    if (row.parentElement !== section) taken = [];
    section = row.parentElement;
    let at = 0;
    const skip = () => {
      while ((taken[at] ?? 0) > 0) taken[at++]!--;
    };
    for (const cell of row.cells) {
      skip();
      const r = cell.getBoundingClientRect();
      if (!edges.has(at)) edges.set(at, rtl ? -r.right : r.left);
      const rows = cell.rowSpan === 0 ? Infinity : cell.rowSpan;
      for (let k = 0; k < cell.colSpan; k++) taken[at++] = rows - 1;
      if (!edges.has(at)) edges.set(at, rtl ? -r.left : r.right);
    }
    skip();
    columns = Math.max(columns, at);
    if (edges.size > columns && row.querySelector("[rowspan]") === null) break;
  }
  return widths(edges, columns);
}

/** Columns without an edge of their own share what lies between known edges. */
function widths(edges: Map<number, number>, columns: number): number[] {
  const out: number[] = [];
  let from = 0;
  for (let to = 1; to <= columns; to++) {
    const end = edges.get(to);
    if (end === undefined) continue;
    const each = (end - edges.get(from)!) / (to - from);
    for (; from < to; from++) out.push(each);
  }
  return out;
}

function dropCaptions(captions: Caption[], tr: HTMLTableRowElement): void {
  const level = repeatLevel(tr);
  if (level === null && tr.parentElement!.tagName !== "TFOOT") return;
  while (captions.length > 0 && captions[captions.length - 1]!.level >= (level ?? 0)) captions.pop();
}

function pushCaption(captions: Caption[], row: HTMLTableRowElement, height: number): void {
  const level = repeatLevel(row);
  if (level !== null) captions.push({ row, level, height });
}

function repeatLevel(tr: HTMLTableRowElement): number | null {
  const said = tr.getAttribute("data-repeat");
  if (said === null) return null;
  return Number(said) || 1;
}
