// What stands in lines: texts with their blanks as they are drawn, links, fields,
// pictures, breaks.

import { type Look, round } from "./looks";
import type { Out, Rect } from "./types";
import type { Around } from "./around";

const BLANKS = /[ \t\n\r\f]+/g;

/** Gathers one paragraph. */
export class Line {
  private nodes: Out[] = [];
  private into: Out[] = this.nodes;
  /** A blank that is drawn if something follows. */
  private blank: { style: number; into: Out[] } | null = null;
  private begun = false;
  /** Room after what was read last. */
  private room = 0;
  private rects: DOMRect[] = [];
  private last: DOMRect | null = null;
  private anchors: string[] = [];

  constructor(
    readonly walk: Around,
    private readonly look: Look,
    private readonly el: Element,
    private readonly link: string,
  ) {}

  text(node: Text, look: Look): void {
    const { data } = node;
    const kept = look.white.startsWith("pre") || look.white === "break-spaces";
    if (!kept) {
      this.span(node, look, 0, data.length, false);
      return;
    }
    // Breaks are kept, and but for pre-line blanks, too.
    let from = 0;
    for (const m of data.matchAll(/\r\n|\n|\r|$/g)) {
      this.span(node, look, from, m.index, look.white !== "pre-line");
      from = m.index + m[0].length;
      if (m[0] !== "") this.push({ kind: "break", style: look.text });
    }
  }

  /** A part of a text, in pages with the breaks that the browser gave it. */
  private span(node: Text, look: Look, from: number, to: number, kept: boolean): void {
    if (from === to) return;
    const put = (text: string) => {
      if (text === "") return;
      if (kept) this.write(text, look.text);
      else this.put(text, look.text);
    };
    if (this.walk.state === "pages") this.broken(node, look, from, to, put);
    else put(node.data.slice(from, to));
  }

  /** Adds text, blanks being drawn as one. */
  private put(data: string, style: number): void {
    const text = data.replace(BLANKS, " ");
    if (text === " ") {
      if (this.begun) this.blank ??= { style, into: this.into };
      return;
    }
    const trailing = text.endsWith(" ");
    const leading = text.startsWith(" ");
    const body = text.slice(leading ? 1 : 0, trailing ? -1 : undefined);
    if (leading && this.begun) this.blank ??= { style: this.room > 0 ? this.walk.looks.spaced(style, this.room) : style, into: this.into };
    this.write(body, style);
    if (trailing) this.blank = { style, into: this.into };
  }

  private write(text: string, style: number): void {
    const blank = this.blank;
    this.blank = null;
    this.room = 0;
    if (blank && blank.into === this.into && blank.style === style) append(this.into, " " + text, style);
    else {
      if (blank) append(blank.into, " ", blank.style);
      append(this.into, text, style);
    }
    this.begun = true;
  }

  /** Whether a box begins a line below those seen before. */
  private below(r: DOMRect): boolean {
    return this.last !== null && r.top >= this.last.bottom - this.last.height * 0.4 && r.bottom > this.last.bottom;
  }

  private see(r: DOMRect): void {
    this.rects.push(r);
    if (!this.last || this.below(r)) this.last = r;
    else if (r.height > this.last.height) this.last = r;
  }

  private broken(node: Text, look: Look, begin: number, end: number, put: (text: string) => void): void {
    const range = this.walk.doc.createRange();
    range.setStart(node, begin);
    range.setEnd(node, end);
    const rects = [...range.getClientRects()].filter((r) => r.width > 0);
    const data = node.data.slice(0, end);
    if (rects.length <= 1) {
      if (rects[0] && this.below(rects[0])) this.softBreak(look, false);
      if (rects[0]) this.see(rects[0]);
      put(data.slice(begin));
      return;
    }
    let from = begin;
    for (const m of data.slice(begin).matchAll(/[^ \t\n\r\f]+/g)) {
      const at = begin + m.index;
      for (const piece of this.pieces(range, node, at, at + m[0].length)) {
        if (!piece.rect) continue;
        if (this.below(piece.rect)) {
          put(data.slice(from, piece.at));
          this.softBreak(look, look.hyphens && piece.at > at && !/[-‐­]$/.test(data.slice(0, piece.at)));
          from = piece.at;
        }
        this.see(piece.rect);
      }
    }
    put(data.slice(from));
  }

  /** The parts of a word by lines. */
  private pieces(range: Range, node: Text, from: number, to: number): { at: number; rect: DOMRect | undefined }[] {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter((r) => r.width > 0);
    if (rects.length <= 1 || to - from > 5000) return [{ at: from, rect: rects[0] }];
    const out: { at: number; rect: DOMRect | undefined }[] = [];
    let top = -Infinity;
    for (let i = from; i < to; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const r = range.getClientRects()[0];
      if (r && r.width > 0 && (out.length === 0 || r.top > top + r.height * 0.5)) {
        out.push({ at: i, rect: r });
        top = r.top;
      }
    }
    return out;
  }

  private softBreak(look: Look, hyphen: boolean): void {
    this.blank = null;
    this.into.push({ kind: "break", style: look.text, soft: true, ...(hyphen ? { hyphen: true } : {}) });
    this.begun = true;
  }

  /** Adds what is no text. */
  push(node: Out): void {
    const blank = this.blank;
    this.blank = null;
    if (node.kind === "break") {
      this.into.push(node);
      this.begun = false;
      this.last = null;
      return;
    }
    if (blank) append(blank.into, " ", blank.style);
    this.into.push(node);
    this.begun = true;
  }

  /** What was read last has room behind it, which the next blank is wider by. */
  wider(room: number): void {
    this.room = room;
  }

  /** A blank, if something stands before and after. */
  space(): void {
    if (this.begun) this.blank ??= { style: this.look.text, into: this.into };
  }

  /** A break before a block that stands in a line, and after it. */
  edge(): void {
    if (this.begun) this.push({ kind: "break", style: this.look.text });
  }

  box(el: Element): void {
    const r = el.getBoundingClientRect();
    if (this.walk.state !== "pages" || r.width === 0) return;
    if (this.below(r)) this.softBreak(this.look, false);
    this.see(r);
  }

  mark(el: Element): void {
    if (el.id && this.walk.targets.has(el.id)) this.anchors.push(el.id);
  }

  /** Puts what is read next into a link. */
  within(link: Out, read: () => void): void {
    const outer = this.into;
    if (outer !== this.nodes) {
      read(); // a link in a link
      return;
    }
    link.children = [];
    this.into = link.children;
    read();
    this.into = outer;
    if (link.children.length > 0) outer.push(link);
  }

  /** The paragraph; null where nothing is in it. */
  end(): Out | null {
    let nodes = this.nodes;
    const { anchors, rects } = this;
    const ended = nodes[nodes.length - 1];
    if (ended?.kind === "break" && !ended.soft && nodes.length > 1) nodes.pop();
    this.nodes = [];
    this.into = this.nodes;
    this.blank = null;
    this.begun = false;
    this.last = null;
    this.rects = [];
    this.anchors = [];
    if (nodes.length === 0) return null;
    if (this.walk.state === "pages" && this.el.classList.contains("q-hyphen")) append(nodes, "‐", this.look.text);
    if (this.link) nodes = linked(nodes, this.link, this.look.text);
    const out: Out = { kind: "paragraph", style: this.look.text, bare: true };
    const only = nodes[0]!;
    if (nodes.length === 1 && only.kind === "text" && only.style === this.look.text) out.text = only.text!;
    else out.children = nodes;
    if (anchors.length > 0) out.anchors = anchors;
    if (this.walk.state === "pages" && rects.length > 0) {
      out.lines = lines(rects).map((r) => this.walk.rect(r));
      out.box = extent(out.lines);
    }
    return out;
  }
}

function append(into: Out[], text: string, style: number): void {
  const last = into[into.length - 1];
  if (last?.kind === "text" && last.style === style) last.text += text;
  else into.push({ kind: "text", style, text });
}

/** The nodes in a link, but for those that have their own. */
function linked(nodes: Out[], ref: string, style: number): Out[] {
  return nodes.some((n) => n.kind === "link" || n.kind === "tab") ? nodes : [{ kind: "link", style, ref, children: nodes }];
}

/** Boxes of texts as those of their lines. */
function lines(rects: DOMRect[]): DOMRect[] {
  const out: DOMRect[] = [];
  for (const r of rects) {
    const last = out[out.length - 1];
    if (last && r.top < last.bottom - Math.min(r.height, last.height) * 0.4) {
      const left = Math.min(last.left, r.left);
      const top = Math.min(last.top, r.top);
      out[out.length - 1] = new DOMRect(left, top, Math.max(last.right, r.right) - left, Math.max(last.bottom, r.bottom) - top);
    } else out.push(r);
  }
  return out;
}

function extent(list: Rect[]): Rect {
  const left = Math.min(...list.map((r) => r[0]));
  const top = Math.min(...list.map((r) => r[1]));
  const right = Math.max(...list.map((r) => r[0] + r[2]));
  const bottom = Math.max(...list.map((r) => r[1] + r[3]));
  return [left, top, round(right - left), round(bottom - top)];
}

const PICTURES = new Set(["IMG", "SVG", "CANVAS", "MATH", "OBJECT", "VIDEO", "IFRAME"]);
const FIELDS: [string, string][] = [["q-page-number", "page"], ["q-page-count", "pages"], ["q-page-run-count", "run"], ["q-page-running", "running"], ["q-page-of", "pageOf"]];

/** Reads an element that stands in a line. */
export function inlineOf(line: Line, el: Element, look: Look): void {
  const { walk } = line;
  line.mark(el);
  const tag = el.tagName.toUpperCase();
  if (tag === "BR") {
    line.push({ kind: "break", style: look.text });
    return;
  }
  if (PICTURES.has(tag)) {
    line.box(el);
    const picture = walk.picture(el, look);
    if (picture) line.push(picture);
    return;
  }
  const note = walk.state === "flow" && el.classList.contains("q-note-call") && walk.note(el);
  if (note) {
    line.push({ kind: "note", style: look.text, children: note });
    return;
  }
  const field = FIELDS.find(([name]) => el.classList.contains(name))?.[1];
  if (field) {
    line.box(el);
    const target = el.getAttribute("data-target") ?? el.getAttribute("data-ref");
    line.push({ kind: "field", style: look.text, field, text: el.textContent ?? "", ...(target ? { ref: target } : {}) });
    return;
  }
  const inside = () => {
    for (let n = el.firstChild; n; n = n.nextSibling) {
      if (n.nodeType === 3) line.text(n as Text, look);
      else if (n.nodeType === 1) inner(line, n as Element, look);
    }
  };
  const href = tag === "A" ? el.getAttribute("href") : null;
  if (href) line.within({ kind: "link", style: look.text, ref: href }, inside);
  else inside();
  if (look.after > 1) line.wider(look.after);
}

/** A block that stands in a line has its own. */
function inner(line: Line, el: Element, parent: Look): void {
  if (el.tagName === "SCRIPT" || el.tagName === "STYLE" || el.tagName === "TEMPLATE" || el.classList.contains("q-hidden")) return;
  const look = line.walk.looks.of(el, parent);
  if (look.hidden) return;
  if (look.inline || look.display === "contents" || PICTURES.has(el.tagName.toUpperCase())) {
    inlineOf(line, el, look);
    return;
  }
  line.edge();
  inlineOf(line, el, look);
  line.edge();
}
