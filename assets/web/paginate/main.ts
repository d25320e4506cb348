// The bundle assets/dist/paginate.js: one global object, `quire`.

import { addBleed } from "./bleed";
import { Book } from "./book";
import "./craft";
import type { Numbers } from "./numbers";
import { number, paginate, type Settled } from "./paginate";
import { slabs } from "./slabs";
import { install } from "./style";
import { tag } from "./tag";
import type { Result, Warning } from "./types";

/** What the service calls in a tab, in whatever world the bundle was evaluated. */
export interface Quire {
  /** Makes the pages; with printed on paper that the finisher cuts to size, with that bleed around, in whole pixels. */
  paginate(settled?: Settled, printed?: boolean, bleed?: number): Promise<Result>;
  /** The numbers that the pages give, where pages are not wanted. The document is of no use after it. */
  number(settled?: Settled): Promise<Numbers>;
  show(from?: number, to?: number): void;
  extract(from: number, to: number): string;
  adopt(): number;
  shell(): [string, string];
  /** Which tables are laid out some rows at a time, and how many rows; tests change it. */
  slabs: typeof slabs;
  /** Prepares the pages for tagged PDF. */
  tag(): Warning[];
}

function quire(doc: Document): Quire {
  const book = new Book(doc);
  return {
    async paginate(settled, printed, bleed) {
      const result = await paginate(doc, settled, printed);
      if (bleed) addBleed(doc, bleed);
      book.adopt();
      return result;
    },
    number: (settled) => number(doc, settled),
    show: (from, to) => book.show(from, to),
    extract: (from, to) => book.extract(from, to),
    adopt() {
      install(doc);
      return book.adopt();
    },
    shell: () => shell(doc),
    slabs,
    tag: () => tag(doc),
  };
}

/** What stands before and after the pages in this document, to print some of them in another tab. */
function shell(doc: Document): [string, string] {
  const html = doc.documentElement.cloneNode(false) as HTMLElement;
  const body = doc.body.cloneNode(false) as HTMLElement;
  const open = (el: HTMLElement) => el.outerHTML.replace(/<\/(html|body)>$/, "");
  return [`<!doctype html>${open(html)}${doc.head.outerHTML}${open(body)}`, "</body></html>"];
}

declare global {
  var quire: Quire;
}

globalThis.quire = quire(document);
