// The bar above the pages; on small screens, and for fingers, below them.

import type { Desk } from "./desk";
import { h, icon, iconButton } from "./dom";
import type { Part } from "./options";
import { ZOOMS } from "./options";
import { MOST_HITS, type Search } from "./search";
import type { Words } from "./words";

/** What the buttons do that is not the bar's own. */
export interface Actions {
  side(): void;
  parameters(): void;
  print(): void;
  download(format: string): string;
  back: string | null;
  comments: string | null;
}

/** What is known of the report before its pages are. */
export interface About {
  title: string;
  place: string;
  formats: string[];
  /** Links to further files. */
  more: HTMLElement | null;
  hasParameters: boolean;
  /** How many threads of comments are open. */
  open: number;
}

const NAMES: Record<string, string> = { pdf: "PDF", html: "HTML", docx: "Word", xlsx: "Excel", pptx: "PowerPoint" };
/** While a word is typed, the pages are not searched for each letter of it. */
const TYPING = 150;

export class Bar {
  readonly el: HTMLElement;
  readonly tools: HTMLElement;
  /** Buttons that tell whether what they open is open. */
  readonly sideButton: HTMLButtonElement;
  readonly parametersButton: HTMLButtonElement;
  private readonly field: HTMLInputElement;
  private readonly total: HTMLElement;
  private readonly steps: [HTMLButtonElement, HTMLButtonElement];
  private readonly zoom: HTMLSelectElement;
  private readonly finder: HTMLInputElement;
  private readonly found: HTMLElement;
  private readonly find: HTMLElement;
  private readonly grow: HTMLButtonElement;
  private readonly menu: HTMLElement;
  private readonly menuButton: HTMLButtonElement;

  constructor(
    private readonly doc: Document,
    private readonly desk: Desk,
    private readonly search: Search,
    private readonly words: Words,
    private readonly parts: Set<Part>,
    private readonly actions: Actions,
    about: About,
    private readonly say: (text: string) => void,
  ) {
    this.sideButton = iconButton(doc, "panel", words.side, actions.side, { "aria-expanded": "false" });
    this.parametersButton = iconButton(doc, "parameters", words.parameters, actions.parameters, { "aria-expanded": "false" });
    this.field = h(doc, "input", { class: "number", inputmode: "numeric", autocomplete: "off", "aria-label": words.pageNumber, value: "1", onfocus: () => this.field.select(), onchange: () => this.leave(), onkeydown: (e: KeyboardEvent) => e.key === "Enter" && this.leave() });
    this.total = h(doc, "span", { class: "q-counter total" }, "/ …");
    this.steps = [iconButton(doc, "previous", words.previousPage, () => desk.go(desk.current - 1)), iconButton(doc, "next", words.nextPage, () => desk.go(desk.current + 1))];
    this.zoom = this.zooms();
    this.finder = h(doc, "input", { type: "search", placeholder: words.search, "aria-label": words.search, enterkeyhint: "search", autocomplete: "off" });
    this.found = h(doc, "span", { class: "found" });
    this.find = this.searching();
    this.grow = iconButton(doc, "grow", words.fullScreen, () => this.toggleFull(), { class: "icon wide" });
    this.menu = h(doc, "div", { class: "menu", id: "menu", hidden: true });
    this.menuButton = h(doc, "button", { type: "button", class: "icon open", "aria-expanded": "false", "aria-controls": "menu", "aria-label": words.more, title: words.more, onclick: () => this.openMenu(this.menu.hidden === true) }, icon(doc, "down"), icon(doc, "more"));
    this.tools = h(doc, "span", { class: "extra" });
    this.el = h(doc, "header", { class: "bar", "aria-label": words.viewer }, this.start(about), this.middle(), this.end(about));
    doc.addEventListener("fullscreenchange", () => this.showFull());
    doc.addEventListener("pointerdown", (e) => !e.composedPath().includes(this.menu) && !e.composedPath().includes(this.menuButton) && this.openMenu(false), true);
    this.follow();
  }

  /** Shows where the reader is. */
  follow(): void {
    const { current, pages, zoom, percent, whole } = this.desk;
    const count = pages.length;
    if (this.doc.activeElement?.shadowRoot?.activeElement !== this.field) this.field.value = String(current);
    this.field.disabled = count === 0;
    if (whole) {
      this.total.textContent = `/ ${count}`;
      this.field.setAttribute("aria-label", this.words.page(current, count));
      this.field.style.width = `${String(count).length + 2.5}ch`;
    }
    this.steps[0].disabled = current <= 1;
    this.steps[1].disabled = current >= count;
    const own = this.zoom.options[this.zoom.options.length - 1]!;
    const named = [...this.zoom.options].find((o) => o !== own && o.value === String(zoom));
    own.hidden = named !== undefined;
    own.textContent = `${percent} %`;
    this.zoom.selectedIndex = (named ?? own).index;
  }

  /** Shows how the search stands. */
  followSearch(): void {
    const { text, hits, at } = this.search;
    this.find.classList.toggle("finding", text !== "");
    const of = hits.length >= MOST_HITS ? `${MOST_HITS}+` : String(hits.length);
    this.found.textContent = text === "" ? "" : hits.length === 0 ? this.words.noHits : this.words.hits(at, of);
    if (text !== "") this.say(this.found.textContent);
    if (this.finder.value !== text && this.doc.activeElement?.shadowRoot?.activeElement !== this.finder) this.finder.value = text;
  }

  focusSearch(): void {
    if (!this.parts.has("search")) return;
    this.el.classList.add("searching");
    this.finder.focus();
    this.finder.select();
  }

  /** What Escape closes first; false when nothing is open. */
  close(): boolean {
    if (!this.menu.hidden) {
      this.openMenu(false);
      this.menuButton.focus();
      return true;
    }
    return false;
  }

  private start(about: About): HTMLElement {
    const { doc, parts, actions, words } = this;
    return h(doc, "div", { class: "start" },
      parts.has("panes") ? this.sideButton : null,
      parts.has("title") && actions.back ? h(doc, "a", { class: "icon back", href: actions.back, title: words.back, "aria-label": words.back }, icon(doc, "back")) : null,
      parts.has("title") ? h(doc, "strong", { class: "title", title: about.title }, about.title) : null,
      parts.has("title") && about.place ? h(doc, "span", { class: "place" }, about.place) : null);
  }

  private middle(): HTMLElement {
    const { doc, parts } = this;
    const counting = parts.has("pages") ? [this.steps[0], h(doc, "span", { class: "count" }, this.field, this.total), this.steps[1]] : [];
    const parted = parts.has("pages") && parts.has("zoom") ? h(doc, "span", { class: "rule" }) : null;
    return h(doc, "div", { class: "middle" }, ...counting, parted, parts.has("zoom") ? h(doc, "span", { class: "pick" }, this.zoom, icon(doc, "down")) : null);
  }

  private end(about: About): HTMLElement {
    const { doc, parts, words } = this;
    const full = parts.has("fullscreen") && doc.fullscreenEnabled;
    const formats = parts.has("download") ? about.formats : [];
    const files = formats.map((f) => this.file(f, h(doc, "span", {}, NAMES[f] ?? f.toUpperCase()), h(doc, "span", { class: "ending", "data-ending": `.${f}` })));
    const small = [
      this.comments("narrow", about.open, words.comments),
      parts.has("print") ? h(doc, "button", { type: "button", class: "narrow", onclick: () => (this.openMenu(false), this.actions.print()) }, icon(doc, "print"), words.print) : null,
      full ? h(doc, "button", { type: "button", class: "narrow", onclick: () => (this.openMenu(false), this.toggleFull()) }, icon(doc, "grow"), words.fullScreen) : null,
    ];
    about.more?.addEventListener("click", () => this.openMenu(false));
    this.menu.append(...(files.length > 0 ? [h(doc, "p", { class: "menu-head" }, words.download)] : []), ...files, ...[files.length > 0 ? about.more : null, ...small].filter((x) => x !== null));
    const first = formats[0];
    if (files.length < 2 && !about.more) this.menuButton.classList.add("narrow");
    return h(doc, "div", { class: "end" },
      parts.has("search") ? this.find : null,
      parts.has("search") ? iconButton(doc, "search", words.search, () => this.toggleSearch(), { class: "icon narrow" }) : null,
      this.tools,
      this.comments("icon wide said", about.open),
      parts.has("parameters") && about.hasParameters ? this.parametersButton : null,
      parts.has("print") ? iconButton(doc, "print", words.print, this.actions.print, { class: "icon wide q-print" }) : null,
      full ? this.grow : null,
      first ? this.file(first, icon(doc, "download"), NAMES[first] ?? first.toUpperCase()) : null,
      this.menu.childElementCount > 0 ? this.menuButton : null,
      this.menu);
  }

  /** The link to what people say, with how much of it is open. */
  private comments(look: string, open: number, word = ""): HTMLAnchorElement | null {
    const { doc, words, actions } = this;
    const label = open > 0 ? `${words.comments}: ${open}` : words.comments;
    return actions.comments === null ? null : h(doc, "a", { class: look, href: actions.comments, title: words.comments, "aria-label": label }, icon(doc, "comments"), word, open > 0 ? h(doc, "b", {}, String(open)) : null);
  }

  private file(format: string, ...children: [Node, Node | string]): HTMLAnchorElement {
    const label = this.words.downloadAs(NAMES[format] ?? format.toUpperCase());
    const first = children[0] instanceof SVGElement;
    return h(this.doc, "a", { href: this.actions.download(format), class: first ? "primary wide" : "item", title: label, "aria-label": label, onclick: () => (this.openMenu(false), this.say(this.words.making)) }, ...children);
  }

  private zooms(): HTMLSelectElement {
    const { doc, words } = this;
    const option = (value: string, label: string) => h(doc, "option", { value }, label);
    const all = [option("auto", words.automatic), option("width", words.pageWidth), option("page", words.wholePage), ...ZOOMS.map((z) => option(String(z), `${z * 100} %`)), option("", "")];
    return h(doc, "select", { "aria-label": words.zoom, title: words.zoom, onchange: () => {
      const { value } = this.zoom;
      if (value !== "") this.desk.zoomTo(value === "auto" || value === "width" || value === "page" ? value : Number(value));
    } }, ...all);
  }

  private searching(): HTMLElement {
    const { doc, words, search } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const now = () => {
      clearTimeout(timer);
      search.find(this.finder.value);
    };
    this.finder.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(now, TYPING);
    });
    this.finder.addEventListener("keydown", (e) => {
      if (e.key === "Escape") {
        this.finder.value = "";
        now();
        this.el.classList.remove("searching");
        this.finder.blur();
      } else if (e.key === "Enter") {
        const news = this.finder.value !== search.text;
        now();
        if (e.shiftKey) search.step(-1);
        else if (!news) search.step(1);
      } else return;
      e.preventDefault();
      e.stopPropagation();
    });
    return h(doc, "div", { class: "find", role: "search" }, icon(doc, "search"), this.finder, this.found,
      iconButton(doc, "up", words.previousHit, () => search.step(-1), { class: "icon step" }), iconButton(doc, "down", words.nextHit, () => search.step(1), { class: "icon step" }));
  }

  private toggleSearch(): void {
    if (this.el.classList.contains("searching")) this.el.classList.remove("searching");
    else this.focusSearch();
  }

  private leave(): void {
    const page = Number(this.field.value);
    if (Number.isInteger(page)) this.desk.go(page);
    this.field.value = String(this.desk.current);
  }

  private openMenu(open: boolean): void {
    this.menu.hidden = !open;
    this.menuButton.setAttribute("aria-expanded", String(open));
    if (open) this.menu.querySelector<HTMLElement>("a, button")?.focus();
  }

  private toggleFull(): void {
    if (this.doc.fullscreenElement) void this.doc.exitFullscreen();
    else void this.doc.documentElement.requestFullscreen().catch(() => undefined); // the embedding page allows none
  }

  private showFull(): void {
    const full = this.doc.fullscreenElement !== null;
    this.grow.replaceChildren(icon(this.doc, full ? "shrink" : "grow"));
    const label = full ? this.words.leaveFullScreen : this.words.fullScreen;
    this.grow.title = label;
    this.grow.setAttribute("aria-label", label);
  }
}
