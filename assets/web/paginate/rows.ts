// Boxes side by side that no page has room for: the cells of a row, the elements of
// a flow, name and value. Each is a flow of its own, and a slice takes from each as
// much as fits.

import { frame } from "./look";
import type { Pieces } from "./piece";
import { Stretch } from "./stretch";
import type { CellPlace, Mark, Slice, Slicer } from "./types";
import { zoomOf } from "./units";

interface Cell {
  el: Element;
  content: Stretch;
  /** Heights of its borders and paddings, which are drawn on each page, and of its outer margins. */
  frame: number;
  width: number;
  outer: number;
  marks: Mark[];
}

/** Slices boxes side by side, from their top, into parts that fit the rooms asked for. */
export class RowSlicer implements Slicer {
  private readonly cells: Cell[];

  constructor(flow: Pieces, private readonly boxes: Element[], page: number) {
    this.cells = boxes.map((el) => (isCell(el) ? tableCell(flow, el, page) : openBox(flow, el, page)));
  }

  save(): () => void {
    const back = this.cells.map((c) => c.content.save());
    return () => back.forEach((go) => go());
  }

  fits(room: number): boolean {
    return this.cells.every((c) => c.content.starts(room - c.frame));
  }

  next(room: number, wholePage: boolean): Slice | null {
    if (!wholePage && !this.fits(room)) return null;
    const rest = this.cells.map((c) => !c.content.done);
    const parts = this.cells.map((c) => c.content.next(room - c.frame, wholePage));
    const heights = parts.map((part, i) => (rest[i] ? part.height + this.cells[i]!.frame : 0));
    return {
      until: this.cells.every((c) => c.content.done) ? null : { node: this.boxes[0]!, offset: 0, cells: this.cells.map(placeIn) },
      height: Math.max(0, ...heights),
      scales: parts.flatMap((p) => p.scales),
      marks: [...this.cells.flatMap((c) => c.marks), ...parts.flatMap((p) => p.marks)],
      columns: parts.flatMap((p) => p.columns),
    };
  }
}

function placeIn({ el, content, width, outer }: Cell): CellPlace {
  const place = content.place();
  return { cell: el, place, begun: place?.node !== el || place.cells !== undefined, width, outer };
}

function isCell(el: Element): boolean {
  return el.matches("td, th");
}

function tableCell(flow: Pieces, el: Element, page: number): Cell {
  const own = frame(styleOf(el));
  const height = own.top + own.bottom;
  const marks = [{ el: el.parentElement!, name: "q-sliced" }];
  return { el, content: new Stretch(el, flow.beside(el), page - height), frame: height, width: 0, outer: 0, marks };
}

/** A box that is not as high as it is drawn any more: neither its own height nor that of its line counts. */
function openBox(flow: Pieces, el: Element, page: number): Cell {
  const style = styleOf(el);
  const own = frame(style);
  const margins = sum(style.marginTop, style.marginBottom);
  const pieces = flow.beside(el);
  // A box that is one piece, such as a picture or a table, has its frame inside.
  const single = pieces[0]?.node === el;
  const height = margins + (single ? 0 : own.top + own.bottom);
  const width = el.getBoundingClientRect().width / zoomOf(el);
  const outer = width + sum(style.marginLeft, style.marginRight);
  const marks = [{ el, name: "q-beside" }];
  if (!/normal|stretch/.test(alignment(el, style))) marks.push({ el, name: "q-at-top" });
  if (!single) marks.push({ el, name: "q-open" }, { el, name: "q-framed" });
  return { el, content: new Stretch(el, pieces, page - height), frame: height, width, outer, marks };
}

function alignment(el: Element, style: CSSStyleDeclaration): string {
  return style.alignSelf === "auto" ? styleOf(el.parentElement!).alignItems : style.alignSelf;
}

function sum(a: string, b: string): number {
  return (parseFloat(a) || 0) + (parseFloat(b) || 0);
}

function styleOf(el: Element): CSSStyleDeclaration {
  return el.ownerDocument.defaultView!.getComputedStyle(el);
}
