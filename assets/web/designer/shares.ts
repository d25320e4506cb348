// The shares that neighbours have of their row, and what moving the border
// between them makes of these.

import { growing } from "./beside";
import { inUnitOf, isFixed, pixelsOf } from "./lengths";
import { type Node, withSetting } from "./model";

/** How wide two neighbours and the room of their row are, in pixels, and whether the elements fill that. */
export interface Measured {
  first: number;
  second: number;
  whole: number;
  full: boolean;
}

/** The ids of two neighbours. */
export type Pair = readonly [string, string];

/** Widths for two neighbours; null for what takes the room that is left. */
export type Widths = readonly [string | null, string | null];

/** The least share of a row, in percent. */
export const LEAST = 5;

const grows = (node: Node | undefined): boolean => node?.props?.grow === true;
const membersOf = (row: Node, pair: Pair): (Node | undefined)[] => pair.map((id) => row.children?.find((c) => c.id === id));
const percent = (pixels: number, whole: number): number => Math.round((pixels / whole) * 100);
/** A share that leads to a place, as to a guide, rather than to a whole number. */
const exactly = (pixels: number, whole: number): number => Math.round((pixels / whole) * 10000) / 100;

/** Which of two neighbours takes the room that is left: where another of the row does so, or nothing fills it, none. */
function filler(row: Node, pair: Pair, full: boolean): string | null {
  const others = row.children?.filter((c) => !pair.includes(c.id)) ?? [];
  const [first, second] = membersOf(row, pair);
  if (others.some(grows)) return null;
  if (grows(second)) return pair[1];
  return grows(first) ? pair[0] : full ? pair[1] : null;
}

/** The widths of two neighbours once the border between them has moved by some pixels. What they have together stays. */
export function sharesAfter(row: Node, pair: Pair, { first, second, whole, full }: Measured, by: number, exact = false): Widths {
  const both = first + second;
  const least = Math.min((whole * LEAST) / 100, both / 2);
  const fills = filler(row, pair, full);
  const [one, two] = membersOf(row, pair);
  const widthOf = (node: Node | undefined, pixels: number): string => (isFixed(node?.props?.width) ? inUnitOf(node!.props!.width, pixels) : `${(exact ? exactly : percent)(pixels, whole)}%`);
  const wide = Math.min(Math.max(first + by, least), both - least);
  if (fills === pair[0]) return [null, widthOf(two, both - wide)];
  const given = widthOf(one, wide);
  return [given, fills === pair[1] ? null : widthOf(two, both - pixelsOf(given, whole)!)];
}

/** What is measured, but for what the settings say: keys come faster than drawings. */
export function asSet(row: Node, pair: Pair, m: Measured): Measured {
  const both = m.first + m.second;
  const [one, two] = membersOf(row, pair).map((n) => (grows(n) ? undefined : pixelsOf(n?.props?.width, m.whole)));
  const first = one ?? (two === undefined || !grows(membersOf(row, pair)[0]) ? m.first : both - two);
  return { ...m, first, second: both - first };
}

/** A row whose neighbours have other widths. */
export function withShares(row: Node, pair: Pair, widths: Widths): Node {
  const wide = (node: Node, width: string | null): Node => (width === null ? growing(node) : withSetting(withSetting(node, "grow", undefined), "width", width));
  return { ...row, children: row.children?.map((c) => (pair.includes(c.id) ? wide(c, widths[pair.indexOf(c.id)] ?? null) : c)) ?? [] };
}

/** A row whose elements all have the same share. */
export const equalShares = (row: Node): Node => ({ ...row, children: row.children?.map(growing) ?? [] });

export const isEqual = (row: Node): boolean => row.children?.every((c) => grows(c) && c.props?.width === undefined) ?? true;

/** Whether neighbours have these widths already. */
export function hasShares(row: Node, pair: Pair, widths: Widths): boolean {
  return membersOf(row, pair).every((n, i) => (widths[i] === null ? grows(n) && n?.props?.width === undefined : !grows(n) && n?.props?.width === widths[i]));
}

/** Two shares as they are read: what takes the rest has what two make a whole with, and in a longer row what it is drawn with. */
export function wordsOf(row: Node, widths: Widths, { first, second, whole }: Measured): [string, string] {
  const drawn = [first, second].map((pixels) => `${percent(pixels, whole)}%`);
  const rest = (other: string | null): string | null => (row.children?.length === 2 && other?.endsWith("%") ? `${100 - Number.parseFloat(other)}%` : null);
  return [widths[0] ?? rest(widths[1]) ?? drawn[0]!, widths[1] ?? rest(widths[0]) ?? drawn[1]!];
}
