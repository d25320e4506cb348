// A job as the editor sees it.

import type { Setting, SourceType, Warning } from "../../designer/api";
import type { Source } from "../../designer/model";
import type { Definition } from "../kinds";

export type Item = Record<string, unknown>;

export interface JobReport extends Item {
  report: string;
  params?: Record<string, unknown>;
  data?: Record<string, unknown>;
  signature?: string;
}

export interface Delivery extends Item {
  name?: string;
  type: string;
  connection?: string;
  settings?: Record<string, unknown>;
}

export interface Schedule {
  kind: string;
  start?: string;
  every?: number;
  weekdays?: string[];
  day?: number;
  which?: string;
  weekday?: string;
  cron?: string;
  until?: string;
  missed?: string;
}

export interface Parameter extends Item {
  name?: string;
  reuse?: string;
  label?: string;
  type?: string;
}

export interface Job extends Definition {
  parameters?: Parameter[];
  dataSources?: Source[];
  repeat?: string;
  timezone?: string;
  active?: boolean;
  reports?: JobReport[];
  schedule?: Schedule;
  deliveries?: Delivery[];
}

/** A kind of destination. */
export interface Destination extends SourceType {
  connects?: boolean;
  /** Tests of it can go to the person who makes them. */
  toPerson?: boolean;
}

/** What the fields of a job offer. */
export interface Choices {
  destinations: Destination[];
  connections: { name: string; type: string }[];
  /** What the caller may do with connections: nothing, see them, or make them, too. */
  connects: "" | "read" | "full";
  reports: { id: number; name: string }[];
  types: { code: string; name: string; report: string }[];
  email: string;
}

/** What is wrong with a job, and when it would run. */
export interface Check {
  problems: Warning[];
  readable: boolean;
  dates: string[];
}

/** What a run would begin with. */
export interface Look {
  entries: number;
  record: unknown;
  data: Record<string, unknown> | null;
  filled: { path: string; value: string; problem?: string }[];
}

/** What became of a test delivery. */
export interface Trial {
  entries: number;
  documents: string[];
  skipped?: boolean;
  receipt?: { state?: string; reference?: string; items?: { name: string; place: string }[] };
}

/** An object with a member changed, or without it. */
export function withMember<T extends object>(object: T | undefined, name: string, value: unknown): T {
  const { [name]: _, ...rest } = (object ?? {}) as Record<string, unknown>;
  return (value === undefined || value === "" ? rest : { ...object, [name]: value }) as T;
}

/** Whether a path is another one or lies below it. */
export function below(path: string, parent: string): boolean {
  return path === parent || (path.startsWith(parent) && /^[.[]/.test(path.slice(parent.length)));
}

/** The settings of a schema by their names. */
export function settingNamed(settings: Setting[] | undefined, name: string): Setting | undefined {
  return settings?.find((s) => s.name === name);
}
