// Where headings and link targets come to stand.

import type { Anchor, PlannedPage, Sheet } from "./types";

/** An element of interest and where it stood before the pages were made. */
export interface Located {
  el: Element;
  sheet: Sheet;
  x: number;
  y: number;
  level: number;
  id: string;
  text: string;
}

/** Reads the positions of headings (data-outline) and of everything a link of the document points to. */
export function collectAnchors(doc: Document, sheets: Sheet[]): Located[] {
  const targets = linked(doc);
  return sheets.flatMap((sheet) =>
    [sheet.body, ...sheet.body.querySelectorAll("[id], [data-outline]")]
      .filter((el) => el.hasAttribute("data-outline") || targets.has(el.id))
      .map((el) => locate(el, sheet)),
  );
}

function linked(doc: Document): Set<string> {
  const ids = new Set<string>();
  for (const a of doc.querySelectorAll("a[href^='#']")) {
    const raw = a.getAttribute("href")!.slice(1);
    ids.add(raw);
    ids.add(decoded(raw));
  }
  for (const el of doc.querySelectorAll(".q-page-of")) ids.add(el.getAttribute("data-target") ?? "");
  return ids;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function locate(el: Element, sheet: Sheet): Located {
  const r = el.getBoundingClientRect();
  const g = sheet.geometry;
  return {
    el,
    sheet,
    x: r.left - sheet.left + g.left,
    y: r.top,
    level: Number(el.getAttribute("data-outline")) || 0,
    id: el.id,
    text: (el.textContent ?? "").replace(/\s+/g, " ").trim(),
  };
}

/** Positions on the finished pages: by the plan, and by sight on pages that were looked at again. */
export function placeAnchors(found: Located[], plans: Map<Sheet, PlannedPage[]>, boxes: HTMLElement[]): Anchor[] {
  const index = new Map(boxes.map((box, i) => [box, i]));
  const firsts = firstPages(plans);
  return found.flatMap((f) => {
    // Of an element that was broken the first part has the id.
    const el = f.id === "" ? f.el : (f.el.ownerDocument.getElementById(f.id) ?? f.el);
    const box = el.closest<HTMLElement>(".q-page");
    if (!box) return [];
    const at = index.get(box)!;
    const nth = at - firsts.get(f.sheet)!;
    const page = plans.get(f.sheet)![nth]!;
    const spot = page.risky ? seen(el, box) : { x: f.x, y: onPage(f.sheet, page, nth, f.y) };
    return [{ id: f.id, page: at + 1, ...spot, level: f.level, text: f.text }];
  });
}

function seen(el: Element, box: HTMLElement): { x: number; y: number } {
  const r = el.getBoundingClientRect();
  const p = box.getBoundingClientRect();
  return { x: r.left - p.left, y: r.top - p.top };
}

function firstPages(plans: Map<Sheet, PlannedPage[]>): Map<Sheet, number> {
  let at = 0;
  return new Map([...plans].map(([sheet, pages]) => [sheet, (at += pages.length) - pages.length]));
}

function onPage(sheet: Sheet, page: PlannedPage, nth: number, y: number): number {
  const g = sheet.geometry;
  const above = g.top + (nth === 0 ? sheet.firstHead : sheet.head) + sheet.padding;
  const at = above + page.head + y - page.base;
  return Math.min(Math.max(at, above), g.height - g.bottom);
}
