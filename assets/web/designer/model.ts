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

/** Where an element stands: its page, the elements around it, and its place among its siblings. */
export interface Place {
  page: number;
  parent: Node | null;
  index: number;
  node: Node;
}

/** Finds an element anywhere in the report. */
export function find(report: Report, id: string): Place | null {
  for (let page = 0; page < report.pages.length; page++) {
    const found = findIn(report.pages[page]!.elements ?? [], null, id);
    if (found) return { page, ...found };
  }
  return null;
}

function findIn(list: Node[], parent: Node | null, id: string): Omit<Place, "page"> | null {
  for (let index = 0; index < list.length; index++) {
    const node = list[index]!;
    if (node.id === id) return { parent, index, node };
    const inner = findIn(node.children ?? [], node, id);
    if (inner) return inner;
  }
  return null;
}

/** Changes the siblings around an element, or those of a page when the parent is null. */
function changeList(report: Report, page: number, parent: string | null, change: (list: Node[]) => Node[]): Report {
  const pages = report.pages.map((p, i) => {
    if (i !== page) return p;
    const elements = p.elements ?? [];
    return { ...p, elements: parent === null ? change(elements) : changeInside(elements, parent, change) };
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

/** Replaces an element by what a function makes of it. */
export function update(report: Report, id: string, change: (node: Node) => Node): Report {
  const place = find(report, id);
  if (!place) return report;
  return changeList(report, place.page, place.parent?.id ?? null, (list) => list.map((n) => (n.id === id ? change(n) : n)));
}

/** Takes elements out. */
export function remove(report: Report, ids: string[]): Report {
  return ids.reduce((r, id) => {
    const place = find(r, id);
    return place ? changeList(r, place.page, place.parent?.id ?? null, (list) => list.filter((n) => n.id !== id)) : r;
  }, report);
}

/** Puts elements at a place among others. */
export function insert(report: Report, page: number, parent: string | null, index: number, nodes: Node[]): Report {
  return changeList(report, page, parent, (list) => [...list.slice(0, index), ...nodes, ...list.slice(index)]);
}

/** Moves an element among its siblings; beyond the first or last it stays. */
export function shift(report: Report, id: string, by: number): Report {
  const place = find(report, id);
  if (!place) return report;
  return changeList(report, place.page, place.parent?.id ?? null, (list) => {
    const to = place.index + by;
    if (to < 0 || to >= list.length) return list;
    const rest = list.filter((n) => n.id !== id);
    return [...rest.slice(0, to), place.node, ...rest.slice(to)];
  });
}

/** Every id in use. */
function ids(report: Report): Set<string> {
  const used = new Set<string>();
  const walk = (list: Node[]) => {
    for (const n of list) {
      if (n.id) used.add(n.id);
      walk(n.children ?? []);
    }
  };
  for (const p of report.pages) walk(p.elements ?? []);
  return used;
}

/** Copies of elements with ids that the report does not have yet. */
export function fresh(report: Report, nodes: Node[]): Node[] {
  const used = ids(report);
  let n = used.size;
  const next = (): string => {
    do n++;
    while (used.has(`el${n}`));
    used.add(`el${n}`);
    return `el${n}`;
  };
  const copy = (node: Node): Node => ({ ...node, id: next(), ...(node.children ? { children: node.children.map(copy) } : {}) });
  return nodes.map(copy);
}

/** Gives every element an id, as the canvas knows elements by it. */
export function identified(report: Report): Report {
  const used = ids(report);
  let n = 0;
  const next = (): string => {
    do n++;
    while (used.has(`el${n}`));
    used.add(`el${n}`);
    return `el${n}`;
  };
  const name = (node: Node): Node => ({ ...node, id: node.id || next(), ...(node.children ? { children: node.children.map(name) } : {}) });
  return { ...report, pages: report.pages.map((p) => (p.elements ? { ...p, elements: p.elements.map(name) } : p)) };
}

/** A value without what is empty, so that only what was set is stored. */
export function withSetting(node: Node, name: string, value: unknown): Node {
  const props = { ...node.props };
  if (value === undefined || value === "") delete props[name];
  else props[name] = value;
  const { props: _, ...rest } = node;
  return Object.keys(props).length > 0 ? { ...rest, props } : rest;
}
