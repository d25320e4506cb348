// Rows taller than a page: every cell is a flow of its own, and a slice of the
// row takes from each cell as much as fits.

import { frame } from "./look";
import { Stretch } from "./stretch";
import { KEEP, type Slice, type Slicer, TORN } from "./types";

interface Cell {
  el: HTMLTableCellElement;
  content: Stretch;
  frame: number;
}

/** Slices one row, from its top, into parts that fit the rooms asked for. */
export class RowSlicer implements Slicer {
  private readonly cells: Cell[];

  constructor(private readonly row: HTMLTableRowElement) {
    this.cells = [...row.cells].map(openCell);
  }

  next(room: number, wholePage: boolean): Slice | null {
    const ends = this.cells.map((c) => c.content.fits(room - c.frame, wholePage ? TORN : KEEP));
    const stuck = this.cells.some((c, i) => !c.content.done && ends[i] === c.content.at);
    if (stuck && !wholePage) return null;
    const taken = this.cells.map((c, i) => c.content.take(ends[i]!, room - c.frame));
    const cells = this.cells.map((c) => ({ cell: c.el, place: c.content.place() }));
    return {
      until: this.cells.every((c) => c.content.done) ? null : { node: this.row, offset: 0, cells },
      height: Math.max(0, ...taken.map((t, i) => t.height + this.cells[i]!.frame)),
      scales: taken.flatMap((t) => t.scale ?? []),
      marks: [{ el: this.row, name: "q-sliced" }],
      columns: null,
    };
  }
}

function openCell(el: HTMLTableCellElement): Cell {
  const own = frame(el.ownerDocument.defaultView!.getComputedStyle(el));
  return { el, content: new Stretch(el), frame: own.top + own.bottom };
}
