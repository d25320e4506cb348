// Sheets of paper: their sizes by name, and lengths on them as people give them.

import { optionWords } from "./labels";
import { inUnitOf } from "./lengths";
import { named, say, t } from "../words";

/** Upright, in millimetres. */
const SIZES: Record<string, readonly [number, number]> = { A3: [297, 420], A4: [210, 297], A5: [148, 210], A6: [105, 148], Letter: [215.9, 279.4], Legal: [215.9, 355.6], Tabloid: [279.4, 431.8] };
const PER_MM = 96 / 25.4;
const PER_INCH = 96;

/** A sheet as it is drawn. */
export interface Paper {
  /** Its name, or Custom. */
  size: string;
  landscape: boolean;
  /** In pixels. */
  width: number;
  height: number;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1;

export function paperOf(width: number, height: number): Paper {
  const landscape = width > height;
  const [short, long] = landscape ? [height, width] : [width, height];
  const found = Object.entries(SIZES).find(([, [w, h]]) => near(short, w * PER_MM) && near(long, h * PER_MM));
  return { size: found?.[0] ?? "Custom", landscape, width, height };
}

/** Whether who uses such paper measures in inches. */
export const inInches = (size: unknown): boolean => size === "Letter" || size === "Legal" || size === "Tabloid";

/** A sheet in words: "A4 portrait". */
export function paperName({ size, landscape, width, height }: Paper): string {
  if (size === "Custom") return t("{0} × {1} mm", Math.round(width / PER_MM), Math.round(height / PER_MM));
  return `${size} ${named(optionWords(landscape ? "landscape" : "portrait"))}`;
}

export type Side = "top" | "right" | "bottom" | "left";
export const SIDES: readonly Side[] = ["top", "right", "bottom", "left"];

/** The least step of a length that is dragged, in pixels. */
export const stepOf = (inches: boolean): number => (inches ? PER_INCH / 10 : PER_MM);

/** A length of the paper, in the unit that it had, or that people use for such paper. */
export const paperLength = (before: unknown, pixels: number, inches: boolean): string => inUnitOf(before ?? (inches ? "0in" : "0mm"), pixels);

/** A length as it is shown: 22mm is "22 mm". */
export const inUnits = (length: string): string => length.replace(/^([\d.]+)([a-z]+)$/, "$1 $2");

/** Margins that people choose by name: top, right, bottom, left. */
export const MARGINS: Record<string, { words: string; mm: readonly number[]; inches: readonly number[] }> = {
  normal: { words: say("Normal | margins"), mm: [18, 18, 16, 18], inches: [0.7, 0.7, 0.6, 0.7] },
  narrow: { words: say("Narrow | margins"), mm: [10, 10, 10, 10], inches: [0.4, 0.4, 0.4, 0.4] },
  wide: { words: say("Wide | margins"), mm: [25, 30, 25, 30], inches: [1, 1.2, 1, 1.2] },
};

/** Margins of a name as settings. */
export function marginsNamed(name: string, inches: boolean): Record<Side, string> {
  const { mm, inches: imperial } = MARGINS[name]!;
  return Object.fromEntries(SIDES.map((side, i) => [side, inches ? `${imperial[i]}in` : `${mm[i]}mm`])) as Record<Side, string>;
}

/** The name of margins that are drawn, in pixels; "own" for none. */
export function nameOfMargins(drawn: Record<Side, number>, inches: boolean): string {
  const unit = inches ? PER_INCH : PER_MM;
  return Object.entries(MARGINS).find(([, m]) => SIDES.every((side, i) => near(drawn[side], (inches ? m.inches : m.mm)[i]! * unit)))?.[0] ?? "own";
}
