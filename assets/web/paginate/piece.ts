// What flows, lines, rows and columns make pieces with. They hold each other (the
// cell of a row is a flow again), but know only what is here.

import type { Level, Piece } from "./types";

/** What a break inside the current block repeats above and closes below. */
export interface Frame {
  head: number;
  tail: number;
}

/** Collects pieces in document order. */
export interface Pieces {
  /** Adds one piece; the wishes of what went before are applied to the break before it. */
  add(piece: Piece): void;
  /** The pieces of a block that stands beside others: a cell, a column. They are not added. */
  beside(block: Element): Piece[];
}

/** A plain piece with a free break before it. */
export function piece(node: Node, top: number, bottom: number, f: Frame): Piece {
  return {
    node, top, bottom, level: 0 as Level, forced: false, head: f.head, tail: f.tail,
    el: null, nodes: null, run: false, space: false, lines: null, parts: null, locate: null, table: null, slices: null,
  };
}

/** A header that fills more of a page than this is not repeated, and is broken like the rows below it. */
const HEAD_LIMIT = 0.5;

/** Leaves out the header of later pages where it would fill them. */
export function limitHead(pieces: Piece[], room: number): void {
  for (let i = 0; i < pieces.length; i++) {
    const p = pieces[i]!;
    const { table, slices } = p;
    if (!table || !slices || table.headHeight <= room * HEAD_LIMIT) continue;
    p.head = Math.max(0, p.head - table.headHeight);
    slices.head = Math.max(0, slices.head - table.headHeight);
    if (!table.repeatHead) continue;
    table.repeatHead = false;
    const head = table.openHead(p);
    pieces.splice(i, 0, ...head);
    i += head.length;
  }
}

/** The pieces that stand in for one begin and end where it does, with the boxes that begin and end there. */
export function standIn(p: Piece, parts: Piece[]): void {
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  first.node = p.node;
  first.top = Math.min(first.top, p.top);
  first.level = p.level;
  first.forced = p.forced;
  first.head = p.head;
  first.tail = p.tail;
  last.bottom = Math.max(last.bottom, p.bottom);
}

/** The height of pieces below each other. */
export function heightOf(pieces: Piece[]): number {
  return pieces.length > 0 ? pieces[pieces.length - 1]!.bottom - pieces[0]!.top : 0;
}

/** Height below a slice: what closes the page, or what closes the boxes that end with the piece. */
export function closing(p: Piece): number {
  return Math.max(p.slices!.tail, p.bottom - p.slices!.bottom);
}
