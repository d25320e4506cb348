// Printing with a bleed: pages on paper that is a little larger, on which colours and
// pictures that reach the edge of a page go on, so that none ends before it where the
// paper is cut. The pages themselves stay as they are.

import { paper } from "./style";
import { px } from "./units";

/** What ends that near to the edge of a page reaches it, in pixels. */
const NEAR = 1;

type Direction = -1 | 0 | 1;
type Rect = { x: number; y: number; width: number; height: number };

/** Puts a bleed, in whole pixels, around the pages of the document. */
export function addBleed(doc: Document, bleed: number): void {
  const pages = [...doc.querySelectorAll<HTMLElement>(".q-page")];
  const strips = pages.map((page) => stripsOf(page, bleed)); // all is read before anything is written
  pages.forEach((page, i) => page.append(...strips[i]!));
  const style = doc.createElement("style");
  style.textContent = rules(pages, bleed);
  doc.head.append(style);
}

/** The rules of the larger paper, by the names of the page sizes. The edge of a page's own colour is that of its border. */
function rules(pages: HTMLElement[], bleed: number): string {
  const sizes = new Map(pages.map((page) => [[...page.classList].find((c) => c.startsWith("q-size-"))!, sizeOf(page)]));
  const around = `contain:layout style size!important;overflow:clip!important;overflow-clip-margin:${bleed}px!important;border:${bleed}px solid transparent!important;background-origin:border-box!important`;
  const larger = [...sizes].map(([name, { width, height }]) => {
    const [w, h] = [Math.ceil(width) + 2 * bleed, Math.ceil(height) + 2 * bleed];
    return `@page ${name}{size:${paper(w)}px ${paper(h)}px;margin:0}.${name}{width:${w}px!important;height:${h}px!important}`;
  });
  const first = larger.length === 1 ? larger[0]!.replace(/^@page \S+\{/, "@page{").split("}")[0] + "}" : "";
  return `${first}${larger.join("")}.q-page{${around}}`;
}

const sizeOf = (page: HTMLElement) => ({ width: parseFloat(page.style.width), height: parseFloat(page.style.height) });

/** What of a page goes on in its bleed: mirrored at the edge, as printers do it. */
function stripsOf(page: HTMLElement, bleed: number): HTMLElement[] {
  const size = sizeOf(page);
  const origin = page.getBoundingClientRect();
  const strips: HTMLElement[] = [];
  for (const el of page.querySelectorAll<HTMLElement>("*")) {
    const r = el.getBoundingClientRect();
    const box = { x: r.left - origin.left, y: r.top - origin.top, width: r.width, height: r.height };
    const across = reached(box.x, box.x + box.width, size.width);
    const down = reached(box.y, box.y + box.height, size.height);
    if (across.length + down.length === 2 || box.width <= 0 || box.height <= 0 || !paints(el)) continue;
    for (const dx of across) for (const dy of down) if (dx !== 0 || dy !== 0) strips.push(strip(el, box, size, bleed, dx, dy));
  }
  return strips;
}

/** At which ends of the page a box reaches it; 0 stands for the box itself. */
function reached(from: number, to: number, end: number): Direction[] {
  const list: Direction[] = [0];
  if (Math.abs(from) <= NEAR) list.push(-1);
  if (Math.abs(to - end) <= NEAR) list.push(1);
  return list;
}

const PICTURES = new Set(["IMG", "SVG"]);

function paints(el: Element): boolean {
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  if (style.visibility !== "visible") return false;
  if (el.parentElement?.closest("svg")) return false;
  return PICTURES.has(el.tagName.toUpperCase()) || style.backgroundImage !== "none" || !/^rgba\(.*, 0\)$|^transparent$/.test(style.backgroundColor);
}

/** One box beside the page, in which what the element shows is seen mirrored. */
function strip(el: HTMLElement, box: Rect, size: { width: number; height: number }, bleed: number, dx: Direction, dy: Direction): HTMLElement {
  const [x, width, left] = beside(box.x, box.width, size.width, bleed, dx);
  const [y, height, top] = beside(box.y, box.height, size.height, bleed, dy);
  const out = el.ownerDocument.createElement("div");
  out.setAttribute("aria-hidden", "true");
  out.style.cssText = `position:absolute;overflow:hidden;left:${px(x)};top:${px(y)};width:${px(width)};height:${px(height)}`;
  const copy = pictureOf(el);
  const place = `position:absolute;margin:0;box-sizing:border-box;min-width:0;min-height:0;max-width:none;max-height:none`;
  copy.style.cssText += `;${place};left:${px(left - x)};top:${px(top - y)};width:${px(box.width)};height:${px(box.height)};transform:scale(${dx === 0 ? 1 : -1},${dy === 0 ? 1 : -1})`;
  out.append(copy);
  return out;
}

/**
 * Where a strip begins, how long it is, and where the whole mirrored box begins, along
 * one axis. Colours fill whole pixels: where the page ends within one, the strip has it.
 */
function beside(at: number, length: number, end: number, bleed: number, d: Direction): [number, number, number] {
  const over = end % 1 ? 1 : 0;
  if (d < 0) return [-bleed, bleed, -(at + length)];
  if (d > 0) return [end - over, bleed + over, 2 * end - at - length - over];
  return [at, length, at];
}

const LOOKS = ["background", "border", "border-radius", "filter", "clip-path", "mix-blend-mode", "object-fit", "object-position", "color"];

/** What an element shows of its own, without what is in it. */
function pictureOf(el: HTMLElement): HTMLElement {
  const deep = PICTURES.has(el.tagName.toUpperCase());
  const copy = deep ? (el.cloneNode(true) as HTMLElement) : el.ownerDocument.createElement("div");
  for (const inner of [copy, ...copy.querySelectorAll("[id]")]) inner.removeAttribute("id");
  if (copy.tagName === "IMG") copy.setAttribute("alt", "");
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  copy.style.cssText = LOOKS.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
  copy.style.opacity = String(opacityOf(el));
  return copy;
}

/** How opaque an element is, with what is around it. */
function opacityOf(el: Element): number {
  let share = 1;
  for (let at: Element | null = el; at && !at.classList.contains("q-page"); at = at.parentElement) share *= parseFloat(at.ownerDocument.defaultView!.getComputedStyle(at).opacity);
  return share;
}
