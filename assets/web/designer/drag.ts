// Dragging: new elements from the lists, elements over the page, edges to
// resize, and a rectangle that selects. Everything can be done without it, too.

import { dropAt } from "./drop";
import type { Axis, Drop, Point, Stage } from "./stage";
import { insertAt, moveTo } from "./edit";
import { inUnitOf } from "./lengths";
import { find, type Node, outermost, withSetting } from "./model";
import { linesAround, snapped } from "./snap";
import type { State } from "./state";
import { named, t } from "../words";

/** How far the pointer goes before a press becomes a drag. */
const THRESHOLD = 4;
/** Within this of the canvas's edge it scrolls. */
const SCROLL_EDGE = 40;

export interface Gesture {
  move(e: PointerEvent, at: Point): void;
  done(e: PointerEvent): void;
  ended(): void;
}

/** Follows the pointer from a press to its release; Escape leaves everything as it was. */
export function follow(stage: Stage, from: PointerEvent, begin: () => Gesture, click?: (e: PointerEvent) => void): void {
  let gesture: Gesture | null = null;
  const moved = (e: PointerEvent) => {
    if (!gesture && Math.hypot(e.clientX - from.clientX, e.clientY - from.clientY) < THRESHOLD) return;
    if (!gesture) {
      gesture = begin();
      document.documentElement.classList.add("d-dragging");
    }
    scroll(stage, e);
    gesture.move(e, stage.point(e));
  };
  const end = (e?: PointerEvent) => {
    window.removeEventListener("pointermove", moved);
    window.removeEventListener("pointerup", released);
    window.removeEventListener("pointercancel", cancelled);
    window.removeEventListener("keydown", escaped, true);
    document.documentElement.classList.remove("d-dragging");
    if (gesture && e) gesture.done(e);
    gesture?.ended();
  };
  const released = (e: PointerEvent) => {
    const dragged = gesture !== null;
    end(e);
    if (!dragged) click?.(e);
    else window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, true));
  };
  const cancelled = () => end();
  const escaped = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    e.preventDefault();
    end();
  };
  window.addEventListener("pointermove", moved);
  window.addEventListener("pointerup", released);
  window.addEventListener("pointercancel", cancelled);
  window.addEventListener("keydown", escaped, true);
}

/** The click that follows a drag is no click. */
function swallow(e: Event): void {
  e.stopPropagation();
  e.preventDefault();
}

function scroll(stage: Stage, e: PointerEvent): void {
  const view = stage.frame.closest(".d-canvas")!;
  const box = view.getBoundingClientRect();
  if (e.clientX < box.left || e.clientX > box.right) return;
  if (e.clientY < box.top + SCROLL_EDGE) view.scrollTop -= 12;
  if (e.clientY > box.bottom - SCROLL_EDGE) view.scrollTop += 12;
}

/** Drags something with a shadow at the pointer and a mark at the place it would come to. */
function dragging(state: State, stage: Stage, label: string, types: string[], ids: string[], drop: (at: Drop, e: PointerEvent) => void): Gesture {
  return {
    move(e, at) {
      const over = document.elementFromPoint(e.clientX, e.clientY)?.closest(".d-canvas");
      state.drop.value = over ? dropAt(state, stage, at, types, e.altKey ? [] : ids) : null;
      state.shadow.value = { x: e.clientX, y: e.clientY, label: state.drop.value?.refused ?? (e.altKey && ids.length > 0 ? t("Copy {0}", label) : label) };
    },
    done(e) {
      const at = state.drop.value;
      if (at && !at.refused) drop(at, e);
    },
    ended() {
      state.drop.value = null;
      state.shadow.value = null;
    },
  };
}

/** From the palette or the data: a press that moves drags new elements. A press that does not is the button's click. */
export function dragNew(state: State, e: PointerEvent, label: string, make: () => Node[]): void {
  const stage = state.stage;
  if (!stage || e.button !== 0) return;
  follow(stage, e, () => {
    const nodes = make();
    return dragging(state, stage, label, nodes.map((n) => n.type), [], ({ target, beside }) => insertAt(state, target, nodes, t("Add {0}", named(label)), beside));
  });
}

/** What is held where it is. */
const STILL: Gesture = { move() {}, done() {}, ended() {} };

/** Drags elements to another place; with Alt it is copies that go there. */
export function dragElements(state: State, e: PointerEvent, ids: string[], click?: (e: PointerEvent) => void): void {
  const stage = state.stage;
  if (!stage || e.button !== 0) return;
  follow(
    stage,
    e,
    () => {
      const moved = outermost(state.report.value, ids);
      const nodes = moved.flatMap((id) => find(state.report.value, id)?.node ?? []);
      const label = nodes.length === 1 ? state.labelOf(nodes[0]!) : `${nodes.length} elements`;
      state.selected.value = moved;
      if (!e.altKey && state.held(moved)) return STILL;
      return dragging(state, stage, label, nodes.map((n) => n.type), moved, ({ target, beside }, up) => {
        if (up.altKey) insertAt(state, target, nodes, t("Copy"), beside);
        else moveTo(state, moved, target, beside);
      });
    },
    click,
  );
}

/** From an empty place: a rectangle selects everything that it touches. */
export function dragMarquee(state: State, e: PointerEvent, click: (e: PointerEvent) => void): void {
  const stage = state.stage;
  if (!stage || e.button !== 0) return;
  const from = stage.point(e);
  const kept = e.shiftKey ? state.selected.value : [];
  follow(
    stage,
    e,
    () => ({
      move(_, at) {
        const area = { left: Math.min(from.x, at.x), top: Math.min(from.y, at.y), width: Math.abs(at.x - from.x), height: Math.abs(at.y - from.y) };
        state.marquee.value = area;
        state.selected.value = [...new Set([...kept, ...stage.within(area)])];
      },
      done() {},
      ended: () => (state.marquee.value = null),
    }),
    click,
  );
}

/** Drags the right or lower edge of an element, or its corner. */
export function dragEdge(state: State, e: PointerEvent, id: string, edge: "right" | "bottom" | "corner"): void {
  const stage = state.stage;
  const part = stage?.parts(id)[0];
  if (!stage || !part || e.button !== 0) return;
  e.stopPropagation();
  const start = part.getBoundingClientRect();
  const style = part.getAttribute("style");
  const lines = linesAround(state, id);
  let size: { width?: number; height?: number } = {};
  follow(stage, e, () => ({
    move(now, at) {
      size = {};
      const snap = now.altKey ? (_: Axis, to: number) => ({ at: to, shown: [] }) : (axis: Axis, to: number) => snapped(stage, lines, axis, to);
      const [x, y] = [snap("x", at.x), snap("y", at.y)];
      if (edge !== "bottom") size.width = Math.max(4, x.at - start.left);
      if (edge !== "right") size.height = Math.max(4, y.at - start.top);
      if (size.width !== undefined) Object.assign(part.style, { width: `${size.width}px`, flex: "none" });
      if (size.height !== undefined) part.style.height = `${size.height}px`;
      state.snaps.value = [...(edge !== "bottom" ? x.shown : []), ...(edge !== "right" ? y.shown : [])];
      const box = part.getBoundingClientRect();
      state.shadow.value = { x: now.clientX, y: now.clientY, label: `${Math.round(box.width)} × ${Math.round(box.height)} px` };
    },
    done() {
      state.set(id, t("Resize"), (n) => {
        const wide = size.width === undefined ? n : withSetting(withSetting(n, "grow", undefined), "width", inUnitOf(n.props?.width, size.width)); // one that grows would not have it
        return size.height === undefined ? wide : withSetting(wide, "height", inUnitOf(n.props?.height, size.height));
      });
    },
    ended() {
      if (style === null) part.removeAttribute("style");
      else part.setAttribute("style", style);
      state.snaps.value = [];
      state.shadow.value = null;
    },
  }));
}
