// Sums that a table carries over pages, and sums of each page. Each row says in data-carry
// what would be carried behind it, and in data-sums the exact sums up to it; a section of
// the table that is not drawn has the rows.

import { showSums } from "./pagesums";

/** What a table carries where it is cut. */
export interface Carry {
  /** What ends a page, and what begins the next. */
  ends: HTMLTableRowElement[];
  begins: HTMLTableRowElement[];
  /** Heights of the rows. */
  forwardHeight: number;
  broughtHeight: number;
  /** The values at the last cut; null before the first. */
  values: string[] | null;
  /** The sums at the last cut. */
  sums: string[];
}

const SECTION = ":scope > tbody.q-carry";
const LAST = ":scope > tbody.q-last-page-sum";

/** Whether a part of a table only lends its rows. */
export function isCarrySection(part: Element): boolean {
  return part.classList.contains("q-carry");
}

/** Whether a sum can be carried behind a row. */
export function carries(tr: Element): boolean {
  return tr.hasAttribute("data-carry") || tr.hasAttribute("data-sums");
}

/** What a table carries, measured; null where it carries nothing. */
export function carryOf(table: HTMLTableElement): Carry | null {
  const section = table.querySelector<HTMLElement>(SECTION);
  if (!section) return null;
  const of = (names: string) => [...section.querySelectorAll<HTMLTableRowElement>(names)];
  const ends = [...of(".q-page-sum"), ...of(".q-carried")];
  const begins = of(".q-brought");
  section.style.visibility = "visible";
  const height = (rows: HTMLTableRowElement[]) => rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
  const carry = { ends, begins, forwardHeight: height(ends), broughtHeight: height(begins), values: null, sums: [] };
  section.style.visibility = "";
  return carry;
}

/** Ends the first part of a table with what is carried forward, and begins the rest with it. */
export function carryOver(first: HTMLTableElement, rest: HTMLTableElement, carry: Carry): void {
  rest.querySelector(SECTION)?.remove();
  const before = carry.sums;
  let row = null;
  for (row of first.querySelectorAll<HTMLElement>(":scope > tbody > :is([data-carry], [data-sums])"));
  if (row) {
    carry.values = row.dataset.carry?.split("\t") ?? [];
    carry.sums = row.dataset.sums?.split("\t") ?? [];
  }
  const last = rest.querySelector(`${LAST} > tr`);
  const whole = last?.getAttribute("data-until")?.split("\t");
  if (last && whole) showSums(last, whole, carry.sums);
  // Behind the foot nothing goes on but the rest of the foot.
  if (!carry.values || first.tFoot || first.querySelector(LAST)) return;
  first.append(section(carry.ends, carry, before));
  if (carry.begins.length > 0) rest.insertBefore(section(carry.begins, carry, before), rest.querySelector(":scope > tbody, :scope > tfoot"));
}

/** A section with copies of rows that show the values. */
function section(rows: HTMLTableRowElement[], { values, sums }: Carry, before: string[]): HTMLElement {
  const out = rows[0]!.ownerDocument.createElement("tbody");
  for (const row of rows) {
    const copy = row.cloneNode(true) as HTMLTableRowElement;
    if (copy.classList.contains("q-page-sum")) showSums(copy, sums, before);
    else copy.querySelectorAll(".q-carry-value").forEach((place, i) => (place.textContent = values?.[i] ?? ""));
    out.append(copy);
  }
  return out;
}
