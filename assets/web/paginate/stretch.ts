// A flow beside others (a cell of a row, text in columns), used up piece by piece.

import { READABLE, scaleOf } from "./scale";
import { replaceItem } from "./nodes";
import { closing, heightOf, limitHead, standIn } from "./piece";
import { type Columns, KEEP, type Level, type Mark, type Piece, type Place, type Scale, type Slicer, TORN } from "./types";
import { trimmed, trimmedEnd } from "./trim";

const EPS = 0.01;

/** What was taken from a stretch at once. */
export interface Taken {
  /** Where it began, and how high it is. */
  top: number;
  height: number;
  scale: Scale | null;
}

/** What one page takes of a stretch. */
export interface Part {
  height: number;
  scales: Scale[];
  marks: Mark[];
  columns: Columns[];
}

/** The pieces of one block, of which the first at have been taken. */
export class Stretch {
  readonly pieces: Piece[];
  at = 0;
  /** What slices the piece at at; until is where it goes on when pages before took part of it. */
  private slicer: Slicer | null = null;
  private until: Place | null = null;

  /** The page is the most that the stretch ever has room for. */
  constructor(private readonly block: Element, pieces: Piece[], private readonly page: number) {
    this.pieces = pieces.flatMap((p) => p.lines?.() ?? [p]);
    limitHead(this.pieces, page);
  }

  /** Remembers how far it is; what comes back goes back there. */
  save(): () => void {
    const { at, slicer, until } = this;
    const back = slicer?.save();
    return () => {
      Object.assign(this, { at, slicer, until });
      back?.();
    };
  }

  get done(): boolean {
    return this.at >= this.pieces.length;
  }

  /** The index after the last piece that fits, at the most willing break; at when none fits. */
  fits(room: number, most: Level, at = this.at): number {
    return this.reach(this.topOf(at), room, most, at, () => false);
  }

  /** Whether something of what is left fits, or nothing is left. */
  starts(room: number): boolean {
    if (this.done || this.until) return true;
    const [top, head] = this.opening();
    if (this.reach(top, room - head, KEEP, this.at, sliced) > this.at) return true;
    const p = this.pieces[this.at]!;
    return this.isSliced(p) && this.slicerOf(p).fits(room - head - (p.slices!.top - top) - closing(p));
  }

  /** Takes what fits; on a whole page at least one piece, drawn smaller where it must be. */
  next(room: number, wholePage: boolean): Part {
    const part: Part = { height: 0, scales: [], marks: [], columns: [] };
    let fresh = true;
    while (!this.done) {
      const [top, head]: [number, number] = fresh ? this.opening() : [this.pieces[this.at - 1]!.bottom, 0];
      const left = room - part.height - head;
      const end: number = this.until ? this.at : this.reach(top, left, wholePage ? TORN : KEEP, this.at, sliced);
      const some = end > this.at;
      if (some) {
        part.height += head + this.pieces[end - 1]!.bottom - top;
        this.at = end;
      }
      fresh &&= !some;
      const more: string = this.done ? "end" : this.slice(part, room, fresh, wholePage);
      fresh &&= more !== "next";
      if (more === "next") continue;
      if (more === "none" && fresh && wholePage) this.force(part, room);
      break;
    }
    if (!this.done && !this.until) part.marks.push(...this.margins());
    return part;
  }

  /** Takes a slice of the next piece: "next" when that was all of it, "none" when it is not sliced, or not here. */
  private slice(part: Part, room: number, fresh: boolean, wholePage: boolean): "next" | "end" | "none" {
    const p = this.pieces[this.at]!;
    if (!this.isSliced(p)) return "none";
    const slicer = this.slicerOf(p);
    const used = this.until ? p.slices!.head : part.height + this.above(p, fresh);
    const slice = slicer.next(room - used - closing(p), wholePage && fresh);
    if (!slice) return "none";
    part.scales.push(...slice.scales);
    part.marks.push(...slice.marks);
    part.columns.push(...slice.columns);
    part.height = used + slice.height + (slice.until ? p.slices!.tail : p.bottom - p.slices!.bottom);
    this.until = slice.until;
    if (slice.until) return "end";
    this.slicer = null;
    this.at++;
    return "next";
  }

  /** Height between what the page holds already and where slices of the piece begin. */
  private above(p: Piece, fresh: boolean): number {
    if (!fresh) return p.slices!.top - this.pieces[this.at - 1]!.bottom;
    const [top, head] = this.opening();
    return head + p.slices!.top - top;
  }

  /** Takes one piece that fits no page. */
  private force(part: Part, room: number): void {
    const [, head] = this.opening();
    const { height, scale } = this.take(this.at, room - head);
    part.height += head + height;
    if (scale) part.scales.push(scale);
  }

  /** Where what is left begins, and the height that is repeated above it. */
  private opening(): [number, number] {
    return [this.topOf(this.at), this.at > 0 ? this.pieces[this.at]!.head : 0];
  }

  private isSliced(p: Piece): boolean {
    if (!p.slices) return false;
    return sliced(p) || p.slices.bottom - p.slices.top + p.slices.head + p.slices.tail > this.page + EPS;
  }

  private slicerOf(p: Piece): Slicer {
    return (this.slicer ??= p.slices!.open(this.page - p.slices!.head - p.slices!.tail));
  }

  private reach(top: number, room: number, most: Level, at: number, stops: (p: Piece) => boolean): number {
    const best = [at, at, at];
    for (let i = at; i < this.pieces.length; i++) {
      const p = this.pieces[i]!;
      if (stops(p)) break;
      if (p.bottom - top > room + EPS) {
        if (!this.expand(i)) break;
        i--;
        continue;
      }
      best[this.pieces[i + 1]?.level ?? 0] = i + 1;
    }
    return best.slice(0, most + 1).find((end) => end > at) ?? at;
  }

  /** Replaces a block that is far too tall for any page by what it holds. */
  private expand(i: number): boolean {
    const p = this.pieces[i]!;
    if (!p.parts || (p.bottom - p.top) * READABLE <= this.page) return false;
    const parts = p.parts().flatMap((q) => q.lines?.() ?? [q]);
    p.parts = null;
    if ((parts.length < 2 && !parts[0]?.slices) || heightOf(parts) * READABLE <= this.page) return false;
    standIn(p, parts);
    limitHead(parts, this.page);
    replaceItem(this.pieces, i, parts);
    return true;
  }

  /** Takes the pieces up to end, or the next one drawn smaller when not even that fits. */
  take(end: number, room: number): Taken {
    if (this.done) return { top: 0, height: 0, scale: null };
    const first = this.pieces[this.at]!;
    const top = this.topOf(this.at);
    const fits = end > this.at;
    this.at = fits ? end : this.at + 1;
    const height = this.pieces[this.at - 1]!.bottom - top;
    return fits ? { top, height, scale: null } : { top, height: Math.min(height, room), scale: scaleOf(first, room) };
  }

  /** The place of what is left; null when nothing is. */
  place(): Place | null {
    if (this.until) return this.until;
    const p = this.pieces[this.at];
    if (!p) return null;
    return p.locate?.() ?? { node: p.node, offset: 0 };
  }

  /** Margins that the break before what is left drops. */
  margins(): Mark[] {
    const p = this.pieces[this.at];
    if (!p || p.locate) return [];
    return [
      ...trimmedEnd(p.node).map((el) => ({ el, name: "q-page-end" })),
      ...trimmed(p.node).map((el) => ({ el, name: "q-page-top" })),
    ];
  }

  /** Above the first piece its margin counts; after a break it is dropped. */
  private topOf(at: number): number {
    const top = this.pieces[at]?.top ?? 0;
    return at === 0 ? Math.min(top, contentTop(this.block)) : top;
  }
}

function contentTop(block: Element): number {
  const style = block.ownerDocument.defaultView!.getComputedStyle(block);
  if (style.verticalAlign === "middle" || style.verticalAlign === "bottom") return Infinity;
  if (style.display === "flex" && /center|end|space/.test(style.justifyContent)) return Infinity;
  return block.getBoundingClientRect().top + (parseFloat(style.borderTopWidth) || 0) + (parseFloat(style.paddingTop) || 0);
}

function sliced(p: Piece): boolean {
  return p.slices !== null && (p.slices.always || p.slices.eager);
}
