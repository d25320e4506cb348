// Elements beside each other: the row that the designer makes of them, and
// takes away when only one of them is left.

import { find, fresh, type Node, remove, type Report, update, walk, withSetting } from "./model";

/** The side of an element at which something is put. */
export interface Beside {
  id: string;
  after: boolean;
}

/** Which elements take a share of a row; others are as wide as what they show. */
export type Sharing = (node: Node) => boolean;

const ROW = "flow";
/** The settings of a row that the designer makes. One that has others is its author's, and stays. */
const MADE: Record<string, unknown> = { gap: "16px" };
/** What an element says of its place on the page: in a row, the row says it. */
const ON_PAGE = ["pageBreakBefore", "keepWithNext"];
/** What a row that goes leaves to the element that stays. */
const LEFT = [...ON_PAGE, "grow", "width"];

/** Whether elements stand beside each other in an element. */
export const isRow = (node: Node | null): boolean => node !== null && node.type === ROW && node.props?.orientation !== "vertical";

const without = (node: Node, names: string[]): Node => names.reduce((n, name) => withSetting(n, name, undefined), node);

const grows = (node: Node): boolean => node.props?.grow === true;

/** An element that takes its share of what the others of its row leave. */
export const growing = (node: Node): Node => withSetting(without(node, ["width"]), "grow", true);

const sharedBy = (sharing: Sharing) => (node: Node): Node => (sharing(node) && node.props?.width === undefined ? growing(node) : node);

/** An element as it is outside of a row, where a share of one says nothing. */
function alone(node: Node): Node {
  const { width } = node.props ?? {};
  return without(node, typeof width === "string" && width.endsWith("%") ? ["width", "grow"] : ["grow"]);
}

/** Whether a row is as the designer makes them. */
function isMade(node: Node): boolean {
  const own = without(node, LEFT).props ?? {};
  const same = Object.keys(own).length === Object.keys(MADE).length && Object.entries(MADE).every(([name, value]) => own[name] === value);
  return isRow(node) && same && !node.name && !node.visible && !node.repeat;
}

/** Puts elements into a row, which stands where one of them stood. */
export function inRow(report: Report, ids: string[], anchor: string, sharing: Sharing): Report {
  const stays = find(report, anchor)?.node;
  const [empty] = fresh(report, [{ id: "", type: ROW, props: MADE }]);
  if (!stays || !empty) return report;
  const members = ids.flatMap((id) => find(report, id)?.node ?? []);
  const children = members.map((n) => without(n, ON_PAGE)).map(sharedBy(sharing));
  const row = ON_PAGE.reduce<Node>((r, name) => withSetting(r, name, stays.props?.[name]), { ...empty, children });
  return update(remove(report, ids.filter((id) => id !== anchor)), anchor, () => row);
}

/** What comes of elements that were put somewhere: in a row they take a share of it, outside they have none, and one of them left alone needs no row. */
export function placed(before: Report, after: Report, ids: string[], sharing: Sharing, beside?: Beside): Report {
  if (after === before && !beside) return before;
  const free = ids.reduce((r, id) => (hasLeft(before, r, id) ? update(r, id, alone) : r), after);
  const put = beside ? inRow(free, beside.after ? [beside.id, ...ids] : [...ids, beside.id], beside.id, sharing) : ids.reduce((r, id) => joined(r, id, ids, sharing), free);
  return settled(before, put);
}

/** Whether an element stood in a row of the designer's and stands elsewhere. */
function hasLeft(before: Report, after: Report, id: string): boolean {
  const row = find(before, id)?.parent;
  return !!row && isMade(row) && find(after, id)?.parent?.id !== row.id;
}

/** An element among others that share a row shares it, too. */
function joined(report: Report, id: string, ids: string[], sharing: Sharing): Report {
  const row = find(report, id)?.parent ?? null;
  const others = row?.children?.filter((c) => !ids.includes(c.id)) ?? [];
  return isRow(row) && others.some(grows) ? update(report, id, sharedBy(sharing)) : report;
}

/** The report after elements have gone: rows of the designer's that hold one element are that element, and those that hold none are not there. */
export function settled(before: Report, after: Report): Report {
  const rows: string[] = [];
  const lost = (row: Node): boolean => (find(before, row.id)?.node.children?.length ?? 0) > (row.children?.length ?? 0);
  for (const page of after.pages) walk(page, (n) => isMade(n) && lost(n) && rows.push(n.id));
  return rows.reduce((r, id) => (find(r, id)?.node.children?.length ? update(r, id, closed) : remove(r, [id])), after);
}

/** A row that has lost elements: its room stays filled. */
function closed(row: Node): Node {
  const [only, ...more] = row.children ?? [];
  if (only && more.length === 0) return LEFT.reduce((n, name) => (row.props?.[name] === undefined ? n : withSetting(n, name, row.props[name])), alone(only));
  const children = row.children!.some(grows) ? row.children! : row.children!.map((c, i, all) => (i === all.length - 1 ? growing(c) : c));
  return { ...row, children };
}

/** The elements of a container as they are without it. */
export const released = (box: Node): Node[] => (isMade(box) ? (box.children ?? []).map(alone) : (box.children ?? []));
