// What changed between two versions, in a few words: "1 element added, changed: 3 texts,
// theme".

import type { Setting } from "./api";
import { standing } from "./compare";
import type { Node, Page, Report } from "./model";
import { named, say, t } from "../words";

/** What the forms know of what changed. */
export interface Known {
  settings(type: string): readonly Setting[];
  /** What people call a setting of the report, such as Theme. */
  report(name: string): string;
}

/** What is counted, for one and for more, in the order in which it is told. */
const KINDS = {
  added: [say("1 element added"), say("{0} elements added")],
  removed: [say("1 element removed"), say("{0} elements removed")],
  moved: [say("1 element moved"), say("{0} elements moved")],
  text: [say("1 text"), say("{0} texts")],
  column: [say("1 column of a table"), say("{0} columns of tables")],
  data: [say("data of 1 element"), say("data of {0} elements")],
  look: [say("look of 1 element"), say("look of {0} elements")],
  other: [say("settings of 1 element"), say("settings of {0} elements")],
  pageAdded: [say("1 page added"), say("{0} pages added")],
  pageRemoved: [say("1 page removed"), say("{0} pages removed")],
  page: [say("settings of 1 page"), say("settings of {0} pages")],
  source: [say("1 data source"), say("{0} data sources")],
  parameter: [say("1 parameter"), say("{0} parameters")],
} satisfies Record<string, [string, string]>;

type Kind = keyof typeof KINDS;

/** What came, went and moved is told apart from what changed where it is. */
const WAYS: readonly Kind[] = ["added", "removed", "moved", "pageAdded", "pageRemoved"];

/** The kinds of change between two versions, the elements first; nothing where they are the same. */
export function summary(before: Report, after: Report, known: Known): string {
  const counts = new Map<Kind, number>();
  const count = (kind: Kind, n = 1) => n > 0 && counts.set(kind, (counts.get(kind) ?? 0) + n);
  elements(before, after, known, count);
  pages(before, after, count);
  count("source", items(before.dataSources, after.dataSources));
  count("parameter", items(before.parameters, after.parameters));
  const told = (kinds: readonly Kind[]): string[] =>
    kinds.flatMap((kind) => {
      const n = counts.get(kind);
      return n ? [t(KINDS[kind][n === 1 ? 0 : 1], n)] : [];
    });
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !["pages", "dataSources", "parameters"].includes(name) && !same(before[name], after[name]));
  const ways = told(WAYS);
  const differ = [...told((Object.keys(KINDS) as Kind[]).filter((kind) => !WAYS.includes(kind))), ...names.map((name) => (name === "include" ? t("header, footer or paper") : named(known.report(name))))].join(", ");
  return [...ways, ...(ways.length > 0 && differ ? [t("changed: {0}", differ)] : differ ? [differ] : [])].join(", ");
}

type Count = (kind: Kind, n?: number) => void;

function elements(before: Report, after: Report, known: Known, count: Count): void {
  const [old, now] = [standing(before), standing(after)];
  const left = [...old.keys()].filter((id) => now.has(id));
  count("added", now.size - left.length);
  count("removed", old.size - left.length);
  const ways = left.filter((id) => old.get(id)!.around !== now.get(id)!.around);
  count("moved", ways.length || (same(left, [...now.keys()].filter((id) => old.has(id))) ? 0 : 1));
  for (const id of left) element(old.get(id)!.node, now.get(id)!.node, known, count);
}

/** An element counts once for each kind of what changed in it; texts and columns count one by one. */
function element(was: Node, now: Node, known: Known, count: Count): void {
  const settings = known.settings(now.type);
  const kinds = new Set<Kind>();
  for (const name of changed(was.props, now.props)) {
    const setting = settings.find((s) => s.name === name);
    const kind = kindOf(setting);
    if (kind === "text") count("text");
    else if (kind === "column") count("column", items(was.props?.[name], now.props?.[name]));
    else kinds.add(kind);
  }
  if (!same(was.repeat, now.repeat)) kinds.add("data");
  if (["name", "visible", "type", "design"].some((name) => !same(was[name as keyof Node], now[name as keyof Node]))) kinds.add("other");
  for (const kind of kinds) count(kind);
}

function kindOf(setting: Setting | undefined): Kind {
  const { editor = "", group, means } = setting ?? {};
  if (means === "text" || editor === "rich-text" || editor === "html") return "text";
  if (editor === "columns") return "column";
  if (["source", "field", "binding", "steps"].includes(editor)) return "data";
  return group === "Font" || group === "Box" || ["color", "border", "length", "lengths", "font"].includes(editor) ? "look" : "other";
}

function pages(before: Report, after: Report, count: Count): void {
  const ids = (report: Report) => report.pages.map((p) => p.id);
  const left = after.pages.filter((p) => ids(before).includes(p.id));
  count("pageAdded", after.pages.length - left.length);
  count("pageRemoved", before.pages.length - left.length);
  count("page", left.filter((p) => !same(own(before.pages.find((b) => b.id === p.id)!), own(p))).length);
}

/** A page without what stands on it. */
const own = ({ elements: _, placeholders: __, ...rest }: Page): object => rest;

/** How many items of a list were added, removed or changed: those that only moved are the same. */
function items(before: unknown, after: unknown): number {
  const [old, now] = [texts(before), texts(after)];
  const apart = Math.max(old.filter((o) => !now.includes(o)).length, now.filter((n) => !old.includes(n)).length);
  return apart || (same(old, now) ? 0 : 1);
}

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map((item) => JSON.stringify(item)) : []);

const changed = (was: object = {}, now: object = {}): string[] => [...new Set([...Object.keys(was), ...Object.keys(now)])].filter((name) => !same(was[name as keyof object], now[name as keyof object]));

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
