// Prepares pages for tagged PDF. What the finisher cannot see in the browser's
// structure is said at the end of an element's language, the one attribute that
// the browser hands through for every element: en-x-cont goes on from the page
// before, -rep was shown before, -head and -foot are running headers and footers,
// -toc and -toccont lists of contents. The finisher takes these ends off again.

import type { Warning } from "./types";

const HIDDEN = "[aria-hidden=true], .q-header, .q-footer";

/** Marks the pages of the document; comes back with what keeps them from being accessible. */
export function tag(doc: Document): Warning[] {
  sign(doc, ".q-page-body .q-cut-start", "cont");
  sign(doc, "tr[data-repeated], thead[data-repeated] > tr", "rep");
  sign(doc, "[role=doc-toc]:not(.q-cut-start)", "toc");
  sign(doc, "[role=doc-toc].q-cut-start", "toccont");
  sign(doc, ".q-page-header > .q-header", "head");
  sign(doc, ".q-page-footer > .q-footer", "foot");
  for (const svg of doc.querySelectorAll("[role=img] svg[aria-hidden]")) svg.removeAttribute("aria-hidden");
  return undescribed(doc);
}

/** The number after the sign keeps an element's language different from the one around it. */
function sign(doc: Document, selector: string, name: string): void {
  [...doc.querySelectorAll(selector)].forEach((el, i) => {
    const own = (el.closest("[lang]")?.getAttribute("lang") ?? "und").split("-x-")[0];
    el.setAttribute("lang", `${own}-x-${name}-${i.toString(36)}`);
    // Boxes without a meaning are left out of the structure by the browser.
    if (el.tagName === "DIV" && !el.hasAttribute("role")) el.setAttribute("role", "group");
  });
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
