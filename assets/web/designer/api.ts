// What the designer asks the service for.

import type { Report } from "./model";
import { t } from "../words";

export interface Setting {
  name: string;
  label?: string;
  help?: string;
  editor?: string;
  shape: "string" | "boolean" | "integer" | "number" | "object" | "array" | "map" | "any";
  default?: string;
  enum?: string[];
  min?: number;
  max?: number;
  required?: boolean;
  /** Such as Box or Font: what many components have. */
  group?: string;
  settings?: Setting[];
  item?: Setting;
}

export interface Component {
  name: string;
  label: string;
  category: string;
  help: string;
  container?: boolean;
  template?: boolean;
  settings: Setting[];
}

export interface SourceType {
  name: string;
  label: string;
  help: string;
  settings: Setting[];
}

export interface Warning {
  path: string;
  message: string;
}

/** What the report was after it was saved once. */
export interface Version {
  revision: number;
  user: string;
  saved: string;
}

/** What went wrong, as the service words it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: Warning[],
  ) {
    super(message);
  }
}

/** Something that might be better, as the lint says it. */
export interface Finding extends Warning {
  rule: string;
}

/** Forms of what is not an element: report, page, layout, and the kinds of the library. */
export type Schemas = Record<string, Setting[]>;

/** A kind of transformation step. */
export interface StepType extends SourceType {
  alone: boolean;
}

export interface Schema {
  components: Component[];
  sourceTypes: SourceType[];
  steps: StepType[];
  schemas: Schemas;
}

/** What a drawing is made with besides the report. */
export interface DrawnAs {
  lang?: string;
  params?: Record<string, unknown>;
}

export interface Drawing {
  html: string;
  warnings: Warning[];
  sample: Record<string, unknown> | null;
  lint?: Finding[];
}

/** What is edited: a report, or a template. */
export interface Desk {
  readonly base: string;
  readonly workspace: string;
  components(): Promise<Schema>;
  read(): Promise<{ revision: number; definition: Report }>;
  save(definition: Report, revision: number): Promise<{ revision: number }>;
  render(definition: Report, as: DrawnAs): Promise<Drawing>;
  versions?(): Promise<Version[]>;
  version?(revision: number): Promise<{ definition: Report }>;
  /** Runs one source; absent where there are none. */
  run?(definition: Report, source: string, params: Record<string, unknown>): Promise<Run>;
}

/** What a data source gave when it was run. */
export interface Run {
  rows: unknown[];
  columns: string[];
  total: number;
  milliseconds: number;
  problem?: { path: string; message: string; line?: number; column?: number };
  steps?: { type: string; rows: unknown[]; total: number }[];
}

/** A definition of the library. */
export interface Resource<T> {
  id: number;
  revision: number;
  definition: T;
}

/** Asks the service; what it refuses is thrown. */
export async function ask<T>(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  const form = body instanceof FormData;
  const init: RequestInit = { method, headers: { ...headers, ...(body === undefined || form ? {} : { "Content-Type": "application/json" }) } };
  if (body !== undefined) init.body = form ? body : JSON.stringify(body);
  const answer = await fetch(url, init);
  if (answer.status === 204) return undefined as T;
  const value = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, value?.error ?? t("the service answered {0}", answer.status), value?.details ?? []);
  return value as T;
}

/** The revision that a change is based on. */
export function based(revision: number): Record<string, string> {
  return { "If-Match": `"${revision}"` };
}

/** What went wrong, for people. */
export function reason(fault: unknown): string {
  return fault instanceof Refused ? fault.message : t("The service cannot be reached.");
}

/** A report at the service. */
export class ReportDesk implements Desk {
  private readonly address: string;

  constructor(
    readonly base: string,
    readonly workspace: string,
    report: string,
  ) {
    this.address = `${base}/api/ui/ws/${workspace}/reports/${report}`;
  }

  components(): Promise<Schema> {
    return ask("GET", `${this.base}/api/ui/components`);
  }

  read(): Promise<{ revision: number; definition: Report }> {
    return ask("GET", this.address);
  }

  render(definition: Report, as: DrawnAs): Promise<Drawing> {
    return ask("POST", `${this.address}/render`, { definition, ...as });
  }

  versions(): Promise<Version[]> {
    return ask("GET", `${this.address}/versions`);
  }

  version(revision: number): Promise<{ definition: Report }> {
    return ask("GET", `${this.address}/versions/${revision}`);
  }

  save(definition: Report, revision: number): Promise<{ revision: number }> {
    return ask("PUT", this.address, definition, based(revision));
  }

  run(definition: Report, source: string, params: Record<string, unknown>): Promise<Run> {
    return ask("POST", `${this.address}/run`, { definition, source, params });
  }
}
