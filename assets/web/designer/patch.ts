// Small changes of a drawing without making its pages anew: most edits change the
// words or the look of one element, and every key in a field is an edit. What has
// another size afterwards is made into pages again once nobody types.

import { PLACES } from "../paginate/numbers";

/** A document of the service, in pieces: what comes before the sections, and each section. */
interface Source {
  head: string;
  sections: string[];
}

const SECTION = '<section class="q-sheet"';

export function sourceOf(html: string): Source {
  const starts = [...html.matchAll(new RegExp(SECTION, "g"))].map((m) => m.index);
  return { head: html.slice(0, starts[0] ?? html.length), sections: starts.map((from, i) => html.slice(from, starts[i + 1] ?? html.length)) };
}

/** An element of a source, and what comes in its place. */
interface Pair {
  old: Element;
  now: Element;
}

/** What has a footnote, which stands elsewhere on the page. */
const NOTED = ".q-note, :has(.q-note)";

/** Whether something prints what only the pages know, such as their numbers. */
const numbered = (el: Element): boolean => el.matches(PLACES) || el.querySelector(PLACES) !== null;

/** The least elements in which two differ. */
export function differences(old: Element, now: Element): Pair[] {
  const [a, b] = [[...old.childNodes], [...now.childNodes]];
  if (old.tagName !== now.tagName || !sameAttributes(old, now) || a.length !== b.length) return [{ old, now }];
  const found: Pair[] = [];
  for (let i = 0; i < a.length; i++) {
    if (a[i]!.isEqualNode(b[i]!)) continue;
    if (!isElement(a[i]!) || !isElement(b[i]!) || (a[i] as Element).tagName !== (b[i] as Element).tagName) return [{ old, now }];
    found.push(...differences(a[i] as Element, b[i] as Element));
  }
  return found;
}

const isElement = (node: Node): boolean => node.nodeType === 1;

function sameAttributes(a: Element, b: Element): boolean {
  return a.attributes.length === b.attributes.length && [...a.attributes].every(({ name, value }) => b.getAttribute(name) === value);
}

/** What a drawing shows, with the source that it was made of. */
export class Shown {
  private source: Source;
  private readonly read = new Map<number, Element>();

  constructor(
    private readonly doc: Document,
    html: string,
  ) {
    this.source = sourceOf(html);
  }

  /**
   * Changes the pages to show another source: "same" when they are as if they were
   * made of it, "late" when they are to be made anew soon, "not" when at once.
   */
  change(html: string): "same" | "late" | "not" {
    const next = sourceOf(html);
    const { head, sections } = this.source;
    if (head !== next.head || sections.length !== next.sections.length) return "not";
    const changes: { doc: Element; pair: Pair }[] = [];
    const parsed = new Map<number, Element>();
    for (let i = 0; i < sections.length; i++) {
      if (sections[i] === next.sections[i]) continue;
      const [old, now] = [this.read.get(i) ?? this.parse(sections[i]!), this.parse(next.sections[i]!)];
      if (!old || !now) return "not";
      parsed.set(i, now);
      for (const pair of differences(old, now)) {
        const doc = this.find(old, pair.old);
        if (!doc || !fits(doc, pair) || pair.now.matches(NOTED)) return "not";
        changes.push({ doc, pair });
      }
    }
    const before = changes.map(({ doc }) => sizeOf(doc));
    for (const { doc, pair } of changes) put(doc, pair);
    this.source = next;
    for (const [i, now] of parsed) this.read.set(i, now);
    const fonts = this.doc.fonts.status === "loading";
    const moved = changes.some(({ doc, pair }, i) => !sameAttributes(pair.old, pair.now) || sizeOf(doc) !== before[i] || numbered(pair.now));
    return fonts || moved ? "late" : "same";
  }

  private parse(section: string): Element | null {
    const view = this.doc.defaultView as (Window & typeof globalThis) | null;
    return view ? new view.DOMParser().parseFromString(section, "text/html").querySelector(".q-sheet") : null;
  }

  /** The element of a page that an element of the source has become; null where it has become several, or other ones. */
  private find(section: Element, wanted: Element): Element | null {
    const owner = wanted.closest("[data-id]");
    if (!owner || owner.closest(".q-header,.q-first-header,.q-footer")) return null;
    const id = `[data-id="${CSS.escape(owner.getAttribute("data-id")!)}"]`;
    const page = CSS.escape(section.getAttribute("data-page") ?? "");
    const twins = [...section.querySelectorAll(`.q-body ${id}`)];
    const parts = [...this.doc.querySelectorAll(`.q-page[data-page="${page}"]>.q-page-body ${id}`)];
    let at = parts[twins.indexOf(owner)];
    if (!at || parts.length !== twins.length) return null;
    for (const step of way(owner, wanted)) {
      const inner: Node | undefined = at.childNodes[step];
      if (!inner || !isElement(inner)) return null;
      at = inner as Element;
    }
    return at.tagName === wanted.tagName ? at : null;
  }
}

/** The places of an element and those around it among their siblings, from another down to it. */
function way(from: Element, to: Element): number[] {
  const steps: number[] = [];
  for (let el = to; el !== from; el = el.parentElement!) steps.unshift([...el.parentElement!.childNodes].indexOf(el));
  return steps;
}

/** Whether an element of a page is as its source was, as far as that changes. */
function fits(doc: Element, { old, now }: Pair): boolean {
  const names = new Set([...old.attributes, ...now.attributes].map((a) => a.name).filter((name) => old.getAttribute(name) !== now.getAttribute(name)));
  if ([...names].some((name) => name === "data-id" || doc.getAttribute(name) !== old.getAttribute(name))) return false;
  return sameChildren(old, now) || sameChildren(doc, old);
}

function sameChildren(a: Element, b: Element): boolean {
  return a.childNodes.length === b.childNodes.length && [...a.childNodes].every((node, i) => node.isEqualNode(b.childNodes[i]!));
}

function put(doc: Element, { old, now }: Pair): void {
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) doc.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) doc.setAttribute(name, value);
  if (!sameChildren(old, now)) doc.replaceChildren(...[...now.childNodes].map((node) => doc.ownerDocument.importNode(node, true)));
}

/** Where an element and the one that owns it are, and whether they hold what is in them. */
function sizeOf(el: Element): string {
  return [el, el.closest("[data-id]")!]
    .map((part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return [left, top, width, height, Math.max(0, part.scrollWidth - part.clientWidth), Math.max(0, part.scrollHeight - part.clientHeight)].map((n) => n.toFixed(2)).join();
    })
    .join(" ");
}
