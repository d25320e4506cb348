// The bundle assets/dist/read.js: one global object, `quireReader`. It stands beside
// the paginator in the tab's own world, only while somebody reads.

import { pixels, sides } from "../paginate/units";
import { hex } from "./colors";
import { round } from "./looks";
import { type Drawn, facesOf, type Files, finely, paint } from "./paint";
import type { Out, Rect, Sides, SheetOut, State } from "./types";
import { Walk } from "./walk";

/** What a piece of the answer has at most: a message of the browser has an end. */
const PIECE = 8_000_000;

interface Warning {
  id: string;
  message: string;
}

interface Paginator {
  paginate(): Promise<{ warnings: Warning[] }>;
  number(settled: (warnings: Warning[]) => Promise<void>): Promise<unknown>;
}

declare const quire: Paginator;

/** What a reading answers at once. */
interface Answer {
  pieces: number;
  warnings: Warning[];
}

class Reader {
  private text = "";
  private drawn: Drawn[] = [];
  /** Fonts and pictures of documents, by their addresses, as data addresses. */
  private readonly files: Files = new Map();
  private go: (() => void) | null = null;
  private numbered: Promise<unknown> | null = null;

  /** Reads the document before it is known what stands on which page, which waits for finish. */
  flow(): Promise<Answer> {
    return new Promise((answer, fail) => {
      this.numbered = quire.number((warnings) => {
        const read = { pieces: this.read("flow"), warnings: [...warnings] };
        return new Promise((go) => {
          this.go = go;
          answer(read);
        });
      });
      this.numbered.catch(fail);
    });
  }

  /** What the places for page numbers show that flow has read. */
  finish(): Promise<unknown> {
    this.go?.();
    return this.numbered!;
  }

  /** Paginates the document and reads its pages. */
  async pages(): Promise<Answer> {
    const { warnings } = await quire.paginate();
    return { pieces: this.read("pages"), warnings };
  }

  private read(state: State): number {
    const walk = new Walk(document, state);
    const sheets = state === "flow" ? [...document.querySelectorAll<HTMLElement>(".q-sheet")].map((el) => flowSheet(walk, el)) : [...document.querySelectorAll<HTMLElement>(".q-page")].map((el) => pageSheet(walk, el));
    this.drawn = walk.pictures.drawn;
    this.text = JSON.stringify({ state, language: document.documentElement.lang, rtl: document.documentElement.dir === "rtl", styles: walk.looks.styles, drawings: this.drawn.length, sheets });
    return Math.ceil(this.text.length / PIECE);
  }

  piece(i: number): string {
    return this.text.slice(i * PIECE, (i + 1) * PIECE);
  }

  /** Forgets the document. */
  drop(): void {
    this.text = "";
    this.drawn = [];
    this.files.clear();
    this.go = this.numbered = null;
  }

  /** Addresses of the fonts and pictures that some drawings need. */
  filesOf(numbers: number[]): string[] {
    const drawn = numbers.map((n) => this.drawn[n - 1]!).filter((d) => d.svg);
    const addresses = drawn.flatMap((d) => [...(facesOf(d) ?? []).map((f) => f.address), ...(d.pictures ?? [])]);
    return [...new Set(addresses)].filter((address) => !address.startsWith("data:"));
  }

  /** Takes files for the drawings of this document: addresses, each with its data. */
  lend(files: [string, string][]): void {
    for (const [address, data] of files) this.files.set(address, data);
  }

  /**
   * Drawings of the first of some numbers, until there are so many bytes: where they stand,
   * and those that need no window, as PNG in base64.
   */
  async draw(numbers: number[], scale: number, pixels: number, bytes: number): Promise<unknown[]> {
    const made = [];
    let room = bytes;
    for (const n of numbers) {
      if (room <= 0) break;
      const d = this.drawn[n - 1]!;
      const fine = finely(d, scale);
      const png = await paint(d, this.files, fine, pixels);
      const r = d.place();
      room -= ((png?.length ?? 0) * 3) / 4;
      made.push({ x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: fine, png });
    }
    return made;
  }
}

function flowSheet(walk: Walk, el: HTMLElement): SheetOut {
  const part = (name: string) => el.querySelector<HTMLElement>(`:scope > .${name}`);
  walk.at(el.getBoundingClientRect());
  const out = base(el, "data-count");
  if (el.dataset.background) out.background = hex(named(el.dataset.background), 1);
  filled(walk, out, [document.body, el], { firstHeader: part("q-first-header"), header: part("q-header"), footer: part("q-footer"), body: part("q-body") });
  const framed: Out[] = [];
  const stamps = [...el.querySelectorAll<HTMLElement>(":scope > .q-on-pages")].flatMap((stamp) => {
    const node = walk.part(stamp, [document.body, el])?.children?.[0];
    if (node?.kind !== "image") {
      if (stamp.dataset.pages === "first") framed.push(...framesOf(walk, stamp, [document.body, el]));
      return [];
    }
    node.box = ["left", "top", "width", "height"].map((side) => round(pixels(stamp.style.getPropertyValue(side), 0))) as Rect;
    return [{ pages: stamp.dataset.pages ?? "all", ...(stamp.dataset.layer === "above" && { above: true }), node }];
  });
  if (stamps.length > 0) out.stamps = stamps;
  if (framed.length > 0) out.framed = framed;
  return out;
}

/** The texts of a box that stands freely on a page, each where its lines are. */
function framesOf(walk: Walk, box: HTMLElement, parents: HTMLElement[]): Out[] {
  const corner = box.getBoundingClientRect();
  const at = (side: string) => pixels(box.style.getPropertyValue(side), 0);
  const range = document.createRange();
  return [...box.children].flatMap((el) => {
    range.selectNodeContents(el);
    const lines = range.getBoundingClientRect();
    const made = lines.height > 0 && walk.part(el, [...parents, box]);
    if (!made) return [];
    const r = el.getBoundingClientRect();
    made.box = [at("left") + r.left - corner.left, at("top") + lines.top - corner.top, r.width, lines.height].map(round) as Rect;
    if (box.dataset.id) made.id = box.dataset.id;
    return [made];
  });
}

function pageSheet(walk: Walk, el: HTMLElement): SheetOut {
  const part = (name: string) => el.querySelector<HTMLElement>(`:scope > .${name} > *`);
  const r = el.getBoundingClientRect();
  walk.at(r);
  const out = base(el, "data-number");
  [out.width, out.height] = [round(r.width), round(r.height)];
  const n = Number(el.dataset.number) || 0;
  if (n) out.number = n;
  else out.uncounted = true;
  const background = hex(getComputedStyle(el).backgroundColor, 1);
  if (background) out.background = background;
  const between = (name: string) => el.querySelector<HTMLElement>(`:scope > .${name}`);
  const content = between("q-page-body")?.getBoundingClientRect();
  const [head, foot] = [between("q-page-header")?.getBoundingClientRect(), between("q-page-footer")?.getBoundingClientRect()];
  if (content) out.margin = [(head ?? content).top - r.top, r.right - content.right, r.bottom - (foot ?? content).bottom, content.left - r.left].map(round) as Sides;
  const parts = { header: part("q-page-header"), footer: part("q-page-footer"), body: part("q-page-body") };
  filled(walk, out, [document.body, el], { firstHeader: null, ...parts });
  const free = (layer: string) => [...el.querySelectorAll<HTMLElement>(`:scope > .q-on-pages[data-layer=${layer}]`)].flatMap((stamp) => walk.part(stamp, [document.body, el]) ?? []);
  const notes = walk.part(between("q-page-notes"), [document.body, el])?.children ?? [];
  out.body.children = [...free("behind"), ...(out.body.children ?? []), ...notes, ...free("above")];
  return out;
}

interface Parts {
  firstHeader: HTMLElement | null;
  header: HTMLElement | null;
  footer: HTMLElement | null;
  body: HTMLElement | null;
}

function filled(walk: Walk, out: SheetOut, parents: HTMLElement[], parts: Parts): SheetOut {
  for (const name of ["firstHeader", "header", "footer"] as const) {
    const el = parts[name];
    if (!el) continue;
    const up = el.parentElement !== parents[parents.length - 1] ? [...parents, el.parentElement!] : parents;
    out[name] = walk.part(el, up)!;
  }
  const el = parts.body;
  if (el) out.body = walk.part(el, el.parentElement !== parents[parents.length - 1] ? [...parents, el.parentElement!] : parents)!;
  return out;
}

const A4 = { width: 793.7, height: 1122.52 };

/** A length of a page as the paginator takes it. */
function size(text: string | undefined, usual: number): number {
  const v = pixels(text, 0);
  return v >= 1 ? round(v) : usual;
}

/** A colour as computed styles have it. */
function named(css: string): string {
  const probe = document.createElement("span");
  probe.style.color = css;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

const EMPTY: Out = { kind: "block", style: 0 };

function base(el: HTMLElement, counted: string): SheetOut {
  const out: SheetOut = { id: el.dataset.page ?? "", name: el.dataset.name ?? "", width: 1, height: 1, margin: [0, 0, 0, 0], body: { ...EMPTY } };
  if (counted === "data-count") {
    out.width = size(el.dataset.width, A4.width);
    out.height = size(el.dataset.height, A4.height);
    out.margin = sides(el.dataset.margin).map(round) as Sides;
    if (el.dataset.count === "0") out.uncounted = true;
    if (el.dataset.anew !== undefined) out.anew = true;
    if (el.dataset.startOn) out.startOn = el.dataset.startOn;
  }
  if (el.dataset.attached) out.attached = el.dataset.attached;
  return out;
}

globalThis.quireReader = new Reader();

declare global {
  var quireReader: Reader;
}
