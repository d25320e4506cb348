// What stands freely on the pages of a sheet: taken out of where it was written, and put
// behind or above what each page prints.

import type { Sheet } from "./types";

/** Which pages of a sheet have it; place counts the pages of the document from 1. */
const WANTED: Record<string, (nth: number, of: number, place: number) => boolean> = {
  first: (nth) => nth === 0,
  following: (nth) => nth > 0,
  last: (nth, of) => nth === of - 1,
  odd: (_, __, place) => place % 2 === 1,
  even: (_, __, place) => place % 2 === 0,
};

/** Takes what stands freely out of a section. What is written several times, as in all of its headers, is one. */
export function takeStamps(el: HTMLElement): HTMLElement[] {
  const found = new Map<string, HTMLElement>();
  for (const stamp of el.querySelectorAll<HTMLElement>(".q-on-pages")) {
    stamp.remove();
    const looks = `${stamp.dataset.pages} ${stamp.dataset.layer} ${stamp.style.cssText} ${stamp.innerHTML}`;
    if (!found.has(looks)) found.set(looks, stamp);
  }
  return [...found.values()];
}

/** Puts it on the pages of its sheet, before which the document has some. */
export function stamp({ stamps }: Sheet, pages: HTMLElement[], before: number): void {
  pages.forEach((page, nth) => {
    const wanted = stamps.filter((s) => WANTED[s.dataset.pages ?? ""]?.(nth, pages.length, before + nth + 1) ?? true);
    const on = (layer: string) => wanted.filter((s) => s.dataset.layer === layer).map((s) => s.cloneNode(true));
    page.prepend(...on("behind"));
    page.append(...on("above"));
  });
}
