// What a typographer sees on the finished pages, and the definition does not tell.

import type { Finding } from "./api";
import { pathOf } from "./edit";
import type { Node, Report } from "./model";
import { t } from "../words";

/** A page that goes on is full to this share at least. */
const FULL = 1 / 3;

/** So many points of a report are told of at most. */
const MOST = 20;

/** Pages that end too early, and pictures that stand on another page than what leads to them. */
export function craft(doc: Document, report: Report): Finding[] {
  const own = new Map(report.pages.flatMap((page) => (page.elements ?? []).map((node) => [node.id, node])));
  const pages = [...doc.querySelectorAll<HTMLElement>(".q-page")];
  const found: Finding[] = [];
  pages.forEach((page, i) => {
    const before = pages[i - 1];
    if (!before || found.length >= MOST || !page.dataset.page || before.dataset.page !== page.dataset.page) return;
    const [first, last] = [elementsOf(page, own)[0], elementsOf(before, own).at(-1)];
    if (!first || !last || first.dataset.id === last.dataset.id) return; // it goes on, as long as its data
    found.push(...empty(page, i, report), ...parted(first, last, own, report));
  });
  return found;
}

/** A page that goes on with little on it: what stands before it may be shortened. */
function empty(page: HTMLElement, i: number, report: Report): Finding[] {
  const body = page.querySelector<HTMLElement>(":scope > .q-page-body");
  const at = report.pages.findIndex((p) => String(p.id) === page.dataset.page);
  if (!body || at < 0) return [];
  const { top, height } = body.getBoundingClientRect();
  const ends = [...body.querySelectorAll<HTMLElement>("[data-id]")].map((el) => el.getBoundingClientRect().bottom - top);
  const share = height > 0 ? Math.max(0, ...ends) / height : 1;
  if (share === 0 || share >= FULL) return [];
  return [{ rule: "empty-page", severity: "hint", path: `pages[${at}]`, message: t("Page {0} is filled to {1} %; a little less before it saves a page.", i + 1, Math.round(share * 100)) }];
}

const PICTURES = ".q-chart,.q-image,img,svg";

/** A chart or picture that begins a page while the sentence which leads to it ends the page before. */
function parted(first: HTMLElement, last: HTMLElement, own: Map<string, Node>, report: Report): Finding[] {
  if (!shows(first, PICTURES) || shows(last, `table,${PICTURES}`) || !last.textContent!.trim().endsWith(":")) return [];
  const node = own.get(last.dataset.id!)!;
  if (node.props?.keepWithNext === true) return [];
  const path = pathOf(report, node.id);
  return [{ rule: "parted", severity: "hint", path, message: t("What it leads to stands on the next page."), repair: { label: t("Keep it with what follows"), path: `${path}.props.keepWithNext`, value: true } }];
}

const shows = (el: HTMLElement, what: string): boolean => el.matches(what) || el.querySelector(what) !== null;

/** What of the report's own elements is on a page, from above, without what is in them. */
const elementsOf = (page: HTMLElement, own: Map<string, Node>): HTMLElement[] =>
  [...page.querySelectorAll<HTMLElement>(":scope > .q-page-body [data-id]")].filter((el) => own.has(el.dataset.id!));
