// What is for the designer alone: elements that are locked, and elements that
// the canvas leaves out. Nothing printed depends on it.

import { ancestors, find, type Node, type Place, type Report, update, walk } from "./model";

export type Mark = "locked" | "hidden";

/** An element with a mark or without it. */
export function marked(node: Node, mark: Mark, on: boolean): Node {
  const { design, ...rest } = node;
  const { [mark]: _, ...others } = design ?? {};
  const marks = on ? { ...others, [mark]: true } : others;
  return Object.keys(marks).length > 0 ? { ...rest, design: marks } : rest;
}

/** A report some of whose elements have a mark, or have it no more. */
export const markedAll = (report: Report, ids: string[], mark: Mark, on: boolean): Report => ids.reduce((r, id) => update(r, id, (n) => marked(n, mark, on)), report);

/** The elements that have a mark themselves. */
export function having(report: Report, mark: Mark): Node[] {
  const found: Node[] = [];
  for (const page of report.pages) walk(page, (n) => n.design?.[mark] && found.push(n));
  return found;
}

/** What keeps an element as it is: itself, or what it lies in. */
export function lockOf(report: Report, id: string): Node | null {
  const node = find(report, id)?.node;
  return node ? ([node, ...ancestors(report, id).reverse()].find((n) => n.design?.locked) ?? null) : null;
}

/** The first locked element that a change touches: another place, another setting, or gone. That others stand before it is none. */
export function touched(before: Report, after: Report): Node | null {
  return having(before, "locked").find((node) => !stays(before, after, node)) ?? null;
}

function stays(before: Report, after: Report, node: Node): boolean {
  const [was, now] = [find(before, node.id), find(after, node.id)];
  return was !== null && now !== null && around(before, was) === around(after, now) && same(node, now.node);
}

const around = (report: Report, { page, slot, parent }: Place): string => parent?.id ?? `${report.pages[page]!.id} ${slot}`;

function same(a: Node, b: Node): boolean {
  const plain = ({ design: _, ...rest }: Node): string => JSON.stringify(rest);
  return a === b || plain(a) === plain(b);
}
