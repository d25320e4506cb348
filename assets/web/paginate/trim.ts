// Margins at the top of a page: dropped after a break that nobody asked for,
// kept (collapsed as in the flow) after one that the report wants.

const NEAR = 0.1;

/**
 * The elements whose bottom margin would reach past the end of a page that ends
 * before node: it must not make the boxes around them higher.
 */
export function trimmedEnd(node: Node): Element[] {
  return endingWith(before(node));
}

/** The element and those inside of it that end where it does. */
export function endingWith(last: Element | null): Element[] {
  const out: Element[] = [];
  let el = last;
  const bottom = el?.getBoundingClientRect().bottom ?? 0;
  while (el && Math.abs(el.getBoundingClientRect().bottom - bottom) < NEAR) {
    out.push(el);
    el = endsWith(el);
  }
  return out;
}

function before(node: Node): Element | null {
  let n = node.previousSibling;
  while (n && n.nodeType !== 1) n = isText(n) ? null : n.previousSibling;
  return n as Element | null;
}

/** The last child, when nothing is drawn after it. */
function endsWith(el: Element): Element | null {
  for (let n = el.lastChild; n; n = n.previousSibling) {
    if (n.nodeType === 1) return n as Element;
    if (isText(n)) return null;
  }
  return null;
}

function isText(n: Node): boolean {
  return n.nodeType === 3 && (n as Text).data.trim() !== "";
}

/** The elements whose margin would push down a page that starts with node, or begin that near to it. */
export function trimmed(node: Node, near = NEAR): Element[] {
  const out: Element[] = [];
  if (node.nodeType !== 1) return out;
  let el: Element | null = node as Element;
  const top = el.getBoundingClientRect().top;
  while (el && Math.abs(el.getBoundingClientRect().top - top) < near) {
    out.push(el);
    el = opensWith(el);
  }
  return out;
}

/** The margin above node at the top of a page, joined with those of the boxes it opens. */
export function topMargin(node: Node): number {
  const [outer, ...inner] = trimmed(node);
  if (!outer) return 0;
  const margins = [marginOf(outer, "Top"), ...inner.flatMap((el) => [marginOf(el, "Top"), ...(isFlat(el) && !isFlat(outer) ? [marginOf(el, "Bottom")] : [])])];
  return Math.max(0, ...margins) + Math.min(0, ...margins);
}

function marginOf(el: Element, side: "Top" | "Bottom"): number {
  return parseFloat(el.ownerDocument.defaultView!.getComputedStyle(el)[`margin${side}`]) || 0;
}

/** Whether an element has no height: the margin below it, too, pushes down a box that begins with it. */
function isFlat(el: Element): boolean {
  return el.getBoundingClientRect().height === 0;
}

/** The first child, when nothing is drawn before it. */
function opensWith(el: Element): Element | null {
  for (let n = el.firstChild; n; n = n.nextSibling) {
    if (n.nodeType === 1) return n as Element;
    if (isText(n)) return null;
  }
  return null;
}
