// What can be written in templates and scripts at the place of an element.

import { createContext } from "preact";
import type { Completion, Completions, Language } from "../edit/types";
import type { Setting } from "./api";
import { find, type Node, type Report } from "./model";
import type { State } from "./state";
import { say, t } from "../words";

/** What is known about the values of a report. */
export interface Facts {
  report: Report;
  /** The beginning of what each data source gives. */
  sample: Record<string, unknown>;
  /** The element that is being edited. */
  element: string | null;
  /** Dictionary entries with their text, where known. */
  words?: Record<string, string>;
}

/** The completions of all fields below. */
export const completing = createContext<Completions>(() => []);

/** What the template in a field gives now, where that is known. */
export const giving = createContext<(field: string) => string | undefined>(() => undefined);

/** What is to be mended in a field, by its id; with below, in those inside of it as well. */
export const faulty = createContext<(field: string, below?: boolean) => string[]>(() => []);

/** Faults by the ids of their fields, for all fields below. */
export function faultsIn(faults: readonly { field: string; message: string }[]): (field: string, below?: boolean) => string[] {
  return (field, below) => [...new Set(faults.filter((f) => f.field === field || (below && f.field.startsWith(`${field}.`))).map((f) => f.message))];
}

/** The path of a fault as fields have it: "steps[0].field" is steps.0.field. */
export const asField = (path: string): string => path.replace(/\[(\d+)\]/g, ".$1");

/** The language that a setting is written in. */
export function languageOf(setting: Setting): Language {
  switch (setting.editor) {
    case "css":
    case "html":
    case "expression":
      return setting.editor;
    case "code":
      break;
    default:
      return "template";
  }
  const languages: Record<string, Language> = { query: "sql", body: "json", content: "template" };
  return languages[setting.name] ?? "javascript";
}

/** What is known now. */
export const factsOf = (state: State): Facts => ({ report: state.report.value, sample: state.sample.value ?? {}, element: state.node.value?.id ?? null, words: state.words.value });

/** What can follow a prefix: keywords, members of a value, formats. */
export function complete(facts: Facts, prefix: string): Completion[] {
  if (prefix.endsWith(":")) return formats();
  if (prefix === "") return keywords(facts);
  const [root = "", ...steps] = prefix.replace(/\.$/, "").replaceAll(/\[(\d+)\]/g, ".$1").split(".");
  if (root === "$group") return steps.length === 0 ? group(facts) : [];
  if (root === "$params" && steps.length === 0) return parameters(facts.report);
  if (root === "$user") return steps.length === 0 ? person() : [];
  const scope = scopeOf(facts);
  const value = steps.reduce<unknown>(member, scope[root]);
  return members(value);
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}

/** The values behind the keywords at the element. */
export function scopeOf(facts: Facts): Record<string, unknown> {
  const words = facts.words ?? {};
  const scope: Record<string, unknown> = { $data: facts.sample, $dict: words, $page: { number: 1, count: 1, h1: "", h2: "", h3: "", group: "" }, $report: { pageCount: 1 }, $heading: { number: "1" }, $figure: { number: 1 }, $equation: { number: 1 } };
  for (const node of lineage(facts)) {
    if (node.repeat?.source) scope.$it = { ...(scope.$it as object | undefined), [node.repeat.alias || "record"]: first(follow(scope, node.repeat.source)) };
    const source = rowsOf(node);
    if (source) scope.$record = first(follow(scope, source));
  }
  return scope;
}

/** Where the rows of an element come from: a path, or the series of a chart. */
function rowsOf(node: Node): string | undefined {
  const { source, series } = (node.props ?? {}) as { source?: unknown; series?: { source?: unknown }[] };
  const named = source ?? (Array.isArray(series) ? series.find((s) => typeof s?.source === "string")?.source : undefined);
  return typeof named === "string" && named !== "" ? named : undefined;
}

export function follow(scope: Record<string, unknown>, path: string): unknown {
  return path.trim().replace(/^\{(.*)\}$/, "$1").split(".").reduce<unknown>(member, scope);
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** The element and those around it, the outermost first. */
function lineage({ report, element }: Facts): Node[] {
  const all: Node[] = [];
  let place = element ? find(report, element) : null;
  while (place) {
    all.unshift(place.node);
    place = place.parent ? find(report, place.parent.id) : null;
  }
  return all;
}

function keywords(facts: Facts): Completion[] {
  const scope = scopeOf(facts);
  const list: Completion[] = [
    { label: "$data", detail: t("results of data sources"), type: "namespace", more: true },
    { label: "$params", detail: t("parameters of this run"), type: "namespace", more: true },
    { label: "$dict", detail: t("dictionary, in the language of the report"), type: "namespace", more: true },
    { label: "$user", detail: t("who looks; empty in jobs that run as nobody"), type: "namespace", more: true },
  ];
  if (scope.$it !== undefined) list.unshift({ label: "$it", detail: t("item of the repetition"), type: "namespace", more: true });
  if (scope.$record !== undefined) list.unshift({ label: "$record", detail: t("current row"), type: "namespace", more: true }, { label: "$group", detail: t("group of rows and its aggregates"), type: "namespace", more: true });
  if (scope.$it !== undefined || scope.$record !== undefined) list.push({ label: "$index", detail: t("place of the item in the repetition, from 0"), type: "variable" });
  return [
    ...list,
    { label: "$page.number", detail: t("page number"), type: "variable" },
    { label: "$report.pageCount", detail: t("number of pages"), type: "variable" },
    { label: "$page.count", detail: t("number of pages until numbers begin anew"), type: "variable" },
    { label: "$page.h1", detail: t("current heading of level 1"), type: "variable" },
    { label: "$page.h2", detail: t("current heading of level 2"), type: "variable" },
    { label: "$page.group", detail: t("current group of a table"), type: "variable" },
    { label: "$heading.number", detail: t("number of the heading, in its template"), type: "variable" },
    { label: "$figure.number", detail: t("number of the figure, in its caption"), type: "variable" },
    { label: "$equation.number", detail: t("number of the formula, in its number"), type: "variable" },
  ];
}

/** The members of $user. */
export function person(): Completion[] {
  return [
    { label: "id", detail: t("number of the account here"), type: "property" },
    { label: "sub", detail: t("who it is in the application that embeds the report"), type: "property" },
    { label: "name", detail: t("name"), type: "property" },
    { label: "email", detail: t("address"), type: "property" },
    { label: "groups", detail: t("list"), type: "property" },
  ];
}

/** The members of an object or list with what they hold. */
export function members(value: unknown): Completion[] {
  if (Array.isArray(value)) return value.map((item, i) => ({ label: String(i), detail: told(item), type: "property" }));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).map(([label, held]) => ({ label, detail: told(held), type: held !== null && typeof held === "object" ? "namespace" : "property", ...(held !== null && typeof held === "object" && !Array.isArray(held) ? { more: true } : {}) }));
}

/** A value in few words. */
function told(value: unknown): string {
  if (Array.isArray(value)) return t("list");
  if (value === null || value === undefined) return t("empty");
  if (typeof value === "object") return t("object");
  const text = String(value);
  return text.length > 28 ? `${text.slice(0, 28)}…` : text;
}

function parameters(report: Report): Completion[] {
  const list = Array.isArray(report.parameters) ? (report.parameters as { name?: string; reuse?: string; label?: string; type?: string }[]) : [];
  return list.flatMap((p) => {
    const label = p.name || p.reuse;
    return label ? [{ label, detail: [p.label, p.type ?? (p.reuse ? "reusable" : "text")].filter(Boolean).join(", "), type: "property" }] : [];
  });
}

/** Members of $group: those every group has, and the aggregates of the table's columns. */
function group(facts: Facts): Completion[] {
  const found = new Map<string, string>([
    ["$key", t("value that the rows share")],
    ["$name", t("field of the group")],
    ["$level", t("0 is the deepest")],
    ["$records", t("rows of the group")],
  ]);
  for (const node of lineage(facts)) collect(node.props, found);
  return [...found].map(([label, detail]) => ({ label, detail, type: "property" }));
}

/** Finds aggregates wherever the settings of a table hold them. */
function collect(value: unknown, found: Map<string, string>, field = ""): void {
  if (value === null || typeof value !== "object") return;
  const v = value as Record<string, unknown>;
  const own = typeof v.field === "string" ? v.field : field;
  if (typeof v.aggregate === "string" && v.aggregate) found.set(typeof v.aggregateAlias === "string" && v.aggregateAlias ? v.aggregateAlias : own, v.aggregate);
  for (const held of Object.values(v)) collect(held, found, own);
}

/** The formats that follow a colon, each with an example. */
export function formats(): Completion[] {
  return FORMATS.map(([label, detail, info]) => ({ label, detail: t(detail), info: t(info), type: "function" }));
}

const FORMATS: readonly (readonly [string, string, string])[] = [
  ["n", say("number"), say("n;min;max;flags\nDecimals at least and at most; flags c compact, a accounting, + always a sign.\nn;2 prints 1,234.50")],
  ["p", say("percent of a fraction"), say("p;min;max;flags\np;1 prints 0.256 as 25.6%")],
  ["ps", say("percent sign, unscaled"), say("ps;min;max\nps;1 prints 25.6 as 25.6%")],
  ["percentnosign", say("percent without sign"), say("percentnosign;1 prints 0.256 as 25.6")],
  ["currency", say("amount of money"), say("currency;code;min;max;flags\nNo code is the currency of the report.\ncurrency;EUR;2")],
  ["f", say("fixed decimals"), say("f;decimals\nA point and no groups, as programs write numbers.")],
  ["d", say("date"), say("d;pattern\nd;yyyyMMMMdd prints February 01, 2024")],
  ["t", say("time of day"), say("t;pattern\nt;HHmm prints 17:05")],
  ["dt", say("date and time"), say("dt;pattern\ndt;yyyyMMddHHmm")],
  ["daybefore", say("the day before"), say("daybefore;pattern\nThe last day of a period whose end is the first day after it.")],
  ["quarter", say("year and quarter"), say("quarter;pattern;exclusive\nquarter;{yy}Q{q} prints 20Q1")],
  ["yearperiod", say("period of years"), say("yearperiod;years;pattern\nyearperiod;1 prints 1/1/2024 – 12/31/2024")],
  ["s", say("text, unchanged"), say("The text of the value.")],
  ["prefix", say("text before"), say("prefix;text\nprefix;No. ")],
  ["suffix", say("text after"), say("suffix;text\nn;0:suffix; cm")],
  ["wrap", say("text around"), say("wrap;open;close\nwrap;(;)")],
  ["uppercase", say("capital letters"), say("By the rules of the language.")],
  ["lowercase", say("small letters"), say("By the rules of the language.")],
  ["capitalize", say("first letter capital"), say("net weight prints Net weight")],
  ["titlecase", say("every word capital"), say("net weight prints Net Weight")],
  ["urlencode", say("part of an address"), say("a b&c prints a%20b%26c")],
  ["ellipsis", say("shortened"), say("ellipsis;length;where\nwhere is start or middle; the end when nothing is said.")],
  ["zeropad", say("zeros at the left"), say("zeropad;digits\nzeropad;5 prints 00042")],
  ["leftpad", say("filled at the left"), say("leftpad;length;character")],
];
