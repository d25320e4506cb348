// The room inside of an element and around it: its sides as settings have them,
// and what they become in steps of the unit in which they are given.

import { pixelsOf } from "./lengths";
import { type Side, SIDES } from "./paper";

export type Kind = "margin" | "padding";

/** What each side has, as it is written. */
export type Sides = Record<Side, string>;

/** The parts of a list of lengths; blanks inside of a function part none. */
const partsOf = (list: string): string[] => list.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

/** The sides of a setting such as "4mm 0"; null where nothing is set. */
export function sidesOf(list: unknown): Sides | null {
  const [top, right = top, bottom = top, left = right] = typeof list === "string" ? partsOf(list) : [];
  return top === undefined ? null : { top, right: right!, bottom: bottom!, left: left! };
}

/** Sides as a setting, as short as it can be said. */
export function asList({ top, right, bottom, left }: Sides): string {
  if (left !== right) return `${top} ${right} ${bottom} ${left}`;
  if (bottom !== top) return `${top} ${right} ${bottom}`;
  return right === top ? top : `${top} ${right}`;
}

/** How far an arrow goes in a unit, with Shift, and as finely as lengths are. */
type Reach = "near" | "far" | "exact";
const STEPS: Record<string, Record<Reach, number>> = {
  px: { near: 1, far: 8, exact: 0.01 },
  pt: { near: 1, far: 8, exact: 0.01 },
  mm: { near: 0.5, far: 1, exact: 0.01 },
  cm: { near: 0.05, far: 0.1, exact: 0.01 },
  in: { near: 0.02, far: 0.1, exact: 0.001 },
};

/** The unit of a side: its own, or that of another one; px where none has one that paper has. */
export function unitOf(sides: Sides, side: Side): string {
  const units = [side, ...SIDES].map((s) => /^-?[\d.]+([a-z]+)$/.exec(sides[s])?.[1]);
  return units.find((u) => u !== undefined && u in STEPS) ?? "px";
}

/** The step of a unit in pixels. */
export const stepIn = (unit: string, reach: Reach): number => STEPS[unit]![reach] * pixelsOf(`1${unit}`, 0)!;

/** Pixels as a length in whole steps of a unit. */
export function inSteps(pixels: number, unit: string, reach: Reach): string {
  const steps = Math.round(pixels / stepIn(unit, reach));
  return steps === 0 ? "0" : `${Number((steps * STEPS[unit]![reach]).toFixed(3))}${unit}`;
}

/** A side in pixels; what is no length of the paper as it is drawn. */
export const pixelsOfSide = (side: string, drawn: number): number => (side === "0" ? 0 : (pixelsOf(side.endsWith("%") ? "" : side, 0) ?? drawn));

const OPPOSITE: Record<Side, Side> = { top: "bottom", right: "left", bottom: "top", left: "right" };

/** Sides of which one has another length; with both, the one across too. */
export const withSide = (sides: Sides, side: Side, length: string, both: boolean): Sides => ({ ...sides, [side]: length, ...(both ? { [OPPOSITE[side]]: length } : {}) });

/** The least that a side may be: negative margins come from writing, and go towards nothing. */
export const leastOf = (kind: Kind, now: number): number => (kind === "padding" ? 0 : Math.min(0, now));

/**
 * Which way what moves at a side goes as there is more room, 1 being right or
 * down: the element away from what is before it, or what follows away from it.
 */
export const onward = (side: Side): 1 | -1 => (side === "right" ? -1 : 1);
