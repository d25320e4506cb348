// The styles of elements. Most elements of a document look like others: the browser
// is asked once for each parent's look, tag, class and style attribute.

import { hex } from "./colors";
import { covers } from "./faces";
import type { Edge, Outline, Sides, Style } from "./types";

/** What is known of an element's style. */
export interface Look {
  /** Differs for each look. */
  n: number;
  /** Of its style among those that were read, and of what it says of text alone. */
  style: number;
  text: number;
  display: string;
  inline: boolean;
  hidden: boolean;
  outOfFlow: boolean;
  /** Blocks that the report says nothing of may be broken in it. */
  avoid: boolean;
  breakBefore: boolean;
  white: string;
  rtl: boolean;
  columns: number;
  columnGap: number;
  row: boolean;
  /** Where boxes stand that are narrower than the flex column in which they are: center, end, or "". */
  items: string;
  marker: string;
  markerColor: string;
  fit: string;
  position: string;
  turn: number;
  vertical: boolean;
  font: number;
  lineHeight: number;
  opacity: number;
  /** How many times as large it is drawn as its style says. */
  scale: number;
  hyphens: boolean;
  leader: string;
  leaderColor: string;
  /** Room after an element in a line. */
  after: number;
  outline: Outline | null;
}

const FORCED = new Set(["page", "left", "right", "recto", "verso", "always", "all"]);
const LETTER = new Set(["x".codePointAt(0)!]);
const SIDES = ["Top", "Right", "Bottom", "Left"] as const;

export class Looks {
  readonly styles: Style[] = [];
  private readonly places = new Map<string, number>();
  private readonly known = new Map<string, Look>();
  /** Selectors that tell elements apart by more than keys have; null where that is too much. */
  private readonly telling: string[] | null;
  private readonly heights = new Map<string, number>();
  private readonly view: Window;
  private count = 0;

  constructor(doc: Document) {
    this.view = doc.defaultView!;
    this.telling = structural(doc);
  }

  /** The look of an element in a parent. */
  of(el: Element, parent: Look | null): Look {
    if (!this.telling) return this.read(el, parent);
    let key = keyOf(el, parent);
    for (const selector of this.telling) key += el.matches(selector) ? "1" : "0";
    let found = this.known.get(key);
    if (!found) this.known.set(key, (found = this.read(el, parent)));
    return found;
  }

  private read(el: Element, parent: Look | null): Look {
    const s = this.view.getComputedStyle(el);
    const opacity = (parent?.opacity ?? 1) * (Number(s.opacity) || 0);
    const scale = (parent?.scale ?? 1) * scaleOf(el, s);
    const zoom = (el.currentCSSZoom ?? 1) * scale;
    const display = s.display;
    const of = new Reading(s, opacity, zoom, this.heightOf(s.fontFamily));
    const inline = display.startsWith("inline") || display.startsWith("ruby");
    const text = of.text();
    const box = of.box(el, display);
    if (inline) inherit(text, box, parent?.inline ? this.styles[parent.text]! : {}, parent && this.styles[parent.text]);
    const at = this.place(text); // the first is that of the body
    const font = parseFloat(s.fontSize);
    const listed = el.tagName === "LI" || display === "list-item";
    const picture = el.tagName === "IMG";
    const leader = el.classList.contains("q-leader");
    return {
      n: this.count++,
      style: this.place({ name: nameOf(el), ...text, ...box }),
      text: at,
      display,
      inline,
      hidden: display === "none" || s.visibility !== "visible" || opacity === 0,
      outOfFlow: s.position === "absolute" || s.position === "fixed",
      avoid: s.breakInside.startsWith("avoid"),
      breakBefore: FORCED.has(s.breakBefore),
      white: text.white ?? "normal",
      rtl: text.rtl ?? false,
      columns: inline ? 1 : Number(s.columnCount) || 1,
      columnGap: inline ? 0 : (parseFloat(s.columnGap) || font) * zoom,
      row: display.endsWith("flex") && s.flexDirection.startsWith("row"),
      items: itemsOf(s, display),
      marker: listed ? s.listStyleType : "",
      markerColor: display === "list-item" ? hex(this.view.getComputedStyle(el, "::marker").color, opacity) : "",
      fit: picture ? s.objectFit : "",
      position: picture ? s.objectPosition : "",
      turn: turnOf(s.transform, s.rotate),
      vertical: s.writingMode !== "horizontal-tb",
      font: font * zoom,
      lineHeight: text.lineHeight ?? font * 1.2 * zoom,
      opacity,
      scale,
      hyphens: s.hyphens === "auto",
      leader: leader ? s.borderBottomStyle : "",
      leaderColor: leader ? hex(s.borderBottomColor, opacity) : "",
      outline: of.outline(),
      after: inline ? round((parseFloat(s.marginInlineEnd) || 0) * zoom) : 0,
    };
  }

  /** The style of what fills a line between texts of another. */
  leading(style: number, color: string): number {
    const { weight, ...made } = this.styles[style]!;
    return this.place({ ...made, ...(color ? { color } : {}) });
  }

  /** A style of text with room after each letter. */
  spaced(style: number, room: number): number {
    return this.place({ ...this.styles[style]!, spacing: round((this.styles[style]!.spacing ?? 0) + room) });
  }

  /** How high a line of a font is by itself, in sizes of its letters: by a face that is there, for a canvas does not wait for one. */
  private heightOf(families: string): number {
    let height = this.heights.get(families);
    if (height === undefined) {
      const name = family(families);
      const face = [...document.fonts].find((f) => f.status === "loaded" && family(f.family) === name && covers(f.unicodeRange, LETTER));
      const ink = document.createElement("canvas").getContext("2d")!;
      ink.font = `${face ? `${face.style} ${face.weight.split(" ")[0]} ` : ""}100px ${families}`;
      const m = ink.measureText("x");
      height = Math.round(m.fontBoundingBoxAscent + m.fontBoundingBoxDescent) / 100;
      this.heights.set(families, height);
    }
    return height;
  }

  /** The place of a style; the same style has the same. */
  place(style: Style): number {
    const key = JSON.stringify(style);
    let at = this.places.get(key);
    if (at === undefined) {
      at = this.styles.push(style) - 1;
      this.places.set(key, at);
    }
    return at;
  }
}

/** Gives the text of an element in a line what is drawn around it: the browser tells of these only where they were said. */
function inherit(text: Style, box: Style, line: Style, around: Style | null | undefined): void {
  if (around?.underline) text.underline = true;
  if (around?.strike) text.strike = true;
  if (line.shift && !text.shift) text.shift = line.shift;
  const background = box.background ?? line.background;
  if (background) text.background = background;
}

/** All that style sheets without structural selectors can tell elements apart by. */
function keyOf(el: Element, parent: Look | null): string {
  const before = el.previousElementSibling;
  const attributes = ["style", "dir", "lang", "colspan", "data-overflow"].map((name) => el.getAttribute(name) ?? "").join("|");
  const uncounted = el.getAttribute("data-number") === "" ? "#" : "";
  const place = (before ? `${before.tagName}.${before.getAttribute("class") ?? ""}` : "-") + (el.nextElementSibling ? "" : "$");
  return `${parent?.n ?? ""}|${el.tagName}|${el.getAttribute("class") ?? ""}|${attributes}|${uncounted}${place}`;
}

const STRUCTURAL = /:nth-|:only-|-of-type|:empty|~|#|\[(?!dir|colspan|data-overflow|data-number=""|data-narrow|style|width)/;

/** How many selectors are asked about each element; with more, reading all of it is as fast. */
const MOST_TELLING = 16;

/**
 * The selectors of style sheets that tell elements apart by more than keys have; null where
 * there are too many, or such as cannot be asked.
 */
function structural(doc: Document): string[] | null {
  const found = new Set<string>();
  try {
    for (const sheet of doc.styleSheets) for (const rule of sheet.cssRules) telling(rule, found);
    const list = [...found].map(ofElement);
    for (const selector of list) doc.body.matches(selector); // says at once what it cannot answer
    return list.length > MOST_TELLING ? null : list;
  } catch {
    return null;
  }
}

function telling(rule: CSSRule, found: Set<string>): void {
  if (rule instanceof CSSStyleRule) {
    if (rule.cssRules.length > 0) throw new Error("nested rules");
    const s = rule.selectorText;
    if (STRUCTURAL.test(s) || (s.includes(":has(") && !/q-page-number|q-kv-divider/.test(s))) found.add(s);
  } else if (rule instanceof CSSGroupingRule && !(rule instanceof CSSPageRule) && !(rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches)) {
    for (const inner of rule.cssRules) telling(inner, found);
  }
}

/** A selector of the elements whose parts before, after and at their markers it is about. */
function ofElement(selector: string): string {
  return selector.replace(/(^|[\s>+~,(])?::?(?:before|after|marker|first-line|first-letter)\b/g, (_, start?: string) => (start === undefined ? "" : `${start}*`));
}

/** What the style is of: the component's or part's class, or the element. */
function nameOf(el: Element): string {
  const own = [...el.classList].filter((c) => c.startsWith("q-") && c !== "q-el");
  return own[0]?.slice(2) ?? el.tagName.toLowerCase();
}

function scaleOf(el: Element, s: CSSStyleDeclaration): number {
  if (!el.classList.contains("q-scaled-content")) return 1;
  const m = /^matrix\(([\d.]+), 0, 0, ([\d.]+)/.exec(s.transform);
  return m ? Number(m[1]) : 1;
}

/** The degrees that a transformation turns by, clockwise. */
function turnOf(transform: string, rotate: string): number {
  let turn = rotate.endsWith("deg") ? parseFloat(rotate) : 0;
  const m = /^matrix\(([-\d.e]+), ([-\d.e]+)/.exec(transform);
  if (m) turn += (Math.atan2(Number(m[2]), Number(m[1])) * 180) / Math.PI;
  return Math.round(turn * 100) / 100;
}

/** Reads one computed style: as little of it as can be, for the browser writes each value anew. */
class Reading {
  constructor(
    private readonly s: CSSStyleDeclaration,
    private readonly opacity: number,
    private readonly zoom: number,
    private readonly natural: number,
  ) {}

  text(): Style {
    const { s } = this;
    const out: Style = { font: family(s.fontFamily), natural: this.natural, size: this.length(s.fontSize), color: hex(s.color, this.opacity) };
    const weight = Number(s.fontWeight);
    if (weight !== 400) out.weight = weight;
    if (s.fontStyle !== "normal") out.italic = true;
    const lines = s.textDecorationLine;
    if (lines.includes("underline")) out.underline = true;
    if (lines.includes("line-through")) out.strike = true;
    const spacing = s.letterSpacing;
    if (spacing !== "normal" && parseFloat(spacing) !== 0) out.spacing = this.length(spacing);
    const transform = s.textTransform;
    if (transform !== "none") out.transform = transform;
    if (s.fontVariantCaps !== "normal") out.smallCaps = true;
    const shift = s.verticalAlign;
    if (shift === "super" || shift === "sub") out.shift = shift;
    const white = s.whiteSpace;
    if (white !== "normal") out.white = white;
    const rtl = s.direction === "rtl";
    if (rtl) out.rtl = true;
    const align = alignOf(s.textAlign, rtl);
    if (align) out.align = align;
    const height = s.lineHeight;
    if (height !== "normal") out.lineHeight = this.length(height);
    const indent = s.textIndent;
    if (parseFloat(indent) !== 0) out.indent = this.length(indent);
    return out;
  }

  box(el: Element, display: string): Style {
    const { s } = this;
    const out: Style = {};
    if (display === "flex" || display === "inline-flex") out.display = s.flexDirection.startsWith("row") ? "row" : "column";
    else if (display === "grid" || display === "inline-grid") out.display = "grid";
    else if (display === "inline-block") out.display = display;
    const margin = this.sides(s.margin);
    if (margin) out.margin = margin;
    const padding = this.sides(s.padding);
    if (padding) out.padding = padding;
    const border = this.border(el);
    if (border) out.border = border;
    const radius = s.borderTopLeftRadius;
    if (parseFloat(radius) > 0) out.radius = this.length(radius);
    const background = hex(s.backgroundColor, this.opacity);
    if (background) out.background = background;
    const vertical = verticalOf(s, display);
    if (vertical) out.vertical = vertical;
    if (out.display) {
      if (parseFloat(s.columnGap) > 0) out.gap = this.length(s.columnGap);
      if (parseFloat(s.rowGap) > 0) out.rowGap = this.length(s.rowGap);
    }
    const least = Math.max(parseFloat(s.minHeight) || 0, /(^|[;\s])height:/.test(el.getAttribute("style") ?? "") ? parseFloat(s.height) || 0 : 0);
    if (least > 0) out.height = round(least * this.zoom);
    return out;
  }

  private length(css: string): number {
    return round((parseFloat(css) || 0) * this.zoom);
  }

  /** The lengths of a shorthand of one to four: that of a side which is not said is that across. */
  private sides(css: string): Sides | undefined {
    if (css === "0px") return undefined;
    const [top, right = top, bottom = top, left = right] = css.split(" ").map((length) => this.length(length));
    const list: Sides = [top!, right!, bottom!, left!];
    return list.some((v) => v !== 0) ? list : undefined;
  }

  private border(el: Element): [Edge, Edge, Edge, Edge] | undefined {
    const edges = this.edges(this.s);
    // Heads over several columns have their line in a piece of their own, which leaves room at its ends.
    if (el.tagName === "TH" && (el as HTMLTableCellElement).colSpan > 1 && !edges[2]!.width) {
      const under = el.ownerDocument.defaultView!.getComputedStyle(el, "::after");
      if (under.content !== "none" && under.position === "absolute") edges[2] = this.edges(under)[2]!;
    }
    return edges.some((e) => e.width) ? (edges as [Edge, Edge, Edge, Edge]) : undefined;
  }

  outline(): Outline | null {
    const { s } = this;
    const line = s.outlineStyle;
    if (line === "none" || line === "auto") return null;
    const width = this.length(s.outlineWidth);
    const color = hex(s.outlineColor, this.opacity);
    if (width === 0 || color === "") return null;
    return { edge: line === "solid" ? { width, color } : { width, line, color }, offset: this.length(s.outlineOffset) };
  }

  private edges(s: CSSStyleDeclaration): Edge[] {
    if (s.borderStyle === "none") return SIDES.map(() => ({}));
    return SIDES.map((side): Edge => {
      const line = s[`border${side}Style`];
      if (line === "none" || line === "hidden") return {};
      const width = this.length(s[`border${side}Width`]);
      const color = hex(s[`border${side}Color`], this.opacity);
      if (width === 0 || color === "") return {};
      return line === "solid" ? { width, color } : { width, line, color };
    });
  }
}

const GENERIC: Record<string, string> = { "sans-serif": "Arial", "system-ui": "Arial", "ui-sans-serif": "Arial", serif: "Times New Roman", "ui-serif": "Times New Roman", monospace: "Courier New", "ui-monospace": "Courier New" };

/** The first family of a list that is one. */
function family(list: string): string {
  const first = list.split(",")[0]!.trim().replace(/^["']|["']$/g, "");
  return GENERIC[first] ?? first;
}

function itemsOf(s: CSSStyleDeclaration, display: string): string {
  if (!display.endsWith("flex") || !s.flexDirection.startsWith("column")) return "";
  const items = s.alignItems.replace("flex-", "");
  return items === "center" || items === "end" ? items : "";
}

function alignOf(align: string, rtl: boolean): string {
  switch (align.replace("-webkit-", "")) {
    case "center":
      return "center";
    case "justify":
      return "justify";
    case "right":
      return rtl ? "" : "right";
    case "left":
      return rtl ? "left" : "";
    case "end":
      return rtl ? "left" : "right";
  }
  return "";
}

function verticalOf(s: CSSStyleDeclaration, display: string): string {
  const by = display === "table-cell" ? s.verticalAlign : display === "flex" ? (s.flexDirection.startsWith("row") ? s.alignItems : s.justifyContent) : display === "grid" ? s.alignItems : "";
  if (by.includes("center") || by === "middle") return "middle";
  if (by.includes("end") || by === "bottom") return "bottom";
  return by.includes("baseline") ? "baseline" : "";
}

/** A hundredth of a pixel is finer than anybody sees. */
export function round(v: number): number {
  return Math.round(v * 100) / 100;
}
