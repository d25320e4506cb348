// The panels at both sides of the canvas: how wide they are, and whether they
// are there. This browser remembers it, but on a phone and at 200 %, where they lie above the page.

import { signal } from "@preact/signals";
import { Icon } from "../ui/icon";
import { t } from "../words";
import { parsed, recalled, remember } from "./kept";

export type Side = "left" | "right";

/** How a panel stands: its width in px, 0 as the style sheet has it. */
export interface Stand {
  width: number;
  hidden: boolean;
}

const KEY = "quire-panels";
/** The narrowest panel, and the least that stays for the canvas. */
const LEAST = 200;
const CANVAS = 240;
/** About as wide as the style sheet makes a panel. */
const USUAL = 310;
/** How far an arrow moves a border. */
const STEP = 16;

/** A window in which panels lie above the page, one at a time, as the style sheet has it. */
const narrow = globalThis.matchMedia?.("(max-width: 800px)");

const standing = (): Record<Side, Stand> => {
  const hidden = { width: 0, hidden: true };
  return narrow?.matches ? { left: hidden, right: hidden } : read(recalled(KEY));
};

export const sides = signal(standing());
narrow?.addEventListener("change", () => (sides.value = standing()));

/** What was remembered, as far as it can be understood. */
export function read(text: string | null): Record<Side, Stand> {
  const stand = (v: unknown): Stand => {
    const { width, hidden } = (v ?? {}) as Partial<Stand>;
    return { width: typeof width === "number" && width >= LEAST ? width : 0, hidden: hidden === true };
  };
  const known = parsed(text) as Partial<Record<Side, unknown>> | null;
  return { left: stand(known?.left), right: stand(known?.right) };
}

function put(side: Side, change: Partial<Stand>): void {
  sides.value = { ...(narrow?.matches ? standing() : sides.value), [side]: { ...sides.value[side], ...change } };
  if (!narrow?.matches) remember(KEY, sides.value);
}

export function toggleSide(side: Side): void {
  put(side, { hidden: !sides.value[side].hidden });
}

/** Hides what there is of both panels, or shows both. */
export function toggleSides(): void {
  const { left, right } = sides.value;
  const hidden = !left.hidden || !right.hidden;
  put("left", { hidden });
  put("right", { hidden });
}

/** The widest that a panel may be in a window beside the other one, as wide as that is. */
export function most(window: number, other: number): number {
  return Math.max(LEAST, window - other - CANVAS);
}

/** The widths for the style sheet. */
export function columns(): Record<string, string> {
  const width = ({ width, hidden }: Stand): string | undefined => (hidden ? "0px" : width ? `${width}px` : undefined);
  const made: Record<string, string> = {};
  for (const side of ["left", "right"] as const) {
    const given = width(sides.value[side]);
    if (given) made[`--${side}`] = given;
  }
  return made;
}

const panel = (side: Side): HTMLElement | null => document.querySelector(`.d-${side}`);
const widthOf = (side: Side): number => (sides.value[side].hidden ? 0 : (panel(side)?.offsetWidth ?? 0));

/** The border between a panel and the canvas: dragged, moved with arrows, double clicked to be as it was. */
export function Border({ side }: { side: Side }) {
  if (sides.value[side].hidden) return null;
  const other: Side = side === "left" ? "right" : "left";
  const widen = (width: number) => put(side, { width: Math.round(Math.min(most(innerWidth, widthOf(other)), Math.max(LEAST, width))) });
  /** 1 where the panel grows as the pointer goes to the right. */
  const sign = (side === "left" ? 1 : -1) * (document.dir === "rtl" ? -1 : 1);
  const down = (e: PointerEvent) => {
    if (e.button !== 0) return;
    e.preventDefault();
    const grip = e.currentTarget as HTMLElement;
    const from = { x: e.clientX, width: widthOf(side) };
    const move = (m: PointerEvent) => widen(from.width + sign * (m.clientX - from.x));
    const end = () => grip.removeEventListener("pointermove", move);
    grip.setPointerCapture(e.pointerId);
    grip.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) grip.addEventListener(name, end, { once: true });
  };
  const key = (e: KeyboardEvent) => {
    const by = { ArrowRight: sign, ArrowLeft: -sign }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    widen(widthOf(side) + by * STEP);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={side === "left" ? t("Width of the panel at the left") : t("Width of the panel at the right")}
      aria-valuemin={LEAST}
      aria-valuenow={sides.value[side].width || USUAL}
      aria-valuemax={most(innerWidth, 0)}
      tabIndex={0}
      title={t("Drag to make the panel wider; double click for the usual width")}
      class={`d-border d-border-${side}`}
      onPointerDown={down}
      onKeyDown={key}
      onDblClick={() => put(side, { width: 0 })}
    />
  );
}

/** Shows or hides a panel. */
export function SideButton({ side }: { side: Side }) {
  return (
    <button type="button" class={`d-side-button d-to-${side}`} aria-pressed={!sides.value[side].hidden} title={t("Both panels: Ctrl+\\")} onClick={() => toggleSide(side)}>
      <Icon name="panel-left" />
      <span class="hidden">{side === "left" ? t("Panel at the left") : t("Panel at the right")}</span>
    </button>
  );
}
