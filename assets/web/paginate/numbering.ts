// Which page carries which number, and what runs on from page to page: pages of sections
// that do not count have no number.

import type { Known } from "./numbers";
import { runningTexts } from "./running";
import type { Place, PlannedPage, Sheet } from "./types";

export type Plans = Map<Sheet, PlannedPage[]>;

/** The labels of all pages, in order, how many count, and how many until numbers begin anew. */
export interface Labels {
  of: string[];
  count: string;
  runs: string[];
}

/** Tells on which page, from 0, an element stands. */
type At = (el: Element) => number;

/** The labels of pages; anew are those with which numbers begin anew. */
export function labels(plans: Plans, anew: Set<number>): Labels {
  let count = 0;
  let n = 0;
  const of: string[] = [];
  const runs: string[] = [];
  const close = () => {
    while (runs.length < of.length) runs.push(String(n));
  };
  for (const [sheet, pages] of plans) {
    pages.forEach((_, i) => {
      if (anew.has(of.length) || (i === 0 && sheet.el.dataset.anew !== undefined)) {
        close();
        n = 0;
      }
      if (sheet.counted) count++;
      of.push(sheet.counted ? String(++n) : "");
    });
  }
  close();
  return { of, count: String(count), runs };
}

const ANEW = ".q-body [data-anew]:not([data-repeated], .q-cut-start)";

/** The pages with which elements let numbers begin anew. On further sheets of the same columns they do not. */
function newRuns(doc: Document, at: At): Set<number> {
  const pages = new Map<string, number>();
  for (const el of doc.querySelectorAll<HTMLElement>(ANEW)) {
    const page = at(el);
    const known = pages.get(el.dataset.anew!) ?? Infinity;
    if (page >= 0 && page < known) pages.set(el.dataset.anew!, page);
  }
  return new Set(pages.values());
}

function knownBy(doc: Document, plans: Plans, at: At): Known & { labels: Labels } {
  const all = labels(plans, newRuns(doc, at));
  const number = (el: Element) => all.of[at(el)] ?? "";
  const running = runningTexts(doc, at, all.of.length);
  return {
    labels: all,
    count: all.count,
    number,
    run: (el) => all.runs[at(el)] ?? "",
    pageOf: (id) => pageOf(doc, id, number),
    running: (el, what) => running(what)[at(el)] ?? "",
  };
}

/** What is known of the unpaginated document by its plan. */
export function knownByPlan(doc: Document, plans: Plans): Known {
  return knownBy(doc, plans, (el) => plannedPage(plans, el));
}

/** What is known of finished pages. */
export function knownByPages(doc: Document, plans: Plans, boxes: HTMLElement[]): Known & { labels: Labels } {
  const index = new Map(boxes.map((box, i) => [box, i]));
  return knownBy(doc, plans, (el) => index.get(el.closest<HTMLElement>(".q-page")!) ?? -1);
}

/** Whether the pages are runs of the document: none parts what stands side by side. */
export function inOrder(plans: Plans): boolean {
  return [...plans.values()].flat().every((page) => !page.until?.cells && page.sheets === 1);
}

/** What pages that are such runs would show if they were made. */
export function knownByOrder(doc: Document, plans: Plans): Known {
  return knownBy(doc, plans, (el) => orderedPage(plans, el));
}

/** The index of the page that an element begins on; headers and footers have their names on the first. */
function orderedPage(plans: Plans, el: Element): number {
  let before = 0;
  for (const [sheet, pages] of plans) {
    if (sheet.body.contains(el)) return before + pageOfStart(pages, el);
    if (sheet.el.contains(el)) return before;
    before += pages.length;
  }
  return -1;
}

/** The first of some pages that passes a test, as all after it do; the last one, which is not asked. */
function firstThat(pages: PlannedPage[], passes: (at: number) => boolean): number {
  let low = 0;
  let high = pages.length - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (passes(mid)) high = mid;
    else low = mid + 1;
  }
  return low;
}

const pageOfStart = (pages: PlannedPage[], el: Element): number => firstThat(pages, (i) => begins(el, pages[i]!.until!));

/** Whether an element begins before a place. */
function begins(el: Element, { node }: Place): boolean {
  return (node.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

function pageOf(doc: Document, id: string, number: (el: Element) => string): string {
  const el = doc.getElementById(id);
  return el ? number(el) : "";
}

/** The index of the page an element is planned to stand on. */
function plannedPage(plans: Plans, el: Element): number {
  let before = 0;
  for (const [sheet, pages] of plans) {
    if (sheet.body.contains(el)) return before + pageAt(pages, el.getBoundingClientRect().top);
    before += pages.length;
  }
  return -1;
}

function pageAt(pages: PlannedPage[], y: number): number {
  const at = firstThat(pages, (i) => pages[i + 1]!.base > y + 0.5);
  return at - pages[at]!.sheet;
}
