// Pictures higher than a page, which text stands beside or around: they are drawn
// smaller alone, before the text would be.

import { SMALLER } from "./small";
import type { Sheet, Warning } from "./types";
import { px, zoomOf } from "./units";

/** Share of the room of a page that a picture takes at most, with the boxes around it. */
const MOST = 0.96;

/** Bounds the pictures of the sheets by what their pages have room for. All is read before anything is written. */
export function fitPictures(sheets: Sheet[], warnings: Warning[]): void {
  const tall = sheets.flatMap((sheet) => {
    const room = bodyHeight(sheet) * MOST;
    return [...sheet.body.querySelectorAll("img")].filter((img) => img.getBoundingClientRect().height > room / MOST).map((img) => ({ img, room: room / zoomOf(img) }));
  });
  for (const { img, room } of tall) {
    img.style.setProperty("height", px(room), "important");
    img.style.setProperty("width", "auto", "important");
    if (!img.closest(NATURAL)) warnings.push({ id: img.closest("[data-id]")?.getAttribute("data-id") ?? "", message: `is taller than the page and ${SMALLER}` });
  }
}

/** Pictures without a size of their own are never larger than their page. */
const NATURAL = ".q-natural";

/** The height of the body of a sheet's pages. */
export function bodyHeight({ geometry: g, header, firstHeader, footer }: Sheet): number {
  const heights = [firstHeader ?? header, header].map((el) => el?.getBoundingClientRect().height ?? 0);
  return g.height - g.top - g.bottom - Math.min(...heights) - (footer?.getBoundingClientRect().height ?? 0);
}
