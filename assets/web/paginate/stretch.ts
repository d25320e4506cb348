// A flow beside others (a cell of a row, text in columns), used up piece by piece.

import { Flow } from "./flow";
import { scaleOf } from "./scale";
import { type Level, type Mark, type Piece, type Place, type Scale } from "./types";
import { trimmed, trimmedEnd } from "./trim";

const EPS = 0.01;

/** What was taken from a stretch at once. */
export interface Taken {
  /** Where it began, and how high it is. */
  top: number;
  height: number;
  scale: Scale | null;
}

/** The pieces of one block, of which the first at have been taken. */
export class Stretch {
  readonly pieces: Piece[];
  at = 0;

  constructor(private readonly block: Element) {
    const flow = new Flow(block.ownerDocument);
    flow.children(block, { head: 0, tail: 0 });
    this.pieces = flow.pieces.flatMap((p) => p.lines?.() ?? [p]);
  }

  get done(): boolean {
    return this.at >= this.pieces.length;
  }

  /** The index after the last piece that fits, at the most willing break; at when none fits. */
  fits(room: number, most: Level, at = this.at): number {
    const top = this.topOf(at);
    const best = [at, at, at];
    for (let i = at; i < this.pieces.length; i++) {
      if (this.pieces[i]!.bottom - top > room + EPS) break;
      best[this.pieces[i + 1]?.level ?? 0] = i + 1;
    }
    return best.slice(0, most + 1).find((end) => end > at) ?? at;
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
  return block.getBoundingClientRect().top + (parseFloat(style.borderTopWidth) || 0) + (parseFloat(style.paddingTop) || 0);
}
