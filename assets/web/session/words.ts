// What clashes and differences are called by people.

import type { Path } from "./merge";
import { t } from "../words";

/** "fontSize" is Font size. */
export function humanise(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A text with the marks around it that the language has. */
export const quoted = (text: string): string => t("“{0}”", text);

/** A setting as far as it is needed to name it. */
export interface Labelled {
  name: string;
  label?: string;
  settings?: Labelled[];
  item?: Labelled;
}

/** A path in the words of a form: ["colors", "=primary", "value"] is Colors › primary › Value. */
export function pathInWords(path: Path, schema: readonly Labelled[] = []): string {
  const words: string[] = [];
  let known: readonly Labelled[] = schema;
  for (const step of path) {
    const item = /^\[(?:new \w+ )?(\d+)/.exec(step);
    if (item) words.push(String(Number(item[1]) + 1));
    else if (step.startsWith("=")) words.push(step.slice(1));
    else if (step !== "settings" && step !== "props") {
      const setting = known.find((s) => s.name === step);
      known = setting?.item?.settings ?? setting?.settings ?? [];
      words.push(setting?.label ?? humanise(step));
    }
  }
  return words.join(" › ");
}

const LONG = 160;

/** How much of what two long values have in common stands before where they differ. */
const LEAD = 40;

/** Two values beside each other; of long ones that part is seen in which they differ. */
export function besideInWords(one: unknown, other: unknown): [string, string] {
  let [a, b] = [valueInWords(one, Infinity), valueInWords(other, Infinity)];
  if (a === b) [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const from = Math.max(a.length, b.length) > LONG ? Math.max(0, same - LEAD) : 0;
  const part = (text: string) => short(from > 0 ? `…${text.slice(from)}` : text, LONG);
  return [part(a), part(b)];
}

/** A value for people; what something is called stands for it. */
export function valueInWords(value: unknown, most = LONG): string {
  if (value === undefined || value === null || value === "") return t("(empty)");
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value) && value.every((v) => typeof v === "string" || typeof v === "number")) return value.map((v) => String(v).replace(/^=/, "")).join(", ");
  if (typeof value === "object") {
    const { name, code, title, props } = value as { name?: unknown; code?: unknown; title?: unknown; props?: { title?: unknown; text?: unknown } };
    const called = [name, code, title, props?.title, props?.text].find((v) => typeof v === "string" && v);
    if (called) return short(String(called), most);
  }
  return short(typeof value === "string" ? value : JSON.stringify(value), most);
}

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** One line for each setting that differs between two definitions. */
export function differences(before: unknown, after: unknown, schema: readonly Labelled[] = [], path: Path = []): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const open = (v: unknown): v is object => v !== null && typeof v === "object";
  const like = open(before) && open(after) && Array.isArray(before) === Array.isArray(after);
  if (!like) return [t("{0}: “{1}” became “{2}”", pathInWords(path, schema), valueInWords(before), valueInWords(after))];
  const [b, a] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(b), ...Object.keys(a)])].flatMap((name) => differences(b[name], a[name], schema, [...path, Array.isArray(before) ? `[${name}]` : name]));
}
