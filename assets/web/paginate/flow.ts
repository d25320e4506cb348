// Turns a laid-out block into pieces: a flat list of everything that may stand
// on its own on a page. All positions are read here, none is written.

import { columnsPiece, isColumns } from "./columns";
import { type Look, cutsOff, divisible, frame, isRow, look } from "./look";
import { leadingOf, textLines } from "./lines";
import { measuringRange } from "./nodes";
import { type Frame, piece, type Pieces } from "./piece";
import { RowSlicer } from "./rows";
import { tablePieces } from "./table";
import { KEEP, type Piece } from "./types";

/** A child of a block as the paginator sees it: a box, or a run of inline content. */
interface Item {
  el: Element | null;
  nodes: Node[];
  look: Look | null;
  top: number;
  bottom: number;
}

const OVERLAP = 2;

/** Boxes that draw their frame around each of their parts. */
const framed = new WeakSet<Element>();

/** Whether the parts of a broken box are each drawn with its whole frame. */
export function isFramed(el: Element): boolean {
  return framed.has(el);
}

/** Collects pieces in document order and joins their keep and break wishes. */
export class Flow implements Pieces {
  readonly pieces: Piece[] = [];
  private keep = false;
  private force = false;

  constructor(readonly doc: Document) {}

  /** Adds the content of a block that may be broken between its children. */
  children(block: Element, f: Frame): void {
    for (const cluster of clusters(items(block))) {
      if (cluster.length > 1) this.together(cluster, f);
      else this.item(block, cluster[0]!, f);
    }
  }

  add(piece: Piece): void {
    if (this.keep && piece.level < KEEP) piece.level = KEEP;
    if (this.force) piece.forced = true;
    // White space between a heading and what it belongs to does not part them.
    this.keep = this.keep && piece.space;
    this.force = false;
    this.pieces.push(piece);
  }

  beside(block: Element): Piece[] {
    const flow = new Flow(this.doc);
    flow.cell(block, look(block, true));
    return flow.pieces;
  }

  /** The next piece stays with the one before it. */
  keepNext(): void {
    this.keep = true;
  }

  private item(block: Element, item: Item, f: Frame): void {
    const { el, look: l } = item;
    if (!el || !l) {
      this.add(textPiece(block, item, f));
      return;
    }
    const first = this.pieces.length;
    if (l.breakBefore) this.force = true;
    if (l.keepPrev) this.keep = true;
    this.box(el, l, item, f);
    hoist(this.pieces, first, el, item, f);
    if (l.keepNext) this.keep = true;
    if (l.breakAfter) this.force = true;
  }

  private box(el: Element, l: Look, item: Item, f: Frame): void {
    const before = this.pieces.length;
    if (l.auto && isColumns(el)) this.add(columnsPiece(this, el, item, f));
    else if (l.auto && l.display === "table") tablePieces(this, el as HTMLTableElement, f);
    else if (l.auto && isRow(l)) this.together(items(el), inside(el, l, f), el.hasAttribute("data-break"));
    else if (l.auto && divisible(el, l)) this.children(el, inside(el, l, f));
    if (this.pieces.length > before) return;
    this.add({ ...whole(item, l, f), parts: l.auto ? null : () => this.parts(item, l, f) });
  }

  /** The pieces of a block as if it might be broken. */
  private parts(item: Item, l: Look, f: Frame): Piece[] {
    const flow = new Flow(this.doc);
    const el = item.el!;
    if (isColumns(el)) flow.add(columnsPiece(flow, el, item, f));
    else if (l.display === "table") tablePieces(flow, el as HTMLTableElement, f);
    else if (isRow(l)) flow.together(items(el), inside(el, l, f));
    else if (divisible(el, l)) flow.children(el, inside(el, l, f));
    const [first, second] = flow.pieces;
    // What holds a single thing is broken where that can be.
    const pieces = (first && !second && (first.lines?.() ?? first.parts?.())) || flow.pieces;
    if (pieces.length > 0) hoist(pieces, 0, el, item, f);
    return pieces;
  }

  /** What stands beside others is broken with them, whatever it says of itself. */
  private cell(el: Element, l: Look): void {
    const none = { head: 0, tail: 0 };
    const item = box(el, l);
    if (cutsOff(el)) this.add({ ...whole(item, l, none), parts: () => this.parts(item, l, none) });
    else if (isColumns(el)) this.add(columnsPiece(this, el, item, none));
    else if (l.display === "table") tablePieces(this, el as HTMLTableElement, none);
    else if (isRow(l)) return this.together(items(el), none);
    else if (divisible(el, l)) return this.children(el, none);
    else this.add(whole(item, l, none));
    if (this.pieces.length > 0) hoist(this.pieces, 0, el, item, none);
  }

  /** Boxes side by side are one piece, which is broken in all of them at once. */
  private together(cluster: Item[], f: Frame, eager = false): void {
    if (cluster.length === 0) return;
    const nodes = cluster.flatMap((i) => i.nodes);
    const top = cluster.reduce((least, i) => Math.min(least, i.top), Infinity);
    const bottom = cluster.reduce((most, i) => Math.max(most, i.bottom), -Infinity);
    if (cluster.some((i) => i.look?.breakBefore)) this.force = true;
    if (cluster[0]!.look?.keepPrev) this.keep = true;
    const cells = cluster.flatMap((i) => i.el ?? []);
    const slices = {
      top, bottom, head: f.head, tail: f.tail, always: false, eager,
      open: (page: number) => new RowSlicer(this, cells, page),
    };
    const neighbours = cells.length === cluster.length && cells.every((el) => el.parentElement === cells[0]!.parentElement);
    this.add({ ...piece(nodes[0]!, top, bottom, f), nodes, el: cells[0] ?? null, slices: neighbours ? slices : null });
    if (cluster.some((i) => i.look?.keepNext)) this.keep = true;
    if (cluster.some((i) => i.look?.breakAfter)) this.force = true;
  }
}

function whole(item: Item, l: Look, f: Frame): Piece {
  return { ...piece(item.el!, item.top, item.bottom, f), el: item.el, space: l.space };
}

function textPiece(block: Element, item: Item, f: Frame): Piece {
  const p = piece(item.nodes[0]!, item.top, item.bottom, f);
  p.nodes = item.nodes;
  p.run = true;
  p.lines = () => textLines(block, item.nodes, p, f);
  return p;
}

/** The first and last piece of a box begin and end where the box does, outside of it. */
function hoist(pieces: Piece[], first: number, el: Element, item: Item, f: Frame): void {
  const a = pieces[first]!;
  a.node = el;
  a.top = Math.min(a.top, item.top);
  a.head = f.head;
  a.tail = f.tail;
  const z = pieces[pieces.length - 1]!;
  // White space that opens or closes a box is part of the box.
  if (a.el !== el) a.space = false;
  if (z.el !== el) z.space = false;
  if (a === z) a.el = el;
  z.bottom = Math.max(z.bottom, item.bottom);
}

/** Boxes that clone their frame repeat it at each break; all others are simply cut. */
function inside(el: Element, l: Look, f: Frame): Frame {
  if (l.style.boxDecorationBreak !== "clone") return f;
  framed.add(el);
  const own = frame(l.style);
  return { head: f.head + own.top, tail: f.tail + own.bottom };
}

/** The children of a block in order: boxes, and runs of inline content between them. */
function items(block: Element): Item[] {
  const out: Item[] = [];
  let run: Node[] = [];
  const flush = () => {
    const item = inlineRun(run);
    if (item) out.push(item);
    run = [];
  };
  const visit = (parent: Element) => {
    for (let n = parent.firstChild; n; n = n.nextSibling) {
      if (n.nodeType !== 1) {
        if (n.nodeType === 3) run.push(n);
        continue;
      }
      const el = n as Element;
      const l = look(el, true);
      if (l.hidden || l.outOfFlow) continue;
      if (l.inline) {
        run.push(el);
      } else if (l.display === "contents") {
        visit(el);
      } else {
        flush();
        out.push(box(el, l));
      }
    }
  };
  visit(block);
  flush();
  return out;
}

function box(el: Element, l: Look): Item {
  const r = el.getBoundingClientRect();
  return { el, nodes: [el], look: l, top: r.top, bottom: r.bottom };
}

function inlineRun(nodes: Node[]): Item | null {
  const drawn = nodes.some((n) => n.nodeType === 1 || (n as Text).data.trim() !== "");
  if (!drawn) return null;
  const range = measuringRange(nodes[0]!.ownerDocument!);
  range.setStartBefore(nodes[0]!);
  range.setEndAfter(nodes[nodes.length - 1]!);
  const r = range.getBoundingClientRect();
  if (r.width === 0 && r.height === 0) return null;
  const line = edgeLines(nodes, range, r);
  return { el: null, nodes, look: null, ...line };
}

/** The run's height with the leading of its first and last line. */
function edgeLines(nodes: Node[], range: Range, all: DOMRect): { top: number; bottom: number } {
  const rects = range.getClientRects();
  const leading = leadingOf(nodes[0]!.parentNode as Element);
  const first = leading(rects[0] ?? all);
  const last = leading(rects[rects.length - 1] ?? all);
  return { top: Math.min(first.top, all.top), bottom: Math.max(last.bottom, all.bottom) };
}

/**
 * Groups neighbours that overlap vertically: floats, cells of a grid, boxes of one
 * wrapped line. Empty boxes, such as a divider without text, stand alone unless what
 * follows them stands beside what is before them.
 */
function clusters(list: Item[]): Item[][] {
  const out: Item[][] = [];
  let last = -1;
  let low = -Infinity;
  for (const item of list) {
    const empty = item.bottom === item.top;
    if (!empty && item.top < low - OVERLAP) {
      out[last]!.push(...out.splice(last + 1).flat(), item);
    } else {
      out.push([item]);
      if (!empty) last = out.length - 1;
    }
    if (!empty) low = Math.max(low, item.bottom);
  }
  return out;
}
