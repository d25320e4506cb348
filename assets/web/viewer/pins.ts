// Marks of comments on the pages, for the page around the frame that has the
// comments: it tells what to mark, and is told which element somebody chose.

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
      if (at && this.layer.isConnected && !(e.target as Element).closest("a")) this.told("element", { element: at.dataset["id"] });
    });
  }

  /** Tells what the elements on the pages begin with, in their order. */
  tell(): void {
    const texts = new Map<string, string>();
    for (const el of this.doc.querySelectorAll<HTMLElement>(".q-desk [data-id]")) {
      const id = el.dataset["id"]!;
      if (!texts.has(id)) texts.set(id, beginning(el));
    }
    this.told("elements", { elements: [...texts].map(([id, text]) => ({ id, text })) });
  }

  /** Where each stands now: another size has moved them. */
  place(): void {
    if (!this.layer.isConnected) return;
    const around = this.layer.getBoundingClientRect();
    const rtl = this.doc.documentElement.dir === "rtl";
    for (const el of this.layer.children as Iterable<HTMLElement> & HTMLCollection) {
      const box = this.of((el as HTMLElement).dataset["quireAbout"]!)?.getBoundingClientRect();
      const { style } = el as HTMLElement;
      (el as HTMLElement).hidden = !box;
      if (!box) continue;
      style.top = `${box.top - around.top}px`;
      style.left = `${(rtl ? box.left : box.right) - around.left}px`;
      if (el.matches(".q-about")) Object.assign(style, { left: `${box.left - around.left}px`, width: `${box.width}px`, height: `${box.height}px` });
    }
  }

  private of(element: string): HTMLElement | null {
    return this.doc.querySelector<HTMLElement>(`.q-desk [data-id="${CSS.escape(element)}"]`);
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

/** So long is what an element is told apart by. */
const SHORT = 40;

/** What an element begins with: cells and lines are words apart. */
function beginning(el: HTMLElement): string {
  const walker = el.ownerDocument.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let text = "";
  while (text.length <= SHORT && walker.nextNode()) text = `${text} ${walker.currentNode.nodeValue ?? ""}`.replace(/\s+/g, " ").trim();
  return text.length > SHORT ? `${text.slice(0, SHORT - 1).trimEnd()}…` : text;
}
