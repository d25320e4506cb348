// The report as it is edited: plain JSON, never changed in place. What an
// operation leaves alone is shared between the old report and the new one.

/** An element of a report, as in its file. */
export interface Node {
  id: string;
  type: string;
  name?: string;
  visible?: string;
  repeat?: { source: string; alias?: string };
  props?: Record<string, unknown>;
  children?: Node[];
  /** What is for the designer alone. */
  design?: { locked?: boolean; hidden?: boolean };
}

export interface Page {
  id: number;
  name: string;
  elements?: Node[];
  [more: string]: unknown;
}

/** A data source as a report uses it. */
export interface Source {
  name: string;
  type?: string;
  reuse?: string;
  dependencies?: string[];
  settings?: Record<string, unknown>;
}

export interface Report {
  name: string;
  pages: Page[];
  dataSources?: Source[];
  [more: string]: unknown;
}

/** A list of elements of a page: "elements", "placeholders.<name>", or a part of a template's layout. */
export type Slot = string;

/** The parts of a template's layout, from top to bottom. */
export const LAYOUT_SLOTS: readonly Slot[] = ["firstHeader", "header", "body", "footer"];

/** Where elements stand or come to stand: the page, the part of it, the element around them and the place among its children. */
export interface Target {
  page: number;
  slot: Slot;
  parent: string | null;
  index: number;
}

/** Where an element stands, and the element itself. */
export interface Place {
  page: number;
  slot: Slot;
  parent: Node | null;
  index: number;
  node: Node;
}

/** The lists of elements of a page, in the order of the page. */
export function slotsOf(page: Page): [Slot, Node[]][] {
  const found: [Slot, Node[]][] = LAYOUT_SLOTS.filter((slot) => slot in page).map((slot) => [slot, (page[slot] as Node[] | undefined) ?? []]);
  if (found.length > 0) return found;
  const named = Object.entries((page.placeholders as Record<string, Node[]> | undefined) ?? {});
  if (page.elements || named.length === 0) found.push(["elements", page.elements ?? []]);
  return [...found, ...named.map(([name, list]): [Slot, Node[]] => [`placeholders.${name}`, list])];
}

/** The page with a list replaced. */
function withSlot(page: Page, slot: Slot, list: Node[]): Page {
  const name = slot.startsWith("placeholders.") ? slot.slice("placeholders.".length) : null;
  if (name === null) return { ...page, [slot]: list };
  return { ...page, placeholders: { ...(page.placeholders as Record<string, Node[]>), [name]: list } };
}

function listOf(page: Page, slot: Slot): Node[] {
  return slotsOf(page).find(([name]) => name === slot)?.[1] ?? [];
}

/** All elements of a page with everything inside, in the order of the page. */
export function walk(page: Page, visit: (node: Node, parent: Node | null) => void): void {
  const go = (list: Node[], parent: Node | null): void => {
    for (const node of list) {
      visit(node, parent);
      go(node.children ?? [], node);
    }
  };
  for (const [, list] of slotsOf(page)) go(list, null);
}

/** Finds an element anywhere in the report. */
export function find(report: Report, id: string): Place | null {
  for (let page = 0; page < report.pages.length; page++) {
    for (const [slot, list] of slotsOf(report.pages[page]!)) {
      const found = findIn(list, null, id);
      if (found) return { page, slot, ...found };
    }
  }
  return null;
}

function findIn(list: Node[], parent: Node | null, id: string): Pick<Place, "parent" | "index" | "node"> | null {
  for (let index = 0; index < list.length; index++) {
    const node = list[index]!;
    if (node.id === id) return { parent, index, node };
    const inner = findIn(node.children ?? [], node, id);
    if (inner) return inner;
  }
  return null;
}

/** The elements around an element, the outermost first. */
export function ancestors(report: Report, id: string): Node[] {
  const place = find(report, id);
  return place?.parent ? [...ancestors(report, place.parent.id), place.parent] : [];
}

/** The elements next to an element, itself among them. */
export function siblings(report: Report, place: Pick<Place, "page" | "slot" | "parent">): Node[] {
  return place.parent ? (place.parent.children ?? []) : listOf(report.pages[place.page]!, place.slot);
}

/** Changes the siblings around an element, or those of a slot when the parent is null. */
function changeList(report: Report, at: { page: number; slot: Slot; parent: string | null }, change: (list: Node[]) => Node[]): Report {
  const pages = report.pages.map((p, i) => {
    if (i !== at.page) return p;
    const elements = listOf(p, at.slot);
    return withSlot(p, at.slot, at.parent === null ? change(elements) : changeInside(elements, at.parent, change));
  });
  return { ...report, pages };
}

function changeInside(list: Node[], parent: string, change: (list: Node[]) => Node[]): Node[] {
  return list.map((node) => {
    if (node.id === parent) return { ...node, children: change(node.children ?? []) };
    if (!node.children) return node;
    const children = changeInside(node.children, parent, change);
    return children.every((c, i) => c === node.children![i]) ? node : { ...node, children };
  });
}

function around(place: Place): { page: number; slot: Slot; parent: string | null } {
  return { page: place.page, slot: place.slot, parent: place.parent?.id ?? null };
}

/** Replaces an element by what a function makes of it. */
export function update(report: Report, id: string, change: (node: Node) => Node): Report {
  const place = find(report, id);
  if (!place) return report;
  return changeList(report, around(place), (list) => list.map((n) => (n.id === id ? change(n) : n)));
}

/** Takes elements out. */
export function remove(report: Report, ids: string[]): Report {
  return ids.reduce((r, id) => {
    const place = find(r, id);
    return place ? changeList(r, around(place), (list) => list.filter((n) => n.id !== id)) : r;
  }, report);
}

/** Puts elements at a place among others. */
export function insert(report: Report, at: Target, nodes: Node[]): Report {
  return changeList(report, at, (list) => [...list.slice(0, at.index), ...nodes, ...list.slice(at.index)]);
}

/** Moves elements to a place; the index counts the elements that are there before. A place inside of a moved element changes nothing. */
export function move(report: Report, ids: string[], to: Target): Report {
  const moved = ids.flatMap((id) => find(report, id) ?? []);
  const inside = to.parent !== null && moved.some((p) => p.node.id === to.parent || ancestors(report, to.parent!).some((a) => a.id === p.node.id));
  if (inside || moved.length === 0) return report;
  const before = moved.filter((p) => p.page === to.page && p.slot === to.slot && (p.parent?.id ?? null) === to.parent && p.index < to.index).length;
  const stays = moved.every((p, i) => p.page === to.page && p.slot === to.slot && (p.parent?.id ?? null) === to.parent && p.index === to.index - before + i);
  if (stays) return report;
  return insert(remove(report, ids), { ...to, index: to.index - before }, moved.map((p) => p.node));
}

/** Moves an element among its siblings; beyond the first or last it stays. */
export function shift(report: Report, id: string, by: number): Report {
  const place = find(report, id);
  const to = (place?.index ?? 0) + by;
  if (!place || to < 0 || to >= siblings(report, place).length) return report;
  return move(report, [id], { ...around(place), index: by > 0 ? to + 1 : to });
}

/** Of several elements those that lie in none of the others, in the order of the page. */
export function outermost(report: Report, ids: string[]): string[] {
  const chosen = new Set(ids);
  const found: string[] = [];
  for (const page of report.pages) walk(page, (n) => chosen.has(n.id) && !ancestors(report, n.id).some((a) => chosen.has(a.id)) && found.push(n.id));
  return found;
}

/** Every id in use. */
function ids(report: Report): Set<string> {
  const used = new Set<string>();
  for (const p of report.pages) walk(p, (n) => n.id && used.add(n.id));
  return used;
}

/** Gives ids that are not in use. Those of templates begin differently, as a page shows elements of both. */
function naming(report: Report, ending: () => string): () => string {
  const used = ids(report);
  const prefix = report.pages.some((p) => LAYOUT_SLOTS.some((slot) => slot in p)) ? "tpl" : "el";
  let n = used.size;
  return () => {
    for (;;) {
      const id = `${prefix}${++n}${ending()}`;
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  };
}

/** What tells an id from one that another browser gives at the same time. */
const apart = (): string => `-${Math.random().toString(36).slice(2, 6)}`;

/** Copies of elements with ids that the report does not have yet. */
export function fresh(report: Report, nodes: Node[]): Node[] {
  const next = naming(report, apart);
  const copy = (node: Node): Node => ({ ...node, id: next(), ...(node.children ? { children: node.children.map(copy) } : {}) });
  return nodes.map(copy);
}

/** Gives every element an id, as the canvas knows elements by it. */
export function identified(report: Report): Report {
  const next = naming(report, () => "");
  const name = (node: Node): Node => ({ ...node, id: node.id || next(), ...(node.children ? { children: node.children.map(name) } : {}) });
  const pages = report.pages.map((p) => slotsOf(p).reduce((page, [slot, list]) => (list.length > 0 ? withSlot(page, slot, list.map(name)) : page), p));
  return { ...report, pages };
}

/** A value without what is empty, so that only what was set is stored. */
export function withSetting(node: Node, name: string, value: unknown): Node {
  const props = { ...node.props };
  if (value === undefined || value === "") delete props[name];
  else props[name] = value;
  const { props: _, ...rest } = node;
  return Object.keys(props).length > 0 ? { ...rest, props } : rest;
}
