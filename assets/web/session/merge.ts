// Merging of what two people made of one definition. What only one of them
// changed is taken; what both changed differently is told, to be chosen from.

export type Side = "mine" | "theirs";

/**
 * Where a setting is: names of members, "=name" for the item of a list that has
 * that name, "[2]" for one without, "#id" for an element wherever it stands.
 */
export type Path = readonly string[];

/** A setting that both sides changed. An absent value is undefined. */
export interface Clash {
  /** Tells clashes apart, and stays the same while the sides go on. */
  key: string;
  path: Path;
  /** Whether both set a value, one removed what the other changed, or both put it elsewhere. */
  kind: "value" | "removed" | "place" | "order";
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export type Choices = ReadonlyMap<string, Side>;

export interface Merged<T> {
  value: T;
  /** What was not chosen yet; the value has the side asked for otherwise. */
  clashes: Clash[];
  /** Brings another value of my side to the names that the merged one has. */
  rename?: (value: T) => T;
}

/** Merges two values that come from the same one. Without a choice, a clash is settled by the side given. */
export type Merge<T> = (base: T | undefined, mine: T, theirs: T, choices?: Choices, otherwise?: Side) => Merged<T>;

type Members = Record<string, unknown>;

const isMembers = (v: unknown): v is Members => v !== null && typeof v === "object" && !Array.isArray(v);

/** Whether two values are the same JSON; a member that is undefined counts as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => equal(v, b[i]));
  if (!isMembers(a) || !isMembers(b)) return false;
  const names = Object.keys(a).filter((n) => a[n] !== undefined);
  return names.length === Object.keys(b).filter((n) => b[n] !== undefined).length && names.every((n) => equal(a[n], b[n]));
}

/** A value in which what is as it was before is the very same, so that nothing that shows it is made anew. */
export function sharing<T>(before: unknown, after: T): T {
  if (before === after || typeof after !== "object" || after === null) return after;
  if (Array.isArray(after)) {
    if (!Array.isArray(before)) return after;
    const known = new Map(before.map((v: unknown) => [idOf(v), v]));
    const items = after.map((v: unknown, i) => sharing(known.get(idOf(v) ?? NaN) ?? before[i], v));
    return (items.length === before.length && items.every((v, i) => v === before[i]) ? before : items) as T;
  }
  if (!isMembers(before)) return after;
  const entries = Object.entries(after).map(([name, v]) => [name, sharing(before[name], v)] as const);
  const same = equalNames(before, after) && entries.every(([name, v]) => v === before[name]);
  return (same ? before : Object.fromEntries(entries)) as T;
}

const idOf = (v: unknown): unknown => (isMembers(v) ? v["id"] : undefined);

/** Whether two values have the same members, whatever these are. */
function equalNames(a: object, b: object): boolean {
  const names = (of: object) => Object.entries(of).flatMap(([name, v]) => (v === undefined ? [] : [name]));
  const [mine, theirs] = [names(a), new Set(names(b))];
  return mine.length === theirs.size && mine.every((name) => theirs.has(name));
}

/** Whether a value says nothing: services leave such members out. */
function empty(v: unknown): boolean {
  return v === undefined || v === null || v === "" || (typeof v === "object" && Object.keys(v).length === 0);
}

/** An item of a list with what it is known by on all sides. */
export interface Entry {
  name: string;
  value: unknown;
  /** All that belongs to it, where that is more than the value. */
  whole?: unknown;
}

/** Collects the clashes of one merge. */
export class Merger {
  readonly clashes: Clash[] = [];

  constructor(
    private readonly choices: Choices = new Map(),
    private readonly otherwise: Side = "mine",
  ) {}

  /** The side that a clash is settled by. */
  side(kind: Clash["kind"], path: Path, base: unknown, mine: unknown, theirs: unknown): Side {
    const key = `${kind} ${JSON.stringify(path)}`;
    const chosen = this.choices.get(key);
    if (!chosen) this.clashes.push({ key, kind, path, base, mine, theirs });
    return chosen ?? this.otherwise;
  }

  value(path: Path, base: unknown, mine: unknown, theirs: unknown): unknown {
    if (equal(mine, theirs) || equal(base, theirs)) return mine;
    if (equal(base, mine) || (empty(mine) && empty(theirs))) return theirs;
    if (isMembers(mine) && isMembers(theirs)) return this.members(path, isMembers(base) ? base : {}, mine, theirs);
    if (Array.isArray(mine) && Array.isArray(theirs)) {
      const lists = named(Array.isArray(base) ? base : [], mine, theirs);
      if (lists) return this.entries(path, ...lists).map((e) => e.value);
    }
    return this.side("value", path, base, mine, theirs) === "mine" ? mine : theirs;
  }

  members(path: Path, base: Members, mine: Members, theirs: Members): Members {
    const merged: Members = {};
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
      const value = this.value([...path, name], base[name], mine[name], theirs[name]);
      if (value !== undefined) merged[name] = value;
    }
    return merged;
  }

  /** Merges lists whose items have names: what each side added stays, what one removed goes unless the other changed it. */
  entries(path: Path, base: Entry[], mine: Entry[], theirs: Entry[]): Entry[] {
    const [b, m, t] = [base, mine, theirs].map((list) => new Map(list.map((e) => [e.name, e]))) as [Map<string, Entry>, Map<string, Entry>, Map<string, Entry>];
    const kept = new Map<string, Entry>();
    for (const name of new Set([...m.keys(), ...t.keys()])) {
      const entry = this.entry([...path, name], b.get(name), m.get(name), t.get(name));
      if (entry) kept.set(name, entry);
    }
    const names = (list: Entry[]) => list.map((e) => e.name);
    return this.order(path, names(base), names(mine), names(theirs), new Set(kept.keys())).map((name) => kept.get(name)!);
  }

  private entry(path: Path, base: Entry | undefined, mine: Entry | undefined, theirs: Entry | undefined): Entry | undefined {
    if (mine && theirs) return { name: mine.name, value: this.value(path, base?.value, mine.value, theirs.value) };
    const left = mine ?? theirs;
    if (!base || !left) return left;
    if (equal(all(base), all(left))) return undefined;
    const side = this.side("removed", path, all(base), mine && all(mine), theirs && all(theirs));
    return side === "mine" ? mine : theirs;
  }

  /** The order of what is kept. What one side added comes behind what it stands behind there. */
  order(path: Path, base: string[], mine: string[], theirs: string[], kept: ReadonlySet<string>): string[] {
    const both = new Set(mine.filter((n) => kept.has(n) && theirs.includes(n)));
    const of = (list: string[]) => list.filter((n) => both.has(n));
    const common = of(base);
    const known = new Set(common);
    const mineMoved = !equal(of(mine).filter((n) => known.has(n)), common);
    const theirsMoved = !equal(of(theirs).filter((n) => known.has(n)), common);
    let first: Side = mineMoved ? "mine" : "theirs";
    if (mineMoved && theirsMoved && !equal(of(mine), of(theirs))) first = this.side("order", path, base, of(mine), of(theirs));
    const [lead, rest] = first === "mine" ? [mine, theirs] : [theirs, mine];
    const out = lead.filter((n) => kept.has(n));
    const placed = new Set(out);
    rest.forEach((name, i) => {
      if (!kept.has(name) || placed.has(name)) return;
      const after = rest.slice(0, i).findLast((n) => placed.has(n));
      out.splice(after === undefined ? 0 : out.indexOf(after) + 1, 0, name);
      placed.add(name);
    });
    return out;
  }
}

const all = (e: Entry): unknown => e.whole ?? e.value;

/** What items are known by, the surest first. People give names anew. */
const NAMES: { of: (item: Members) => unknown; changes?: boolean }[] = [{ of: (item) => item.id }, { of: (item) => item.code }, { of: (item) => item.name || item.reuse, changes: true }];

/** Gives the items of three lists names by which they are the same; null when it cannot be told in reasonable time. */
function named(base: unknown[], mine: unknown[], theirs: unknown[]): [Entry[], Entry[], Entry[]] | null {
  for (const { of, changes } of NAMES) {
    const [b, m, t] = [base, mine, theirs].map((list) => known(list, of));
    if (b && m && t) return changes ? [b, renamed(b, m), renamed(b, t)] : [b, m, t];
  }
  const b = base.map((value, i) => ({ name: `[${i}]`, value }));
  const [m, t] = [aligned(base, mine, "mine"), aligned(base, theirs, "theirs")];
  return m && t ? [b, m, t] : null;
}

/** For each item of a list, the place in the list from before of the one that it is; -1 where it is new. */
export function sameItems(before: unknown[], now: unknown[]): number[] {
  const [was, is] = named(before, now, now) ?? [before, now].map((list) => list.map((value, i) => ({ name: `${i}`, value })));
  const places = new Map(was!.map((e, i) => [e.name, i]));
  return is!.map((e) => places.get(e.name) ?? -1);
}

function known(list: unknown[], nameOf: (item: Members) => unknown): Entry[] | null {
  const names = new Set<string>();
  const entries: Entry[] = [];
  for (const value of list) {
    const name = isMembers(value) ? nameOf(value) : undefined;
    if ((typeof name !== "string" && typeof name !== "number") || name === "" || names.has(String(name))) return null;
    names.add(String(name));
    entries.push({ name: `=${name}`, value });
  }
  return entries;
}

/** An item that is like one that is gone, or stands where it stood, is that one with another name. */
function renamed(base: Entry[], side: Entry[]): Entry[] {
  const had = new Set(base.map((e) => e.name));
  const has = new Set(side.map((e) => e.name));
  const left = (entries: Entry[], known: Set<string>): Left[] => entries.flatMap(({ name, value }, at) => (known.has(name) ? [] : [{ at, place: String(at), value: withoutName(value) }]));
  const became = followed(left(base, has), left(side, had));
  return side.map((e, i) => (became.has(i) ? { ...e, name: base[became.get(i)!]!.name } : e));
}

function withoutName(value: unknown): unknown {
  const { name: _, reuse: __, ...rest } = value as Members;
  return rest;
}

/** How many comparisons finding the same items may take, of texts and of what is in them. */
const MOST = 250_000;
const MOST_ALIKE = 10_000;

/** Names the items of a side by those of the base that they are: where they were, moved, or changed. */
function aligned(base: unknown[], side: unknown[], whose: Side): Entry[] | null {
  const pairs = common(base.map(text), side.map(text));
  if (!pairs) return null;
  const became = new Map(pairs.map(([b, s]) => [s, b]));
  const [leftOfBase, leftOfSide]: [Left[], Left[]] = [[], []];
  let [b, s] = [0, 0];
  for (const [nextB, nextS] of [...pairs, [base.length, side.length] as const]) {
    const same = nextB - b === nextS - s; // in gaps of the same length one by one
    for (let at = b; at < nextB; at++) leftOfBase.push({ at, place: same ? `${at - b} of ${b}` : "", value: base[at] });
    for (let at = s; at < nextS; at++) leftOfSide.push({ at, place: same ? `${at - s} of ${b}` : "", value: side[at] });
    [b, s] = [nextB + 1, nextS + 1];
  }
  for (const [at, from] of followed(leftOfBase, leftOfSide)) became.set(at, from);
  // What is no object and was added on both sides is the same; objects are two.
  const added = (value: unknown, i: number) => (isMembers(value) ? `[new ${whose} ${i}]` : `[new ${text(value)} ${side.slice(0, i).filter((v) => equal(v, value)).length}]`);
  return side.map((value, i) => ({ name: became.has(i) ? `[${became.get(i)}]` : added(value, i), value }));
}

/** An item that is not where it was as it was. */
interface Left {
  at: number;
  /** Where it stands among those that stayed; empty where nothing on the other side stands there. */
  place: string;
  value: unknown;
}

/** More than this is the same in an item that stands elsewhere, to be the same one. */
const HALF = 0.5;
/** What standing in the same place counts beside that. */
const PLACE = 0.01;

/** Which item of a side is which of the base: the most alike first, and what is alike to none in its place. */
function followed(base: Left[], side: Left[]): Map<number, number> {
  const all = base.length * side.length <= MOST_ALIKE;
  const places = new Map(base.map((b) => [b.place, b]));
  const pairs: { b: Left; s: Left; likeness: number }[] = [];
  for (const s of side) {
    const there = s.place === "" ? undefined : places.get(s.place);
    for (const b of all ? base : there ? [there] : []) {
      const likeness = alike(b.value, s.value);
      if (b === there) pairs.push({ b, s, likeness: likeness + PLACE });
      else if (likeness > HALF) pairs.push({ b, s, likeness });
    }
  }
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { b, s } of pairs.sort((one, other) => other.likeness - one.likeness)) {
    if (found.has(s.at) || taken.has(b.at)) continue;
    found.set(s.at, b.at);
    taken.add(b.at);
  }
  return found;
}

/** The share of two values that is the same: 1 is all of it. */
function alike(a: unknown, b: unknown): number {
  if (equal(a, b)) return 1;
  if (!isMembers(a) || !isMembers(b)) return 0;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  let sum = 0;
  for (const name of names) sum += alike(a[name], b[name]);
  return sum / names.size;
}

/** An item as text that is the same for the same JSON. */
function text(item: unknown): string {
  return JSON.stringify(item, (_, v: unknown) => (isMembers(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v)) ?? "";
}

/** The longest run of items that both lists have in this order, as pairs of places. */
function common(a: string[], b: string[]): [number, number][] | null {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [n, m] = [a.length - start - end, b.length - start - end];
  if (n * m > MOST) return null;
  const longest = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) longest[i]![j] = a[start + i] === b[start + j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
  }
  const pairs: [number, number][] = Array.from({ length: start }, (_, i) => [i, i]);
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
    else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) i++;
    else j++;
  }
  for (let i = end; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

/** Merges definitions member by member, lists by what their items are known by. */
export const mergeValues: Merge<object> = (base, mine, theirs, choices, otherwise) => {
  const merger = new Merger(choices, otherwise);
  return { value: merger.value([], base, mine, theirs) as object, clashes: merger.clashes };
};
