// What the designer asks the service for.

import type { Report } from "./model";

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

export class Api {
  private readonly reports: string;

  constructor(
    private readonly base: string,
    workspace: string,
    report: string,
  ) {
    this.reports = `${base}/api/ui/ws/${workspace}/reports/${report}`;
  }

  components(): Promise<{ components: Component[]; sourceTypes: SourceType[] }> {
    return this.json("GET", `${this.base}/api/ui/components`);
  }

  read(): Promise<{ revision: number; code: string; definition: Report }> {
    return this.json("GET", this.reports);
  }

  render(definition: Report): Promise<{ html: string; warnings: Warning[]; sample: Record<string, unknown> | null }> {
    return this.json("POST", `${this.reports}/render`, { definition });
  }

  versions(): Promise<Version[]> {
    return this.json("GET", `${this.reports}/versions`);
  }

  version(revision: number): Promise<{ definition: Report }> {
    return this.json("GET", `${this.reports}/versions/${revision}`);
  }

  save(definition: Report, revision: number): Promise<{ revision: number }> {
    return this.json("PUT", this.reports, definition, { "If-Match": `"${revision}"` });
  }

  private async json<T>(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const init: RequestInit = { method, headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const answer = await fetch(url, init);
    const value = await answer.json().catch(() => null);
    if (!answer.ok) throw new Refused(answer.status, value?.error ?? `the service answered ${answer.status}`, value?.details ?? []);
    return value as T;
  }
}
