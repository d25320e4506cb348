// The labels and help texts that come with the schema of the service, in the
// language of the page.

import { humanise } from "../session/words";
import { say, t } from "../words";

export { humanise };

const SHORT = ["csv", "docx", "html", "json", "pdf", "pptx", "xlsx", "zip", "x", "y"];

/** What values are called that are names of standards. */
const CALLED: Record<string, string> = { "basic-wl": say("Basic WL (no lines)"), en16931: say("EN 16931 (European standard)"), xrechnung: say("XRechnung (German authorities)") };

/** One of the values that a setting offers, in words: space-between is "Space between". What is no word, such as A4, stays. */
export function optionWords(value: string): string {
  if (CALLED[value]) return t(CALLED[value]);
  if (SHORT.includes(value)) return value.toUpperCase();
  return /^[a-z][a-z-]*$/.test(value) ? t(`${humanise(value).replaceAll("-", " ")} | option`) : value;
}

interface Described {
  name?: string;
  label?: string;
  shape?: string;
}

/** A schema with its labels, categories and help in the language of the page. */
export const inWords = <T>(schema: T): T => translated(schema) as T;

function translated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translated);
  if (value === null || typeof value !== "object") return value;
  const { name, label, shape } = value as Described;
  const copy = Object.fromEntries(Object.entries(value).map(([key, v]) => [key, typeof v === "string" && /^(label|help|category)$/.test(key) ? t(v) : translated(v)]));
  // Without a label, people see the name in words.
  return label || !shape || !name ? copy : { ...copy, label: t(humanise(name)) };
}
