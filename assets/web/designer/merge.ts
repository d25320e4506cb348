// Merging of two reports that come from the same one. An element is the same
// wherever it stands, so that one may be moved while another changes its text.

import { type Node, type Page, type Report, slotsOf, walk } from "./model";
import { type Entry, equal, type Merge, Merger, mergeValues, type Path } from "../session/merge";

/** A report with its elements beside each other. */
interface Flat {
  report: Report;
  pages: Map<string, Page>;
  nodes: Map<string, { node: Node; place: string }>;
  /** The elements of each place in their order: of a page's part, or of an element. */
  lists: Map<string, string[]>;
}

const pageName = (page: Page): string => `=${page.id}`;
const ofPage = (page: string, slot: string): string => `page ${page} ${slot}`;
const ofNode = (id: string): string => `node ${id}`;

/** Null when an element cannot be told from another one. */
function flat(report: Report): Flat | null {
  const found: Flat = { report, pages: new Map(report.pages.map((p) => [pageName(p), p])), nodes: new Map(), lists: new Map() };
  let clear = found.pages.size === report.pages.length;
  const list = (nodes: Node[], place: string): void => {
    found.lists.set(place, nodes.map((n) => n.id));
    for (const node of nodes) {
      if (!node.id || found.nodes.has(node.id)) clear = false;
      found.nodes.set(node.id, { node, place });
      if (node.children) list(node.children, ofNode(node.id));
    }
  };
  for (const page of report.pages) for (const [slot, nodes] of slotsOf(page)) if (slot !== "elements" || page.elements) list(nodes, ofPage(pageName(page), slot));
  return clear ? found : null;
}

/** A page without its elements. */
function frameOf(page: Page): Record<string, unknown> {
  const frame: Record<string, unknown> = { ...page };
  for (const [slot] of slotsOf(page)) delete frame[slot.startsWith("placeholders.") ? "placeholders" : slot];
  return frame;
}

/** An element without those inside of it. */
function selfOf({ children: _, ...self }: Node): Record<string, unknown> {
  return self as unknown as Record<string, unknown>;
}

const none = (): Flat => ({ report: { name: "", pages: [] }, pages: new Map(), nodes: new Map(), lists: new Map() });

/** Gives pages that only my side added numbers that theirs does not have. */
function numbered(base: Report | undefined, mine: Report, theirs: Report): (report: Report) => Report {
  const had = new Set(base?.pages.map((p) => p.id));
  const taken = new Map(theirs.pages.map((p) => [p.id, p]));
  let next = Math.max(0, ...[...(base?.pages ?? []), ...mine.pages, ...theirs.pages].map((p) => p.id));
  const renamed = new Map<number, number>();
  for (const page of mine.pages) if (!had.has(page.id) && taken.has(page.id) && !equal(page, taken.get(page.id))) renamed.set(page.id, ++next);
  return renamed.size === 0 ? (report) => report : (report) => ({ ...report, pages: report.pages.map((p) => (renamed.has(p.id) ? { ...p, id: renamed.get(p.id)! } : p)) });
}

export const mergeReports: Merge<Report> = (base, given, theirs, choices, otherwise) => {
  const rename = numbered(base, given, theirs);
  const mine = rename(given);
  const sides = [base ? flat(base) : none(), flat(mine), flat(theirs)];
  const [b, m, t] = sides;
  if (!b || !m || !t) return mergeValues(base, given, theirs, choices, otherwise) as { value: Report; clashes: [] };
  const merger = new Merger(choices, otherwise);
  const value = new Reports(merger, b, m, t).merged();
  return { value, clashes: merger.clashes, ...(mine === given ? {} : { rename }) };
};

class Reports {
  private readonly kept = new Map<string, { self: Record<string, unknown>; place: string }>();

  constructor(
    private readonly merger: Merger,
    private readonly base: Flat,
    private readonly mine: Flat,
    private readonly theirs: Flat,
  ) {}

  merged(): Report {
    const { base, mine, theirs } = this;
    const rest = ({ report }: Flat) => Object.fromEntries(Object.entries(report).filter(([name]) => name !== "pages"));
    const top = this.merger.members([], rest(base), rest(mine), rest(theirs));
    const entries = (side: Flat): Entry[] => [...side.pages].map(([name, page]) => ({ name, value: frameOf(page), whole: page }));
    const pages = this.merger.entries(["pages"], entries(base), entries(mine), entries(theirs));
    const names = new Set(pages.map((p) => p.name));
    this.keepNodes();
    this.placeNodes(names);
    const lists = this.lists();
    return { ...top, pages: pages.map((p) => this.page(p.name, p.value as Page, lists)) } as Report;
  }

  /** Decides which elements there are, and merges their settings. */
  private keepNodes(): void {
    const dropped = new Set<string>();
    const drop = (side: Flat, other: Flat, id: string) => {
      dropped.add(id);
      for (const child of side.lists.get(ofNode(id)) ?? []) if (!other.nodes.has(child)) drop(side, other, child);
    };
    const returned = new Set<string>();
    for (const [side, other] of [[this.mine, this.theirs], [this.theirs, this.mine]] as const) {
      for (const [id, { node }] of side.nodes) {
        const was = this.base.nodes.get(id);
        if (!was || other.nodes.has(id) || dropped.has(id) || returned.has(id)) continue;
        if (this.goesAlong(side, other, id)) continue; // with the element or page around it
        const changed = inside(node).some((n) => this.changed(side, n.id));
        const path = [`#${id}`];
        const [whose, otherwise] = side === this.mine ? (["mine", "theirs"] as const) : (["theirs", "mine"] as const);
        const stays = changed && this.merger.side("removed", path, was.node, whose === "mine" ? node : undefined, whose === "theirs" ? node : undefined) !== otherwise;
        if (stays) for (const n of inside(node)) returned.add(n.id);
        else drop(side, other, id);
      }
    }
    for (const id of new Set([...this.theirs.nodes.keys(), ...this.mine.nodes.keys()])) {
      if (dropped.has(id) && !returned.has(id)) continue;
      const [b, m, t] = [this.base, this.mine, this.theirs].map((side) => side.nodes.get(id));
      if (!m || !t) {
        const { node, place } = (m ?? t)!;
        this.kept.set(id, { self: selfOf(node), place });
        continue;
      }
      const self = this.merger.members([`#${id}`], b ? selfOf(b.node) : {}, selfOf(m.node), selfOf(t.node));
      this.kept.set(id, { self, place: this.place(id, b?.place, m.place, t.place) });
    }
  }

  /** Whether a side added an element, moved it or changed what it says. */
  private changed(side: Flat, id: string): boolean {
    const [was, now] = [this.base.nodes.get(id), side.nodes.get(id)!];
    return !was || was.place !== now.place || !equal(selfOf(was.node), selfOf(now.node));
  }

  /** Whether an element that one side removed stood, and stands, in something that this side removed as well. */
  private goesAlong(side: Flat, other: Flat, id: string): boolean {
    const was = this.base.nodes.get(id)!;
    const { place } = side.nodes.get(id)!;
    if (place !== was.place) return false;
    if (place.startsWith("node ")) return !other.nodes.has(place.slice(5));
    return !other.pages.has(place.split(" ")[1]!);
  }

  private place(id: string, base: string | undefined, mine: string, theirs: string): string {
    if (mine === theirs || theirs === base) return mine;
    if (mine === base) return theirs;
    return this.merger.side("place", [`#${id}`], base, mine, theirs) === "mine" ? mine : theirs;
  }

  /** Gives every element a place that there is, and that does not lie inside of itself. */
  private placeNodes(pages: ReadonlySet<string>): void {
    for (const [id, kept] of this.kept) {
      for (let place: string | undefined = kept.place; place !== undefined; place = this.outside(place)) {
        if (!this.there(place, pages)) continue;
        kept.place = place;
        break;
      }
      if (!this.there(kept.place, pages)) this.kept.delete(id); // its page was removed
    }
    for (const id of this.kept.keys()) {
      if (!this.circle(id)) continue;
      // Each was moved into the other.
      const [m, t] = [this.mine.nodes.get(id)?.place, this.theirs.nodes.get(id)?.place];
      if (m === t || m === undefined || t === undefined) continue;
      this.kept.get(id)!.place = this.merger.side("place", [`#${id}`], this.base.nodes.get(id)?.place, m, t) === "mine" ? this.back(id, m) : t;
    }
  }

  /** My place of an element; the one that it lies in then goes where I have it. */
  private back(id: string, place: string): string {
    for (const [other, kept] of this.kept) {
      const m = this.mine.nodes.get(other)?.place;
      if (other !== id && m !== undefined && kept.place !== m && this.circle(other)) kept.place = m;
    }
    return place;
  }

  private there(place: string, pages: ReadonlySet<string>): boolean {
    return place.startsWith("node ") ? this.kept.has(place.slice(5)) : pages.has(place.split(" ")[1]!);
  }

  /** The place around one that is gone. */
  private outside(place: string): string | undefined {
    if (!place.startsWith("node ")) return undefined;
    const id = place.slice(5);
    return (this.mine.nodes.get(id) ?? this.theirs.nodes.get(id) ?? this.base.nodes.get(id))?.place;
  }

  private circle(id: string): boolean {
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined; ) {
      if (seen.has(at)) return at === id;
      seen.add(at);
      const place: string | undefined = this.kept.get(at)?.place;
      at = place?.startsWith("node ") ? place.slice(5) : undefined;
    }
    return false;
  }

  /** The elements of each place, in an order made of those of both sides. */
  private lists(): Map<string, string[]> {
    const members = new Map<string, Set<string>>();
    for (const [id, { place }] of this.kept) members.set(place, (members.get(place) ?? new Set()).add(id));
    for (const place of [...this.theirs.lists.keys(), ...this.mine.lists.keys()]) if (!members.has(place) && this.staysEmpty(place)) members.set(place, new Set());
    const lists = new Map<string, string[]>();
    for (const [place, ids] of members) {
      const [b, m, t] = [this.base, this.mine, this.theirs].map((side) => side.lists.get(place) ?? []) as [string[], string[], string[]];
      const path: Path = place.startsWith("node ") ? [`#${place.slice(5)}`] : ["pages", ...place.split(" ").slice(1)];
      const ordered = this.merger.order(path, b, m, t, ids);
      lists.set(place, [...ordered, ...[...ids].filter((id) => !ordered.includes(id))]);
    }
    return lists;
  }

  /** Whether a list without elements is there: services leave out what is empty, and so does a merge that only took that in. */
  private staysEmpty(place: string): boolean {
    const [b, m, t] = [this.base, this.mine, this.theirs].map((side) => side.lists.has(place));
    return m === t || !b;
  }

  private page(name: string, frame: Page, lists: Map<string, string[]>): Page {
    const page: Page = { ...frame };
    const start = ofPage(name, "");
    for (const [place, ids] of lists) {
      if (!place.startsWith(start)) continue;
      const slot = place.slice(start.length);
      const nodes = ids.map((id) => this.node(id, lists));
      if (slot.startsWith("placeholders.")) page.placeholders = { ...(page.placeholders as Record<string, Node[]> | undefined), [slot.slice("placeholders.".length)]: nodes };
      else page[slot] = nodes;
    }
    return page;
  }

  private node(id: string, lists: Map<string, string[]>): Node {
    const { self } = this.kept.get(id)!;
    const children = lists.get(ofNode(id));
    return { ...(self as unknown as Node), ...(children ? { children: children.map((c) => this.node(c, lists)) } : {}) };
  }
}

/** An element and all inside of it. */
function inside(node: Node): Node[] {
  const all: Node[] = [];
  walk({ id: 0, name: "", elements: [node] }, (n) => all.push(n));
  return all;
}
