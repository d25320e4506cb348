// What is drawn so small that it may not be read. It was broken where that can be; an
// element as wide as it is high for its page is made smaller twice.

import { hasText } from "./nodes";
import { READABLE } from "./scale";
import type { PlannedPage, Sheet, Warning } from "./types";
import { zoomOf } from "./units";

/** Tells of texts that are drawn smaller than is surely read, and how small. */
export function tooSmall(sheets: Sheet[], pages: PlannedPage[]): Warning[] {
  const shares = new Map<Element, number>();
  for (const { body } of sheets) for (const el of body.querySelectorAll<HTMLElement>(".q-el[style*=zoom]")) shares.set(el, zoomOf(el));
  for (const { nodes, factor } of pages.flatMap((p) => p.scales)) {
    const first = nodes[0]!;
    const el = first.nodeType === 1 ? (first as Element) : first.parentElement!;
    shares.set(el, factor * zoomOf(el));
  }
  const small = [...shares].filter(([el, share]) => share < READABLE && hasText(el));
  return small.map(([el, share]) => ({ id: el.closest("[data-id]")?.getAttribute("data-id") ?? "", message: `is drawn at ${Math.round(share * 100)} % of its size, which may be too small to read` }));
}
