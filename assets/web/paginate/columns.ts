// Text in columns that may be broken. The paginator sets the columns itself:
// the source is laid out as one column of their width, and each page takes as
// many columns from it as it has room for. The last page's are of equal height.

import { cutsOff, divisible, frame, look } from "./look";
import { moveAll } from "./nodes";
import { type Frame, piece, type Pieces } from "./piece";
import { Stretch } from "./stretch";
import { endingWith } from "./trim";
import { type Columns, FREE, KEEP, type Level, type Mark, type Piece, type Slice, type Slicer, TORN } from "./types";

const CLASS = "q-columns";
/** How exactly the height of equal columns is sought, in px. */
const EVEN = 0.5;

/** Whether a block was made ready by openColumns. */
export function isColumns(el: Element): boolean {
  return el.classList.contains(CLASS);
}

/** Makes the blocks in columns that may be broken ready, before the first layout. */
export function openColumns(body: HTMLElement): void {
  for (const el of body.querySelectorAll<HTMLElement>("[data-break=auto][style*=column]")) {
    if (!cutsOff(el) && reachable(el, body)) openBlock(el);
  }
}

/** Makes a block ready that is in columns; false when it is not, or not in ones that can be opened. */
export function openBlock(el: HTMLElement): boolean {
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  if (style.display !== "block" && style.display !== "flow-root") return false;
  const count = columnCount(el, style);
  if (count > 1) open(el, style, count);
  else if (count === 1) el.style.cssText += ";columns:auto;display:flow-root";
  return count >= 1;
}

/** How many columns the browser makes, by the algorithm of CSS Multi-column Layout Level 1, section 3.4; NaN for none. */
function columnCount(el: HTMLElement, style: CSSStyleDeclaration): number {
  const most = Number(style.columnCount);
  const width = parseFloat(style.columnWidth);
  if (Number.isNaN(width)) return most;
  const room = el.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const gap = parseFloat(gapOf(style)) * (style.columnGap.endsWith("%") ? room / 100 : 1);
  const fit = Math.max(1, Math.floor((room + gap) / (width + gap)));
  return most < fit ? most : fit;
}

function gapOf(style: CSSStyleDeclaration): string {
  return style.columnGap === "normal" ? style.fontSize : style.columnGap;
}

/** Only what stands in breakable blocks is broken; all else keeps the browser's columns. */
function reachable(el: Element, body: Element): boolean {
  for (let up = el.parentElement!; up !== body; up = up.parentElement!) {
    const l = look(up, true);
    if (!l.auto || !divisible(up, l) || l.display === "table-cell") return false;
  }
  return true;
}

function open(el: HTMLElement, style: CSSStyleDeclaration, count: number): void {
  const gap = gapOf(style);
  const rule = style.columnRuleStyle === "none" ? "" : `${style.columnRuleWidth} ${style.columnRuleStyle} ${style.columnRuleColor}`;
  keepMargins(el);
  const column = el.ownerDocument.createElement("div");
  column.className = "q-column";
  moveAll(el, column);
  el.append(column);
  el.classList.add(CLASS);
  el.style.columns = "auto";
  el.style.columnGap = gap;
  el.style.setProperty("--q-columns", String(count));
  el.style.setProperty("--q-column-gap", gap);
  if (rule) el.style.setProperty("--q-column-rule", rule);
}

/** Style sheets say for the first and last child of a block that their margins are none; they will be grandchildren. */
function keepMargins(el: HTMLElement): void {
  const view = el.ownerDocument.defaultView!;
  const first = el.firstElementChild as HTMLElement | null;
  const last = el.lastElementChild as HTMLElement | null;
  if (!first || !last) return;
  const [top, bottom] = [view.getComputedStyle(first).marginTop, view.getComputedStyle(last).marginBottom];
  first.style.marginTop = top;
  last.style.marginBottom = bottom;
}

/** The piece of a block in columns. */
export function columnsPiece(flow: Pieces, el: Element, box: { top: number; bottom: number }, f: Frame): Piece {
  const column = el.firstElementChild as HTMLElement;
  const r = column.getBoundingClientRect();
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  const own = style.boxDecorationBreak === "clone" ? frame(style) : { top: 0, bottom: 0 };
  return {
    ...piece(el, box.top, box.bottom, f),
    el,
    slices: {
      top: r.top,
      bottom: r.bottom,
      head: f.head + own.top,
      tail: f.tail + Math.max(own.bottom, box.bottom - r.bottom),
      always: true,
      eager: false,
      open: (page) => new ColumnSlicer(flow, column, Number(style.getPropertyValue("--q-columns")), page),
    },
  };
}

/** Fills columns page by page. */
class ColumnSlicer implements Slicer {
  private readonly text: Stretch;
  private readonly last: number;

  constructor(flow: Pieces, private readonly column: HTMLElement, private readonly count: number, page: number) {
    this.text = new Stretch(column, flow.beside(column), page);
    this.last = column.getBoundingClientRect().bottom;
  }

  save(): () => void {
    return this.text.save();
  }

  fits(room: number): boolean {
    return this.text.done || this.text.fits(room, FREE) > this.text.at;
  }

  next(room: number, wholePage: boolean): Slice | null {
    const most = wholePage ? TORN : FREE;
    if (!wholePage && !this.fits(room)) return null;
    if (this.holdsAll(room)) return this.slice(this.ends(this.evenHeight(room), KEEP, false), room);
    return this.slice(this.ends(room, most, wholePage), room);
  }

  /**
   * Where the columns of a page end when each has this room. On a whole page one
   * that ends where it begins is for a block that is too tall for any.
   */
  private ends(room: number, most: Level, wholePage: boolean): number[] {
    const out: number[] = [];
    let at = this.text.at;
    for (let i = 0; i < this.count; i++) {
      const end = this.text.fits(room, most, at);
      if (end === at && !wholePage) break;
      out.push(end);
      at = end === at ? at + 1 : end;
    }
    return out;
  }

  /** The least height in which all that is left fits the columns. */
  private evenHeight(room: number): number {
    let low = 0;
    let high = room;
    while (high - low > EVEN) {
      const mid = (low + high) / 2;
      if (this.holdsAll(mid)) high = mid;
      else low = mid;
    }
    return high;
  }

  private holdsAll(room: number): boolean {
    let at = this.text.at;
    for (let i = 0; i < this.count; i++) at = this.text.fits(room, KEEP, at);
    return at >= this.text.pieces.length;
  }

  private slice(ends: number[], room: number): Slice {
    const columns: Columns = { column: this.column, starts: [] };
    const slice: Slice = { until: null, height: 0, scales: [], marks: [], columns: [columns] };
    ends.forEach((end, i) => {
      if (this.text.done) return;
      if (i > 0) this.begin(columns, slice.marks);
      const { top, height, scale } = this.text.take(end, room);
      if (scale) slice.scales.push(scale);
      slice.height = Math.max(slice.height, height, this.text.done && !scale ? this.close(top, room, slice.marks) : 0);
    });
    if (!this.text.done) {
      slice.marks.push(...this.text.margins());
      slice.until = this.text.place();
    }
    return slice;
  }

  /** The height of the last column: the margin below its last block is part of it where there is room. */
  private close(top: number, room: number, marks: Mark[]): number {
    if (this.last - top <= room) return this.last - top;
    marks.push(...endingWith(this.column.lastElementChild).map((el) => ({ el, name: "q-page-end" })));
    return 0;
  }

  private begin(columns: Columns, marks: Mark[]): void {
    const place = this.text.place();
    if (!place) return;
    columns.starts.push(place);
    marks.push(...this.text.margins());
  }
}
