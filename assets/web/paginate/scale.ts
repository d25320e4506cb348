// Blocks that fit no page are drawn smaller, never cut.

import { appendAll, measuringRange } from "./nodes";
import { endingWith, trimmed } from "./trim";
import type { Mark, Piece, Scale } from "./types";
import { px, zoomOf } from "./units";

/** A block that would be drawn smaller than this is broken, even where it should not be. */
export const READABLE = 0.7;
/** Share of a page that empty room of the boxes around a block may take from it. */
const VOID = 0.5;

/** How the piece is made to fit the room; null when it fits, or when there is nothing to draw smaller. */
export function scaleOf(p: Piece, room: number): Scale | null {
  const height = p.bottom - p.top;
  if (height <= room || room <= 0) return null;
  const nodes = p.el ? [p.el] : inRun(p) ? tallest(p, room) : p.nodes;
  if (!nodes || nodes.length === 0) return null;
  const box = extent(nodes);
  if (box.height <= 0) return null;
  const around = Math.max(0, height - box.height);
  // A box with a height of its own that holds little gives that height up when it is broken.
  if (around > room * VOID) return null;
  const factor = Math.max(0.01, (room - around) / box.height);
  const zoom = zoomOf(nodes[0]!.parentElement);
  return { nodes, factor, width: box.width / zoom, height: box.height / zoom, own: box.own / zoom, inline: !p.el && inRun(p), edges: p.el ? edgesOf(p.el) : [] };
}

/** A marker may begin a little above its list item. */
const MARKER = 2;

function edgesOf(el: Element): Mark[] {
  return [...trimmed(el, MARKER).map((el) => ({ el, name: "q-page-top" })), ...endingWith(el).map((el) => ({ el, name: "q-page-end" }))];
}

function inRun(p: Piece): boolean {
  return p.locate !== null || p.run;
}

/** In a line of text it is the picture that is too tall. */
function tallest(p: Piece, room: number): Node[] {
  const own = p.nodes ?? [];
  const all = own.filter((n): n is Element => n.nodeType === 1).flatMap((e) => [e, ...e.querySelectorAll("*")]);
  const boxes = all.map((e) => ({ e, r: e.getBoundingClientRect() }));
  const here = boxes.filter(({ r }) => r.bottom > p.top && r.top < p.bottom && r.height > room * 0.9);
  return here.length > 0 ? [here[here.length - 1]!.e] : [];
}

/** Own is the width of a single block without its margins. */
interface Extent {
  width: number;
  height: number;
  own: number;
}

function extent(nodes: Node[]): Extent {
  const first = nodes[0]!;
  if (nodes.length === 1 && first.nodeType === 1) return withMargins(first as Element);
  const range = measuringRange(first.ownerDocument!);
  range.setStartBefore(first);
  range.setEndAfter(nodes[nodes.length - 1]!);
  const { width, height } = range.getBoundingClientRect();
  return { width, height, own: 0 };
}

/** A block as wide as its place: in a box of its own it must not become narrower by its margins. */
function withMargins(el: Element): Extent {
  const { width, height } = el.getBoundingClientRect();
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  const sides = (parseFloat(style.marginLeft) || 0) + (parseFloat(style.marginRight) || 0);
  return { width: width + Math.max(0, sides), height, own: width };
}

/** Wraps what is scaled in a box of the smaller size. */
export function applyScale(s: Scale): void {
  for (const { el, name } of s.edges) el.classList.add(name);
  const first = s.nodes[0]!;
  const doc = first.ownerDocument!;
  const outer = doc.createElement(s.inline ? "span" : "div");
  outer.className = "q-scaled";
  outer.style.height = px(s.height * s.factor);
  outer.style.width = px(s.width * s.factor);
  const inner = doc.createElement(s.inline ? "span" : "div");
  inner.className = "q-scaled-content";
  inner.style.width = px(s.width);
  inner.style.transform = `scale(${s.factor})`;
  first.parentNode!.insertBefore(outer, first);
  outer.append(inner);
  // A share of the place that it stood in is not one of the box around it.
  const share = s.own > 0 && /^[\d.]+%$/.test((first as HTMLElement).style.width);
  if (share) (first as HTMLElement).style.width = px(s.own);
  appendAll(inner, s.nodes);
}
