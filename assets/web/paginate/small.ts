// What is drawn so small that it may not be read. It was broken where that can be; an
// element as wide as it is high for its page is made smaller twice.

import { hasText } from "./nodes";
import { READABLE } from "./scale";
import type { PlannedPage, Sheet, Warning } from "./types";
import { zoomOf } from "./units";

/** What every warning ends or goes on with that tells that something is drawn smaller. */
export const SMALLER = "was drawn smaller to fit";

/** Tells of texts that are drawn smaller than is surely read, and how small: by the warning that they are drawn smaller, where there is one. */
export function tellSmall(sheets: Sheet[], pages: PlannedPage[], warnings: Warning[]): void {
  const told = new Set<Warning>();
  for (const { id, percent } of tooSmall(sheets, pages)) {
    const before = warnings.find((w) => w.id === id && id !== "" && w.message.includes(SMALLER) && !told.has(w));
    if (before) {
      before.message = before.message.replace(SMALLER, `${SMALLER}, to ${percent} % of its size, which may be too small to read`);
      told.add(before);
    } else {
      warnings.push({ id, message: `is drawn at ${percent} % of its size, which may be too small to read` });
    }
  }
}

function tooSmall(sheets: Sheet[], pages: PlannedPage[]): { id: string; percent: number }[] {
  const shares = new Map<Element, number>();
  for (const { body } of sheets) for (const el of body.querySelectorAll<HTMLElement>(".q-el[style*=zoom], math[style*=zoom]")) shares.set(el, zoomOf(el));
  for (const { nodes, factor } of pages.flatMap((p) => p.scales)) {
    const first = nodes[0]!;
    const el = first.nodeType === 1 ? (first as Element) : first.parentElement!;
    shares.set(el, factor * zoomOf(el));
  }
  const small = [...shares].filter(([el, share]) => share < READABLE && hasText(el));
  return small.map(([el, share]) => ({ id: el.closest("[data-id]")?.getAttribute("data-id") ?? "", percent: Math.round(share * 100) }));
}
