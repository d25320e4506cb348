// Where things are on the canvas. Positions are never kept: they are read from
// the frame whenever they are asked for.

import type { Beside } from "./beside";
import { find, LAYOUT_SLOTS, type Node, type Report, slotsOf, type Slot, type Target } from "./model";
import { ownerIn, selectorOf, TEMPLATE } from "../viewer/about";

/** A rectangle in pixels of the report, from the frame's corner. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Along the page, or down it. */
export type Axis = "x" | "y";

export interface Point {
  x: number;
  y: number;
}

/** A place to drop: where it is in the report, the line that marks it, and the box it lies in. */
export interface Drop {
  target: Target;
  /** The element beside which it is: both come to stand in a row. */
  beside?: Beside;
  line: Box;
  frame: Box;
  /** Whether it is the element itself that takes what is dropped, so that no line marks a place. */
  whole?: boolean;
  /** Why nothing can be dropped here. */
  refused?: string;
}

export class Stage {
  constructor(
    readonly frame: HTMLIFrameElement,
    private readonly state: { readonly report: { readonly value: Report }; pageOfSheets(id: number): number },
    readonly zoom: () => number,
  ) {}

  get doc(): Document {
    return this.frame.contentDocument!;
  }

  /** A point of the window as a point of the report. */
  point(e: { clientX: number; clientY: number }): Point {
    const box = this.frame.getBoundingClientRect();
    return { x: (e.clientX - box.left) / this.zoom(), y: (e.clientY - box.top) / this.zoom() };
  }

  /** The innermost element of the report at a point. */
  nodeAt(p: Point): { id: string; el: Element } | null {
    for (const hit of this.doc.elementsFromPoint(p.x, p.y)) {
      const owner = this.ownerOf(hit);
      if (owner) return owner;
    }
    return null;
  }

  /** The element of the report that something in the frame belongs to. What a template brings belongs to none. */
  ownerOf(hit: Element): { id: string; el: Element } | null {
    for (let el: Element | null = hit.closest("[data-id]"); el; el = el.parentElement?.closest("[data-id]") ?? null) {
      const id = el.getAttribute("data-id")!;
      if (this.knows(el, id)) return { id, el };
    }
    return null;
  }

  /** Headers and footers of pages are the template's, whose elements may have the same ids. */
  private knows(el: Element, id: string): boolean {
    const place = find(this.state.report.value, id);
    const of = el.getAttribute("data-of");
    if (!place || (of !== null && of !== TEMPLATE)) return false;
    const furniture = el.closest(".q-page-header,.q-page-footer") !== null;
    return !furniture || LAYOUT_SLOTS.includes(place.slot);
  }

  /** What draws an element: once for each part, as on several pages or for several records; of all there is, or on one sheet. */
  parts(id: string, on: ParentNode = this.doc): HTMLElement[] {
    return [...on.querySelectorAll<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)].filter((el) => this.knows(el, id));
  }

  boxes(id: string): Box[] {
    return this.measured(this.parts(id));
  }

  /** Where what a comment is about is drawn, whoever it belongs to. */
  boxesAbout(key: string): Box[] {
    return ownerIn(key) === null || find(this.state.report.value, key) ? this.boxes(key) : this.measured([...this.doc.querySelectorAll(selectorOf(key))]);
  }

  private measured(parts: Element[]): Box[] {
    return parts
      .map((el) => el.getBoundingClientRect())
      .filter((r) => r.width > 0 && r.height > 0);
  }

  /** The elements of the report that a rectangle touches, none of them inside of another, and none that is left out. */
  within(area: Box): string[] {
    const page = this.state.report.value.pages;
    const touched = (n: Node): boolean => this.boxes(n.id).some((b) => b.left < area.left + area.width && b.left + b.width > area.left && b.top < area.top + area.height && b.top + b.height > area.top);
    return page.flatMap((p) => slotsOf(p).flatMap(([, list]) => list.filter((n) => !n.design?.hidden && touched(n)).map((n) => n.id)));
  }

  /** The page and the part of it at a point; the nearest page when there is none. */
  slotAt(p: Point): { page: number; slot: Slot; region: Element } | null {
    const pages = [...this.doc.querySelectorAll<HTMLElement>(".q-page")];
    const away = (el: Element): number => {
      const r = el.getBoundingClientRect();
      return Math.max(r.top - p.y, p.y - r.bottom, 0);
    };
    const sheet = pages.reduce<HTMLElement | null>((near, el) => (near === null || away(el) < away(near) ? el : near), null);
    if (!sheet) return null;
    const page = this.state.pageOfSheets(Number(sheet.dataset.page));
    if (page < 0) return null;
    const slots = slotsOf(this.state.report.value.pages[page]!).map(([slot]) => slot);
    const at = (name: string): Element | null => sheet.querySelector(`:scope > .q-page-${name}`);
    const within = (el: Element | null): boolean => {
      const r = el?.getBoundingClientRect();
      return r !== undefined && p.y >= r.top && p.y <= r.bottom;
    };
    if (slots.includes("header") && within(at("header"))) return { page, slot: at("header")!.querySelector(".q-first-header") ? "firstHeader" : "header", region: at("header")! };
    if (slots.includes("footer") && within(at("footer"))) return { page, slot: "footer", region: at("footer")! };
    return { page, slot: slots.includes("body") ? "body" : slots[0]!, region: at("body") ?? sheet };
  }
}

/** A box of the report on the screen; lines keep a thickness. */
export function scaled(b: Box, zoom: number, least = 0) {
  return { left: `${b.left * zoom}px`, top: `${b.top * zoom}px`, width: `${Math.max(least, b.width * zoom)}px`, height: `${Math.max(least, b.height * zoom)}px` };
}
