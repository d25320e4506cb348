// The desk that the pages lie on. Pages are scaled as pictures, so that no line
// of text breaks otherwise.

import type { Zoom } from "./options";

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3];
const LARGEST = 5;
/** Room around a whole page. */
const AROUND = 20;

/** What of the window is taken by the viewer, in px. */
export interface Taken {
  top: number;
  bottom: number;
  start: number;
  end: number;
}

/** Lays the page boxes of the document on a desk, keeps its scale and knows where the reader is. */
export class Desk {
  pages: HTMLElement[] = [];
  zoom: Zoom;
  current = 1;
  /** Whether these are all pages that there will be. */
  whole = false;
  /** Told when the page or the scale is another one. */
  changed: () => void = () => undefined;

  private readonly frame: HTMLElement;
  private readonly desk: HTMLElement;
  private tops: number[] = [];
  private scale = 1;
  private taken: Taken = { top: 0, bottom: 0, start: 0, end: 0 };
  /** Where a jump has led: until the reader scrolls away, its page is the current one. */
  private landed = NaN;
  private readonly view: Window;

  constructor(private readonly doc: Document, zoom: Zoom) {
    this.view = doc.defaultView!;
    this.zoom = zoom;
    this.frame = doc.createElement("div");
    this.frame.className = "q-frame";
    this.frame.setAttribute("role", "main");
    this.desk = doc.createElement("div");
    this.desk.className = "q-desk";
    this.frame.append(this.desk);
    let asked = false;
    this.view.addEventListener("scroll", () => {
      if (!asked) requestAnimationFrame(() => ((asked = false), this.look()));
      asked = true;
    }, { passive: true });
    this.view.addEventListener("resize", () => this.pages.length > 0 && this.keeping(() => undefined));
  }

  /** Lays pages that stand in the document on the desk, in place of those before. */
  lay(pages: HTMLElement[]): void {
    const before = this.pages;
    if (!this.frame.isConnected) {
      if (pages[0]) pages[0].before(this.frame);
      else this.doc.body.append(this.frame);
    }
    this.pages = pages;
    this.desk.append(...pages);
    for (const page of before) if (!pages.includes(page)) page.remove();
    this.tops = pages.map((p) => p.offsetTop);
    this.layout();
  }

  /** What the viewer takes of the window has changed. */
  take(taken: Taken): void {
    this.taken = taken;
    if (this.pages.length > 0) this.keeping(() => undefined);
  }

  zoomTo(zoom: Zoom): void {
    this.keeping(() => (this.zoom = zoom));
  }

  zoomIn(): void {
    this.zoomTo(STEPS.find((s) => s > this.scale + 0.01) ?? STEPS[STEPS.length - 1]!);
  }

  zoomOut(): void {
    this.zoomTo(STEPS.findLast((s) => s < this.scale - 0.01) ?? STEPS[0]!);
  }

  get percent(): number {
    return Math.round(this.scale * 100);
  }

  /** The height that shows all pages at the scale. */
  get height(): number {
    return this.taken.top + this.taken.bottom + Math.ceil(this.desk.offsetHeight * this.scale);
  }

  /** Leads to a page, counted from 1, or to a place on it; y is in px of the page. Does not go beyond them. */
  go(page: number, y = 0): void {
    const n = Math.min(Math.max(1, page), this.pages.length);
    const box = this.pages[n - 1];
    if (!box) return;
    const margin = y === 0 ? Math.min(AROUND, this.tops[0] ?? 0) * this.scale : this.room().height * 0.25;
    const top = Math.max(0, this.top() + (this.tops[n - 1]! + y) * this.scale - this.taken.top - margin);
    this.view.scrollTo({ top, behavior: "instant" });
    this.landed = Math.round(this.view.scrollY);
    this.setCurrent(n);
  }

  /** Shows a stretch of a page, given in px of the window, if it is not in sight. */
  show(page: number, rect: DOMRect): void {
    const top = this.taken.top + 8;
    const low = this.view.innerHeight - this.taken.bottom - 8;
    const left = this.start() + 8;
    const right = left + this.room().width - 16;
    if (rect.top < top || rect.bottom > low) this.view.scrollBy({ top: rect.top - top - (low - top) * 0.3, behavior: "instant" });
    if (rect.left < left || rect.right > right) this.view.scrollBy({ left: rect.left - (left + right) / 2, behavior: "instant" });
    this.landed = Math.round(this.view.scrollY);
    this.setCurrent(page);
  }

  /** In a frame as high as the report nothing scrolls here: what of the pages is in sight tells where the reader is. */
  watch(): void {
    const seen = new Map<Element, number>();
    const observer = new IntersectionObserver((entries) => {
      for (const e of entries) seen.set(e.target, e.intersectionRect.height);
      const most = Math.max(...seen.values());
      const page = this.pages.findIndex((p) => most > 0 && seen.get(p) === most);
      if (page >= 0) this.setCurrent(page + 1);
    }, { threshold: [0, 0.2, 0.4, 0.6, 0.8, 1] });
    for (const page of this.pages) observer.observe(page);
  }

  /** Where a page begins, in px of the document. */
  topOf(page: number): number | null {
    const top = this.tops[page - 1];
    return top === undefined ? null : this.top() + top * this.scale;
  }

  private setCurrent(n: number): void {
    if (n === this.current) return;
    this.current = n;
    this.changed();
  }

  /** The page in the middle of the window; at the ends of the desk the first and the last. */
  private look(): void {
    if (this.pages.length === 0 || Math.abs(this.view.scrollY - this.landed) <= 1) return;
    this.landed = NaN;
    const { scrollY, innerHeight } = this.view;
    const end = this.doc.documentElement.scrollHeight - innerHeight;
    if (scrollY <= 1) this.setCurrent(1);
    else if (scrollY >= end - 1) this.setCurrent(this.pages.length);
    else this.setCurrent(pageAt(this.tops, (this.taken.top + this.room().height / 2 + scrollY - this.top()) / this.scale));
  }

  /** Changes the layout and keeps what is in the middle of the window where it is. */
  private keeping(change: () => void): void {
    const middle = () => this.view.scrollY + this.taken.top + this.room().height / 2 - this.top();
    const at = middle() / this.scale;
    change();
    this.layout();
    if (this.view.scrollY > 0) this.view.scrollBy({ top: at * this.scale - middle(), behavior: "instant" });
    this.changed();
  }

  private top(): number {
    return this.frame.getBoundingClientRect().top + this.view.scrollY;
  }

  private start(): number {
    return this.doc.documentElement.dir === "rtl" ? this.taken.end : this.taken.start;
  }

  private room(): { width: number; height: number } {
    const { start, end, top, bottom } = this.taken;
    return { width: Math.max(100, this.doc.documentElement.clientWidth - start - end), height: Math.max(100, this.view.innerHeight - top - bottom) };
  }

  private wanted(): number {
    if (typeof this.zoom === "number") return this.zoom;
    const room = this.room();
    const wide = room.width / this.desk.offsetWidth;
    if (this.zoom === "auto") return Math.min(1, wide);
    const page = this.pages[this.current - 1];
    const high = this.zoom === "page" && page ? room.height / (page.offsetHeight + 2 * AROUND) : LARGEST;
    return Math.min(LARGEST, wide, high);
  }

  private layout(): void {
    if (this.pages.length === 0) return;
    this.scale = this.wanted();
    this.desk.style.transform = this.scale === 1 ? "" : `scale(${this.scale})`;
    this.frame.style.width = `${this.desk.offsetWidth * this.scale}px`;
    this.frame.style.height = `${this.desk.offsetHeight * this.scale}px`;
  }
}

/** The page, counted from 1, that a height falls into, by the tops of all; the room before a page belongs to the one above. */
export function pageAt(tops: number[], y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle]! <= y) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
