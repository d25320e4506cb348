// How large the page is shown, and what of it.

import type { Box } from "./stage";
import type { State } from "./state";
import { sheetsInSight, viewOf } from "./sight";

/** Steps that are chosen from. */
export const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];

/** Free room around what is fitted into the view, in pixels of the screen. */
const FREE = 24;

export function zoomBy(state: State, by: number): void {
  const now = state.stage?.zoom() ?? 1;
  const next = by > 0 ? ZOOMS.find((z) => z > now + 0.01) : ZOOMS.findLast((z) => z < now - 0.01);
  if (next) state.zoom.value = next;
}

/** The zoom at which a box fills a view, within those that can be chosen. */
export function fitting(box: Box, view: { width: number; height: number }): number {
  const zoom = Math.min((view.width - 2 * FREE) / box.width, (view.height - 2 * FREE) / box.height);
  return Math.min(ZOOMS.at(-1)!, Math.max(ZOOMS[0]!, Math.floor(zoom * 100) / 100));
}

/** The box around several. */
export function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const [left, top] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))];
  return { left, top, width: Math.max(...boxes.map((b) => b.left + b.width)) - left, height: Math.max(...boxes.map((b) => b.top + b.height)) - top };
}

/** Shows a box as large as there is room, in the middle. */
function zoomTo(state: State, box: Box | null): void {
  const { stage } = state;
  if (!stage || !box) return;
  const view = viewOf(stage);
  state.zoom.value = fitting(box, { width: view.clientWidth, height: view.clientHeight });
  // The frame has its new size with the next drawing of the designer.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const [frame, room] = [stage.frame.getBoundingClientRect(), view.getBoundingClientRect()];
      const zoom = stage.zoom();
      view.scrollBy(frame.left + (box.left + box.width / 2) * zoom - room.left - view.clientWidth / 2, frame.top + (box.top + box.height / 2) * zoom - room.top - view.clientHeight / 2);
    }),
  );
}

/** Shows what is selected as large as there is room: the part of it that is drawn first, on its sheet. */
export function zoomToSelection(state: State): void {
  const boxes = state.selected.value.flatMap((id) => state.stage?.boxes(id)[0] ?? []);
  zoomTo(state, around(boxes));
}

/** Shows a whole sheet: that of what is selected, or the one that most is seen of. */
export function fitPage(state: State): void {
  const { stage } = state;
  if (!stage) return;
  const view = viewOf(stage).getBoundingClientRect();
  const [id] = state.selected.value;
  const own = id ? stage.parts(id)[0]?.closest<HTMLElement>(".q-page") : null;
  const seen = (sheet: HTMLElement): number => {
    const [box, frame] = [sheet.getBoundingClientRect(), stage.frame.getBoundingClientRect()];
    const top = frame.top + box.top * stage.zoom();
    return Math.min(view.bottom, top + box.height * stage.zoom()) - Math.max(view.top, top);
  };
  const sheet = own ?? sheetsInSight(stage).sort((a, b) => seen(b) - seen(a))[0];
  zoomTo(state, sheet?.getBoundingClientRect() ?? null);
}
