// Text in columns that may be broken. The paginator sets the columns itself:
// the source is laid out as one column of their width, and each page takes as
// many columns from it as it has room for. The last page's are of equal height.

import { type Frame, piece } from "./flow";
import { divisible, frame, look } from "./look";
import { Stretch } from "./stretch";
import { type Columns, KEEP, type Mark, type Piece, type Slice, type Slicer, TORN } from "./types";

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
    const style = el.ownerDocument.defaultView!.getComputedStyle(el);
    const count = Number(style.columnCount);
    if (count > 1 && style.display === "block" && reachable(el, body)) open(el, style, count);
  }
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
  const gap = style.columnGap === "normal" ? style.fontSize : style.columnGap;
  const rule = style.columnRuleStyle === "none" ? "" : `${style.columnRuleWidth} ${style.columnRuleStyle} ${style.columnRuleColor}`;
  const column = el.ownerDocument.createElement("div");
  column.className = "q-column";
  column.append(...el.childNodes);
  el.append(column);
  el.classList.add(CLASS);
  el.style.columns = "auto";
  el.style.columnGap = gap;
  el.style.setProperty("--q-columns", String(count));
  el.style.setProperty("--q-column-gap", gap);
  if (rule) el.style.setProperty("--q-column-rule", rule);
}

/** The piece of a block in columns. */
export function columnsPiece(el: Element, box: { top: number; bottom: number }, f: Frame): Piece {
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
      open: () => new ColumnSlicer(column, Number(style.getPropertyValue("--q-columns"))),
    },
  };
}

/** Fills columns page by page. */
class ColumnSlicer implements Slicer {
  private readonly text: Stretch;
  private readonly last: number;

  constructor(private readonly column: HTMLElement, private readonly count: number) {
    this.text = new Stretch(column);
    this.last = column.getBoundingClientRect().bottom;
  }

  next(room: number, wholePage: boolean): Slice | null {
    const most = wholePage ? TORN : KEEP;
    if (!this.text.done && !wholePage && this.text.fits(room, most) === this.text.at) return null;
    const all = this.ends(room, most);
    const height = all[all.length - 1]! >= this.text.pieces.length ? this.evenHeight(room) : room;
    return this.slice(height === room ? all : this.ends(height, TORN), height);
  }

  /** Where the columns of a page end when each has this room. */
  private ends(room: number, most: 1 | 2): number[] {
    const out: number[] = [];
    let at = this.text.at;
    for (let i = 0; i < this.count; i++) {
      const end = this.text.fits(room, most, at);
      // What fits no column is drawn smaller in one of its own.
      at = end > at || at >= this.text.pieces.length ? end : at + 1;
      out.push(at);
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
    const slice: Slice = { until: null, height: 0, scales: [], marks: [], columns };
    ends.forEach((end, i) => {
      if (this.text.done) return;
      if (i > 0) this.begin(columns, slice.marks);
      const first = this.text.pieces[this.text.at]!;
      const { height, scale } = this.text.take(this.text.fits(room, TORN) >= end ? end : this.text.at, room);
      if (scale) slice.scales.push(scale);
      // The margin below the last block belongs to the column.
      slice.height = Math.max(slice.height, this.text.done && !scale ? this.last - first.top : height);
    });
    if (!this.text.done) {
      slice.marks.push(...this.text.margins());
      slice.until = this.text.place();
    }
    return slice;
  }

  private begin(columns: Columns, marks: Mark[]): void {
    const place = this.text.place();
    if (!place) return;
    columns.starts.push(place);
    marks.push(...this.text.margins());
  }
}
