// Prepares pages for tagged PDF. What the finisher cannot see in the browser's
// structure is said at the end of an element's language, the one attribute that
// the browser hands through for every element: en-x-cont goes on from the page
// before, -rep was shown before, -head and -foot are running headers and footers,
// -toc and -toccont lists of contents, -sum and -sumcont rows at a table's end, -cell-2 a cell in the third column, because
// the browser leaves empty cells out. The finisher takes these ends off again.

import type { Warning } from "./types";

const HIDDEN = "[aria-hidden=true], .q-header, .q-footer";

/** Marks the pages of the document; comes back with what keeps them from being accessible. */
export function tag(doc: Document): Warning[] {
  sign(doc, ".q-page-body .q-cut-start", "cont");
  sign(doc, "tr[data-repeated], thead[data-repeated] > tr", "rep");
  sign(doc, "tfoot > tr:not([data-repeated], .q-cut-start)", "sum");
  sign(doc, "tfoot > tr.q-cut-start", "sumcont");
  sign(doc, "[role=doc-toc]:not(.q-cut-start)", "toc");
  sign(doc, "[role=doc-toc].q-cut-start", "toccont");
  sign(doc, ".q-page-header > .q-header", "head");
  sign(doc, ".q-page-footer > .q-footer", "foot");
  for (const table of doc.querySelectorAll("table")) columns(table);
  for (const el of doc.querySelectorAll("span[lang]:not([role])")) el.setAttribute("role", "emphasis");
  for (const svg of doc.querySelectorAll("[role=img] svg[aria-hidden]")) svg.removeAttribute("aria-hidden");
  return undescribed(doc);
}

/** The number after the sign keeps an element's language different from the one around it. */
function sign(doc: Document, selector: string, name: string): void {
  [...doc.querySelectorAll(selector)].forEach((el, i) => {
    el.setAttribute("lang", `${language(el)}-x-${name}-${i.toString(36)}`);
    // Boxes without a meaning are left out of the structure by the browser.
    if (el.tagName === "DIV" && !el.hasAttribute("role")) el.setAttribute("role", "group");
  });
}

/** Says in which column cells stand, in rows of which some may be left out. */
function columns(table: HTMLTableElement): void {
  let taken: number[] = [];
  for (const row of table.rows) {
    if (row === row.parentElement!.firstElementChild) taken = [];
    const gaps = [...row.cells].some(mayBeLeftOut);
    let column = 0;
    const skip = () => {
      for (; (taken[column] ?? 0) > 0; column++) taken[column]!--;
    };
    for (const cell of row.cells) {
      skip();
      if (gaps && !cell.lang.includes("-x-")) cell.lang = `${language(cell)}-x-cell-${column.toString(36)}`;
      for (let n = 0; n < cell.colSpan; n++) taken[column++] = cell.rowSpan - 1;
    }
    skip();
  }
}

function mayBeLeftOut(cell: HTMLTableCellElement): boolean {
  return cell.textContent.trim() === "" || cell.querySelector("[aria-hidden]") !== null;
}

function language(el: Element): string {
  return (el.closest("[lang]")?.getAttribute("lang") ?? "und").split("-x-")[0]!;
}

function undescribed(doc: Document): Warning[] {
  const pictures = doc.querySelectorAll("img:not([alt]), [role=img]:not([aria-label]):not([aria-labelledby])");
  return [...pictures]
    .filter((el) => !el.closest(HIDDEN) && !named(el))
    .map((el) => ({
      id: el.closest("[data-id]")?.getAttribute("data-id") ?? "",
      message: "a picture has no alternative text, so the PDF does not say that it conforms to PDF/UA",
    }));
}

function named(el: Element): boolean {
  const name = el.getAttribute("aria-label") ?? el.getAttribute("title") ?? "";
  return name.trim() !== "" || el.parentElement?.closest("[role=img]") != null;
}
