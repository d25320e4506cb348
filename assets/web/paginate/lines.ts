// Lines of text: where they are, and where in the source each begins. Lines are
// only looked for in blocks into which the end of a page falls.

import { measuringRange } from "./nodes";
import { type Frame, piece } from "./piece";
import { FREE, type Level, type Piece, type Place, TORN } from "./types";

interface Line {
  top: number;
  bottom: number;
}

const WIDOWS = 2;

/** The pieces of a run of inline content, one for each stretch that may stand on its own. */
export function textLines(block: Element, nodes: Node[], of: Piece, f: Frame): Piece[] {
  const lines = linesOf(nodes);
  if (lines.length < 2) return [of];
  const run = new Run(block, nodes);
  const cuts = boundaries(lines);
  const out: Piece[] = [{ ...of, el: null, lines: null, bottom: cuts[0]!.end }];
  for (let i = 1; i < lines.length; i++) {
    const cut = cuts[i - 1]!;
    const end = i === lines.length - 1 ? of.bottom : cuts[i]!.end;
    const p = piece(nodes[0]!, cut.start, end, f);
    p.level = level(i, lines.length);
    p.nodes = nodes;
    p.run = true;
    p.locate = () => run.locate(cut.middle);
    out.push(p);
  }
  return out;
}

/** At least two lines stay on either side of a break, unless a page cannot hold them. */
function level(before: number, count: number): Level {
  return before < WIDOWS || count - before < WIDOWS ? TORN : FREE;
}

/** Groups the boxes of the text into lines. */
function linesOf(nodes: Node[]): Line[] {
  const lines: Line[] = [];
  for (const box of inlineBoxes(nodes)) {
    const line = lines[lines.length - 1];
    if (!line || below(box, line)) {
      lines.push({ ...box });
      continue;
    }
    line.top = Math.min(line.top, box.top);
    line.bottom = Math.max(line.bottom, box.bottom);
  }
  return lines;
}

/** What stands in the lines, each with the height it asks of its line. */
function inlineBoxes(nodes: Node[]): Line[] {
  const out: Line[] = [];
  const range = measuringRange(nodes[0]!.ownerDocument!);
  const visit = (node: Node, leading: Leading) => {
    if (node.nodeType === 3) {
      range.selectNodeContents(node);
      for (const r of range.getClientRects()) if (r.height > 0) out.push(leading(r));
    } else if (node.nodeType === 1 && !atomic(node as Element)) {
      const own = leadingOf(node as Element);
      for (const n of node.childNodes) visit(n, own);
    } else if (node.nodeType === 1 && (node as Element).tagName !== "BR") {
      const r = (node as Element).getBoundingClientRect();
      if (r.height > 0) out.push(outer(r, node as Element));
    }
  };
  const own = leadingOf(nodes[0]!.parentNode as Element);
  for (const node of nodes) visit(node, own);
  return out;
}

type Leading = (r: DOMRect) => Line;

/** Boxes of text are as high as their font; their line is as high as the line height says. */
export function leadingOf(el: Element): Leading {
  const height = parseFloat(styleOf(el).lineHeight);
  return ({ top, bottom }) => {
    const half = height > 0 ? (height - (bottom - top)) / 2 : 0;
    return { top: top - half, bottom: bottom + half };
  };
}

function outer(r: DOMRect, el: Element): Line {
  const style = styleOf(el);
  return { top: r.top - (parseFloat(style.marginTop) || 0), bottom: r.bottom + (parseFloat(style.marginBottom) || 0) };
}

function styleOf(el: Element): CSSStyleDeclaration {
  return el.ownerDocument.defaultView!.getComputedStyle(el);
}

function below(box: Line, line: Line): boolean {
  const shared = Math.min(box.bottom, line.bottom) - Math.max(box.top, line.top);
  const small = Math.min(box.bottom - box.top, line.bottom - line.top);
  return shared < small / 2 && box.top + box.bottom > line.top + line.bottom;
}

interface Boundary {
  end: number;
  start: number;
  /** Between the middles of the lines. */
  middle: number;
}

/**
 * The edges between lines. Where what stands in them does not fill a line, the
 * page above is given a little too much room, so that it never runs over.
 */
function boundaries(lines: Line[]): Boundary[] {
  return lines.slice(1).map((next, i) => {
    const line = lines[i]!;
    return {
      end: Math.max(line.bottom, next.top),
      start: Math.min(line.bottom, next.top),
      middle: (line.top + line.bottom + next.top + next.bottom) / 4,
    };
  });
}

/** A run of inline content in which places are looked for. Pages ask from top to bottom: each goes on where the one before ended. */
class Run {
  private leaves: Node[] | null = null;
  private at = 0;
  private edge = -Infinity;

  constructor(private readonly block: Element, private readonly nodes: Node[]) {}

  /** The first place that is drawn below the edge. */
  locate(edge: number): Place | null {
    const leaves = (this.leaves ??= this.nodes.flatMap(leavesOf));
    const range = measuringRange(this.block.ownerDocument);
    for (let i = edge < this.edge ? 0 : this.at; i < leaves.length; i++) {
      const found = search(leaves[i]!, range, edge);
      if (!found) continue;
      this.at = i;
      this.edge = edge;
      return { ...outermost(found, this.nodes), block: this.block, ...ending(found, this.block) };
    }
    return null;
  }
}

/** What a node draws: texts, and elements that stand in a line as one thing. */
function leavesOf(node: Node): Node[] {
  if (node.nodeType === 3) return [node];
  if (node.nodeType !== 1) return [];
  return atomic(node as Element) ? [node] : [...node.childNodes].flatMap(leavesOf);
}

/** A break at the start of an inline element is a break before it. */
function outermost(place: Place, nodes: Node[]): Place {
  let node = place.node;
  if (place.offset > 0) return place;
  while (!nodes.includes(node) && !node.previousSibling) node = node.parentNode!;
  return { node, offset: 0 };
}

function search(node: Node, range: Range, edge: number): Place | null {
  if (node.nodeType === 3) return inText(node as Text, range, edge);
  return startsBelow(node as Element, edge) ? { node, offset: 0 } : null;
}

/** Elements that stand in a line as one thing. */
function atomic(el: Element): boolean {
  if (!el.firstChild) return true;
  return styleOf(el).display !== "inline";
}

function startsBelow(el: Element, edge: number): boolean {
  const r = el.getBoundingClientRect();
  return r.height > 0 && (r.top + r.bottom) / 2 > edge;
}

/** Binary search for the first character whose box is below the edge. */
function inText(text: Text, range: Range, edge: number): Place | null {
  const size = text.data.length;
  let low = 0;
  let high = lastDrawn(text, range, size);
  if (!isBelow(text, range, high, edge)) return null;
  while (low < high) {
    const mid = (low + high) >> 1;
    const at = nextDrawn(text, range, mid, high);
    if (isBelow(text, range, at, edge)) high = mid;
    else low = at + 1;
  }
  return { node: text, offset: whole(text, low) };
}

/** Collapsed white space has no box: the nearest drawn character speaks for it. */
function nextDrawn(text: Text, range: Range, from: number, high: number): number {
  for (let i = from; i < high; i++) if (rect(text, range, i)) return i;
  return high;
}

function lastDrawn(text: Text, range: Range, size: number): number {
  for (let i = size - 1; i > 0; i--) if (rect(text, range, i)) return i;
  return 0;
}

function isBelow(text: Text, range: Range, at: number, edge: number): boolean {
  const r = rect(text, range, at);
  return r !== null && (r.top + r.bottom) / 2 > edge;
}

function rect(text: Text, range: Range, at: number): DOMRect | null {
  if (at >= text.data.length) return null;
  range.setStart(text, at);
  range.setEnd(text, at + 1);
  const list = range.getClientRects();
  return list.length > 0 ? list[list.length - 1]! : null;
}

/** Never parts the two halves of a character outside the basic plane. */
function whole(text: Text, at: number): number {
  const code = text.data.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

const SOFT_HYPHEN = "\u00ad";
const LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{2}$/u;

/** How the line before the place must be drawn to look as it did within the paragraph. */
function ending(place: Place, block: Element): Pick<Place, "hyphenate" | "justify"> {
  const style = styleOf(block);
  return { hyphenate: hyphenated(place, style), justify: style.textAlign === "justify" };
}

function hyphenated(place: Place, style: CSSStyleDeclaration): boolean {
  if (place.node.nodeType !== 3 || place.offset === 0) return false;
  const data = (place.node as Text).data;
  if (data[place.offset - 1] === SOFT_HYPHEN) return true;
  if (!LETTERS.test(data.slice(place.offset - 1, place.offset + 1))) return false;
  return style.hyphens === "auto";
}
