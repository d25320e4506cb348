// What the designer asks the service for.

import type { Report } from "./model";
import { ask, based, type Fault } from "../service";

export { ask, based, reason, Refused } from "../service";

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
  /** What it is to its element, whatever its name. */
  means?: "text" | "level" | "picture" | "place";
  /** Such as Box or Font: what many components have. */
  group?: string;
  settings?: Setting[];
  item?: Setting;
}

/** Whether the text of a setting is HTML. */
export const isMarkup = (s: Setting): boolean => s.editor === "html" || s.editor === "rich-text";

export interface Component {
  name: string;
  label: string;
  category: string;
  help: string;
  /** The name of its drawing. */
  icon: string;
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

export type Warning = Fault;

/** What the report was after it was saved once. */
export interface Version {
  revision: number;
  user: string;
  saved: string;
  /** What people call it. */
  name?: string;
  /** Whether there is a picture of it. */
  pictured?: boolean;
}

/** Something that might be better, as the lint says it. */
export interface Finding extends Warning {
  rule: string;
  severity?: Severity;
  /** A change that mends it. */
  repair?: Repair;
}

/** One change of the definition that the lint offers. A value of null takes the setting away. */
export interface Repair {
  label: string;
  path: string;
  value: unknown;
}

/** How much something matters: what keeps the report from being drawn, what is most likely not meant, what could be better. */
export type Severity = "error" | "warning" | "hint";

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
  /** What can be drawn is, whatever is wrong with the rest. */
  anyway?: boolean;
}

export interface Drawing {
  html: string;
  warnings: Warning[];
  sample: Record<string, unknown> | null;
  /** Values that were made for parameters without one. */
  samples?: Record<string, unknown> | null;
  lint?: Finding[];
}

/** A report as the service has it. */
export interface Saved {
  revision: number;
  definition: Report;
  /** What is to be mended before it prints. */
  problems?: Warning[];
}

/** How others come to see a report. */
export interface Sharing {
  link: string;
  frame: string;
  request: string;
  restricted: boolean;
  /** Only for who may change them, at an address of its own. */
  readers?: { name: string; email?: string; kind: string; may: string }[];
  access?: string;
}

/** What is edited: a report, or a template. */
export interface Desk {
  readonly base: string;
  readonly workspace: string;
  components(): Promise<Schema>;
  read(): Promise<Saved>;
  save(definition: Report, revision: number): Promise<Saved>;
  /** Undoes a deletion. */
  restore?(): Promise<unknown>;
  render(definition: Report, as: DrawnAs): Promise<Drawing>;
  /** Reads what is stored, and draws it. */
  renderStored?(as: DrawnAs): Promise<Drawing & Saved>;
  /** Below which there is what is said about it; absent where nothing is. */
  readonly told?: string;
  /** Below which it is told what others do to it. */
  readonly news: string;
  versions?(): Promise<Version[]>;
  version?(revision: number): Promise<{ definition: Report }>;
  nameVersion?(revision: number, name: string): Promise<unknown>;
  /** The address of its picture. */
  versionPicture?(revision: number): string;
  sharing?(): Promise<Sharing>;
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

/** A report at the service. */
export class ReportDesk implements Desk {
  readonly told: string;
  readonly news: string;
  private readonly address: string;

  constructor(
    readonly base: string,
    readonly workspace: string,
    report: string,
  ) {
    this.told = this.news = this.address = `${base}/api/ui/ws/${workspace}/reports/${report}`;
  }

  components(): Promise<Schema> {
    return ask("GET", `${this.base}/api/ui/components`);
  }

  read(): Promise<Saved> {
    return ask("GET", this.address);
  }

  render(definition: Report, as: DrawnAs): Promise<Drawing> {
    return ask("POST", `${this.address}/render`, { definition, ...as });
  }

  renderStored(as: DrawnAs): Promise<Drawing & Saved> {
    return ask("POST", `${this.address}/render`, { stored: true, ...as });
  }

  versions(): Promise<Version[]> {
    return ask("GET", `${this.address}/versions`);
  }

  version(revision: number): Promise<{ definition: Report }> {
    return ask("GET", `${this.address}/versions/${revision}`);
  }

  nameVersion(revision: number, name: string): Promise<unknown> {
    return ask("PUT", `${this.address}/versions/${revision}`, { name });
  }

  versionPicture(revision: number): string {
    return `${this.address}/versions/${revision}/picture`;
  }

  sharing(): Promise<Sharing> {
    return ask("GET", `${this.address}/share`);
  }

  save(definition: Report, revision: number): Promise<Saved> {
    return ask("PUT", this.address, definition, based(revision));
  }

  restore(): Promise<unknown> {
    return ask("POST", `${this.address}/restore`);
  }

  run(definition: Report, source: string, params: Record<string, unknown>): Promise<Run> {
    return ask("POST", `${this.address}/run`, { definition, source, params });
  }
}
