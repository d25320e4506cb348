// What changed between two versions of a report, in words.

import { besideInWords, humanise, quoted } from "../session/words";
import { type Node, type Page, type Report, walk } from "./model";
import { say, t } from "../words";

/** How many changes are told; nobody reads more. */
const MOST = 60;

/** What elements and settings are called. */
export interface Names {
  element(node: Node): string;
  setting(type: string, name: string): string;
  /** A setting of the report or, of its pages, of "page". */
  report(name: string): string;
  page(name: string): string;
}

const inWords = (name: string): string => t(humanise(name));
const plain: Names = { element: (n) => n.type, setting: (_, name) => name, report: inWords, page: inWords };

/** One line for each change from the old report to the new one. */
export function changes(before: Report, after: Report, names: Names = plain): string[] {
  const lines = [...elements(before, after, names), ...pages(before, after, names)];
  for (const name of keysOf(before, after)) {
    if (name === "pages" || !different(before[name], after[name])) continue;
    const [what, was, is] = [name === "include" ? t("Header, footer and paper") : names.report(name), namedOf(before[name]), namedOf(after[name])];
    lines.push(...(was && is ? items(what, was, is) : [t("Report: {0} changed", what)]));
  }
  return lines.length > MOST ? [...lines.slice(0, MOST), t("… and {0} more", lines.length - MOST)] : lines;
}

function elements(before: Report, after: Report, names: Names): string[] {
  const [old, now] = [standing(before), standing(after)];
  const lines: string[] = [];
  for (const [id, n] of now) {
    const was = old.get(id);
    if (!was) lines.push(t("Added: {0}", nameOf(n.node, names)));
    else lines.push(...settings(was.node, n.node, names));
  }
  for (const [id, { node }] of old) if (!now.has(id)) lines.push(t("Removed: {0}", nameOf(node, names)));
  const left = [...now].filter(([id]) => old.has(id));
  const ways = left.filter(([id, { around }]) => old.get(id)!.around !== around);
  lines.push(...ways.map(([, { node }]) => t("Moved: {0}", nameOf(node, names))));
  if (ways.length === 0 && [...old.keys()].filter((id) => now.has(id)).join() !== left.map(([id]) => id).join()) lines.push(t("Elements were moved"));
  return lines;
}

/** What changed of pages, but for what stands on them. */
function pages(before: Report, after: Report, names: Names): string[] {
  const own = ({ elements: _, placeholders: __, ...rest }: Page): Record<string, unknown> => rest;
  const called = (page: Page, { pages }: Report): string => quoted(page.name || t("Page {0}", pages.indexOf(page) + 1));
  const twin = (page: Page, { pages }: Report) => pages.find((p) => p.id === page.id);
  const page = t("Page");
  const lines = after.pages.flatMap((now) => {
    const was = twin(now, before);
    if (!was) return [t("Added: {0}", `${page} ${called(now, after)}`)];
    return keysOf(own(was), own(now))
      .filter((name) => different(was[name], now[name]))
      .map((name) => t("{0}: {1} changed", `${page} ${called(now, after)}`, names.page(name)));
  });
  const order = (report: Report, other: Report) => report.pages.filter((p) => twin(p, other)).map((p) => p.id);
  if (different(order(before, after), order(after, before))) lines.push(t("Pages were moved"));
  return [...lines, ...before.pages.filter((p) => !twin(p, after)).map((p) => t("Removed: {0}", `${page} ${called(p, before)}`))];
}

/** A list of things with names, such as data sources, by these; null for what is none. */
function namedOf(value: unknown): Map<string, unknown> | null {
  const list: unknown[] = Array.isArray(value) ? value : [];
  const keys = list.map((item) => ["name", "reuse", "code"].map((key) => (item as Record<string, unknown> | null)?.[key]).find((key) => typeof key === "string"));
  const unclear = (value !== undefined && !Array.isArray(value)) || keys.includes(undefined) || new Set(keys).size < keys.length;
  return unclear ? null : new Map(keys.map((key, i) => [key as string, list[i]]));
}

function items(what: string, was: Map<string, unknown>, is: Map<string, unknown>): string[] {
  const of = (names: Iterable<string>, text: string): string[] => [...names].map((name) => t(text, what, quoted(name)));
  const lines = [
    ...of([...is.keys()].filter((name) => !was.has(name)), say("{0}: {1} added")),
    ...of([...is.keys()].filter((name) => was.has(name) && different(was.get(name), is.get(name))), say("{0}: {1} changed")),
    ...of([...was.keys()].filter((name) => !is.has(name)), say("{0}: {1} removed")),
  ];
  return lines.length > 0 ? lines : [t("{0}: another order", what)];
}

/** Settings of an element that is no component's, as people call them. */
const OWN = { name: say("Name"), visible: say("Visible when"), repeat: say("Repeat for"), type: say("Type"), design: say("Locked or hidden") };

function settings(was: Node, now: Node, called: Names): string[] {
  const lines = keysOf(was.props, now.props)
    .filter((n) => different(was.props?.[n], now.props?.[n]))
    .map((n) => t("{0}: {1} {2} became {3}", nameOf(now, called), called.setting(now.type, n), ...said(was.props?.[n], now.props?.[n])));
  for (const [n, label] of Object.entries(OWN)) if (different(was[n as keyof Node], now[n as keyof Node])) lines.push(t("{0}: {1} changed", nameOf(now, called), t(label)));
  return lines;
}

/** An element and what is around it. */
interface Standing {
  node: Node;
  around: string;
}

/** Elements by their ids, in their order. */
export function standing(report: Report): Map<string, Standing> {
  const found = new Map<string, Standing>();
  for (const page of report.pages) walk(page, (node, parent) => node.id && found.set(node.id, { node, around: parent?.id ?? `page ${page.id}` }));
  return found;
}

function nameOf(n: Node, names: Names): string {
  const text = [n.name, n.props?.title, n.props?.text].find((s) => typeof s === "string" && s);
  return typeof text === "string" ? `${names.element(n)} ${quoted(text.length > 24 ? `${text.slice(0, 23)}…` : text)}` : names.element(n);
}

/** Two values beside each other; texts have marks around them. */
function said(was: unknown, now: unknown): string[] {
  const values = [was, now];
  return besideInWords(was, now).map((text, i) => (values[i] === undefined ? t("(default)") : typeof values[i] === "string" ? quoted(text) : text));
}

const keysOf = (a: object = {}, b: object = {}): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])];

function different(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
