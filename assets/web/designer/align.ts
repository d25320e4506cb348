// Aligning and distributing. Elements of a report follow each other: those of a row
// are aligned by their row, others stand at a side of their place by margins, and
// what fills its place has its text at that side.

import { isRow } from "./beside";
import { find, type Node, outermost, type Report, update, withSetting } from "./model";
import { equalShares, isEqual } from "./shares";

export type Across = "left" | "center" | "right";
export type Upright = "top" | "middle" | "bottom";

/** What is known of the elements besides the report. */
export interface Known {
  /** Whether an element is as wide as its place. */
  fills(id: string): boolean;
  /** The margins above and below that an element is drawn with, where it sets none. */
  margin(id: string): string;
  /** Whether the elements of a row leave room in it. */
  leavesRoom(row: Node): boolean;
  /** Whether a type has a setting. */
  has(type: string, setting: string): boolean;
  /** Whether it is read from the right. */
  fromRight: boolean;
}

/** Those of some elements that lie in none of the others; one is that by itself. */
const rootsOf = (report: Report, ids: string[]): string[] => (ids.length > 1 ? outermost(report, ids) : ids.filter((id) => find(report, id)));

/** The rows that elements are, or stand in. */
export function rowsOf(report: Report, ids: string[]): Node[] {
  const found = new Map<string, Node>();
  for (const id of rootsOf(report, ids)) {
    const place = find(report, id)!;
    const row = isRow(place.parent) ? place.parent : isRow(place.node) ? place.node : null;
    if (row) found.set(row.id, row);
  }
  return [...found.values()];
}

const inRow = (report: Report, id: string): boolean => isRow(find(report, id)?.parent ?? null);
const withAll = (report: Report, nodes: Node[], name: string, value: string | undefined): Report => nodes.reduce((r, n) => update(r, n.id, (now) => withSetting(now, name, value)), report);

/** How an element can be moved across: by its row, by its margins, by its text; null when it fills its place and has none. */
function way(report: Report, known: Known, id: string): "row" | "margin" | "text" | null {
  const { node, parent } = find(report, id)!;
  if (inRow(report, id)) return known.leavesRoom(parent!) ? "row" : known.has(node.type, "textAlign") ? "text" : null;
  if (!known.fills(id) && known.has(node.type, "margin")) return "margin";
  return known.has(node.type, "textAlign") ? "text" : null;
}

export const canAcross = (report: Report, ids: string[], known: Known): boolean => rootsOf(report, ids).some((id) => way(report, known, id) !== null);

/** Margins with which an element stands left, in the middle or right. Above and below they stay, and at the sides as far as they are lengths. */
export function marginsFor(margin: string, to: Across): string | undefined {
  const [top = "0", right = top, bottom = top, left = right] = margin.trim().split(/\s+/).filter(Boolean);
  const length = (side: string): string => (side === "auto" ? "0" : side);
  const all = [top, to === "center" ? "auto" : length(right), bottom, to === "left" ? length(left) : "auto"];
  if (all.every((side) => side === "0")) return undefined;
  if (all[1] !== all[3]) return all.join(" ");
  return all[0] === all[2] ? all.slice(0, 2).join(" ") : all.slice(0, 3).join(" ");
}

const marginOf = ({ id, props }: Node, known: Known): string => (typeof props?.margin === "string" ? props.margin : known.margin(id));

/** Moves elements to a side, or into the middle. */
export function alignedAcross(report: Report, ids: string[], to: Across, known: Known): Report {
  const start = known.fromRight ? "right" : "left";
  const justified = to === "center" ? "center" : to === start ? undefined : "end";
  const rows = new Set<string>();
  return rootsOf(report, ids).reduce((r, id) => {
    switch (way(r, known, id)) {
      case "row": {
        const row = find(r, id)!.parent!;
        if (rows.has(row.id)) return r;
        rows.add(row.id);
        return withAll(r, [row], "justifyItems", justified);
      }
      case "margin":
        return update(r, id, (n) => withSetting(n, "margin", marginsFor(marginOf(n, known), to)));
      case "text":
        return update(r, id, (n) => withSetting(n, "textAlign", to));
      default:
        return r;
    }
  }, report);
}

const ITEMS: Record<Upright, string> = { top: "start", middle: "center", bottom: "end" };

/** Moves the elements of the rows up, down or into the middle. */
export const alignedUpright = (report: Report, ids: string[], to: Upright): Report => withAll(report, rowsOf(report, ids), "alignItems", ITEMS[to]);

/** Rows that leave room can share it out between their elements. */
export const distributable = (report: Report, ids: string[], known: Known): Node[] => rowsOf(report, ids).filter((row) => (row.children?.length ?? 0) > 1 && known.leavesRoom(row));

/** Gives all gaps between the elements of rows the same width: that of the room that is left. */
export const distributed = (report: Report, ids: string[], known: Known): Report => withAll(report, distributable(report, ids, known), "justifyItems", "space-between");

/** Rows whose elements can be made equally wide. */
export const levelable = (report: Report, ids: string[]): Node[] => rowsOf(report, ids).filter((row) => (row.children?.length ?? 0) > 1 && !isEqual(row));

export const levelled = (report: Report, ids: string[]): Report => levelable(report, ids).reduce((r, row) => update(r, row.id, (n) => withSetting(equalShares(n), "justifyItems", undefined)), report);

/** The side at which all of the elements stand, as far as their settings say so. */
export function acrossOf(report: Report, ids: string[], known: Known): Across | null {
  const each = rootsOf(report, ids).map((id): Across | null => {
    const { node, parent } = find(report, id)!;
    const { margin, textAlign } = node.props ?? {};
    switch (way(report, known, id)) {
      case "row": {
        const set = parent!.props?.justifyItems;
        return set === "center" ? "center" : set === "end" ? (known.fromRight ? "left" : "right") : null;
      }
      case "margin":
        if (typeof margin !== "string") return null;
        return (["center", "right"] as const).find((to) => marginsFor(margin, to) === margin) ?? null;
      case "text":
        return textAlign === "left" || textAlign === "center" || textAlign === "right" ? textAlign : null;
      default:
        return null;
    }
  });
  return each.length > 0 && each.every((side) => side === each[0]) ? each[0]! : null;
}

/** Where the elements of all rows stand upright. */
export function uprightOf(report: Report, ids: string[]): Upright | null {
  const set = new Set(rowsOf(report, ids).map((row) => row.props?.alignItems));
  const [only] = set;
  return set.size === 1 ? ((Object.keys(ITEMS) as Upright[]).find((to) => ITEMS[to] === only) ?? null) : null;
}
