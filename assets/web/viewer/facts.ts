// What the service tells the viewer besides the report, by who looks.

import type { Words } from "./words";

export interface Told {
  path: string;
  message: string;
}

export interface Choice {
  value: string;
  label: string;
  selected?: boolean;
}

/** A parameter that is asked for beside the report. */
export interface Field {
  name: string;
  label: string;
  kind: "text" | "number" | "date" | "months" | "choice";
  required?: boolean;
  multiple?: boolean;
  value?: string;
  from?: string;
  to?: string;
  choices?: Choice[];
  words?: boolean;
  leads?: boolean;
  waits?: string[];
  problem?: string;
}

export interface Group {
  name: string;
  fields: Field[];
}

export interface Facts {
  place?: string;
  hosts: string[];
  formats: string[];
  parameters: Group[];
  given: Record<string, unknown> | null;
  asking?: boolean;
  warnings: Told[];
  /** Whether it is an electronic invoice, whose XML may be had alone. */
  invoice?: boolean;
  /** Connections by which the PDF file may be signed. */
  signatures?: string[];
  /** Where what people say about it is, and how much is open; for who is signed in. */
  comments?: { address: string; open: number };
}

/** What a file knows that was saved from the service: nothing. */
const NOTHING: Facts = { hosts: ["*"], formats: [], parameters: [], given: null, warnings: [] };

/** The service's block is the last one: what a report brings in stands before it. */
export function readFacts(doc: Document): Facts {
  const block = [...doc.querySelectorAll("script#quire-viewer")].pop();
  return block ? (JSON.parse(block.textContent ?? "") as Facts) : NOTHING;
}

/** The label of a choice: the words of switches are the viewer's. */
export function labelOf(field: Field, choice: Choice, words: Words): string {
  if (field.words) return choice.value === "true" ? words.yes : words.no;
  return choice.label || choice.value;
}
