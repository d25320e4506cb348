// Rulers along the canvas. They begin at the corner of the paper, at each sheet
// anew, in millimetres or, on paper of that kind, in inches. Guides are dragged out
// of them.

import { useEffect, useRef } from "preact/hooks";
import { bandsOfSheet } from "./bands";
import { dragGuide } from "./guidesview";
import { inInches, paperOf } from "./paper";
import { INCHES, type Mark, marksBetween, MILLIMETRES } from "./rulers";
import { sheetsInSight, useSight, viewOf } from "./sight";
import type { Axis, Box, Stage } from "./stage";
import type { State } from "./state";

/** A stretch of a ruler, in pixels of the screen from its beginning. */
interface Stretch {
  from: number;
  to: number;
}

/** What a ruler shows of a sheet. */
interface Shown {
  paper: Stretch;
  /** What of the paper its margins leave. */
  content: Stretch;
  selected: Stretch[];
  marks: Mark[];
}

const LENGTHS: Record<Mark["rank"], number> = { number: 9, half: 6, part: 4 };
const THICK = 20;

const ends = (box: Box, axis: Axis): [number, number] => (axis === "x" ? [box.left, box.left + box.width] : [box.top, box.top + box.height]);

export const unitOfSheet = (sheet: Box) => (inInches(paperOf(sheet.width, sheet.height).size) ? INCHES : MILLIMETRES);

/** The sheet that the ruler at the top is of: that of what is selected, or the one in the middle of what is in sight. */
function sheetAbove(state: State, stage: Stage, sheets: HTMLElement[]): HTMLElement | undefined {
  const [id] = state.selected.value;
  const chosen = id && sheets.find((s) => stage.parts(id, s).length > 0);
  if (chosen) return chosen;
  const middle = (viewOf(stage).getBoundingClientRect().top - stage.frame.getBoundingClientRect().top + viewOf(stage).clientHeight / 2) / stage.zoom();
  const away = (s: HTMLElement) => Math.max(s.getBoundingClientRect().top - middle, middle - s.getBoundingClientRect().bottom, 0);
  return sheets.reduce<HTMLElement | undefined>((near, s) => (near && away(near) <= away(s) ? near : s), undefined);
}

function shownOf(state: State, stage: Stage, sheet: HTMLElement, axis: Axis): Shown | null {
  const bands = bandsOfSheet(sheet);
  if (!bands) return null;
  const [frame, view, zoom] = [stage.frame.getBoundingClientRect(), viewOf(stage), stage.zoom()];
  const [start, size] = axis === "x" ? [frame.left - view.getBoundingClientRect().left, view.clientWidth] : [frame.top - view.getBoundingClientRect().top, view.clientHeight];
  const stretch = (from: number, to: number): Stretch => ({ from: start + from * zoom, to: start + to * zoom });
  const [from, to] = ends(bands.sheet, axis);
  const { margin } = bands;
  const paper = stretch(from, to);
  const parts = state.selected.value.flatMap((id) => stage.parts(id, sheet));
  return {
    paper,
    content: axis === "x" ? stretch(from + margin.left, to - margin.right) : stretch(from + margin.top, to - margin.bottom),
    selected: parts.map((part) => stretch(...ends(part.getBoundingClientRect(), axis))),
    marks: marksBetween(Math.max(0, -paper.from), Math.min(paper.to, size) - paper.from, zoom, unitOfSheet(bands.sheet)),
  };
}

export function Rulers({ state }: { state: State }) {
  useSight();
  state.drawn.value;
  state.snaps.value; // what is selected moves while it is dragged
  const { stage } = state;
  const sheets = stage ? sheetsInSight(stage) : [];
  const above = stage ? sheetAbove(state, stage, sheets) : undefined;
  const shown = (axis: Axis, of: HTMLElement[]): Shown[] => of.flatMap((sheet) => shownOf(state, stage!, sheet, axis) ?? []);
  return (
    <>
      <span class="d-ruler-corner" aria-hidden="true">
        {above && unitOfSheet(above.getBoundingClientRect()).name}
      </span>
      <Ruler axis="x" down={(e) => dragGuide(state, e, "y")} shown={shown("x", above ? [above] : [])} />
      <Ruler axis="y" down={(e) => dragGuide(state, e, "x")} shown={shown("y", sheets)} />
      <Pointer />
    </>
  );
}

function Ruler({ axis, shown, down }: { axis: Axis; shown: Shown[]; down: (e: PointerEvent) => void }) {
  const along = ({ from, to }: Stretch, thick = THICK) => (axis === "x" ? { x: from, width: Math.max(0, to - from), y: THICK - thick, height: thick } : { y: from, height: Math.max(0, to - from), x: THICK - thick, width: thick });
  const line = (at: number, long: number) => (axis === "x" ? `M${at} ${THICK}v${-long}` : `M${THICK} ${at}h${-long}`);
  return (
    <svg class={`d-ruler d-ruler-${axis}`} aria-hidden="true" onPointerDown={down}>
      {shown.map(({ paper, content, selected, marks }, i) => (
        <g key={i}>
          <rect class="d-ruler-paper" {...along(paper)} />
          <rect class="d-ruler-content" {...along(content)} />
          {selected.map((s, n) => (
            <rect key={n} class="d-ruler-selected" {...along(s, 4)} />
          ))}
          <path d={marks.map((m) => line(paper.from + m.at, LENGTHS[m.rank])).join("")} />
          {marks.map((m) => m.number && <text key={m.number} transform={axis === "x" ? `translate(${paper.from + m.at + 2} 9)` : `translate(9 ${paper.from + m.at + 2}) rotate(-90)`}>{m.number}</text>)}
        </g>
      ))}
    </svg>
  );
}

/** Where the pointer is, on both rulers. */
function Pointer() {
  const across = useRef<HTMLElement>(null);
  const down = useRef<HTMLElement>(null);
  useEffect(() => {
    const view = document.getElementById("canvas")!;
    const show = (shown: boolean) => [across, down].forEach((mark) => (mark.current!.hidden = !shown));
    const moved = (e: PointerEvent) => {
      const box = view.parentElement!.getBoundingClientRect();
      across.current!.style.transform = `translateX(${e.clientX - box.left}px)`;
      down.current!.style.transform = `translateY(${e.clientY - box.top}px)`;
      show(true);
    };
    const left = () => show(false);
    view.addEventListener("pointermove", moved);
    view.addEventListener("pointerleave", left);
    return () => {
      view.removeEventListener("pointermove", moved);
      view.removeEventListener("pointerleave", left);
    };
  }, []);
  return (
    <>
      <i ref={across} class="d-ruler-at d-at-x" hidden />
      <i ref={down} class="d-ruler-at d-at-y" hidden />
    </>
  );
}
