// What is wider than its page: tables first break words, then everything is drawn
// smaller. Nothing is cut or runs off the paper.

import type { Sheet, Warning } from "./types";

/** More than this is too wide; less is rounding. */
const TOLERANCE = 1;
/** Nothing is drawn smaller than this. */
const LEAST = 0.2;

interface Wide {
  el: HTMLElement;
  /** How much of its width there is room for. */
  share: number;
}

/** Makes the blocks of the sheets as narrow as their pages. All is read before anything is written. */
export function fitWidth(sheets: Sheet[], warnings: Warning[]): void {
  const tables = tooWide(sheets).filter((w) => w.el.tagName === "TABLE");
  for (const { el } of tables) el.classList.add("q-tight");
  const rest = tooWide(sheets);
  for (const { el, share } of rest) {
    el.style.setProperty("zoom", String(Math.max(LEAST, share)));
    warnings.push({ id: el.dataset.id ?? "", message: "is wider than the page and was drawn smaller to fit" });
  }
}

/** The outermost elements that reach over the edges of their body, as far as they do. */
function tooWide(sheets: Sheet[]): Wide[] {
  return sheets.flatMap(({ body }) => {
    const room = body.getBoundingClientRect();
    const found: Wide[] = [];
    for (const el of body.querySelectorAll<HTMLElement>(".q-el")) {
      const r = el.getBoundingClientRect();
      const spilt = spill(el);
      const width = r.width + spilt;
      const over = Math.max(r.right + spilt - room.right, room.left - r.left);
      if (over <= TOLERANCE || r.width === 0) continue;
      // A container that is too wide because of what it holds gives way to that.
      // Nothing was found since it but what it holds.
      if (found[found.length - 1]?.el.contains(el)) found.pop();
      found.push({ el, share: (width - over) / width });
    }
    return found.filter((w) => w.share > 0);
  });
}

/** How far a line that may not be broken reaches out of its element. */
function spill(el: HTMLElement): number {
  const over = el.scrollWidth - el.clientWidth;
  if (over <= TOLERANCE || el.clientWidth === 0) return 0;
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  return style.overflowX === "visible" && style.direction === "ltr" ? over : 0;
}
