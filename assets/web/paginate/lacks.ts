// What a screen reader would miss in a document, by element.

import type { Warning } from "./types";

const HIDDEN = "[aria-hidden=true], .q-header, .q-footer, .q-first-header[data-repeated]";

/** What stands in place of a description where the author gave none. */
const PLACEHOLDERS = ["image", "chart"];

/** What a tagged document lacks. Only a picture without a description keeps it from PDF/UA. */
export function lacks(doc: Document): Warning[] {
  return [...undescribed(doc), ...placeholders(doc), ...skippedLevels(doc), ...headless(doc)];
}

function undescribed(doc: Document): Warning[] {
  const pictures = read(doc, "img:not([alt]), [role=img]:not([aria-label]):not([aria-labelledby])");
  return pictures.filter((el) => !named(el)).map((el) => warning(el, "a picture has no alternative text, so the PDF does not say that it conforms to PDF/UA"));
}

function named(el: Element): boolean {
  const name = el.getAttribute("aria-label") ?? el.getAttribute("title") ?? "";
  return name.trim() !== "" || el.parentElement?.closest("[role=img]") != null;
}

function placeholders(doc: Document): Warning[] {
  return read(doc, "img[alt], [role=img][aria-label]").flatMap((el) => {
    const name = (el.getAttribute("alt") ?? el.getAttribute("aria-label") ?? "").trim();
    return PLACEHOLDERS.includes(name.toLowerCase()) ? [warning(el, `all that screen readers say of it is "${name}"; describe it in its alternative text, or mark it as decorative`)] : [];
  });
}

function skippedLevels(doc: Document): Warning[] {
  let before = 0;
  return read(doc, "h1, h2, h3, h4, h5, h6").flatMap((el) => {
    if (el.classList.contains("q-cut-start")) return [];
    const last = before;
    before = Number(el.tagName[1]);
    return last > 0 && before > last + 1 ? [warning(el, `a heading of level ${before} follows one of level ${last}; screen readers hear level ${last + 1}`)] : [];
  });
}

/** Tables of data whose cells nothing heads. */
function headless(doc: Document): Warning[] {
  return read(doc, "table:not(.q-cut-start, [role=presentation], [role=none])")
    .filter((el) => !el.querySelector("th") && isGrid(el as HTMLTableElement))
    .map((el) => warning(el, "the table has no header cells, so screen readers cannot say what its cells are"));
}

function isGrid(table: HTMLTableElement): boolean {
  return table.rows.length > 1 && [...table.rows].some((row) => row.cells.length > 1);
}

/** What is read of the elements of a selector. */
function read(doc: Document, selector: string): Element[] {
  return [...doc.querySelectorAll(selector)].filter((el) => !el.closest(HIDDEN));
}

function warning(el: Element, message: string): Warning {
  return { id: el.closest("[data-id]")?.getAttribute("data-id") ?? "", message };
}
