// Nodes and lists by the hundred thousand: a call with so many arguments fails,
// and a document with so many ranges looks at each of them at every change.

/** How many arguments a call surely takes. */
const CHUNK = 10_000;

/** Moves nodes to the end of another. */
export function appendAll(to: Node, nodes: Iterable<Node>): void {
  for (const n of nodes) to.appendChild(n);
}

/** Moves all that is in a node to the end of another. */
export function moveAll(from: Node, to: Node): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}

/** Replaces one item of a list by others. */
export function replaceItem<T>(list: T[], i: number, by: T[]): void {
  list.splice(i, 1);
  for (let k = 0; k < by.length; k += CHUNK) list.splice(i + k, 0, ...by.slice(k, k + CHUNK));
}

const ranges = new WeakMap<Document, Range>();

/** The one range of a document to measure with; what it spans holds until the next call. */
export function measuringRange(doc: Document): Range {
  let range = ranges.get(doc);
  if (!range) ranges.set(doc, (range = doc.createRange()));
  return range;
}

/** Whether there is text besides that of drawings. */
export function hasText(el: Node): boolean {
  const texts = el.ownerDocument!.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const n = texts.currentNode as Text;
    if (n.data.trim() !== "" && !n.parentElement!.closest("svg, style, script")) return true;
  }
  return false;
}
