// Sections of the document: their page geometry and what is measured of them.

import { Flow } from "./flow";
import { frame } from "./look";
import { moveAll } from "./nodes";
import type { Rooms } from "./plan";
import { limitHead } from "./piece";
import { takeStamps } from "./stamps";
import type { Geometry, Sheet, Warning } from "./types";
import { pixels, px, sides } from "./units";

const A4 = { width: "210mm", height: "297mm" };
/** Share of the height between the margins that header and footer may take together. */
const FURNITURE = 0.6;

/** Finds the sections and gives each the width that its content has on the page. */
export function openSheets(doc: Document): Sheet[] {
  return [...doc.querySelectorAll<HTMLElement>(".q-sheet")].map((el) => {
    const geometry = geometryOf(el);
    const stamps = takeStamps(el);
    el.style.width = px(Math.max(1, geometry.width - geometry.left - geometry.right));
    const body = child(el, "q-body") ?? emptyBody(el);
    return {
      el,
      geometry,
      body,
      counted: el.dataset.count !== "0",
      startOn: startOf(el.dataset.startOn),
      firstHeader: child(el, "q-first-header"),
      header: child(el, "q-header"),
      footer: child(el, "q-footer"),
      stamps,
      notes: null,
      firstHead: 0, head: 0, foot: 0, left: 0, start: 0, padding: 0, pieces: [],
    };
  });
}

const startOf = (said: string | undefined) => (said === "odd" || said === "even" ? said : null);

/** The sheet of a blank page before another one. It has the paper of that, and a number like the pages before it, unless numbers begin anew. */
export function blankBefore(sheet: Sheet, before: Sheet | undefined): Sheet {
  const el = sheet.el.cloneNode(false) as HTMLElement;
  el.className = "q-sheet q-blank";
  for (const name of ["id", "data-page", "data-name", "data-toc", "data-anew", "data-attached", "data-start-on"]) el.removeAttribute(name);
  const counted = (before?.counted ?? sheet.counted) && sheet.el.dataset.anew === undefined;
  return { ...sheet, el, counted, startOn: null, body: emptyBody(el), firstHeader: null, header: null, footer: null, stamps: [], notes: null, firstHead: 0, head: 0, foot: 0, pieces: [] };
}

function child(el: HTMLElement, name: string): HTMLElement | null {
  return el.querySelector<HTMLElement>(`:scope > .${name}`);
}

function emptyBody(el: HTMLElement): HTMLElement {
  const body = el.ownerDocument.createElement("div");
  body.className = "q-body";
  el.append(body);
  return body;
}

function geometryOf(el: HTMLElement): Geometry {
  const cssWidth = valid(el.dataset.width, A4.width);
  const cssHeight = valid(el.dataset.height, A4.height);
  const width = pixels(cssWidth, 0);
  const height = pixels(cssHeight, 0);
  const [top, right, bottom, left] = fit(sides(el.dataset.margin), width, height);
  return { width, height, cssWidth, cssHeight, top, right, bottom, left };
}

function valid(text: string | undefined, fallback: string): string {
  return pixels(text, 0) >= 1 ? text! : fallback;
}

/** Margins that leave nothing of the page are none. */
function fit(m: [number, number, number, number], width: number, height: number): [number, number, number, number] {
  const [top, right, bottom, left] = m;
  const wide = left + right < width - 1;
  const high = top + bottom < height - 1;
  return [high ? top : 0, wide ? right : 0, high ? bottom : 0, wide ? left : 0];
}

/** Reads all positions of a sheet. The layout happens at the first read. */
export function measure(sheet: Sheet): Rooms {
  sheet.notes?.measure();
  const box = sheet.body.getBoundingClientRect();
  const own = frame(sheet.body.ownerDocument.defaultView!.getComputedStyle(sheet.body));
  const g = sheet.geometry;
  sheet.firstHead = outerHeight(sheet.firstHeader ?? sheet.header);
  sheet.head = outerHeight(sheet.header);
  sheet.foot = outerHeight(sheet.footer);
  sheet.left = box.left;
  sheet.start = box.top + own.top;
  sheet.padding = own.top;
  const flow = new Flow(sheet.body.ownerDocument);
  flow.children(sheet.body, { head: 0, tail: 0 });
  sheet.pieces = flow.pieces;
  const height = g.height - g.top - g.bottom - sheet.foot - own.top - own.bottom;
  const rooms = { first: height - sheet.firstHead, rest: height - sheet.head };
  limitHead(sheet.pieces, Math.max(rooms.first, rooms.rest));
  return rooms;
}

function outerHeight(el: HTMLElement | null): number {
  if (!el) return 0;
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  const margins = (parseFloat(style.marginTop) || 0) + (parseFloat(style.marginBottom) || 0);
  return el.getBoundingClientRect().height + margins;
}

/** Draws header and footer smaller where they leave no room for the body. True when something changed. */
export function limitFurniture(sheet: Sheet, warnings: Warning[]): boolean {
  const g = sheet.geometry;
  const limit = (g.height - g.top - g.bottom) * FURNITURE;
  if (furnitureHeight(sheet) <= limit) return false;
  const parts = [sheet.firstHeader, sheet.header, sheet.footer];
  parts.forEach(dropHeights);
  const total = furnitureHeight(sheet);
  const heights = parts.map(outerHeight);
  if (total > limit) parts.forEach((el, i) => el && shrink(el, heights[i]!, limit / total));
  warnings.push({
    id: sheet.el.dataset.page ?? "",
    message: "header and footer leave too little of the page and were drawn smaller",
  });
  return true;
}

function furnitureHeight(sheet: Sheet): number {
  return Math.max(outerHeight(sheet.firstHeader ?? sheet.header), outerHeight(sheet.header)) + outerHeight(sheet.footer);
}

/** Boxes that are higher than what they hold give that up before letters become small. */
function dropHeights(el: HTMLElement | null): void {
  for (const box of el?.querySelectorAll<HTMLElement>("div[style*=height]") ?? []) if (!box.querySelector(":scope > svg")) box.style.height = "auto";
}

function shrink(el: HTMLElement, height: number, factor: number): void {
  const width = el.getBoundingClientRect().width;
  el.style.height = px(height * factor);
  const inner = el.ownerDocument.createElement("div");
  inner.className = "q-scaled-content";
  inner.style.width = px(width);
  inner.style.transform = `scale(${factor})`;
  moveAll(el, inner);
  el.append(inner);
}
