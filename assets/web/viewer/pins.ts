// Marks of comments on the pages, for the page around the frame that has the
// comments: it tells what to mark, and is told which element somebody chose.

import { apart, beginning, keyOf, PIN, selectorOf, typeOf } from "./about";
import type { Desk } from "./desk";
import { h } from "./dom";
import css from "./pins.css";

interface Pin {
  element: string;
  label: string;
  open: number;
}

export class Pins {
  private readonly layer: HTMLElement;
  private pins: Pin[] = [];
  private chosen = "";

  constructor(private readonly doc: Document, private readonly desk: Desk, private readonly told: (type: string, more: Record<string, unknown>) => void) {
    const view = doc.defaultView!;
    this.layer = h(doc, "div", { class: "q-pins" });
    view.addEventListener("message", (e) => {
      if (view.parent !== view && e.source === view.parent && e.origin === view.location.origin) this.hear(e.data as { type?: string } | null);
    });
    doc.addEventListener("click", (e) => {
      const at = (e.target as Element).closest<HTMLElement>(".q-desk [data-id]");
      if (at && this.layer.isConnected && !(e.target as Element).closest("a")) this.told("element", { elements: around(at) });
    });
  }

  /** Tells what the elements on the pages begin with, in their order. */
  tell(): void {
    const told = new Map<string, { id: string; type: string; text: string }>();
    for (const el of this.doc.querySelectorAll<HTMLElement>(".q-desk [data-id]")) {
      const id = keyOf(el);
      if (id !== null && !told.has(id)) told.set(id, { id, type: typeOf(el), text: beginning(el) });
    }
    this.told("elements", { elements: [...told.values()] });
  }

  /** Where each stands now: another size has moved them. */
  place(): void {
    if (!this.layer.isConnected) return;
    const around = this.layer.getBoundingClientRect();
    const rtl = this.doc.documentElement.dir === "rtl";
    const pins: { left: number; top: number; style: CSSStyleDeclaration }[] = [];
    for (const el of this.layer.children as Iterable<HTMLElement> & HTMLCollection) {
      const box = this.of((el as HTMLElement).dataset["quireAbout"]!)?.getBoundingClientRect();
      const { style } = el as HTMLElement;
      (el as HTMLElement).hidden = !box;
      if (!box) continue;
      if (el.matches(".q-about")) Object.assign(style, { top: `${box.top - around.top}px`, left: `${box.left - around.left}px`, width: `${box.width}px`, height: `${box.height}px` });
      // Within the window: on a phone a page has no margin.
      else pins.push({ left: rtl ? Math.max(box.left - around.left, PIN) : Math.min(box.right - around.left, around.width - PIN), top: box.top - around.top, style });
    }
    for (const { left, top, style } of apart(pins, rtl)) Object.assign(style, { left: `${left}px`, top: `${top}px` });
  }

  private of(element: string): HTMLElement | null {
    return this.doc.querySelector<HTMLElement>(`.q-desk :is(${selectorOf(element)})`);
  }

  private hear(said: { type?: string } | null): void {
    if (said?.type === "quire:pins") this.pins = (said as unknown as { pins: Pin[] }).pins;
    else if (said?.type === "quire:about") {
      this.chosen = (said as unknown as { element: string }).element;
      this.reveal();
    } else return;
    this.draw();
  }

  private draw(): void {
    const { doc, layer } = this;
    if (!layer.isConnected) {
      doc.head.append(h(doc, "style", {}, css));
      doc.querySelector(".q-frame")?.append(layer);
    }
    const had = (doc.activeElement as HTMLElement | null)?.closest<HTMLElement>(".q-pin")?.dataset["quireAbout"];
    layer.replaceChildren(
      ...(this.chosen ? [h(doc, "i", { class: "q-about", "data-quire-about": this.chosen })] : []),
      ...this.pins.map((p) => h(doc, "button", { type: "button", class: "q-pin", "data-quire-about": p.element, title: p.label, "aria-label": p.label, onclick: () => this.told("pin", { element: p.element }) }, String(p.open))),
    );
    this.place();
    if (had) layer.querySelector<HTMLElement>(`.q-pin[data-quire-about="${CSS.escape(had)}"]`)?.focus();
  }

  private reveal(): void {
    const el = this.chosen ? this.of(this.chosen) : null;
    const page = el?.closest<HTMLElement>(".q-page");
    if (el && page) this.desk.show(this.desk.pages.indexOf(page) + 1, el.getBoundingClientRect());
  }
}

/** The elements that something lies in, the innermost first. */
function around(at: Element): string[] {
  const keys: string[] = [];
  for (let el: Element | null = at; el; el = el.parentElement?.closest("[data-id]") ?? null) {
    const key = keyOf(el);
    if (key !== null) keys.push(key);
  }
  return keys;
}
