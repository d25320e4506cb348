// Builds page boxes out of planned pages. Nothing is measured here.

import { takeSheets } from "./across";
import { moveAll } from "./nodes";
import { applyScale } from "./scale";
import { Splitter } from "./split";
import { pageName } from "./style";
import type { PlannedPage, Sheet } from "./types";
import { px } from "./units";

/** The pages of one sheet, in order, still outside of the document. The sheet's body is used up. */
export function assemble(sheet: Sheet, plan: PlannedPage[]): HTMLElement[] {
  const splitter = new Splitter();
  const planned = plan.filter((page) => page.sheet === 0);
  const boxes = planned.map((page, i) => {
    for (const { el, name } of page.marks) el.classList.add(name);
    for (const { column, starts } of page.columns) splitter.columns(column, starts);
    const content = page.until ? splitter.take(sheet.body, page.until) : rest(sheet.body);
    const box = pageBox(sheet, page.notes, i === 0, i === planned.length - 1);
    box.body.append(content);
    page.scales.forEach(applyScale);
    return box;
  });
  // Rows that repeat are copied from the first page while others are made, so columns are parted after that.
  return boxes.flatMap(({ page, body }, i) => [page, ...takeSheets(body, planned[i]!.sheets).map((further) => furtherBox(page, further))]);
}

/** The page box of a further sheet: header and footer are those of the first. */
function furtherBox(first: HTMLElement, body: HTMLElement): HTMLElement {
  const page = first.cloneNode(false) as HTMLElement;
  for (const part of first.children) {
    const copy = part.className === "q-page-body" ? (part.cloneNode(false) as HTMLElement) : furniture(part as HTMLElement, false);
    if (part.className === "q-page-body") copy.append(body);
    page.append(copy);
  }
  return page;
}

function rest(body: HTMLElement): DocumentFragment {
  const out = body.ownerDocument.createDocumentFragment();
  moveAll(body, out);
  return out;
}

interface Box {
  page: HTMLElement;
  body: HTMLElement;
}

function pageBox(sheet: Sheet, notes: number, first: boolean, last: boolean): Box {
  const g = sheet.geometry;
  const page = shell(sheet);
  const head = first ? sheet.firstHead : sheet.head;
  const header = first ? (sheet.firstHeader ?? sheet.header) : sheet.header;
  const width = g.width - g.left - g.right;
  if (header) page.append(part("q-page-header", g.left, width, { top: g.top }, furniture(header, last && first)));
  const body = sheet.body.cloneNode(false) as HTMLElement;
  if (!first) body.removeAttribute("id");
  const height = g.height - g.top - g.bottom - head - sheet.foot - notes;
  page.append(part("q-page-body", g.left, width, { top: g.top + head, height: Math.max(0, height) }, body));
  if (sheet.footer) page.append(part("q-page-footer", g.left, width, { bottom: g.bottom }, furniture(sheet.footer, first)));
  return { page, body };
}

/** The page box itself carries what the section said about looks: classes, style, language. */
function shell(sheet: Sheet): HTMLElement {
  const { el, geometry: g } = sheet;
  const page = el.ownerDocument.createElement("div");
  page.className = ["q-page", pageName(g), ...[...el.classList].filter((c) => c !== "q-sheet")].join(" ");
  page.style.cssText = el.style.cssText;
  page.style.width = px(g.width);
  page.style.height = px(g.height);
  if (el.dataset.background) page.style.background = el.dataset.background;
  for (const name of ["lang", "dir", "data-page", "data-name", "data-attached"]) {
    const value = el.getAttribute(name);
    if (value !== null) page.setAttribute(name, value);
  }
  return page;
}

function part(name: string, left: number, width: number, at: { top?: number; bottom?: number; height?: number }, content: Node): HTMLElement {
  const box = content.ownerDocument!.createElement("div");
  box.className = name;
  box.style.left = px(left);
  box.style.width = px(width);
  if (at.top !== undefined) box.style.top = px(at.top);
  if (at.bottom !== undefined) box.style.bottom = px(at.bottom);
  if (at.height !== undefined) box.style.height = px(at.height);
  box.append(content);
  return box;
}

/** A copy of a header or footer; ids stay unique. */
function furniture(source: HTMLElement, keepIds: boolean): HTMLElement {
  const copy = source.cloneNode(true) as HTMLElement;
  if (keepIds) return copy;
  copy.removeAttribute("id");
  for (const el of copy.querySelectorAll("[id]")) el.removeAttribute("id");
  return copy;
}
