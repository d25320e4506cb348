// A bar that floats above what it changes on the page.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** What a bar belongs to, in pixels of the stage, with the room that is to stay free above. */
export interface Around {
  left: number;
  /** With it a bar that is narrower stands at this end, where it hides less of what is read above. */
  right?: number;
  top: number;
  bottom: number;
  free: number;
}

const GAP = 8;
/** The room that the label of a selected element takes above it. */
export const LABEL = 26;

/** Where a bar of a width begins: within the room, at the right end of what is wider. */
export function along({ left, right = left }: Pick<Around, "left" | "right">, width: number, room: number): number {
  const from = Math.max(left, right - width);
  return Math.max(GAP / 2, Math.min(from, room - width - GAP / 2));
}

/** Where a bar of a height stands: above, or below where there is no room. */
export function besides({ top, bottom, free }: Pick<Around, "top" | "bottom" | "free">, height: number): number {
  const above = top - free - height;
  return above >= GAP / 2 ? above : bottom + GAP;
}

/** Keys in it are its own, but those with Ctrl, and F6; Escape leads back. */
export function Floating({ label, around, leave, children }: { label: string; around: Around; leave: () => void; children: ComponentChildren }) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const el = bar.current!;
    const room = el.closest(".d-stage")?.clientWidth ?? 0;
    el.style.left = "0"; // at the end of the room it would be measured with its parts below each other
    el.style.left = `${along(around, el.offsetWidth, room)}px`;
    el.style.top = `${besides(around, el.offsetHeight)}px`;
  });
  const key = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.key === "F6") return;
    e.stopPropagation();
    if (e.key !== "Escape") return;
    e.preventDefault();
    leave();
  };
  // A press on a button leaves the focus where somebody writes.
  const press = (e: PointerEvent) => {
    e.stopPropagation();
    if (!(e.target as Element).closest("input, select")) e.preventDefault();
  };
  return (
    <div ref={bar} class="d-float" role="toolbar" aria-label={label} onKeyDown={key} onPointerDown={press} onMouseDown={(e) => (e.target as Element).closest("input, select") || e.preventDefault()}>
      {children}
    </div>
  );
}

/** The focus goes back to the page. */
export const toPage = (): void => document.querySelector<HTMLElement>(".d-canvas")?.focus({ preventScroll: true });
