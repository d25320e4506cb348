// The first pages of a long report are shown while the others are made: pages of a
// copy of what stands first, which are the same; what only the whole tells, such as
// the count of pages, is left open.

import { PLACES } from "../paginate/numbers";
import { paginate } from "../paginate/paginate";
import { RUNNING } from "../paginate/running";
import { frontOf, isLong } from "./front";

/** Reports of fewer sections are there at once, unless these are long. */
const MANY = 12;
/** So many of them are shown first. */
const FIRST = 3;
/** What the first pages tell by themselves. */
const KNOWN = `.q-page-number, ${RUNNING}`;

/** Makes pages of what stands first; nothing when there is not much more. */
export async function firstPages(doc: Document): Promise<{ pages: HTMLElement[]; goOn(): HTMLElement } | null> {
  const sheets = [...doc.querySelectorAll<HTMLElement>(".q-sheet")];
  const parent = sheets[0]?.parentElement;
  if (!parent || sheets.some((s) => s.parentElement !== parent) || (sheets.length < MANY && !isLong(sheets))) return null;
  const front = frontOf(sheets, FIRST);
  if (!front) return null;
  const holder = doc.createElement("div");
  holder.className = "q-source";
  sheets[0]!.before(...front.sheets);
  holder.append(...sheets);
  await paginate(doc);
  const pages = whole([...doc.querySelectorAll<HTMLElement>(".q-page")], front.last);
  for (const page of pages) leaveOpen(page);
  const goOn = () => {
    doc.body.append(holder);
    return holder;
  };
  return { pages, goOn };
}

/** The pages before the one where the copy ends; the others are taken away. */
function whole(pages: HTMLElement[], last: Element | null): HTMLElement[] {
  const end = last ? Math.max(0, pages.indexOf(last.closest<HTMLElement>(".q-page")!)) : pages.length;
  for (const page of pages.slice(end)) page.remove();
  return pages.slice(0, end);
}

/** What is told by the whole is not told yet, and names are those of the pages to come. */
function leaveOpen(page: HTMLElement): void {
  for (const el of page.querySelectorAll(PLACES)) {
    if (!el.matches(KNOWN)) el.textContent = "…";
    el.classList.remove(...[...el.classList].filter((name) => name.startsWith("q-page-")));
  }
  for (const el of page.querySelectorAll("[id]")) el.removeAttribute("id");
}
