// Which page carries which number: pages of sections that do not count have none.

import type { Place, PlannedPage, Sheet } from "./types";
import type { Known } from "./numbers";

export type Plans = Map<Sheet, PlannedPage[]>;

/** The labels of all pages, in order, and how many count. */
export function labels(plans: Plans): { of: string[]; count: string } {
  let count = 0;
  const of = [...plans].flatMap(([sheet, pages]) => pages.map(() => (sheet.counted ? String(++count) : "")));
  return { of, count: String(count) };
}

/** What is known of the unpaginated document by its plan. */
export function knownByPlan(doc: Document, plans: Plans): Known {
  const { of, count } = labels(plans);
  const number = (el: Element) => of[plannedPage(plans, el)] ?? "";
  return { count, number, pageOf: (id) => pageOf(doc, id, number) };
}

/** What is known of finished pages. */
export function knownByPages(doc: Document, plans: Plans, boxes: HTMLElement[]): Known {
  const { of, count } = labels(plans);
  const index = new Map(boxes.map((box, i) => [box, i]));
  const number = (el: Element) => of[index.get(el.closest<HTMLElement>(".q-page")!) ?? -1] ?? "";
  return { count, number, pageOf: (id) => pageOf(doc, id, number) };
}

/** Whether the pages are runs of the document: none parts what stands side by side. */
export function inOrder(plans: Plans): boolean {
  return [...plans.values()].flat().every((page) => !page.until?.cells && page.sheets === 1);
}

/** What pages that are such runs would show if they were made. */
export function knownByOrder(doc: Document, plans: Plans): Known {
  const { of, count } = labels(plans);
  const number = (el: Element) => of[orderedPage(plans, el)] ?? "";
  return { count, number, pageOf: (id) => pageOf(doc, id, number) };
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
