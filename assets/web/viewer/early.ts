// The first pages of a long report are shown while the others are made. Sections
// are laid out independently of each other, so that the first ones alone give
// the same pages; what only the whole tells, such as the count of pages, is left
// open. Within one section nothing can be known before: the rows of a table
// decide the widths of its columns together.

import { PLACES } from "../paginate/numbers";
import { RUNNING } from "../paginate/running";

/** Reports of fewer sections are there at once. */
const MANY = 12;
const FIRST = 3;
/** What the first pages tell by themselves. */
const KNOWN = `.q-page-number, ${RUNNING}`;

/** Makes pages of copies of the first sections; nothing when there are few. */
export async function firstPages(doc: Document): Promise<{ pages: HTMLElement[]; goOn(): HTMLElement } | null> {
  const sheets = [...doc.querySelectorAll<HTMLElement>(".q-sheet")];
  const parent = sheets[0]?.parentElement;
  if (!parent || sheets.length < MANY || sheets.some((s) => s.parentElement !== parent)) return null;
  const holder = doc.createElement("div");
  holder.className = "q-source";
  sheets[0]!.before(...sheets.slice(0, FIRST).map((s) => s.cloneNode(true)));
  holder.append(...sheets);
  await globalThis.quire.paginate();
  const pages = [...doc.querySelectorAll<HTMLElement>(".q-page")];
  for (const page of pages) leaveOpen(page);
  const goOn = () => {
    doc.body.append(holder);
    return holder;
  };
  return { pages, goOn };
}

/** What is told by the whole is not told yet, and names are those of the pages to come. */
function leaveOpen(page: HTMLElement): void {
  for (const el of page.querySelectorAll(PLACES)) {
    if (!el.matches(KNOWN)) el.textContent = "…";
    el.classList.remove(...[...el.classList].filter((name) => name.startsWith("q-page-")));
  }
  for (const el of page.querySelectorAll("[id]")) el.removeAttribute("id");
}
