// Finding and replacing in what a report says: texts, templates, fields, paths of
// data and names. Words of a choice, colours, lengths and secrets are none of it.

import { isMarkup, type Setting } from "./api";
import { type Node, type Report, slotsOf } from "./model";

export type Step = string | number;

/** A text that has what is looked for, and where in it. */
export interface Hit {
  path: Step[];
  text: string;
  at: number;
  length: number;
  /** Whether the text is HTML, of which only what is read counts. */
  markup: boolean;
}

/** What a report is made of, as far as its forms say it. */
export interface Forms {
  element(type: string): readonly Setting[];
  source(type: string): readonly Setting[];
  step(type: string): readonly Setting[];
  parameter: readonly Setting[];
}

/** What the editor of a setting makes of it is no text. */
const NO_TEXT = /^(color|lengths?|border|font|report|secret|secret-text|barcode-format|ref:.*)$/;

/** Members that mean something to the program alone. */
const MACHINE = new Set(["id", "type", "design", "reuse"]);

type Visit = (path: Step[], text: string, markup: boolean) => void;

/** All texts of a report that people wrote, in the order of its pages; data that are pasted in are none of it. */
function texts(report: Report, forms: Forms, visit: Visit): void {
  report.pages.forEach((page, p) => {
    for (const [slot, list] of slotsOf(page)) list.forEach((node, i) => element(node, ["pages", p, ...slotPath(slot), i], forms, visit));
    if (typeof page.name === "string") visit(["pages", p, "name"], page.name, false);
  });
  report.dataSources?.forEach(({ settings: { content: _, ...settings } = {}, ...source }, i) => members({ ...source, settings }, ["dataSources", i], [{ name: "settings", shape: "object", settings: [...forms.source(source.type ?? "")] }], forms, visit));
  const { parameters } = report;
  if (Array.isArray(parameters)) parameters.forEach((p, i) => within(p, ["parameters", i], { name: "", shape: "object", settings: [...forms.parameter] }, forms, visit));
}

const slotPath = (slot: string): Step[] => (slot.startsWith("placeholders.") ? ["placeholders", slot.slice("placeholders.".length)] : [slot]);

function element(node: Node, path: Step[], forms: Forms, visit: Visit): void {
  const { children, ...own } = node;
  members(own, path, [{ name: "props", shape: "object", settings: [...forms.element(node.type)] }], forms, visit);
  children?.forEach((child, i) => element(child, [...path, "children", i], forms, visit));
}

function members(value: object, path: Step[], settings: readonly Setting[], forms: Forms, visit: Visit): void {
  for (const [name, inner] of Object.entries(value)) if (!MACHINE.has(name)) within(inner, [...path, name], settings.find((s) => s.name === name), forms, visit);
}

function within(value: unknown, path: Step[], setting: Setting | undefined, forms: Forms, visit: Visit): void {
  if (setting && (setting.enum || NO_TEXT.test(setting.editor ?? ""))) return;
  if (typeof value === "string") {
    if (!value.startsWith("data:")) visit(path, value, setting !== undefined && isMarkup(setting));
  } else if (Array.isArray(value)) {
    value.forEach((item, i) => within(item, [...path, i], itemOf(setting, item, forms), forms, visit));
  } else if (value !== null && typeof value === "object") {
    // Cells of tables hold elements, too.
    if (setting?.editor === "element") element(value as Node, path, forms, visit);
    else members(value, path, setting?.settings ?? [], forms, visit);
  }
}

/** The setting of an item of a list; steps of a transformation have the settings of their kind. */
function itemOf(setting: Setting | undefined, item: unknown, forms: Forms): Setting | undefined {
  if (setting?.editor !== "steps") return setting?.item;
  return { name: "", shape: "object", settings: [...forms.step(String((item as { type?: unknown } | null)?.type))] };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** A text as HTML says it. */
const asMarkup = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Where a report says something. */
export function findAll(report: Report, typed: string, forms: Forms, exactCase = false): Hit[] {
  if (typed === "") return [];
  const hits: Hit[] = [];
  const flags = exactCase ? "gu" : "giu";
  const plain = new RegExp(escaped(typed), flags);
  // What stands in a tag is matched with it, and left out.
  const inMarkup = new RegExp(`<[^>]*>|(${escaped(asMarkup(typed))})`, flags);
  texts(report, forms, (path, text, markup) => {
    for (const match of text.matchAll(markup ? inMarkup : plain)) {
      if (!markup || match[1] !== undefined) hits.push({ path, text, at: match.index, length: match[0].length, markup });
    }
  });
  return hits;
}

const standsFor = ({ markup }: Hit, by: string): string => (markup ? asMarkup(by) : by);

/** A report in which something else stands at some places, all of which it has. */
export function replaced(report: Report, hits: readonly Hit[], by: string): Report {
  // From behind, as what comes before keeps its place so.
  return hits.reduceRight((after, hit) => changed(after, hit.path, (text) => text.slice(0, hit.at) + standsFor(hit, by) + text.slice(hit.at + hit.length)), report);
}

function changed<T>(holder: T, [step, ...rest]: readonly Step[], change: (text: string) => string): T {
  if (step === undefined) return change(holder as string) as T;
  const copy = (Array.isArray(holder) ? [...holder] : { ...holder }) as Record<Step, unknown>;
  copy[step] = changed(copy[step], rest, change);
  return copy as T;
}

/** A path as faults have it: pages[0].elements[2].props.text. */
export const written = (path: readonly Step[]): string => path.map((step, i) => (typeof step === "number" ? `[${step}]` : i > 0 ? `.${step}` : step)).join("");

/** How many hits of a list lie before the end of what one was replaced by: where to go on. */
export function goOnAt(hits: readonly Hit[], replacedHit: Hit, index: number, by: string): number {
  const end = replacedHit.at + standsFor(replacedHit, by).length;
  let next = index;
  while (next < hits.length && written(hits[next]!.path) === written(replacedHit.path) && hits[next]!.at < end) next++;
  return next < hits.length ? next : 0;
}
