// What is wider than its page: tables first break words that are long, all but
// numbers when that does not help enough, and numbers too before they would be too
// small to read; then everything is drawn smaller. Nothing is cut or runs off the
// paper.

import { SMALLER } from "./small";
import type { Sheet, Warning } from "./types";
import { zoomOf } from "./units";

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;
/** Nothing is drawn smaller than this. */
const LEAST = 0.2;
/** Shares that differ less are the same. */
const ALIKE = 0.02;
/** Letters do not become narrower in proportion, and what stands in a flow shares its room anew, so that further looks are needed. */
const ROUNDS = 4;
/** A table that would be drawn smaller than this breaks short words too. */
const READABLE = 0.7;
/** Words that a table breaks first: in any cell, and in those of numbers. */
const LONG = /\S{15}/;
const LONG_NUMBER = /\S{24}/;

interface Wide {
  el: HTMLElement;
  /** How much of its width there is room for; less than nothing where it lies beside its page. */
  share: number;
  /** A table that its box has no room for: what is drawn smaller with its box still has none. */
  boxed: boolean;
  /** What it holds that is too wide itself. */
  inside: Wide[];
}

/** Makes the blocks of the sheets as narrow as their pages. All is read before anything is written. */
export function fitWidth(sheets: Sheet[], warnings: Warning[]): void {
  const long = tooWideTables(sheets).map(({ el }) => ({ el, cells: longWords(el) }));
  for (const { el, cells } of long) {
    el.classList.add("q-tight");
    for (const cell of cells) cell.classList.add("q-breaks");
  }
  const words = new Set(long.length > 0 ? tighten(sheets, "q-tighter") : []);
  const numbers = new Set(long.length > 0 ? [...tighten(sheets, "q-tightest"), ...tighten(sheets, "q-letters")] : []);
  const torn = new Set([...words, ...numbers]);
  for (const el of torn) warnings.push({ id: el.dataset.id ?? "", message: `is much wider than the page, so that its ${numbers.has(el) ? "numbers" : "short words"} are broken, too${advice(el)}` });
  const smaller = new Set<HTMLElement>();
  for (let round = 0; round < ROUNDS; round++) {
    const wide = tooWide(sheets).flatMap(gentlest).filter(({ share }) => share > 0);
    if (wide.length === 0) break;
    for (const { el, share } of wide) {
      const zoom = Number(el.style.getPropertyValue("zoom")) || 1;
      el.style.setProperty("zoom", String(Math.max(LEAST, zoom * share)));
      smaller.add(el);
    }
  }
  for (const el of smaller) warnings.push({ id: el.dataset.id ?? "", message: `is wider than the page and ${SMALLER}${torn.has(el) ? "" : advice(el)}` });
}

/** What the author may do about a table that is too wide. */
function advice(el: HTMLElement): string {
  return el.matches(".q-data-table") ? '; "Continue columns on further sheets" prints it whole' : "";
}

/** Lets the tables that would be too small to read break more, and tells which of them that makes narrower. */
function tighten(sheets: Sheet[], step: string): HTMLElement[] {
  const wide = tooWideTables(sheets).filter(({ share }) => share < READABLE);
  if (wide.length === 0) return [];
  for (const { el } of wide) el.classList.add(step);
  const shares = new Map(tooWideTables(sheets).map(({ el, share }) => [el, share]));
  const helped = wide.filter(({ el, share }) => (shares.get(el) ?? 1) > share + 0.01).map(({ el }) => el);
  for (const { el } of wide) if (!helped.includes(el)) el.classList.remove(step);
  return helped;
}

function tooWideTables(sheets: Sheet[]): (Wide & { el: HTMLTableElement })[] {
  return tooWide(sheets).flatMap(innermost).filter((w): w is Wide & { el: HTMLTableElement } => w.el.tagName === "TABLE" && w.share > 0);
}

/** The cells of a table that hold words too long to stay whole. */
function longWords(table: HTMLTableElement): HTMLTableCellElement[] {
  const cells = [...table.rows].flatMap((tr) => [...tr.cells]);
  return cells.filter((c) => (c.classList.contains("q-right") ? LONG_NUMBER : LONG).test(c.textContent ?? ""));
}

/** The outermost elements that reach over the edges of their body, or as tables of their box. */
function tooWide(sheets: Sheet[]): Wide[] {
  return sheets.flatMap(({ body }) => {
    const page = body.getBoundingClientRect();
    const found: Wide[] = [];
    const around: Wide[] = [];
    for (const el of body.querySelectorAll<HTMLElement>(".q-el")) {
      const r = el.getBoundingClientRect();
      if (r.width === 0 || el.classList.contains("q-across")) continue;
      const room = roomOf(el, body, page);
      const { left, right } = spill(el);
      const width = r.width + left + right;
      const over = Math.max(r.right + right - room.right, room.left - r.left + left);
      if (over <= TOLERANCE) continue;
      while (around.length > 0 && !around[around.length - 1]!.el.contains(el)) around.pop();
      const wide = { el, share: (width - over) / width, boxed: room !== page, inside: [] };
      (around[around.length - 1]?.inside ?? found).push(wide);
      around.push(wide);
    }
    return found;
  });
}

/** A container that is too wide because of what it holds gives way to that. */
function innermost(w: Wide): Wide[] {
  return w.inside.length > 0 ? w.inside.flatMap(innermost) : [w];
}

/** What shrinks least: elements side by side are together too wide where the last of them would have no room at all. */
function gentlest(w: Wide): Wide[] {
  const inside = w.inside.flatMap(gentlest);
  return inside.length > 0 && inside.every(({ share, boxed }) => boxed || share > w.share - ALIKE) ? inside : [w];
}

/** The room of an element in its body. */
export function roomOf(el: HTMLElement, body: HTMLElement, page: DOMRect): { left: number; right: number } {
  return el.tagName === "TABLE" && el.parentElement !== body ? boxOf(el as HTMLTableElement, page) : page;
}

/** The room that the box around a table leaves it, unless it was told to stand out of it. */
function boxOf(table: HTMLElement, page: DOMRect): { left: number; right: number } {
  const view = table.ownerDocument.defaultView!;
  const own = view.getComputedStyle(table);
  if (parseFloat(own.marginLeft) < 0 || parseFloat(own.marginRight) < 0) return page;
  const box = table.parentElement!.getBoundingClientRect();
  const style = view.getComputedStyle(table.parentElement!);
  const left = box.left + (parseFloat(style.borderLeftWidth) || 0) + (parseFloat(style.paddingLeft) || 0);
  const right = box.right - (parseFloat(style.borderRightWidth) || 0) - (parseFloat(style.paddingRight) || 0);
  return { left: Math.max(left, page.left), right: Math.min(right, page.right) };
}

/** How far what an element holds reaches out of it, as drawn. */
function spill(el: HTMLElement): { left: number; right: number } {
  const over = el.querySelector(".q-across") ? 0 : el.scrollWidth - el.clientWidth;
  if (over <= TOLERANCE || el.clientWidth === 0) return { left: 0, right: 0 };
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  const drawn = style.overflowX === "visible" ? over * zoomOf(el) : 0;
  return style.direction === "ltr" ? { left: 0, right: drawn } : { left: drawn, right: 0 };
}
