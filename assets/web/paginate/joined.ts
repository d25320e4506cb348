// Rows that belong together because a cell reaches over several of them.

import { measuringRange } from "./nodes";
import { frame } from "./look";
import { FREE, KEEP, type Level, TORN } from "./types";

interface Joined {
  /** The level of a break before a row that a cell of an earlier one reaches into. */
  levels: Map<Element, Level>;
  /** Rows that begin a page with what the cells which reach into them hold. */
  repeating: Set<Element>;
}

/** Tells how hard breaks through the cells of rows are to justify. */
export function joined(rows: HTMLTableRowElement[]): Joined {
  const out: Joined = { levels: new Map(), repeating: new Set() };
  if (!rows[0]?.closest("table")!.querySelector("[rowspan]")) return out;
  const torn = new Set<Element>();
  rows.forEach((tr, i) => {
    for (const cell of tr.cells) {
      if (cell.rowSpan === 1) continue;
      const run = rows.slice(i, cell.rowSpan === 0 ? rows.length : i + cell.rowSpan).filter((row) => row.parentElement === tr.parentElement);
      const level: (k: number) => Level = cell.hasAttribute("data-repeat") ? repeats(cell, run) : () => TORN;
      run.slice(1).forEach((row, k) => join(out, torn, row, level(k + 1)));
    }
  });
  for (const row of torn) out.repeating.delete(row);
  return out;
}

function join({ levels, repeating }: Joined, torn: Set<Element>, row: Element, level: Level): void {
  levels.set(row, Math.max(level, levels.get(row) ?? FREE) as Level);
  (level === TORN ? torn : repeating).add(row);
}

/** The levels of breaks through a cell whose content is repeated: there must be room for it on both sides, and two rows if possible. */
function repeats(cell: HTMLTableCellElement, run: HTMLTableRowElement[]): (k: number) => Level {
  const tops = run.map((tr) => tr.getBoundingClientRect().top);
  const end = run[run.length - 1]!.getBoundingClientRect().bottom;
  const height = contentHeight(cell);
  return (k) => {
    if (Math.min(tops[k]! - tops[0]!, end - tops[k]!) < height) return TORN;
    return k === 1 || k === run.length - 1 ? KEEP : FREE;
  };
}

function contentHeight(cell: Element): number {
  const range = measuringRange(cell.ownerDocument);
  range.selectNodeContents(cell);
  const { top, bottom } = frame(cell.ownerDocument.defaultView!.getComputedStyle(cell));
  return range.getBoundingClientRect().height + top + bottom;
}
