// Guides on the pages: dragged out of a ruler, along the page, and back to be rid
// of; moved with arrows.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { showAid } from "./aids";
import { follow } from "./drag";
import { toPage } from "./floating";
import { type Guide, guideAt, guided, guidesOf, placeOfGuide, withGuide } from "./guides";
import { inInches, inUnits, paperOf, stepOf } from "./paper";
import { sheetsInSight, useSight, viewOf } from "./sight";
import type { Axis, Point, Stage } from "./stage";
import type { State } from "./state";
import { say, t } from "../words";

/** The guides of a page while one of them is dragged. */
const dragged = signal<{ page: number; guides: Guide[] } | null>(null);

const NAMES: Record<Axis, string> = { x: say("Vertical guide"), y: say("Horizontal guide") };
const pageOfSheet = (state: State, sheet: HTMLElement): number => state.pageOfSheets(Number(sheet.dataset.page));
const inchesOn = (sheet: HTMLElement): boolean => inInches(paperOf(sheet.getBoundingClientRect().width, sheet.getBoundingClientRect().height).size);

function change(state: State, page: number, label: string, guides: Guide[], key = ""): void {
  const report = state.report.peek();
  if (JSON.stringify(guidesOf(report.pages[page])) !== JSON.stringify(guides)) state.commit(label, guided(report, page, guides), { key });
}

export function Guides({ state, zoom }: { state: State; zoom: number; layout: number }) {
  useSight();
  const kept = useRef<JSX.Element | null>(null);
  // While pages are made anew they are away for a moment; what has the focus stays.
  if (!state.stage!.doc.querySelector(".q-page")) return kept.current;
  const met = new Set<number>();
  kept.current = (
    <>
      {sheetsInSight(state.stage!).flatMap((sheet) => {
        const page = pageOfSheet(state, sheet);
        const first = !met.has(page);
        met.add(page);
        const guides = dragged.value?.page === page ? dragged.value.guides : guidesOf(state.report.value.pages[page]);
        return guides.map((guide, i) => <Line key={`${sheet.dataset.page} ${sheet.offsetTop} ${i}`} state={state} sheet={sheet} page={page} guide={guide} index={i} zoom={zoom} first={first} />);
      })}
    </>
  );
  return kept.current;
}

function Line({ state, sheet, page, guide, index, zoom, first }: { state: State; sheet: HTMLElement; page: number; guide: Guide; index: number; zoom: number; first: boolean }) {
  const box = sheet.getBoundingClientRect();
  const { axis } = guide;
  const size = axis === "x" ? box.width : box.height;
  const place = axis === "x" ? { left: `${(box.left + placeOfGuide(guide)) * zoom}px`, top: `${box.top * zoom}px`, height: `${box.height * zoom}px` } : { top: `${(box.top + placeOfGuide(guide)) * zoom}px`, left: `${box.left * zoom}px`, width: `${box.width * zoom}px` };
  const key = (e: KeyboardEvent) => {
    const by = (axis === "x" ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 } as Record<string, number>)[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey || (by === undefined && !["Escape", "Delete", "Backspace"].includes(e.key))) return;
    e.preventDefault();
    e.stopPropagation();
    const now = guidesOf(state.report.peek().pages[page]); // keys come faster than drawings
    if (e.key === "Escape") return toPage();
    if (by === undefined) return void (change(state, page, t("Remove the guide"), withGuide(now, index, null)), toPage());
    const inches = inchesOn(sheet);
    const to = placeOfGuide(now[index] ?? guide) + by * stepOf(inches) * (e.shiftKey ? 10 : 1);
    change(state, page, t("Move the guide"), withGuide(now, index, { axis, at: guideAt(Math.min(size, Math.max(0, to)), inches, true) }), `guide ${page} ${index}`);
  };
  const words = inUnits(guide.at);
  return (
    <div
      class={`d-page-guide d-across-${axis}`}
      role="separator"
      tabIndex={first ? 0 : -1}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-label={t(NAMES[axis])}
      aria-valuemin={0}
      aria-valuenow={Math.round(placeOfGuide(guide))}
      aria-valuemax={Math.round(size)}
      aria-valuetext={words}
      title={`${t(NAMES[axis])}: ${words}\n${t("Drag it back to the ruler, or press Delete, to remove it")}`}
      style={place}
      onPointerDown={(e) => dragGuide(state, e, axis, { sheet, index })}
      onKeyDown={key}
    />
  );
}

/** The sheet at a point, or the nearest of those in sight. */
function sheetAt(stage: Stage, { x, y }: Point): HTMLElement | undefined {
  const away = (sheet: HTMLElement): number => {
    const b = sheet.getBoundingClientRect();
    return Math.hypot(Math.max(b.left - x, x - b.right, 0), Math.max(b.top - y, y - b.bottom, 0));
  };
  return sheetsInSight(stage).reduce<HTMLElement | undefined>((near, s) => (near && away(near) <= away(s) ? near : s), undefined);
}

/** Drags a guide: a new one out of a ruler, or one that is there. Beside the paper there is none. */
export function dragGuide(state: State, e: PointerEvent, axis: Axis, from?: { sheet: HTMLElement; index: number }): void {
  const { stage } = state;
  if (!stage || e.button !== 0) return;
  e.stopPropagation();
  const index = from?.index ?? null;
  let made: { page: number; guides: Guide[] } | null = null;
  const apart = { page: from ? pageOfSheet(state, from.sheet) : -1, guides: from ? withGuide(guidesOf(state.report.peek().pages[pageOfSheet(state, from.sheet)]), index, null) : [] };
  follow(stage, e, () => {
    showAid("guides", true);
    return {
      move(now, at) {
        const near = sheetAt(stage, at);
        const sheet = from && near && pageOfSheet(state, near) !== apart.page ? from.sheet : near;
        if (!sheet) return;
        const [box, page] = [sheet.getBoundingClientRect(), pageOfSheet(state, sheet)];
        const [place, size] = axis === "x" ? [at.x - box.left, box.width] : [at.y - box.top, box.height];
        const view = viewOf(stage).getBoundingClientRect();
        const onPaper = page >= 0 && place >= 0 && place <= size && (axis === "x" ? now.clientX >= view.left : now.clientY >= view.top);
        const length = guideAt(place, inchesOn(sheet), now.altKey);
        made = onPaper ? { page, guides: withGuide(guidesOf(state.report.peek().pages[page]), index, { axis, at: length }) } : null;
        dragged.value = made ?? apart;
        state.shadow.value = { x: now.clientX, y: now.clientY, label: onPaper ? inUnits(length) : from ? t("Remove the guide") : t(NAMES[axis]) };
      },
      done() {
        if (made) change(state, made.page, from ? t("Move the guide") : t("Add a guide"), made.guides);
        else if (from) change(state, apart.page, t("Remove the guide"), apart.guides);
      },
      ended() {
        dragged.value = null;
        state.shadow.value = null;
      },
    };
  });
}

/** Adds a guide where what is selected begins, or in the middle of the paper, and leads to it. */
export function addGuide(state: State, axis: Axis): void {
  const stage = state.stage!;
  const [id] = state.selected.value;
  const part = id ? stage.parts(id)[0] : undefined;
  const sheet = part?.closest<HTMLElement>(".q-page") ?? stage.doc.querySelector<HTMLElement>(`.q-page[data-page="${state.report.value.pages[state.page.value]?.id}"]`);
  const page = sheet ? pageOfSheet(state, sheet) : -1;
  if (!sheet || page < 0) return;
  const [box, inside] = [sheet.getBoundingClientRect(), part?.getBoundingClientRect()];
  const pixels = axis === "x" ? (inside ? inside.left - box.left : box.width / 2) : inside ? inside.top - box.top : box.height / 2;
  showAid("guides", true);
  const guides = withGuide(guidesOf(state.report.value.pages[page]), null, { axis, at: guideAt(pixels, inchesOn(sheet), inside !== undefined) });
  change(state, page, t("Add a guide"), guides);
  requestAnimationFrame(() => [...document.querySelectorAll<HTMLElement>(`.d-page-guide.d-across-${axis}`)].findLast((el) => el.tabIndex === 0)?.focus());
}

export const hasGuides = (state: State): boolean => guidesOf(state.report.value.pages[state.page.value]).length > 0;

export function clearGuides(state: State): void {
  change(state, state.page.value, t("Clear the guides"), []);
}
