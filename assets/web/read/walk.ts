// Reads elements: what stands in blocks, and what stands in lines.

import { inlineOf, Line } from "./inline";
import { type Look, Looks, round } from "./looks";
import { outlined } from "./outline";
import { isUnseen, Pictures } from "./pictures";
import { short } from "./short";
import { readTable } from "./table";
import type { Around } from "./around";
import { KEEP_BEFORE, KEEP_NEXT, KEEP_TOGETHER, type Out, type Rect, type State, type Style } from "./types";

const HEADING = /^H([1-6])$/;
const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "HEAD", "TITLE", "META", "LINK", "COLGROUP", "COL", "NOSCRIPT"]);
const PICTURES = new Set(["IMG", "SVG", "CANVAS", "MATH", "OBJECT", "VIDEO", "IFRAME"]);
/** What takes all of its room in Word; tables and pictures have widths. */
const NARROWED = new Set(["block", "paragraph", "list", "columns", "flex"]);
const OWN_WIDTH = /(^|[;\s])(max-)?width:/;
/** Lines of a flow that wraps differ by more than this in height. */
const LINE = 1;

/** A round piece of colour without a word, such as one of five for how well somebody speaks a language. */
function isDot(el: Element, look: Look, style: Style): boolean {
  if (!style.radius || !style.background || look.inline || el.childNodes.length > 0) return false;
  const r = el.getBoundingClientRect();
  return r.width >= 1 && r.width <= 64 && r.height >= 1 && r.height <= 64 && style.radius >= Math.min(r.width, r.height) / 2 - 0.5;
}

export class Walk implements Around {
  readonly looks: Looks;
  readonly pictures: Pictures;
  /** What links and fields refer to. */
  readonly targets: Set<string>;
  private left = 0;
  private top = 0;
  private link = "";
  private depth = 0;

  constructor(
    readonly doc: Document,
    readonly state: State,
  ) {
    this.looks = new Looks(doc);
    this.pictures = new Pictures(this.looks);
    this.targets = targetsOf(doc);
    this.looks.of(doc.body, null);
  }

  /** All that is read next stands on a sheet with this corner. */
  at(corner: DOMRect): void {
    this.left = corner.left;
    this.top = corner.top;
  }

  rect(r: { left: number; top: number; width: number; height: number }): Rect {
    return [round(r.left - this.left), round(r.top - this.top), round(r.width), round(r.height)];
  }

  box(el: Element): Rect {
    return this.rect(el.getBoundingClientRect());
  }

  picture(el: Element, look: Look): Out | null {
    return this.pictures.of(this, el, look);
  }

  /** A part of a sheet; null where there is nothing. */
  part(el: Element | null, parents: Element[]): Out | null {
    if (!el) return null;
    let look: Look | null = null;
    for (const up of parents) look = this.looks.of(up, look);
    const own = this.looks.of(el, look);
    const out: Out = { kind: "block", style: own.style, children: this.blocks(el, own, true) };
    if (this.state === "pages") out.box = this.box(el);
    this.anchor(el, out);
    return out;
  }

  /** The text of a footnote by its number in the text. */
  note(call: Element): Out[] | null {
    const area = call.closest(".q-sheet")?.querySelector(":scope > .q-notes");
    const first = Number(area?.firstElementChild?.firstElementChild?.textContent);
    const text = area?.children[Number(call.textContent) - first];
    if (!text) return null;
    const number = text.firstElementChild!;
    number.remove();
    const part = this.part(text, [this.doc.body, area!.parentElement!, area!]);
    text.prepend(number);
    return part?.children ?? null;
  }

  /** What a block holds; auto says whether pages may end inside. */
  blocks(el: Element, look: Look, auto: boolean): Out[] {
    const out: Out[] = [];
    const line = new Line(this, look, el, this.link);
    const flush = () => {
      const paragraph = line.end();
      if (paragraph) out.push(paragraph);
    };
    if (++this.depth < 120) {
      for (let n = el.firstChild; n; n = n.nextSibling) {
        if (n.nodeType === 3) {
          line.text(n as Text, look);
          continue;
        }
        if (n.nodeType !== 1) continue;
        const child = n as Element;
        if (SKIPPED.has(child.tagName)) continue;
        const own = this.looks.of(child, look);
        if (own.hidden || isUnseen(child)) continue;
        if (own.inline && !own.outOfFlow && !isBlockPicture(child, own)) {
          inlineOf(line, child, own);
          continue;
        }
        flush();
        const at = out.length;
        this.block(child, own, auto, out);
        if (this.state !== "flow" || own.outOfFlow) continue;
        if (look.items) this.moved(el, look, child, own, out[at]);
        this.narrowed(el, look, child, out[at]);
      }
    }
    this.depth--;
    flush();
    return out;
  }

  /** Reads an element that is a block of its own. */
  block(el: Element, look: Look, auto: boolean, out: Out[]): void {
    if (look.display === "contents") {
      out.push(...this.blocks(el, look, auto));
      return;
    }
    const before = out.length;
    const made = this.made(el, look, auto);
    if (made) out.push(made);
    const first = out[before];
    if (!first || first !== made) return;
    this.anchor(el, first);
    const id = el.getAttribute("data-id");
    if (id) first.id = id;
    this.keeps(el, look, auto, first, out[before - 1]);
    if (look.outOfFlow) {
      first.absolute = true;
      first.box ??= this.box(el);
    } else if (this.state === "pages" || (!first.children && !first.text)) {
      first.box ??= this.box(el);
    }
    if (look.outline) out[before] = outlined(first, look, this.looks, this.state, this.box(el));
  }

  /** A line of text in the middle or at the end of its flex column. */
  private moved(el: Element, look: Look, child: Element, own: Look, out: Out | undefined): void {
    const style = out?.kind === "paragraph" && this.looks.styles[out.style];
    if (!style || style.align) return;
    const r = child.getBoundingClientRect();
    if (r.width > el.getBoundingClientRect().width - 1 || r.height > own.lineHeight * 1.6) return;
    out.style = this.looks.place({ ...style, align: look.items === "center" ? "center" : style.rtl ? "left" : "right" });
  }

  /** A block with a width of its own: the room beside it is margin, as blocks of Word have no width. */
  private narrowed(el: Element, look: Look, child: Element, out: Out | undefined): void {
    if (!out || out.bare || !NARROWED.has(out.kind) || !OWN_WIDTH.test(child.getAttribute("style") ?? "")) return;
    const style = this.looks.styles[out.style]!;
    const { border, padding } = this.looks.styles[look.style]!;
    const outer = el.getBoundingClientRect();
    const inner = child.getBoundingClientRect();
    const left = round(inner.left - outer.left - (border?.[3].width ?? 0) - (padding?.[3] ?? 0));
    const right = round(outer.right - inner.right - (border?.[1].width ?? 0) - (padding?.[1] ?? 0));
    const [top, marginRight, bottom, marginLeft] = style.margin ?? [0, 0, 0, 0];
    if (left <= marginLeft + 1 && right <= marginRight + 1) return;
    out.style = this.looks.place({ ...style, margin: [top, Math.max(right, marginRight), bottom, Math.max(left, marginLeft)] });
  }

  private made(el: Element, look: Look, auto: boolean): Out | null {
    const tag = el.tagName;
    const inside = this.breakable(el, look, auto);
    if ((this.state === "flow" && look.turn !== 0) || look.vertical) return this.pictures.asSeen(this, el, look, "turned text");
    if (this.state === "flow" && isDot(el, look, this.looks.styles[look.style]!)) return this.pictures.dot(this, el, look);
    if (PICTURES.has(tag.toUpperCase())) return this.pictures.of(this, el, look);
    if (tag === "TABLE") return readTable(this, el as HTMLTableElement, look);
    if (tag === "HR" || el.classList.contains("q-separator")) return this.rule(el, look);
    if (tag === "UL" || tag === "OL") return this.list(el, look, inside);
    if (el.matches("nav.q-toc, nav.q-tof")) return this.contents(el, look, inside);
    if (el.classList.contains("q-entry")) return this.entry(el, look);
    if (tag === "FIGURE" || el.classList.contains("q-drawing")) {
      const picture = this.pictures.framed(this, el, look);
      if (picture) return picture;
    }
    const columns = this.state === "flow" && el.classList.contains("q-columns"); // which are boxes side by side to the paginator
    if (!columns && (look.display === "flex" || look.display === "inline-flex" || look.display === "grid" || look.display === "inline-grid")) {
      if (look.display.includes("grid") || look.row) return this.sideBySide(el, look, inside);
    }
    const link = this.link;
    if (tag === "A" && el.getAttribute("href")) this.link = el.getAttribute("href")!;
    const made = this.plain(el, look, inside);
    this.link = link;
    return made;
  }

  private plain(el: Element, look: Look, auto: boolean): Out {
    const count = columnsOf(el, look);
    if (count > 1 && this.state === "pages" && el.classList.contains("q-columns")) {
      const out: Out = { kind: "flex", style: look.style, children: this.blocks(el, look, auto) };
      this.role(el, out);
      return out;
    }
    if (count > 1 && this.state === "flow") {
      const inner = el.firstElementChild?.classList.contains("q-column") && el.childElementCount === 1 ? el.firstElementChild : el;
      const own = inner === el ? look : this.looks.of(inner, look);
      return { kind: "columns", style: look.style, columns: { count, gap: round(gapOf(el, look)) }, children: this.blocks(inner, own, auto) };
    }
    const children = this.blocks(el, look, auto);
    const only = children[0];
    const out: Out = only && children.length === 1 && only.kind === "paragraph" && only.bare ? { ...only, style: look.style } : { kind: "block", style: look.style, children };
    delete out.bare;
    delete out.box; // that of its lines
    if (children.length === 0) delete out.children;
    this.role(el, out);
    if (look.turn !== 0) this.turn(el, look, out);
    return out;
  }

  /** In pages a box that is turned has the box that it would have straight. */
  private turn(el: Element, look: Look, out: Out): void {
    const r = el.getBoundingClientRect();
    const width = (el as HTMLElement).offsetWidth;
    const height = (el as HTMLElement).offsetHeight;
    out.turn = look.turn;
    out.box = this.rect({ left: (r.left + r.right - width) / 2, top: (r.top + r.bottom - height) / 2, width, height });
  }

  private role(el: Element, out: Out): void {
    const heading = HEADING.exec(el.tagName);
    if (heading && out.kind === "paragraph") {
      out.role = "heading";
      out.level = Number(heading[1]);
    } else if (el.classList.contains("q-figure-caption") && out.kind === "paragraph") {
      out.role = "caption";
      out.ref = /^figure-(\w+)-\d/.exec(el.id)?.[1] ?? "general";
      number(out, /-(\d+)(-\d+)?$/.exec(el.id)?.[1] ?? "");
    } else if (el.tagName === "BLOCKQUOTE") out.role = "quote";
    else if (el.tagName === "PRE") out.role = "code";
    else if (el.tagName === "DL" && el.classList.contains("q-key-value-grid")) out.role = "pairs";
    else if (el.tagName === "DT") out.role = "term";
  }

  /** A line: its border says how it looks. */
  private rule(el: Element, look: Look): Out {
    const box = this.box(el);
    const style = { ...this.looks.styles[look.style]! };
    const upright = box[3] > box[2];
    const width = upright ? box[2] : box[3];
    const own = style.border?.find((e) => e.width);
    const edge = own ?? { width: round(width), color: style.background ?? "000000" };
    delete style.background;
    delete style.height;
    style.border = upright ? [{}, {}, {}, edge] : [edge, {}, {}, {}];
    return { kind: "rule", style: this.looks.place(style), box };
  }

  private list(el: Element, look: Look, auto: boolean): Out {
    const ordered = el.tagName === "OL";
    const out: Out = { kind: "list", style: look.style, list: {}, children: [] };
    if (ordered) out.list!.ordered = true;
    const start = (el as HTMLOListElement).start;
    if (ordered && start !== 1) out.list!.start = start;
    for (const li of el.children) {
      const own = this.looks.of(li, look);
      if (own.hidden) continue;
      if (out.list!.marker === undefined && !li.classList.contains("q-cut-start")) {
        out.list!.marker = own.marker;
        if (own.markerColor) out.list!.color = own.markerColor;
      }
      const item: Out = { kind: "item", style: own.style, children: this.blocks(li, own, this.breakable(li, own, auto)) };
      this.anchor(li, item);
      if (li.tagName !== "LI" || own.display !== "list-item") item.role = "plain";
      if (this.state === "pages") item.box = this.box(li);
      if (li.classList.contains("q-cut-start")) item.role = "plain";
      out.children!.push(short(item));
    }
    return out;
  }

  private contents(el: Element, look: Look, auto: boolean): Out {
    const out = this.plain(el, look, auto);
    if (out.kind === "paragraph") return out;
    out.role = el.classList.contains("q-tof") ? "figures" : "contents";
    if (out.role === "figures") out.ref = /^#figure-(\w+)-\d/.exec(el.querySelector(".q-entry")?.getAttribute("href") ?? "")?.[1] ?? "general";
    return out;
  }

  /** A line of contents: its title, a leader, and the page. */
  private entry(el: Element, look: Look): Out {
    const line = new Line(this, look, el, "");
    for (const part of el.children) {
      const own = this.looks.of(part, look);
      if (part.classList.contains("q-leader")) {
        line.push({ kind: "tab", style: this.looks.leading(look.text, own.leaderColor), ...(own.leader === "none" ? {} : { fill: own.leader }) });
        continue;
      }
      if (part.classList.contains("q-page-of") && !el.querySelector(".q-leader")) line.space();
      inlineOf(line, part, own);
    }
    const made = line.end() ?? { kind: "paragraph", style: look.style };
    delete made.bare;
    delete made.box;
    const ref = el.getAttribute("href") ?? "";
    const level = /q-toc-(\d)/.exec(el.className)?.[1];
    return { ...made, style: look.style, role: "entry", ref, level: Number(level ?? 1) };
  }

  /** Boxes side by side, in as many lines as they take. */
  private sideBySide(el: Element, look: Look, auto: boolean): Out {
    const parts: { out: Out; r: DOMRect }[] = [];
    const line = new Line(this, look, el, this.link);
    const range = this.doc.createRange();
    for (const n of el.childNodes) {
      if (n.nodeType === 3) {
        if (/^[ \t\n\r\f]*$/.test((n as Text).data)) continue;
        line.text(n as Text, look);
        const text = line.end();
        range.selectNodeContents(n);
        if (text) parts.push({ out: text, r: range.getBoundingClientRect() });
        continue;
      }
      if (n.nodeType !== 1 || SKIPPED.has((n as Element).tagName)) continue;
      const child = n as Element;
      const own = this.looks.of(child, look);
      if (own.hidden || isUnseen(child)) continue;
      const made: Out[] = [];
      this.block(child, own, own.outOfFlow ? auto : false, made);
      const r = child.getBoundingClientRect();
      if (this.state === "flow" && made.length === 1 && made[0]!.kind === "paragraph" && !own.outOfFlow) made[0]!.box = this.unstretched(child, own, r, range);
      for (const out of made) parts.push({ out, r });
    }
    const lines: Out[][] = [];
    const loose: Out[] = [];
    let bottom = -Infinity;
    for (const { out, r } of parts) {
      if (out.absolute) {
        loose.push(out);
        continue;
      }
      out.box ??= this.rect(r);
      if (r.top >= bottom - LINE || lines.length === 0) {
        lines.push([]);
        bottom = -Infinity;
      }
      bottom = Math.max(bottom, r.bottom);
      lines[lines.length - 1]!.push(out);
    }
    const pair = el.classList.contains("q-kv-row") ? { role: "pair" } : {};
    if (lines.length === 1 && loose.length === 0) return { kind: "flex", style: look.style, ...pair, children: lines[0]! };
    const children = lines.map((list): Out => ({ kind: "flex", style: look.style, bare: true, ...pair, children: list }));
    return { kind: "block", style: look.style, children: [...children, ...loose] };
  }

  /** The box of a text that may be as high as what stands beside it: as high as its lines. */
  private unstretched(el: Element, look: Look, r: DOMRect, range: Range): Rect {
    const box = this.rect(r);
    if (r.height < look.lineHeight * 1.6) return box;
    range.selectNodeContents(el);
    const { border, padding } = this.looks.styles[look.style]!;
    const around = (padding?.[0] ?? 0) + (padding?.[2] ?? 0) + (border?.[0].width ?? 0) + (border?.[2].width ?? 0);
    box[3] = round(Math.min(r.height, range.getBoundingClientRect().height + around));
    return box;
  }

  /** Elements of the report are whole unless they say otherwise; plain HTML follows its container. */
  private breakable(el: Element, look: Look, auto: boolean): boolean {
    const said = el.getAttribute("data-break");
    if (said !== null) return said === "auto";
    return auto && !el.classList.contains("q-el") && !look.avoid;
  }

  private keeps(el: Element, look: Look, auto: boolean, out: Out, before: Out | undefined): void {
    if (this.state === "pages") return;
    let keep = out.keep ?? 0;
    if (!this.breakable(el, look, auto)) keep |= KEEP_TOGETHER;
    if (el.hasAttribute("data-keep-next") || HEADING.test(el.tagName)) keep |= KEEP_NEXT;
    if (el.getAttribute("data-break-before") === "page" || look.breakBefore) keep |= KEEP_BEFORE;
    if (keep) out.keep = keep;
    if (el.hasAttribute("data-keep-prev") && before) before.keep = (before.keep ?? 0) | KEEP_NEXT;
  }

  anchor(el: Element, out: Out): void {
    if (el.id && this.targets.has(el.id)) out.anchors = [...(out.anchors ?? []), el.id];
  }
}

/** Puts a field into the place of the number that a caption's name has. */
function number(out: Out, n: string): void {
  if (!n) return;
  if (out.text !== undefined) {
    out.children = [{ kind: "text", style: out.style, text: out.text }];
    delete out.text;
  }
  const list = out.children ?? [];
  for (let i = 0; i < list.length; i++) {
    const t = list[i]!;
    const at = t.kind === "text" ? (t.text ?? "").lastIndexOf(n) : -1;
    if (at < 0) continue;
    const parts: Out[] = [];
    if (at > 0) parts.push({ kind: "text", style: t.style, text: t.text!.slice(0, at) });
    parts.push({ kind: "field", style: t.style, field: "number", ref: out.ref ?? "", text: n });
    if (at + n.length < t.text!.length) parts.push({ kind: "text", style: t.style, text: t.text!.slice(at + n.length) });
    list.splice(i, 1, ...parts);
    return;
  }
}

/** A picture that stands alone in its block. */
function isBlockPicture(el: Element, look: Look): boolean {
  return PICTURES.has(el.tagName.toUpperCase()) && look.display === "block";
}

function columnsOf(el: Element, look: Look): number {
  if (el.classList.contains("q-columns")) return Number((el as HTMLElement).style.getPropertyValue("--q-columns")) || 1;
  return look.columns;
}

function gapOf(el: Element, look: Look): number {
  return el.classList.contains("q-columns") ? parseFloat((el as HTMLElement).style.getPropertyValue("--q-column-gap")) || look.columnGap : look.columnGap;
}

function targetsOf(doc: Document): Set<string> {
  const ids = new Set<string>();
  for (const a of doc.querySelectorAll("a[href^='#']")) {
    const raw = a.getAttribute("href")!.slice(1);
    ids.add(raw);
    try {
      ids.add(decodeURIComponent(raw));
    } catch {
      // The address is none; the raw one is kept.
    }
  }
  for (const el of doc.querySelectorAll(".q-page-of")) ids.add(el.getAttribute("data-target") ?? "");
  for (const el of doc.querySelectorAll("[data-outline], .q-figure-caption")) ids.add(el.id);
  ids.delete("");
  return ids;
}
