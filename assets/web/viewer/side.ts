// The panes at the side of the pages: small pictures of them, and the headings.

import type { Anchor } from "../paginate/types";
import type { Desk } from "./desk";
import { h, iconButton } from "./dom";
import type { Words } from "./words";

const PICTURE = 88;
const WIDTHS = { pages: 152, contents: 260, "": 0 };

/** What the side shows; nothing when it is closed. */
export type Shown = "pages" | "contents" | "";

export class Side {
  readonly el: HTMLElement;
  /** Small pictures of pages lie in the document, where the styles of the report reach them. */
  readonly pictures: HTMLElement;
  shown: Shown = "";
  changed: () => void = () => undefined;

  private readonly tabs: Record<"pages" | "contents", HTMLButtonElement>;
  private readonly contents: HTMLElement;
  private headings: { el: HTMLElement; page: number }[] = [];
  private observer: IntersectionObserver | null = null;

  constructor(private readonly doc: Document, private readonly desk: Desk, private readonly words: Words, private readonly went: () => void) {
    const tab = (name: "pages" | "contents", label: string) => h(doc, "button", { type: "button", onclick: () => this.show(name) }, label);
    this.tabs = { pages: tab("pages", words.pages), contents: tab("contents", words.contents) };
    this.contents = h(doc, "div", { class: "contents", id: "contents" });
    this.el = h(doc, "nav", { class: "side", "aria-label": words.side, hidden: true },
      h(doc, "div", { class: "head" }, h(doc, "div", { class: "segments" }, this.tabs.pages, this.tabs.contents),
        iconButton(doc, "close", words.close, () => this.show(""), { class: "icon shut" })),
      this.contents);
    this.pictures = h(doc, "nav", { class: "q-thumbs", "aria-label": words.pages, hidden: true });
  }

  get width(): number {
    return WIDTHS[this.shown];
  }

  show(what: Shown): void {
    this.shown = what;
    this.el.hidden = what === "";
    this.contents.hidden = what !== "contents";
    this.pictures.hidden = what !== "pages";
    for (const [name, tab] of Object.entries(this.tabs)) tab.setAttribute("aria-pressed", String(name === what));
    if (what === "pages") this.draw();
    this.changed();
    this.mark();
  }

  /** The pages are there, with the places of the headings. */
  fill(anchors: Anchor[]): void {
    this.observer?.disconnect();
    this.observer = null;
    this.pictures.replaceChildren();
    const list = anchors.filter((a) => a.level > 0 && a.text !== "");
    const least = Math.min(...list.map((a) => a.level));
    this.headings = list.map((a) => ({ page: a.page, el: this.heading(a, least) }));
    this.contents.replaceChildren(...(list.length > 0 ? this.headings.map((x) => x.el) : [h(this.doc, "p", { class: "none" }, this.words.noContents)]));
    this.tabs.contents.hidden = list.length === 0;
    if (this.shown === "contents" && list.length === 0) this.show("pages");
    else if (this.shown === "pages") this.draw();
    this.mark();
  }

  /** Marks where the reader is. */
  mark(): void {
    const { current } = this.desk;
    const heading = this.headings.findLast((x) => x.page <= current);
    for (const x of this.headings) toggleCurrent(x.el, x === heading);
    for (const [i, el] of [...this.pictures.children].entries()) toggleCurrent(el.lastElementChild!, i + 1 === current);
    const shown = this.shown === "pages" ? this.pictures : this.shown === "contents" ? this.contents : null;
    if (shown) reveal(shown, shown.querySelector<HTMLElement>("[aria-current]"));
  }

  private heading(a: Anchor, least: number): HTMLElement {
    const el = h(this.doc, "button", { type: "button", onclick: () => this.go(a.page, a.y) }, h(this.doc, "span", {}, a.text), h(this.doc, "span", { class: "number" }, String(a.page)));
    el.style.paddingInlineStart = `${8 + 12 * Math.min(4, a.level - least)}px`;
    return el;
  }

  private go(page: number, y = 0): void {
    this.desk.go(page, y);
    this.went();
  }

  /** Pictures are made when they come into sight, and go again behind it. */
  private draw(): void {
    if (this.observer) return;
    this.pictures.replaceChildren(...this.desk.pages.map((page, i) => this.frame(page, i + 1)));
    this.observer = new IntersectionObserver((entries) => {
      for (const e of entries) {
        const paper = e.target.firstElementChild!;
        const page = this.desk.pages[[...this.pictures.children].indexOf(e.target)];
        if (!e.isIntersecting) paper.replaceChildren();
        else if (!paper.firstChild && page) paper.append(small(page));
      }
    }, { root: this.pictures, rootMargin: "400px 0px" });
    for (const el of this.pictures.children) this.observer.observe(el);
    this.mark();
  }

  private frame(page: HTMLElement, n: number): HTMLElement {
    const scale = PICTURE / Math.max(1, page.offsetWidth);
    const paper = h(this.doc, "span", { class: "q-thumb-paper" });
    paper.style.height = `${page.offsetHeight * scale}px`;
    paper.style.setProperty("--q-scale", String(scale));
    // What stands on the small page is not what the button is called.
    return h(this.doc, "div", { class: "q-thumb" }, paper, h(this.doc, "button", { type: "button", "aria-label": this.words.page(n, this.desk.pages.length), onclick: () => this.go(n) }, String(n)));
  }
}

/** A picture of a page: a copy that nothing leads to and nobody is read. */
function small(page: HTMLElement): HTMLElement {
  const copy = page.cloneNode(true) as HTMLElement;
  copy.className = page.className.replace(/\bq-page\b(?!-)/, "q-thumb-page");
  for (const el of [copy, ...copy.querySelectorAll<HTMLElement>("[id], [tabindex]")]) {
    el.removeAttribute("id");
    el.removeAttribute("tabindex");
  }
  copy.inert = true;
  copy.setAttribute("aria-hidden", "true");
  return copy;
}

function toggleCurrent(el: Element, on: boolean): void {
  if (on) el.setAttribute("aria-current", "true");
  else el.removeAttribute("aria-current");
}

/** Scrolls a pane, and nothing else, until a child is in sight. */
function reveal(pane: HTMLElement, el: HTMLElement | null): void {
  if (!el) return;
  const [inside, around] = [el.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inside.top < around.top || inside.bottom > around.bottom) pane.scrollTop += inside.top - around.top - around.height / 3;
}
