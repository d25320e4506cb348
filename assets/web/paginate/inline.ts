// What stands in the lines of a paragraph, as boxes between which lines may end.

import type { Box } from "./breaks";
import { measuringRange } from "./nodes";
import { zoomOf } from "./units";

/** Blanks, spaces that end no line, hyphens that show where a line ends, other places where one may end, and dashes. */
const PARTS = /[ \t\n\r\f]+|\u00a0|\u00ad|\u200b|(?<=\p{L})[-\u2010\u2013](?=\p{L})|\u2014/gu;
const BLANK = /^[ \t\n\r\f]/;

/** What sets letters apart from the same of another text. */
const LOOK = ["fontFamily", "fontSize", "fontWeight", "fontStyle", "fontStretch", "fontVariant", "fontFeatureSettings", "fontKerning", "letterSpacing", "wordSpacing", "textTransform"] as const;

export type Spot = [node: Node, offset: number];

/** A paragraph, or what stands between two forced breaks of it, and where each of its boxes begins and ends. */
export interface Run {
  boxes: Box[];
  starts: Spot[];
  ends: Spot[];
}

/** Widths of texts of one look, as drawn. */
interface Widths {
  known: Map<string, number>;
  /** Stands in a paragraph of that look while it is measured. */
  probe: HTMLElement | null;
}

/** Measures texts; what was measured once, which is most of a long text, is known. */
export class Ruler {
  private readonly looks = new Map<string, Widths>();

  /** Makes ready what is needed to measure a space and a hyphen of a paragraph; to be called for all before any is measured. */
  prepare(block: HTMLElement): void {
    const widths = this.widths(block);
    if (widths.probe) return;
    widths.probe = block.ownerDocument.createElement("span");
    widths.probe.style.cssText = "position:absolute;visibility:hidden;white-space:pre";
    widths.probe.textContent = "\u00a0\u2010";
    block.append(widths.probe);
  }

  done(): void {
    for (const { probe } of this.looks.values()) probe?.remove();
  }

  isProbe(node: Node): boolean {
    return node.nodeType === 1 && (node as Element).tagName === "SPAN" && [...this.looks.values()].some(({ probe }) => probe === node);
  }

  space(block: HTMLElement): number {
    const widths = this.widths(block);
    return this.width(widths, widths.probe!.firstChild as Text, 0, 1);
  }

  hyphen(block: HTMLElement): number {
    const widths = this.widths(block);
    return this.width(widths, widths.probe!.firstChild as Text, 1, 2);
  }

  widths(el: Element): Widths {
    const style = styleOf(el);
    const look = `${LOOK.map((name) => style[name]).join()},${zoomOf(el)},${el.closest("[lang]")?.getAttribute("lang") ?? ""}`;
    let widths = this.looks.get(look);
    if (!widths) this.looks.set(look, (widths = { known: new Map(), probe: null }));
    return widths;
  }

  width({ known }: Widths, text: Text, from: number, to: number): number {
    const part = text.data.slice(from, to);
    let width = known.get(part);
    if (width === undefined) {
      const range = measuringRange(text.ownerDocument);
      range.setStart(text, from);
      range.setEnd(text, to);
      width = 0;
      for (const r of range.getClientRects()) width += r.width;
      known.set(part, width);
    }
    return width;
  }
}

const styleOf = (el: Element) => el.ownerDocument.defaultView!.getComputedStyle(el);
const lengths = (...texts: string[]) => texts.reduce((sum, t) => sum + (parseFloat(t) || 0), 0);

/** The runs of a paragraph. */
export function runsOf(block: HTMLElement, ruler: Ruler): Run[] {
  const hyphen = ruler.hyphen(block);
  const runs = [new Reader(ruler, hyphen)];
  const visit = (node: Node, widths: Widths) => {
    const run = runs[runs.length - 1]!;
    if (node.nodeType === 3) run.text(node as Text, widths);
    if (node.nodeType !== 1 || ruler.isProbe(node)) return;
    const el = node as Element;
    const style = styleOf(el);
    if (el.tagName === "BR") runs.push(new Reader(ruler, hyphen));
    else if (style.display !== "inline" || !el.firstChild) run.thing(el, style);
    else {
      run.edge(el, 0, style.marginInlineStart, style.borderInlineStartWidth, style.paddingInlineStart);
      const own = ruler.widths(el);
      for (const child of el.childNodes) visit(child, own);
      runs[runs.length - 1]!.edge(el, el.childNodes.length, style.marginInlineEnd, style.borderInlineEndWidth, style.paddingInlineEnd);
    }
  };
  const own = ruler.widths(block);
  for (const child of block.childNodes) visit(child, own);
  return runs;
}

/** Reads the boxes of a run. */
class Reader implements Run {
  readonly boxes: Box[] = [];
  readonly starts: Spot[] = [];
  readonly ends: Spot[] = [];
  private open: Box | null = null;
  private blank = false;

  constructor(private readonly ruler: Ruler, private readonly hyphen: number) {}

  text(text: Text, widths: Widths): void {
    let from = 0;
    for (const m of text.data.matchAll(PARTS)) {
      this.letters(text, from, m.index, widths);
      from = m.index + m[0].length;
      this.part(m[0], text, m.index, from, widths);
    }
    this.letters(text, from, text.length, widths);
  }

  /** What stands in a line as one thing. */
  thing(el: Element, style: CSSStyleDeclaration): void {
    const { width } = el.getBoundingClientRect();
    if (width === 0) return;
    const at = [...el.parentNode!.childNodes].indexOf(el as ChildNode);
    this.add([el.parentNode!, at], [el.parentNode!, at + 1], width + lengths(style.marginInlineStart, style.marginInlineEnd) * zoomOf(el));
  }

  /** The margin, border and padding at the edge of an element in a line. */
  edge(el: Element, at: number, ...sizes: string[]): void {
    const width = lengths(...sizes);
    if (width !== 0) this.add([el, at], [el, at], width * zoomOf(el));
  }

  private letters(text: Text, from: number, to: number, widths: Widths): void {
    if (to > from) this.add([text, from], [text, to], this.ruler.width(widths, text, from, to));
  }

  private part(part: string, text: Text, from: number, to: number, widths: Widths): void {
    if (part === "\u00a0") {
      this.add([text, from], [text, to], 0);
      this.open!.within++;
    } else if (BLANK.test(part)) {
      this.close();
      this.blank = this.boxes.length > 0;
    } else {
      if (part !== "\u00ad" && part !== "\u200b") this.letters(text, from, to, widths);
      if (this.open) this.ends[this.boxes.length - 1] = [text, to];
      this.close(part === "\u00ad" ? this.hyphen : 0);
    }
  }

  private add(start: Spot, end: Spot, width: number): void {
    if (!this.open) {
      this.open = { width: 0, before: this.blank ? 1 : 0, within: 0, ends: false, hyphen: 0 };
      this.boxes.push(this.open);
      this.starts.push(start);
    }
    this.open.width += width;
    this.ends[this.boxes.length - 1] = end;
    this.blank = false;
  }

  /** A line may end behind the last box. */
  private close(hyphen = 0): void {
    if (!this.open) return;
    this.open.ends = true;
    this.open.hyphen = hyphen;
    this.open = null;
  }
}
