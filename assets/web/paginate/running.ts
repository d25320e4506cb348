// What runs on in headers: the last heading of a level, or the last group of a table, that
// began by the end of a page.

import { AGAIN } from "./table";

/** The places that show such a text. */
export const RUNNING = ".q-page-running";

/** What begins a group of the outermost level of a table. */
const GROUP = ".q-body tbody > tr[data-repeat='1']:not([data-repeated], .q-cut-start)";
const HEADING = ".q-body [data-outline]:not(.q-cut-start)";

interface Said {
  el: Element;
  text: string;
}

/** The texts for all pages of what is asked for: a level of headings, or "group". */
export function runningTexts(doc: Document, at: (el: Element) => number, pages: number): (what: string) => string[] {
  return once((what) => spread(said(doc, what), at, pages));
}

/** The longest text that may run on, for which room is kept. */
export function longest(doc: Document): (what: string) => string {
  return once((what) => said(doc, what).reduce((most, { text }) => (text.length > most.length ? text : most), ""));
}

function once<T>(make: (what: string) => T): (what: string) => T {
  const known = new Map<string, T>();
  return (what) => {
    if (!known.has(what)) known.set(what, make(what));
    return known.get(what)!;
  };
}

/** What is said in the order of the document: headings of the level, groups; headings of a level above say nothing. */
function said(doc: Document, what: string): Said[] {
  const level = Number(what);
  if (!level) return [...doc.querySelectorAll(GROUP)].map((el) => ({ el, text: textOf(el.firstElementChild ?? el) }));
  const list = [...doc.querySelectorAll<HTMLElement>(HEADING)].map((el) => ({ el, level: Number(el.dataset.outline) }));
  return list.filter((s) => s.level <= level).map((s) => ({ el: s.el, text: s.level === level ? textOf(s.el) : "" }));
}

function spread(list: Said[], at: (el: Element) => number, pages: number): string[] {
  const texts: string[] = [];
  let text = "";
  for (const s of list) {
    const page = at(s.el);
    if (page < 0) continue;
    while (texts.length < Math.min(page, pages)) texts.push(text);
    ({ text } = s);
  }
  while (texts.length < pages) texts.push(text);
  return texts;
}

/** What it says, but for what is shown only where it repeats. */
function textOf(el: Element): string {
  const again = el.querySelector(AGAIN)?.textContent ?? "";
  const text = el.textContent ?? "";
  return (again && text.endsWith(again) ? text.slice(0, -again.length) : text).replace(/\s+/g, " ").trim();
}
