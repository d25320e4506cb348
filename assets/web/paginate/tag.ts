// Prepares pages for tagged PDF. What the finisher cannot see in the browser's
// structure is said at the end of an element's language, the one attribute that
// the browser hands through for every element: en-x-cont goes on from the page
// before, -rep was shown before, -head and -foot are running headers and footers,
// -toc and -toccont lists of contents, -pairs and -pairscont lists of keys and
// values, -pair a row of them, -key a key, -note a footnote, -formula a formula, -capprev and -capnext captions of what
// stands before or after them, -capdata of the chart before its table for readers, -sum and -sumcont rows at a table's end, -cell-2-5-1
// a cell in the third column of five and the first row, because the browser leaves
// empty cells and rows out.
// The finisher takes these ends off again.

import { lacks } from "./lacks";
import { PLACES } from "./numbers";
import type { Warning } from "./types";

const LISTS = "[role=doc-toc], .q-tof";
const FIGURES = "figure, table, img, svg, [role=img]";
/** Each part of a table whose columns go on is a table of its own, with its header. */
const ACROSS = ".q-across, .q-across *";
/** Letterheads are read once; later ones are running headers. */
const LETTERHEADS = ".q-page-header > .q-first-header";

/** Marks the pages of the document; comes back with what keeps them from being accessible. */
export function tag(doc: Document): Warning[] {
  doc.documentElement.classList.add("q-tagged");
  sign(doc, `.q-page-body .q-cut-start:not(${ACROSS})`, "cont");
  sign(doc, `:is(tr[data-repeated], thead[data-repeated] > tr):not(${ACROSS})`, "rep");
  sign(doc, "tfoot > tr:not([data-repeated], .q-cut-start)", "sum");
  sign(doc, "tfoot > tr.q-cut-start", "sumcont");
  sign(doc, `:is(${LISTS}):not(.q-cut-start)`, "toc");
  sign(doc, `:is(${LISTS}).q-cut-start`, "toccont");
  sign(doc, "dl:not(.q-cut-start)", "pairs");
  sign(doc, "dl.q-cut-start", "pairscont");
  sign(doc, ".q-kv-row:not(.q-cut-start)", "pair");
  sign(doc, "dt, .q-kv-divider", "key");
  sign(doc, ".q-page-notes > .q-note-text", "note");
  for (const math of doc.querySelectorAll("math")) formula(math);
  for (const [caption, name] of captions(doc)) signOne(caption, name);
  repeatedLetterheads(doc);
  sign(doc, `.q-page-header > .q-header, ${LETTERHEADS}[data-repeated]`, "head");
  sign(doc, ".q-page-footer > .q-footer", "foot");
  for (const table of doc.querySelectorAll("table")) columns(table);
  for (const el of doc.querySelectorAll("span[lang]:not([role])")) el.setAttribute("role", "emphasis");
  for (const svg of doc.querySelectorAll("[role=img] svg[aria-hidden]")) svg.removeAttribute("aria-hidden");
  return lacks(doc);
}

/** Of a formula the browser tells no structure: it is read as what is said of it. */
function formula(math: Element): void {
  math.setAttribute("role", "img");
  math.setAttribute("aria-label", math.getAttribute("aria-label") || math.getAttribute("alttext") || math.textContent.trim());
  signOne(math, "formula");
}

/** Later headers of a sheet's first page that say the same as one before. */
function repeatedLetterheads(doc: Document): void {
  const read = new Set<string>();
  for (const el of doc.querySelectorAll(LETTERHEADS)) {
    const said = letterhead(el);
    if (read.has(said)) el.setAttribute("data-repeated", "");
    read.add(said);
  }
}

/** What a letterhead says, but for the numbers of its page. */
function letterhead(el: Element): string {
  const copy = el.cloneNode(true) as Element;
  for (const place of copy.querySelectorAll(PLACES)) place.remove();
  const names = [...copy.querySelectorAll("[alt], [aria-label]")].map((e) => e.getAttribute("alt") ?? e.getAttribute("aria-label"));
  return [copy.textContent, ...names].join("\n");
}

/** Captions beside the one figure or table that they belong to, and whether that stands before or after them. */
function captions(doc: Document): [Element, string][] {
  return [...doc.querySelectorAll(".q-figure-caption")].flatMap((el): [Element, string][] => {
    const before = el.previousElementSibling;
    if (only(before) && el.hasAttribute("data-keep-prev")) return [[el, before!.matches(".q-charted:has(> [role=img])") ? "capdata" : "capprev"]];
    return only(el.nextElementSibling) && !el.hasAttribute("data-keep-prev") ? [[el, "capnext"]] : [];
  });
}

/** Says whether an element is a figure or a table, or a box around one and nothing else. */
function only(el: Element | null): boolean {
  if (!el || el.matches(FIGURES)) return el !== null;
  return el.children.length === 1 && only(el.children[0]!);
}

let signs = 0;

function sign(doc: Document, selector: string, name: string): void {
  for (const el of doc.querySelectorAll(selector)) signOne(el, name);
}

/** The number after the sign keeps an element's language different from the one around it. */
function signOne(el: Element, name: string): void {
  el.setAttribute("lang", `${language(el)}-x-${name}-${(signs++).toString(36)}`);
  // Boxes without a meaning are left out of the structure by the browser.
  if ((el.tagName === "DIV" || el.tagName === "NAV") && !el.hasAttribute("role")) el.setAttribute("role", "group");
}

/** Says in which column cells stand, and how many there are, in rows of which some may be left out. */
function columns(table: HTMLTableElement): void {
  const rows = [...table.rows].map((row) => ({ row, at: [] as number[], own: 0, end: 0 }));
  let total = 0;
  let taken: number[] = [];
  for (const r of rows) {
    if (r.row === r.row.parentElement!.firstElementChild) taken = [];
    stand(r, taken);
    total = Math.max(total, r.end);
  }
  // The parts of a table have the columns of the whole, also where none of their cells reaches the last.
  if (table.matches(".q-cut-start, .q-cut-end")) total = Math.max(total, table.querySelectorAll(":scope > colgroup > col").length);
  // Where cells reach over rows it matters which rows are left out, too.
  const spans = rows.some(({ own, end }) => own !== end);
  rows.forEach(({ row, at, own }, nth) => {
    if (!spans && own === total && !row.classList.contains("q-sliced") && ![...row.cells].some(mayBeLeftOut)) return;
    [...row.cells].forEach((cell, i) => {
      const place = [at[i]!, total, spans ? nth + 1 : 0].map((n) => n.toString(36)).join("-");
      if (!cell.lang.includes("-x-")) cell.lang = `${language(cell)}-x-cell-${place}`;
    });
  });
}

/** Where the cells of a row stand, beside those that reach down from above. */
function stand(r: { row: HTMLTableRowElement; at: number[]; own: number; end: number }, taken: number[]): void {
  const skip = () => {
    for (; (taken[r.end] ?? 0) > 0; r.end++) taken[r.end]!--;
  };
  for (const cell of r.row.cells) {
    skip();
    r.at.push(r.end);
    r.own += cell.colSpan;
    const below = cell.rowSpan === 0 ? Infinity : cell.rowSpan - 1;
    for (let n = 0; n < cell.colSpan; n++) taken[r.end++] = below;
  }
  skip();
}

function mayBeLeftOut(cell: HTMLTableCellElement): boolean {
  return cell.textContent.trim() === "" || cell.querySelector("[aria-hidden]") !== null;
}

function language(el: Element): string {
  return (el.closest("[lang]")?.getAttribute("lang") ?? "und").split("-x-")[0]!;
}
