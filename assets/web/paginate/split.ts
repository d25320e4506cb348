// Takes the part of a source before a place out of it. Nodes are moved; only
// the elements that the place lies in are copied, without their content.

import { isFramed } from "./flow";
import { continueList } from "./list";
import { continueTable } from "./tablesplit";
import type { CellPlace, Place } from "./types";
import { px } from "./units";

/** Characters already taken from a text node: places were found when it was whole. */
type Taken = WeakMap<Node, number>;

/** Splits sources; one for a document, because texts may be split many times. */
export class Splitter {
  private readonly taken: Taken = new WeakMap();
  /** What stands in the place of boxes that are used up. */
  private readonly standIns = new WeakMap<Element, Element>();

  /** Moves everything in root before the place into a fragment. */
  take(root: Element, place: Place): DocumentFragment {
    const out = root.ownerDocument.createDocumentFragment();
    this.into(out, root, place);
    return out;
  }

  /** Moves all but the last of some columns into columns of their own before it. */
  columns(column: HTMLElement, starts: Place[]): void {
    for (const start of starts) {
      const content = this.take(column, start);
      const own = column.cloneNode(false) as HTMLElement;
      own.append(content);
      column.before(own);
    }
  }

  private into(target: Node, root: Element, place: Place): void {
    const parts: [Element, Element][] = [];
    const node = this.standIns.get(place.node as Element) ?? place.node;
    let from = root;
    let to = target;
    for (const el of ancestors(node, root)) {
      moveBefore(from, el, to);
      const first = copy(el);
      to.appendChild(first);
      parts.push([first, el]);
      from = el;
      to = first;
    }
    moveBefore(from, node, to);
    if (place.offset > 0) this.cutText(place.node as Text, place.offset, to);
    if (place.hyphenate) (to as Element).classList.add("q-hyphen");
    for (const cell of place.cells ?? []) this.cutCell(cell, to);
    for (const [first, rest] of parts.reverse()) mark(first, rest, place);
  }

  private cutText(text: Text, offset: number, to: Node): void {
    const gone = this.taken.get(text) ?? 0;
    const size = offset - gone;
    to.appendChild(text.ownerDocument.createTextNode(text.data.slice(0, size)));
    text.deleteData(0, size);
    this.taken.set(text, offset);
  }

  /** Moves what is used up of a box side by side with others; one that is used up wholly leaves an empty one in its place. */
  private cutCell({ cell, place, begun, width, outer }: CellPlace, to: Node): void {
    const gone = this.standIns.get(cell);
    if (gone) {
      to.appendChild(gone.cloneNode());
      return;
    }
    if (width > 0) keepWidth(cell as HTMLElement, width);
    if (!begun) {
      to.appendChild(standIn(cell.ownerDocument, outer));
    } else if (place) {
      const part = copy(cell);
      to.appendChild(part);
      this.into(part, cell, place);
      if (width > 0) mark(part, cell, place);
    } else {
      const rest = width === 0 ? (cell.cloneNode() as Element) : standIn(cell.ownerDocument, outer);
      rest.removeAttribute("id");
      cell.replaceWith(rest);
      to.appendChild(cell);
      this.standIns.set(cell, rest);
    }
  }
}

/** Boxes in a line are as wide as what they hold; their parts must not be. */
function keepWidth(el: HTMLElement, width: number): void {
  el.style.flex = "none";
  el.style.width = px(width);
}

function standIn(doc: Document, width: number): HTMLElement {
  const empty = doc.createElement("div");
  keepWidth(empty, width);
  return empty;
}

/** The elements between root and node, outermost first. */
function ancestors(node: Node, root: Element): Element[] {
  const out: Element[] = [];
  for (let p = node.parentNode; p && p !== root; p = p.parentNode) out.push(p as Element);
  return out.reverse();
}

function moveBefore(from: Element, end: Node, to: Node): void {
  while (from.firstChild && from.firstChild !== end) to.appendChild(from.firstChild);
}

/** A copy without content for what comes first; names that must be unique go with it. */
function copy(el: Element): Element {
  const first = el.cloneNode(false) as Element;
  el.removeAttribute("id");
  el.removeAttribute("data-outline");
  return first;
}

/** Marks the two parts of an element, so that neither shows a frame or margin at the cut. */
function mark(first: Element, rest: Element, { block, justify }: Place): void {
  const inline = block !== undefined && block !== rest && block.contains(rest);
  // Lines before a forced break would be stretched as well.
  if (justify && block === rest && !first.querySelector("br")) first.classList.add("q-justified");
  if (isFramed(rest)) for (const part of [first, rest]) part.classList.add("q-framed");
  first.classList.add(inline ? "q-inline-cut-end" : "q-cut-end");
  rest.classList.add(inline ? "q-inline-cut-start" : "q-cut-start");
  if (first.tagName === "OL") continueList(first as HTMLOListElement, rest as HTMLOListElement);
  if (first.tagName === "TABLE") continueTable(first as HTMLTableElement, rest as HTMLTableElement);
}
