// Everything around the pages, put together.

import type { Anchor, Warning } from "../paginate/types";
import { commentsAddress, fileAddress, listAddress, readView, type View, withParameters, writeView } from "./address";
import { Bar } from "./bar";
import { Desk } from "./desk";
import { h } from "./dom";
import { type Facts, readFacts } from "./facts";
import type { Host } from "./host";
import { addKeys } from "./keys";
import type { moreFiles } from "./more";
import { type Options, readOptions, zoomOf } from "./options";
import documentCSS from "./pages.css";
import type { Parameters } from "./parameters";
import type { Pins } from "./pins";
import { Search } from "./search";
import { Side } from "./side";
import css from "./viewer.css";
import { type Warnings, warningsOf } from "./warnings";
import { type Words, wordsFor } from "./words";

/** Below this width the panes lie over the pages, and the bar is at the thumbs. */
const WIDE = "(min-width: 900px)";
const NARROW = "(max-width: 760px)";
/** From these widths on the panes are open from the start. */
const ROOM_FOR_SIDE = "(min-width: 1100px)";
const ROOM_FOR_PARAMETERS = "(min-width: 1280px)";
const BAR = 48;
const TOUCH_BAR = 56;
const PARAMETERS = 256;

/** What is around the report, where there is a service behind it. */
export interface Around {
  host(view: Window, hosts: string[]): Pick<Host, "tell" | "fault" | "listen">;
  parameters(...of: ConstructorParameters<typeof Parameters>): Pick<Parameters, "el" | "any" | "shown" | "changed" | "show" | "focus" | "values">;
  /** Links to further files; a file has none. */
  files?: typeof moreFiles;
  /** Marks of comments; a file has none. */
  pins?(...of: ConstructorParameters<typeof Pins>): Pick<Pins, "place" | "tell">;
}

export class Viewer {
  private readonly view: Window;
  private readonly facts: Facts;
  private readonly options: Options;
  private readonly words: Words;
  private readonly came: View | null;
  private readonly host: ReturnType<Around["host"]>;
  private readonly desk: Desk;
  private readonly search: Search;
  private readonly side: Side;
  private readonly parameters: ReturnType<Around["parameters"]>;
  private readonly bar: Bar;
  private readonly status: HTMLElement;
  private readonly root: ShadowRoot;
  private progress: HTMLElement;
  private warnings: Warnings | null = null;
  private pins: ReturnType<NonNullable<Around["pins"]>> | undefined;
  private ready!: () => void;
  private readonly pages = new Promise<void>((done) => (this.ready = done));

  constructor(private readonly doc: Document, private readonly around: Around) {
    const view = (this.view = doc.defaultView!);
    this.facts = readFacts(doc);
    this.options = readOptions(view.location.search);
    if (this.facts.asking) keepOnly(this.options.parts, "title", "parameters");
    this.words = wordsFor(doc.documentElement.lang);
    this.came = readView(view.location.hash);
    this.host = around.host(view, this.facts.hosts);
    this.desk = new Desk(doc, zoomOf(this.came?.zoom) ?? this.options.zoom);
    this.search = new Search(doc, this.desk);
    this.side = new Side(doc, this.desk, this.words, () => this.went());
    this.parameters = around.parameters(doc, this.facts, this.words, (params, focus) => this.load(params, focus));
    this.status = h(doc, "p", { class: "status", role: "status" });
    this.bar = new Bar(doc, this.desk, this.search, this.words, this.options.parts, this.actions(), this.about(), (text) => (this.status.textContent = text));
    this.root = this.draw();
    this.progress = this.wait();
    this.connect();
    this.openPanes();
  }

  /** Whether the service asks for parameters in place of a report. */
  asks(): boolean {
    if (!this.facts.asking) return false;
    this.progress.remove();
    const empty = h(this.doc, "p", { class: "q-nothing-chosen" }, this.words.chooseValues);
    this.doc.body.append(empty);
    this.side.show("");
    this.parameters.show(true);
    this.parameters.focus(this.came?.focus ?? "");
    this.host.tell("asking", { parameters: this.facts.parameters.flatMap((g) => g.fields).map((f) => f.name) });
    return true;
  }

  /** Whether the reader begins at the first page. */
  get atFront(): boolean {
    return this.came ? this.came.page === 1 : this.options.page === 1 && this.view.location.hash === "";
  }

  /** The first pages are made; how many there will be is not known. */
  begin(pages: HTMLElement[]): void {
    this.progress.remove();
    this.desk.lay(pages);
    this.status.textContent = this.words.preparing;
  }

  /** The pages are made. */
  lay(pages: HTMLElement[], anchors: Anchor[], found: Warning[]): void {
    this.progress.remove();
    this.desk.whole = true;
    this.desk.lay(pages);
    this.status.textContent = "";
    endWithLast(this.doc);
    openLinksOutside(this.doc);
    this.showWarnings(found);
    this.search.renew();
    this.side.fill(anchors);
    if (this.side.shown === "pages" && pages.length < 2 && !this.came) this.side.show("");
    this.arrive();
    this.moved();
    this.ready();
    this.pins?.tell();
    this.host.tell("ready", { pages: pages.length, title: this.doc.title, page: this.desk.current, formats: this.facts.formats, params: this.parameters.values() });
    this.grow();
    if (this.options.grows) this.desk.watch();
  }

  failed(): void {
    this.doc.body.append(this.progress);
    this.progress.classList.add("q-failed");
    this.progress.textContent = this.words.failed;
    this.host.tell("error", { message: this.words.failed });
  }

  private about() {
    return { title: this.doc.title, place: this.facts.place ?? "", formats: this.facts.formats, more: this.around.files?.(this.doc, this.facts) ?? null, hasParameters: this.parameters.any, open: this.facts.comments?.open ?? 0 };
  }

  private actions() {
    const { href } = this.view.location;
    return {
      side: () => this.side.show(this.side.shown === "" ? "pages" : ""),
      parameters: () => this.parameters.show(!this.parameters.shown),
      print: () => void this.pages.then(() => this.view.print()),
      download: (format: string) => fileAddress(href, format),
      comments: this.facts.comments && this.options.parts.has("title") && this.view.parent === this.view ? commentsAddress(href, this.facts.comments.address) : null,
      back: this.facts.place !== undefined && this.view.parent === this.view ? listAddress(href) : null,
    };
  }

  /** The viewer lives in a tree of its own: no style of a report reaches it, and none of its own a report. */
  private draw(): ShadowRoot {
    const { doc } = this;
    doc.head.append(h(doc, "style", {}, documentCSS));
    const place = h(doc, "div", { class: "q-viewer" });
    if (this.options.grows) place.classList.add("q-grows");
    const root = place.attachShadow({ mode: "open" });
    root.append(h(doc, "style", {}, css));
    if (this.options.parts.size > 0) root.append(this.bar.el);
    root.append(this.side.el, this.parameters.el, this.status);
    doc.body.append(place, this.side.pictures);
    return root;
  }

  private wait(): HTMLElement {
    const el = h(this.doc, "div", { class: "q-progress", role: "status" }, this.words.preparing);
    this.doc.body.append(el);
    return el;
  }

  private connect(): void {
    const { view, desk, search, side, parameters, bar } = this;
    desk.changed = () => this.moved();
    search.changed = () => bar.followSearch();
    side.changed = parameters.changed = () => this.arrange();
    for (const query of [WIDE, NARROW]) view.matchMedia(query).addEventListener("change", () => this.arrange());
    addKeys(this.doc, desk, () => bar.focusSearch(), () => bar.close() || this.warnings?.close() === true || this.closePanes());
    this.doc.addEventListener("click", (e) => this.follows(e));
    view.addEventListener("pageshow", () => this.doc.documentElement.classList.remove("q-leaving"));
    this.host.listen(this.facts.formats, {
      print: () => void this.pages.then(() => view.print()),
      page: (page) => void this.pages.then(() => this.goTo(page)),
      zoom: (zoom) => void this.pages.then(() => desk.zoomTo(zoom)),
      search: (text) => void this.pages.then(() => search.find(text)),
      parameters: (params) => this.load({ ...this.parameters.values(), ...params }, ""),
      download: (format) => view.location.assign(fileAddress(view.location.href, format)),
    });
    if (this.facts.comments) this.pins = this.around.pins?.(this.doc, desk, (type, more) => this.host.tell(type, more));
    for (const fault of this.options.faults) this.host.fault(fault);
  }

  private openPanes(): void {
    const { view, came, options } = this;
    const side = came ? came.side : options.parts.has("panes") && view.matchMedia(ROOM_FOR_SIDE).matches ? "pages" : "";
    const parameters = came ? came.parameters : view.matchMedia(ROOM_FOR_PARAMETERS).matches;
    if (options.parts.has("panes") && (side === "pages" || side === "contents")) this.side.show(side);
    if (options.parts.has("parameters") && this.parameters.any && parameters) this.parameters.show(true);
    this.arrange();
  }

  private closePanes(): boolean {
    if (this.view.matchMedia(WIDE).matches) return false;
    const open = this.side.shown !== "" || this.parameters.shown;
    if (this.side.shown !== "") this.side.show("");
    if (this.parameters.shown) this.parameters.show(false);
    return open;
  }

  /** Where panes cover the pages, they make room for what was chosen in them. */
  private went(): void {
    this.closePanes();
  }

  /** Gives the pages the room that bar and panes leave. */
  private arrange(): void {
    const wide = this.view.matchMedia(WIDE).matches;
    const narrow = this.view.matchMedia(NARROW).matches && !this.options.grows;
    const bar = this.options.parts.size > 0;
    const top = bar && !narrow ? BAR : 0;
    const bottom = bar && narrow ? TOUCH_BAR : 0;
    const start = wide && this.side.shown !== "" ? this.side.width : 0;
    const end = wide && this.parameters.shown ? PARAMETERS : 0;
    for (const [name, value] of Object.entries({ top, bottom, start, end, side: this.side.width })) this.doc.documentElement.style.setProperty(`--q-${name}`, `${value}px`);
    this.bar.sideButton.setAttribute("aria-expanded", String(this.side.shown !== ""));
    this.bar.parametersButton.setAttribute("aria-expanded", String(this.parameters.shown));
    this.desk.take({ top, bottom, start, end });
  }

  /** The reader is on another page, or sees it in another size. */
  private moved(): void {
    this.bar.follow();
    this.side.mark();
    this.pins?.place();
    if (this.desk.whole) this.host.tell("page", { page: this.desk.current, pages: this.desk.pages.length, zoom: this.desk.zoom, percent: this.desk.percent });
    if (this.options.grows) this.grow();
  }

  private goTo(page: number): void {
    this.desk.go(page);
    if (this.options.grows) this.host.tell("scroll", { top: Math.round(this.desk.topOf(page) ?? 0) });
  }

  private grow(): void {
    if (this.options.grows) this.host.tell("size", { height: this.desk.height });
  }

  /** Goes where the reader was before, or to the place that the address names and that exists only now. */
  private arrive(): void {
    const id = this.came ? "" : decoded(this.view.location.hash.slice(1));
    const page = this.came?.page ?? this.options.page;
    if (id) this.doc.getElementById(id)?.scrollIntoView();
    else if (page > 1) this.goTo(page);
    if (this.came?.focus) this.parameters.focus(this.came.focus);
  }

  private showWarnings(found: Warning[]): void {
    if (this.facts.place === undefined) return;
    const told = [...this.facts.warnings, ...found.map((w) => ({ path: w.id, message: w.message }))];
    if (told.length === 0) return;
    this.warnings = warningsOf(this.doc, told, this.words);
    this.bar.tools.append(this.warnings.button);
    this.root.append(this.warnings.list);
  }

  /** Loads the report with other parameters in its place: page, zoom and panes stay. */
  private load(wanted: Record<string, unknown>, focus: string): void {
    const { location } = this.view;
    const params = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null));
    const zoom = String(this.desk.zoom);
    const to = withParameters(location.href, params, writeView({ page: this.desk.current, zoom, side: this.side.shown, parameters: this.parameters.shown, focus }));
    this.doc.documentElement.classList.add("q-leaving");
    this.status.textContent = this.words.preparing;
    this.host.tell("parameters", { params });
    const same = new URL(to).search === location.search; // browsers only go to another place in it then
    if (this.view.parent === this.view && !same) location.assign(to);
    else location.replace(to); // the steps back are the host's
    if (same) location.reload();
  }

  private follows(e: Event): void {
    const link = e.composedPath().find((n): n is HTMLAnchorElement => n instanceof HTMLAnchorElement && n.href !== "");
    if (link?.closest(".q-desk") && !link.getAttribute("href")!.startsWith("#")) this.host.tell("link", { href: link.href, text: link.textContent?.trim() ?? "" });
  }
}

function keepOnly<T>(set: Set<T>, ...kept: T[]): void {
  for (const item of set) if (!kept.includes(item)) set.delete(item);
}

/** Firefox adds an empty page behind the last one where the document's own page has another name. */
function endWithLast(doc: Document): void {
  const last = [...doc.querySelectorAll(".q-page")].pop();
  if (last) doc.body.style.setProperty("page", getComputedStyle(last).getPropertyValue("page"));
}

/** Links of the report leave the frame that shows it. */
function openLinksOutside(doc: Document): void {
  for (const a of doc.querySelectorAll<HTMLAnchorElement>(".q-desk a[href]")) {
    if (a.getAttribute("href")!.startsWith("#")) continue;
    a.target ||= "_blank";
    a.rel = "noopener noreferrer";
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
