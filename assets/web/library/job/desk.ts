// What the editor of jobs asks the service about the job that is open.

import { computed, signal } from "@preact/signals";
import { ask, reason, type Run, type Setting } from "../../designer/api";
import { inWords } from "../../designer/labels";
import type { Library } from "../state";
import { below, type Check, type Choices, type Job, type Look, type Trial, withMember } from "./model";
import { t } from "../../words";

export class Desk {
  readonly choices = signal<Choices | null>(null);
  readonly check = signal<Check | null>(null);
  readonly look = signal<Look | null>(null);
  readonly lookFault = signal("");
  /** The entry that is looked at, from 1. */
  readonly entry = signal(1);
  /** Values of the job's parameters while it is edited. They are no part of it. */
  readonly params = signal<Record<string, unknown>>({});
  readonly busy = signal(false);
  /** What is wrong with the job, and what cannot be filled for the entry that is looked at. */
  readonly problems = computed(() => [...(this.check.value?.problems ?? []), ...(this.look.value?.filled ?? []).flatMap((f) => (f.problem ? [{ path: f.path, message: t("Entry {0}: {1}", this.entry.value, f.problem) }] : []))]);
  private asked = 0;
  private looked = 0;

  constructor(readonly library: Library) {}

  get job(): Job {
    return this.library.value.value as Job;
  }

  /** The settings of a part of a job as the service describes them: "reports", "deliveries", "schedule". */
  settings(part?: string): Setting[] {
    const all = this.library.schema.value?.schemas.jobs ?? [];
    if (!part) return all;
    const found = all.find((s) => s.name === part);
    return found?.item?.settings ?? found?.settings ?? [];
  }

  /** Changes a member. What adds to a list or takes from it is a step of its own for undo, and so is a choice. */
  set(name: string, value: unknown, choice = false): void {
    const before = this.job[name];
    const alone = choice || (Array.isArray(value) ? value.length : 0) !== (Array.isArray(before) ? before.length : 0);
    const after = Array.isArray(value) && value.length === 0 ? undefined : value;
    this.library.commit(withMember(this.job, name, after), alone ? "" : name);
  }

  async open(): Promise<void> {
    try {
      this.choices.value = inWords(await ask<Choices>("GET", this.library.address("/choices")));
    } catch (e) {
      this.library.problem.value = reason(e);
    }
  }

  async validate(): Promise<void> {
    const now = ++this.asked;
    try {
      const check = await this.checked(this.job);
      if (now === this.asked) this.check.value = check;
    } catch {
      // The service is away or refuses; saving says so.
    }
  }

  checked(job: Job): Promise<Check> {
    return ask("POST", this.library.address("/check"), { job });
  }

  /** Loads the data as a run would and fills what is written for the entry. */
  async lookAt(refresh = false): Promise<void> {
    const now = ++this.looked;
    this.busy.value = refresh;
    try {
      const look = await ask<Look>("POST", this.library.address("/look"), { job: this.job, params: this.params.value, entry: this.entry.value, refresh });
      if (now !== this.looked) return;
      this.look.value = look;
      this.lookFault.value = "";
    } catch (e) {
      if (now === this.looked) this.lookFault.value = inFull(e);
    } finally {
      if (now === this.looked) this.busy.value = false;
    }
  }

  run(source: string): Promise<Run> {
    return ask("POST", this.library.address("/run"), { job: this.job, params: this.params.value, source });
  }

  deliver(delivery: number, entry: number, recipients: boolean): Promise<Trial> {
    return ask("POST", this.library.address("/trial"), { job: this.job, params: this.params.value, delivery, entry, recipients });
  }

  /** What a template gives for the entry that is looked at; by the id of its field. */
  readonly given = (field: string): string | undefined => {
    const found = this.look.value?.filled.find((f) => `f-${f.path}` === field);
    if (!found || (found.problem && !found.value)) return undefined;
    if (!found.path.endsWith(".condition")) return found.value;
    return found.value === "true" ? t("Holds for entry {0}.", this.entry.value) : t("Does not hold for entry {0}.", this.entry.value);
  };

  at(path: string): string[] {
    return this.problems.value.filter((p) => p.path === path).map((p) => p.message);
  }

  under(...parents: string[]): { path: string; message: string }[] {
    return this.problems.value.filter((p) => parents.some((parent) => below(p.path, parent)));
  }
}

/** What was refused, with the places. */
export function inFull(e: unknown): string {
  const details = (e as { details?: { path: string; message: string }[] }).details ?? [];
  return details.length > 0 ? details.map((d) => (d.path ? `${d.path}: ${d.message}` : d.message)).join("\n") : reason(e);
}
