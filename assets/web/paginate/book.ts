// The finished pages of a document: which are shown, and handing some of them
// over to another tab.

import { appendAll } from "./nodes";

const PAGE = ".q-page";

/** Keeps the page boxes of one document, also those that are not in it at the moment. */
export class Book {
  private pages: (HTMLElement | undefined)[] = [];

  constructor(private readonly doc: Document) {}

  /** Takes up the page boxes that stand in the document; tells how many. */
  adopt(): number {
    this.pages = [...this.doc.querySelectorAll<HTMLElement>(PAGE)];
    return this.pages.length;
  }

  /**
   * Leaves only pages from..to (1-based) in the document; all without arguments.
   * Pages that are not shown are taken out, because hidden ones still cost time in print.
   */
  show(from = 1, to = this.pages.length): void {
    const parent = this.pages.find((p) => p?.parentNode)?.parentNode ?? this.doc.body;
    const wanted = new Set(this.pages.slice(Math.max(0, from - 1), to).filter((p) => p !== undefined));
    for (const page of this.pages) if (page && !wanted.has(page)) page.remove();
    appendAll(parent, wanted);
  }

  /** The HTML of pages from..to; they leave this document for good, the others keep their numbers. */
  extract(from: number, to: number): string {
    const out: string[] = [];
    for (let i = Math.max(0, from - 1); i < Math.min(to, this.pages.length); i++) {
      const page = this.pages[i];
      if (!page) continue;
      out.push(page.outerHTML);
      page.remove();
      this.pages[i] = undefined;
    }
    return out.join("\n");
  }
}
