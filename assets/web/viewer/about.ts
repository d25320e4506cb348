// What a comment is about, as a key: an element of the report by its ID alone;
// one that a subreport or the template brings by its owner as well, since two
// owners may have elements of the same ID.

/** The owner of what a template brings; anything else is the code of a report. */
export const TEMPLATE = "*";

/** The key of what draws an element; null where it has none that will be the same tomorrow, and for the place of what a report brings. */
export function keyOf(el: Element): string | null {
  const id = el.getAttribute("data-id");
  const of = el.getAttribute("data-of");
  if (!id || of === "?" || el.classList.contains("q-content-placeholder")) return null;
  return of ? `${of}/${id}` : id;
}

/** Whose element a key means, where it is not the report's own. */
export function ownerIn(key: string): string | null {
  return /^(\*|[\w-]+)\/./.exec(key)?.[1] ?? null;
}

/** What finds the parts of an element on the pages. */
export function selectorOf(key: string): string {
  const of = ownerIn(key);
  const own = `[data-id="${CSS.escape(key)}"]:not([data-of])`;
  return of === null ? own : `${own},[data-of="${CSS.escape(of)}"][data-id="${CSS.escape(key.slice(of.length + 1))}"]`;
}

/** The type of an element, as its class tells it. */
export const typeOf = (el: Element): string => el.classList[1]?.replace(/^q-/, "") ?? "";

/** So long is what an element is told apart by. */
const SHORT = 40;

/** What an element begins with: cells and lines are words apart. */
export function beginning(el: Element): string {
  const walker = el.ownerDocument.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let text = "";
  while (text.length <= SHORT && walker.nextNode()) text = `${text} ${walker.currentNode.nodeValue ?? ""}`.replace(/\s+/g, " ").trim();
  return text.length > SHORT ? `${text.slice(0, SHORT - 1).trimEnd()}…` : text;
}

/** So large is a pin at least, with the room to the next one. */
export const PIN = 26;

/** Puts pins that would lie on each other beside each other, on the side where there is room. */
export function apart<P extends { left: number; top: number }>(pins: P[], rtl = false): P[] {
  const placed: P[] = [];
  for (const pin of pins) {
    while (placed.some((p) => Math.abs(p.left - pin.left) < PIN && Math.abs(p.top - pin.top) < PIN)) pin.left += rtl ? -PIN : PIN;
    placed.push(pin);
  }
  return placed;
}
