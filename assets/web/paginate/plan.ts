// Decides where pages end. A page takes as many pieces as fit and ends at the
// last break that asks for the least: a free one, else one that parts what
// should be kept together, else one through a row group or fewer than two lines.

import { replaceItem } from "./nodes";
import { READABLE, scaleOf } from "./scale";
import { closing, heightOf, limitHead, standIn } from "./piece";
import type { Mark, Piece, Place, PlannedPage, Scale, Sheet, Slice, Slicer } from "./types";
import { topMargin, trimmed, trimmedEnd } from "./trim";

/** Rooms of a sheet's pages: the first may have another header. */
export interface Rooms {
  first: number;
  rest: number;
}

const EPS = 0.05;
/** A block drawn smaller leaves the page to what must stay before it, unless that takes more than this. */
const COMPANIONS = 0.5;
/** A block that fits a page of its own is drawn that much smaller to stay with its heading. */
const CROWDED = 0.8;

/** A page while it is filled. */
interface Open {
  room: number;
  /** Index of the first piece, or of the one being sliced. */
  start: number;
  head: number;
  base: number;
  marks: Mark[];
  /** Slices put on the page, and the base before each. */
  slices: { at: number; slice: Slice; base: number }[];
}

interface End {
  next: number;
  until: Place | null;
  scales: Scale[];
  risky: boolean;
}

/** Plans all pages of one sheet. */
export class Planner {
  readonly pages: PlannedPage[] = [];
  readonly tooTall: Piece[] = [];
  /** Blocks that were broken because no page has room for them. */
  readonly broken: Piece[] = [];
  private slicer: Slicer | null = null;
  private readonly pieces: Piece[];

  constructor(private readonly sheet: Sheet, private readonly rooms: Rooms) {
    this.pieces = sheet.pieces;
  }

  run(): PlannedPage[] {
    let at = 0;
    do {
      at = this.page(at);
    } while (at < this.pieces.length);
    return this.pages;
  }

  private page(start: number): number {
    const open = this.open(start);
    const end = this.slicer ? this.resume(open) : this.fill(open, start);
    const slices = this.slicesBefore(end.next, open);
    const sheets = this.sheets(start, end.next);
    this.pages.push({
      until: end.until,
      base: open.base,
      head: open.head,
      marks: [...open.marks, ...slices.flatMap((s) => s.marks)],
      scales: [...end.scales, ...slices.flatMap((s) => s.scales)],
      columns: slices.flatMap((s) => s.columns),
      sheets,
      sheet: 0,
      notes: this.closeNotes(end),
      risky: end.risky || sheets > 1 || slices.length > 0 || (this.pieces[start]?.run ?? false),
    });
    return end.next;
  }

  /** Ends the page for the footnotes, too; comes back with their height. */
  private closeNotes({ next, until }: End): number {
    const { notes } = this.sheet;
    const p = this.pieces[next];
    if (!notes || !p) return notes?.close(Infinity, Infinity, null) ?? 0;
    return notes.close(p.top, this.slicer ? p.bottom : p.top, until);
  }

  /** The room of a page whose text ends at y: its footnotes take theirs. */
  private room(open: Open, y: number): number {
    return open.room - (this.sheet.notes?.before(y) ?? 0);
  }

  /** How many sheets the columns of the tables on a page take. */
  private sheets(start: number, next: number): number {
    let most = 1;
    for (let i = start; i < next || (this.slicer && i === next); i++) most = Math.max(most, this.pieces[i]?.table?.sheets ?? 1);
    return most;
  }

  private open(start: number): Open {
    const first = this.pages.length === 0;
    const room = first ? this.rooms.first : this.rooms.rest;
    const p = this.pieces[start];
    const open: Open = { room, start, head: 0, base: this.sheet.start, marks: [], slices: [] };
    if (first || !p) return open;
    if (this.slicer) return { ...open, head: p.slices!.head, base: p.slices!.top };
    const marks = p.forced ? [] : trimmed(p.node).map((el) => ({ el, name: "q-page-top" }));
    const margin = p.forced ? topMargin(p.node) : 0;
    return { ...open, head: p.head, base: p.top - margin, marks };
  }

  /** The slices that stay on a page that ends before a piece: a break may have been found before one of them. */
  private slicesBefore(next: number, open: Open): Slice[] {
    const last = this.slicer ? next : next - 1;
    const dropped = open.slices.find((s) => s.at > last);
    if (dropped) open.base = dropped.base;
    const kept = open.slices.filter((s) => s.at <= last);
    for (const { at, slice } of kept) if (slice.scales.length > 0) this.warn(this.pieces[at]!);
    return kept.map((s) => s.slice);
  }

  private warn(p: Piece): void {
    if (!this.tooTall.includes(p)) this.tooTall.push(p);
  }

  /** Fills a page with pieces from index at, which is its first unless a sliced piece came before. */
  private fill(open: Open, at: number): End {
    const best: (number | undefined)[] = [];
    if (at > open.start) best[this.pieces[at]!.level] = at;
    let i = at;
    for (; i < this.pieces.length; i++) {
      const p = this.pieces[i]!;
      if (i > open.start && p.forced) return this.endBefore(i, open);
      if (p.slices?.always) {
        const slice = this.slice(open, i, i === open.start);
        if (!slice) break;
        if (slice.until) return endInside(i, slice);
      } else if (this.over(p, open, i)) {
        if (!this.expand(i)) break;
        i--;
        continue;
      }
      const next = this.pieces[i + 1];
      if (!next) return this.endAll(open);
      if (p.space || this.height(open, p.bottom) + next.tail <= this.room(open, p.bottom) + EPS) best[next.level] = i + 1;
    }
    return i < this.pieces.length ? this.full(open, i, best) : this.endAll(open);
  }

  private over(p: Piece, open: Open, i: number): boolean {
    // White space at the end of a page takes no room.
    const bottom = p.space && i > open.start ? p.top : p.bottom;
    return this.height(open, bottom) > this.room(open, bottom) + EPS;
  }

  private height(open: Open, bottom: number): number {
    return open.head + bottom - open.base;
  }

  /** Replaces a text by its lines, a block far too tall by what it holds; false when there is nothing to replace. */
  private expand(i: number): boolean {
    const lines = this.pieces[i]!.lines?.() ?? this.parts(this.pieces[i]!);
    this.pieces[i]!.lines = null;
    if (!lines || !breaks(lines)) return false;
    replaceItem(this.pieces, i, lines);
    return true;
  }

  private parts(p: Piece): Piece[] | null {
    const room = Math.max(this.rooms.first, this.rooms.rest);
    if (!p.parts || (p.bottom - p.top) * READABLE <= room) return null;
    const parts = p.parts();
    p.parts = null;
    // What is too tall may be a box around the block, which is made lower instead.
    if (!breaks(parts) || heightOf(parts) * READABLE <= room) return null;
    standIn(p, parts);
    limitHead(parts, room);
    this.broken.push(p);
    return parts;
  }

  /** The piece at i does not fit any more: ends the page before it, or makes it fit. */
  private full(open: Open, i: number, best: (number | undefined)[]): End {
    const p = this.pieces[i]!;
    const tall = this.isTall(p);
    const sliced = p.slices !== null && (p.slices.always || p.slices.eager || tall);
    if (sliced && !p.slices?.always) {
      const end = this.sliced(open, i, best[0] !== i && i === open.start);
      if (end) return end;
    }
    for (const level of [0, 1, 2]) {
      if (level > 0 && !sliced && this.shrinks(open, p, tall)) break;
      const end = this.tryEnd(best[level], open);
      if (end) return end;
    }
    return (sliced && this.sliced(open, i, true)) || this.shrink(open, i);
  }

  /** Whether the piece is higher than an empty page with all that is repeated on it. */
  private isTall(p: Piece): boolean {
    const { notes } = this.sheet;
    const own = notes ? notes.before(p.bottom) - notes.before(p.top) : 0;
    const room = Math.max(this.rooms.first, this.rooms.rest) - own;
    if (p.slices) return p.slices.bottom - p.slices.top + p.slices.head + p.slices.tail > room + EPS;
    return p.bottom - p.top + p.head > room + EPS;
  }

  /** Whether a block is rather drawn smaller than parted from what must stay before it. */
  private shrinks(open: Open, p: Piece, tall: boolean): boolean {
    const room = this.room(open, p.bottom) - this.height(open, p.top);
    return tall ? room >= open.room * COMPANIONS : p.el !== null && !p.table && room >= (p.bottom - p.top) * CROWDED;
  }

  private tryEnd(next: number | undefined, open: Open): End | null {
    if (next === undefined || next <= open.start) return null;
    const p = this.pieces[next]!;
    const until = placeOf(p);
    if (!until) {
      // The line was not found in the source: its neighbour takes it along.
      return this.tryEnd(next - 1, open);
    }
    this.dropSpace(open, next);
    if (!p.locate) this.trimEnd(open, p);
    return { next, until, scales: [], risky: p.run || p.level > 1 };
  }

  private endBefore(next: number, open: Open): End {
    return this.tryEnd(next, open) ?? this.endAfter(next - 1, []);
  }

  private endAll(open: Open): End {
    const count = this.pieces.length;
    const last = this.pieces[count - 1];
    if (last && this.height(open, last.bottom) > this.room(open, last.bottom)) this.dropSpace(open, count);
    return { next: count, until: null, scales: [], risky: false };
  }

  /** Ends the page after piece i, or after the first one behind it whose end can be told. */
  private endAfter(i: number, scales: Scale[]): End {
    for (let next = i + 1; next < this.pieces.length; next++) {
      const until = placeOf(this.pieces[next]!);
      if (until) return { next, until, scales, risky: true };
    }
    return { next: this.pieces.length, until: null, scales, risky: true };
  }

  private trimEnd(open: Open, next: Piece): void {
    for (const el of trimmedEnd(next.node)) open.marks.push({ el, name: "q-page-end" });
  }

  private dropSpace(open: Open, next: number): void {
    const last = this.pieces[next - 1]!;
    if (last.space && last.el && next - 1 > open.start) open.marks.push({ el: last.el, name: "q-dropped" });
  }

  private shrink(open: Open, i: number): End {
    const p = this.pieces[i]!;
    const next = this.pieces[i + 1];
    const room = this.room(open, p.bottom) - this.height(open, p.top) - (next ? next.tail : 0);
    const scale = scaleOf(p, Math.max(room, 1));
    if (scale) this.warn(p);
    return this.endAfter(i, scale ? [scale] : []);
  }

  /** Puts the first slice of a piece on the page; null when too little of it fits. */
  private slice(open: Open, i: number, insist: boolean): Slice | null {
    const p = this.pieces[i]!;
    const slicer = p.slices!.open(Math.max(this.rooms.first, this.rooms.rest));
    const slice = this.beside(slicer, p, open.room - this.height(open, p.slices!.top) - closing(p), insist);
    if (!slice) return null;
    this.put(open, i, slice);
    this.slicer = slice.until ? slicer : null;
    return slice;
  }

  /** The next slice that leaves the footnotes of the page their room. */
  private beside(slicer: Slicer, p: Piece, room: number, insist: boolean): Slice | null {
    const { notes } = this.sheet;
    if (!notes) return slicer.next(room, insist);
    for (let kept = notes.before(p.top); ; ) {
      const back = slicer.save();
      const slice = slicer.next(room - kept, insist);
      const needed = slice ? notes.inside(p.top, p.bottom, slice.until) : 0;
      if (needed <= kept) return slice;
      back();
      kept = needed;
    }
  }

  private sliced(open: Open, i: number, insist: boolean): End | null {
    const slice = this.slice(open, i, insist);
    if (!slice) return null;
    return slice.until ? endInside(i, slice) : this.goOn(open, i);
  }

  /** Goes on with the piece that the page before began. */
  private resume(open: Open): End {
    const i = open.start;
    const p = this.pieces[i]!;
    const slice = this.beside(this.slicer!, p, open.room - open.head - closing(p), true)!;
    this.put(open, i, slice);
    if (slice.until) return endInside(i, slice);
    this.slicer = null;
    return this.goOn(open, i);
  }

  /** What follows a piece is moved to where its slice ends. */
  private put(open: Open, i: number, slice: Slice): void {
    const { top, bottom } = this.pieces[i]!.slices!;
    open.slices.push({ at: i, slice, base: open.base });
    if (!slice.until) open.base = bottom + open.head - this.height(open, top) - slice.height;
  }

  private goOn(open: Open, i: number): End {
    return i + 1 < this.pieces.length ? this.fill(open, i + 1) : this.endAll(open);
  }
}

/** Whether a page may end within the pieces. */
function breaks(pieces: Piece[]): boolean {
  return pieces.length > 1 || (pieces[0]?.slices ?? null) !== null;
}

function endInside(i: number, slice: Slice): End {
  return { next: i, until: slice.until, scales: [], risky: true };
}

/** The place before a piece. Null when a line of text cannot be found again in the source. */
function placeOf(p: Piece): Place | null {
  return p.locate ? p.locate() : { node: p.node, offset: 0 };
}
