// Searching in the pages. Hits are highlighted by the browser, so that no page
// is laid out otherwise for them.

import type { Desk } from "./desk";
import { foldAll, type Hit, hitsIn, Reader, type Run } from "./find";

/** More hits are not counted one by one. */
export const MOST_HITS = 5000;

/** Elements that a word goes on across. */
const INLINE = new Set(["A", "ABBR", "B", "BDI", "BDO", "CITE", "CODE", "DEL", "EM", "FONT", "I", "INS", "KBD", "LABEL", "MARK", "Q", "S", "SAMP", "SMALL", "SPAN", "STRONG", "SUB", "SUP", "TSPAN", "U", "VAR", "WBR"]);
const UNREAD = new Set(["SCRIPT", "STYLE", "TEMPLATE", "TITLE", "DESC", "DEFS"]);

interface Found extends Hit<Text> {
  page: number;
}

export class Search {
  text = "";
  hits: Found[] = [];
  /** The hit that is shown, counted from 1; 0 before the first. */
  at = 0;
  changed: () => void = () => undefined;
  private runs: (Run<Text> | undefined)[] = [];

  constructor(private readonly doc: Document, private readonly desk: Desk) {}

  /** Other pages lie on the desk: what was searched for is found anew. */
  renew(): void {
    this.runs = [];
    if (this.text !== "") this.collect();
  }

  /** Finds a text and shows the first hit from the page that is read on. */
  find(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.at = 0;
    this.collect();
    const first = this.hits.findIndex((h) => h.page >= this.desk.current);
    if (this.hits.length > 0) this.show(first < 0 ? 1 : first + 1);
    else this.changed();
  }

  step(by: 1 | -1): void {
    const count = this.hits.length;
    if (count > 0) this.show(((this.at - 1 + by + count) % count) + 1);
  }

  private collect(): void {
    this.hits = [];
    const wanted = foldAll(this.text);
    for (const [i, page] of this.desk.pages.entries()) {
      if (wanted === "" || this.hits.length >= MOST_HITS) break;
      const run = (this.runs[i] ??= read(page));
      for (const hit of hitsIn(run, wanted, MOST_HITS - this.hits.length)) this.hits.push({ ...hit, page: i + 1 });
    }
    this.paint();
    this.changed();
  }

  private show(nth: number): void {
    this.at = nth;
    const hit = this.hits[nth - 1]!;
    this.paint();
    this.desk.go(hit.page);
    this.desk.show(hit.page, rangeOf(this.doc, hit).getBoundingClientRect());
    this.changed();
  }

  private paint(): void {
    const current = this.hits[this.at - 1];
    const registry = CSS.highlights;
    if (!registry) { // an older browser: the hit that is shown is selected
      if (current) this.doc.getSelection()?.setBaseAndExtent(current.start.node, current.start.offset, current.end.node, current.end.offset);
      return;
    }
    registry.set("quire-hits", new Highlight(...this.hits.map((h) => new StaticRange({ startContainer: h.start.node, startOffset: h.start.offset, endContainer: h.end.node, endOffset: h.end.offset }))));
    const shown = new Highlight(...(current ? [rangeOf(this.doc, current)] : []));
    shown.priority = 1;
    registry.set("quire-hit", shown);
  }
}

function rangeOf(doc: Document, hit: Found): Range {
  const range = doc.createRange();
  range.setStart(hit.start.node, hit.start.offset);
  range.setEnd(hit.end.node, hit.end.offset);
  return range;
}

function read(page: Element): Run<Text> {
  const reader = new Reader<Text>();
  const walk = (el: Element) => {
    for (let node = el.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === Node.TEXT_NODE) reader.add(node as Text, (node as Text).data);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const child = node as Element;
      const tag = child.tagName.toUpperCase();
      if (UNREAD.has(tag) || child.classList.contains("q-dropped")) continue;
      if (!INLINE.has(tag)) reader.break();
      walk(child);
      if (!INLINE.has(tag)) reader.break();
    }
  };
  walk(page);
  return reader.run;
}
