// What is dragged snaps to the edges around it and to guides, and shows the line
// that it snaps to.

import { aids } from "./aids";
import { guidesOf, placeOfGuide } from "./guides";
import { find, siblings } from "./model";
import type { Axis, Box, Stage } from "./stage";
import type { State } from "./state";

/** Where lines are, in pixels of the report. */
export type Lines = Record<Axis, number[]>;

/** Within this, in pixels of the screen, what is dragged snaps. */
const REACH = 5;

/** The edges of the elements beside one, and of what they lie in, unless that grows with it; and the guides of its sheet, where they are shown. */
export function linesAround(state: State, id: string, grows = false): Lines {
  const stage = state.stage!;
  const place = find(state.report.value, id)!;
  const others = siblings(state.report.value, place).filter((n) => n.id !== id);
  const boxes: Box[] = [...others, ...(place.parent && !grows ? [place.parent] : [])].flatMap((n) => stage.boxes(n.id));
  const region = stage.slotAt({ x: 0, y: stage.boxes(id)[0]?.top ?? 0 })?.region.getBoundingClientRect();
  if (region) boxes.push(region);
  const guides = guideLines(state, place.page, stage.parts(id)[0]?.closest(".q-page"));
  return { x: [...boxes.flatMap((b) => [b.left, b.left + b.width]), ...guides.x], y: [...boxes.flatMap((b) => [b.top, b.top + b.height]), ...guides.y] };
}

function guideLines(state: State, page: number, sheet: Element | null | undefined): Lines {
  const lines: Lines = { x: [], y: [] };
  const corner = sheet?.getBoundingClientRect();
  if (corner && aids.value.guides) for (const guide of guidesOf(state.report.value.pages[page])) lines[guide.axis].push((guide.axis === "x" ? corner.left : corner.top) + placeOfGuide(guide));
  return lines;
}

/** The nearest of some lines within reach. */
export function nearest(at: number, lines: number[], reach: number): number | null {
  return lines.reduce<number | null>((best, l) => (Math.abs(l - at) <= reach && (best === null || Math.abs(l - at) < Math.abs(best - at)) ? l : best), null);
}

/** A place, or that of a line near to it with the line itself. */
export function snapped(stage: Stage, lines: Lines, axis: Axis, at: number): { at: number; shown: Box[] } {
  const line = nearest(at, lines[axis], REACH / stage.zoom());
  if (line === null) return { at, shown: [] };
  const { scrollWidth, scrollHeight } = stage.doc.body;
  return { at: line, shown: [axis === "x" ? { left: line, top: 0, width: 1, height: scrollHeight } : { left: 0, top: line, width: scrollWidth, height: 1 }] };
}
