// What there is to choose where a setting takes a source, a list or a field: with
// its type and a value of the sample.

import type { Target } from "../edit/refer";
import type { Completions } from "../edit/types";
import { complete, type Facts, factsOf, follow, scopeOf } from "./complete";
import type { Component } from "./api";
import { find, type Node, type Report, walk } from "./model";
import type { State } from "./state";
import { t } from "../words";

export type Kind = "text" | "number" | "date" | "switch" | "list" | "object" | "empty";

/** Something to choose. */
export interface Pick {
  value: string;
  kind: Kind;
  sample: string;
}

/** What a setting takes. */
export type Wanted = "list" | "field" | "source" | "value";

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined || value === "") return "empty";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "object";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "switch";
  return /^\d{4}-\d\d-\d\d(T|$)/.test(String(value)) ? "date" : "text";
}

const LONGEST = 24;

/** A value in few words. */
export function shortly(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? t("An empty list") : t("list");
  if (value !== null && typeof value === "object") return "";
  const text = String(value ?? "");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const DEEPEST = 4;

/** All that lies below a value, each with its path. */
export function below(value: unknown, path = "", depth = 0): Pick[] {
  if (value === null || typeof value !== "object" || Array.isArray(value) || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return [{ value: at, kind: kindOf(member), sample: shortly(member) }, ...below(member, at, depth + 1)];
  });
}

/** One row that has all fields which the rows have. */
export function rowOf(rows: unknown): Record<string, unknown> {
  const list = Array.isArray(rows) ? rows : [rows];
  const whole: Record<string, unknown> = {};
  for (const row of list) {
    if (row === null || typeof row !== "object" || Array.isArray(row)) continue;
    for (const [name, value] of Object.entries(row)) whole[name] ??= value;
  }
  return whole;
}

/** What can be chosen for a setting of an element, by the path of the setting in it. */
export function picks(facts: Facts, wanted: Wanted, path: string): Pick[] {
  if (wanted === "source") return below(facts.sample).filter((p) => !p.value.includes("."));
  const scope = scopeOf(facts);
  if (wanted === "field") {
    const { rows, steps } = rowsAround(facts, path);
    const held = below(rowOf(rows)).filter((p) => p.kind !== "object");
    return [...held, ...madeBy(steps).filter((name) => !held.some((p) => p.value === name)).map((value): Pick => ({ value, kind: "number", sample: t("made by a step") }))];
  }
  const params = Object.fromEntries(((facts.report.parameters as { name?: string; reuse?: string; label?: string }[] | undefined) ?? []).map((p) => [p.name || p.reuse || "", p.label ?? ""]));
  const all = below({ ...(scope.$it === undefined ? {} : { $it: scope.$it }), ...(scope.$record === undefined ? {} : { $record: scope.$record }), $data: facts.sample, ...(wanted === "value" ? { $params: params } : {}) });
  return wanted === "list" ? all.filter((p) => p.kind === "list") : all.filter((p) => p.kind !== "object" && p.kind !== "list");
}

/** What pages say of themselves; it comes behind values of the data, whatever fits better. */
const numbersOfPages = (): Pick[] => [
  { value: "$page.number", kind: "number", sample: t("page number") },
  { value: "$report.pageCount", kind: "number", sample: t("number of pages") },
  { value: "$page.count", kind: "number", sample: t("number of pages until numbers begin anew") },
  { value: "$page.h1", kind: "text", sample: t("current heading of level 1") },
  { value: "$page.h2", kind: "text", sample: t("current heading of level 2") },
  { value: "$page.group", kind: "text", sample: t("current group of a table") },
];

/** So many headings and captions are offered for references. */
const MOST_TARGETS = 200;

/** The headings and captions that have a name, which texts can refer to: their names and titles. */
export function targets(report: Report, components: readonly Component[]): Target[] {
  const kinds = new Map(components.filter((c) => c.settings.some((s) => s.name === "anchor")).map((c) => [c.name, c.settings]));
  const named = new Map<string, string>();
  for (const page of report.pages) {
    walk(page, ({ type, props = {} }) => {
      const settings = kinds.get(type);
      if (!settings) return;
      const title = plain(props[settings.find((s) => s.means === "text")?.name ?? "title"]);
      // Headings without an anchor are called by their titles.
      const name = plain(props.anchor) || (title && settings.some((s) => s.means === "level") ? `h-${title}` : "");
      if (/^[\p{L}\p{N}][\p{L}\p{N} ,.&-]*$/u.test(name) && named.size < MOST_TARGETS && !named.has(name)) named.set(name, title || name);
    });
  }
  return [...named].map(([name, title]) => ({ name, title: shortly(title) }));
}

/** The references that a text can print: the page, the title and the number of each target. */
export function references(report: Report, components: readonly Component[]): Pick[] {
  const all = targets(report, components);
  return [
    ...all.map(({ name, title }): Pick => ({ value: `['${name}']:pageOf`, kind: "number", sample: t("page of {0}", title) })),
    ...all.map(({ name, title }): Pick => ({ value: `['${name}']:titleOf`, kind: "text", sample: t("words of {0}", title) })),
    ...all.map(({ name, title }): Pick => ({ value: `['${name}']:numberOf`, kind: "number", sample: t("number of {0}", title) })),
  ];
}

/** A text without templates, whose words are known here. */
const plain = (value: unknown): string => (typeof value === "string" && !/[{}%]/.test(value) ? value.trim() : "");

/** The names that steps of a transformation give. */
function madeBy(steps: unknown): string[] {
  if (Array.isArray(steps)) return steps.flatMap(madeBy);
  if (steps === null || typeof steps !== "object") return [];
  return Object.entries(steps).flatMap(([name, v]) => (typeof v === "string" ? (/^(name|alias|as)$/.test(name) && v ? [v] : []) : madeBy(v)));
}

/** The rows that a setting names fields of, and the steps that are done to them before. */
function rowsAround(facts: Facts, field: string): { rows: unknown; steps?: unknown } {
  const [, source] = /^f-source-(\d+)\./.exec(field) ?? [];
  if (source !== undefined) {
    const { name, reuse, settings = {} } = facts.report.dataSources?.[Number(source)] ?? {};
    const read = [settings.source, ...(Array.isArray(settings.sources) ? settings.sources : []), name || reuse].map((n) => facts.sample[String(n)]);
    return { rows: read.flat(), steps: settings.steps };
  }
  const node = facts.element ? find(facts.report, facts.element)?.node : undefined;
  const scope = scopeOf(facts);
  const named = node ? sourceAlong(node, field.replace(`f-${node.id}.`, "").split(".")) : {};
  return { rows: named.source ? follow(scope, named.source) : scope.$record, steps: named.steps };
}

/** The source that counts for a setting of a node, the innermost along its path, with its steps. */
function sourceAlong(node: Node, path: string[]): { source?: string; steps?: unknown } {
  let found: { source?: string; steps?: unknown } = {};
  let at: unknown = node.props;
  for (const step of [...path, ""]) {
    if (at === null || typeof at !== "object") break;
    const { source, transform } = at as { source?: unknown; transform?: unknown };
    if (typeof source === "string" && source) found = { source, steps: transform };
    else if (transform !== undefined) found = { ...found, steps: transform };
    at = (at as Record<string, unknown>)[step];
  }
  return found;
}

/** What can stand in a text besides values of the data, the references last. */
export const besidesValues = (state: State): Pick[] => [...numbersOfPages(), ...references(state.report.value, state.components.value)];

/** What can be written in templates now; "*" stands for all paths to values. */
export function completionsOf(state: State): Completions {
  return (prefix) => (prefix === "*" ? [...picks(factsOf(state), "value", ""), ...besidesValues(state)].map((p) => ({ label: p.value, detail: p.sample, type: "property" })) : complete(factsOf(state), prefix));
}
