// A service and browsers for tests: the network drops, time passes when told.

import type { Storage } from "./drafts";
import type { Merge } from "./merge";
import { type Remote, Session, type Stored, type Surroundings } from "./session";
import { Refused } from "../service";

export class Memory implements Storage {
  readonly kept = new Map<string, string>();
  room = Infinity;
  get length(): number {
    return this.kept.size;
  }
  key(index: number): string | null {
    return [...this.kept.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (value.length > this.room) throw new Error("QuotaExceededError");
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

/** A definition at a service that keeps revisions as the real one does. */
export class Service<T extends object> {
  revision = 1;
  deleted = false;
  saves = 0;

  constructor(
    public value: T,
    /** What the service makes of what it is sent. */
    private readonly form: (value: T) => T = (v) => v,
  ) {}

  get stored(): Stored<T> {
    return { revision: this.revision, value: structuredClone(this.value), problems: [] };
  }

  restore(): void {
    if (!this.deleted) throw new Refused(404, "it is not deleted", []);
    this.deleted = false;
  }

  put(value: T, revision: number): Stored<T> {
    if (this.deleted) throw new Refused(404, "it does not exist", []);
    if (revision !== this.revision) throw new Refused(409, "it was saved meanwhile", [], "Ana");
    this.saves++;
    this.revision++;
    this.value = this.form(structuredClone(value));
    return this.stored;
  }
}

export class Browser {
  readonly storage = new Memory();
  readonly open = new Set<string>();
  private waiting: { at: number; work: () => void }[] = [];
  time = 1_000_000;
  /** What becomes of the next request: it arrives, it is lost, or only its answer is. */
  network: () => "fine" | "lost" | "unanswered" = () => "fine";

  around(tab: string): Surroundings {
    this.open.add(tab);
    return {
      storage: this.storage,
      tab,
      tabs: () => Promise.resolve(new Set([...this.open].filter((t) => t !== tab))),
      now: () => this.time,
      later: (work, milliseconds) => {
        const one = { at: this.time + milliseconds, work };
        this.waiting.push(one);
        return () => (this.waiting = this.waiting.filter((w) => w !== one));
      },
    };
  }

  /** Lets time pass, and all that is then under way come to its end. */
  async pass(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    const due = this.waiting.filter((w) => w.at <= this.time);
    this.waiting = this.waiting.filter((w) => w.at > this.time);
    for (const { work } of due) work();
    for (let i = 0; i < 60; i++) await Promise.resolve();
  }

  remote<T extends object>(service: Service<T>): Remote<T> {
    const ask = async <V>(work: () => V): Promise<V> => {
      await Promise.resolve();
      const network = this.network();
      if (network === "lost") throw new TypeError("network");
      const answer = work();
      await Promise.resolve();
      if (network === "unanswered") throw new TypeError("network");
      return answer;
    };
    return {
      read: () => ask(() => service.stored),
      save: (value, revision) => ask(() => service.put(value, revision)),
      restore: () => ask(() => service.restore()),
    };
  }

  async session<T extends object>(service: Service<T>, tab: string, merge: Merge<T>): Promise<Session<T>> {
    const made = new Session<T>(this.remote(service), this.around(tab), { merge, name: "draft-1" });
    await made.open();
    return made;
  }
}
