// Rows taller than a page: every cell is a flow of its own, and a slice of the
// row takes from each cell as much as fits.

import { Flow, type Frame } from "./flow";
import { frame } from "./look";
import { scaleOf } from "./scale";
import { type CellPlace, KEEP, type Level, type Piece, type Place, type RowPiece, type Scale, TORN } from "./types";

interface Cell {
  el: HTMLTableCellElement;
  pieces: Piece[];
  frame: number;
  at: number;
}

/** A slice of a row: where it ends in each cell, how high it is, what in it is drawn smaller. */
export interface Slice {
  until: Place | null;
  height: number;
  scales: Scale[];
}

interface Taken {
  place: CellPlace;
  height: number;
  scale: Scale | null;
}

const NONE: Frame = { head: 0, tail: 0 };
const EPS = 0.01;

/** Slices one row, from its top, into parts that fit the rooms asked for. */
export class RowSlicer {
  private readonly cells: Cell[];

  constructor(private readonly row: RowPiece) {
    this.cells = [...row.tr.cells].map(openCell);
  }

  /** The next slice; null when a cell cannot begin in this room. A whole page's room is never refused. */
  next(room: number, wholePage: boolean): Slice | null {
    const ends = this.cells.map((c) => fill(c, room - c.frame, wholePage ? TORN : KEEP));
    if (!wholePage && this.cells.some((c, i) => c.at < c.pieces.length && ends[i] === c.at)) return null;
    const taken = this.cells.map((c, i) => take(c, ends[i]!, room - c.frame));
    const done = this.cells.every((c) => c.at >= c.pieces.length);
    return {
      until: done ? null : { node: this.row.tr, offset: 0, cells: taken.map((t) => t.place) },
      height: Math.max(0, ...taken.map((t, i) => t.height + this.cells[i]!.frame)),
      scales: taken.flatMap((t) => t.scale ?? []),
    };
  }
}

/** Takes the pieces of a cell up to end, or the next one drawn smaller when not even that fits. */
function take(c: Cell, end: number, room: number): Taken {
  const first = c.pieces[c.at];
  if (!first) return { place: { cell: c.el, place: null }, height: 0, scale: null };
  const fits = end > c.at;
  c.at = fits ? end : c.at + 1;
  const height = c.pieces[c.at - 1]!.bottom - first.top;
  return {
    place: { cell: c.el, place: placeOf(c) },
    height: fits ? height : Math.min(height, room),
    scale: fits ? null : scaleOf(first, room),
  };
}

function openCell(el: HTMLTableCellElement): Cell {
  const flow = new Flow(el.ownerDocument);
  flow.children(el, NONE);
  const pieces = flow.pieces.flatMap((p) => p.lines?.() ?? [p]);
  const own = frame(el.ownerDocument.defaultView!.getComputedStyle(el));
  return { el, pieces, frame: own.top + own.bottom, at: 0 };
}

/** The index after the last piece of the cell that fits, at the most willing break. */
function fill(c: Cell, room: number, most: Level): number {
  const first = c.pieces[c.at];
  if (!first) return c.at;
  const best = [c.at, c.at, c.at];
  for (let i = c.at; i < c.pieces.length; i++) {
    if (c.pieces[i]!.bottom - first.top > room + EPS) break;
    best[c.pieces[i + 1]?.level ?? 0] = i + 1;
  }
  return best.slice(0, most + 1).find((end) => end > c.at) ?? c.at;
}

function placeOf(c: Cell): Place | null {
  const p = c.pieces[c.at];
  if (!p) return null;
  return p.locate?.() ?? { node: p.node, offset: 0 };
}
