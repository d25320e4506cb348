// What people say about the report and its elements, as the service has it.

import { computed, signal } from "@preact/signals-core";
import { ask, reason } from "./api";
import { ownerIn, TEMPLATE } from "../viewer/about";

export interface Person {
  id: number;
  name: string;
  /** Where the picture is. */
  picture?: string;
}

export interface Comment {
  id: number;
  user: string;
  picture?: string;
  text: string;
  mentions: { userId: number; name: string }[];
  created: string;
  /** When it was changed; null: it is as it was written. */
  edited: string | null;
  mine: boolean;
  /** Whether it may be deleted here. */
  deletes: boolean;
}

export interface Thread {
  id: number;
  /** The ID of the element; empty: the report. */
  element: string;
  resolved: string | null;
  resolvedBy?: string;
  comments: Comment[];
}

export class Comments {
  /** As the service has them. */
  private readonly told = signal<Thread[]>([]);
  /** Whether an ID is not the report's, but the template's: keys of header and footer once were without the owner. */
  readonly ofTemplate = signal<(id: string) => boolean>(() => false);
  readonly threads = computed(() => this.told.value.map((t) => ({ ...t, element: this.meant(t.element) })));
  /** Those who can be named. */
  readonly people = signal<Person[]>([]);
  /** The thread that is answered. */
  readonly chosen = signal<number | null>(null);
  /** Why something was not done. */
  readonly fault = signal("");
  /** The comment that was deleted last, and can be brought back. */
  readonly deleted = signal<number | null>(null);
  /** Whether somebody wants to write about what is selected. */
  readonly wanted = signal(false);
  /** What is begun and not sent yet, by what it is about. */
  readonly begun = new Map<string, string>();
  readonly open = computed(() => this.threads.value.filter((t) => t.resolved === null));
  private asked = 0;
  private greeted: Promise<void> | undefined;

  constructor(
    private readonly address: string,
    /** Whether people may be named; else nobody is asked for. */
    readonly names = true,
  ) {}

  /** The key of what is meant by one that may be from before keys had owners. */
  meant(element: string): string {
    return element !== "" && ownerIn(element) === null && this.ofTemplate.value(element) ? `${TEMPLATE}/${element}` : element;
  }

  /** How many threads of an element are open. */
  openOf(element: string): number {
    return this.open.value.filter((t) => t.element === element).length;
  }

  async read(): Promise<void> {
    const asked = ++this.asked;
    const threads = await ask<Thread[]>("GET", `${this.address}/threads`);
    if (asked === this.asked) this.told.value = threads;
  }

  /** Asks once who can be named. */
  greet(): Promise<void> {
    if (!this.names) return Promise.resolve();
    this.greeted ??= ask<Person[]>("GET", `${this.address}/people`).then(
      (people) => void (this.people.value = people),
      () => void (this.greeted = undefined), // nobody is offered, until it is asked again
    );
    return this.greeted;
  }

  start(element: string, text: string, mentions: number[]): Promise<boolean> {
    return this.change(async () => this.put(await ask("POST", `${this.address}/threads`, { element, text, mentions })));
  }

  reply(thread: number, text: string, mentions: number[]): Promise<boolean> {
    return this.change(async () => this.put(await ask("POST", `${this.address}/threads/${thread}/comments`, { text, mentions })));
  }

  edit(comment: number, text: string, mentions: number[]): Promise<boolean> {
    return this.change(async () => this.put(await ask("PUT", `${this.address}/comments/${comment}`, { text, mentions })));
  }

  settle(thread: number, resolved: boolean): Promise<boolean> {
    return this.change(async () => this.put(await ask("POST", `${this.address}/threads/${thread}/${resolved ? "resolve" : "reopen"}`)));
  }

  remove(comment: number): Promise<boolean> {
    return this.change(async () => {
      await ask("DELETE", `${this.address}/comments/${comment}`);
      this.deleted.value = comment;
      await this.read();
    });
  }

  bringBack(): Promise<boolean> {
    const comment = this.deleted.value;
    return this.change(async () => {
      if (comment !== null) this.put(await ask("POST", `${this.address}/comments/${comment}/restore`));
      this.deleted.value = null;
    });
  }

  /** Takes in a thread as it is now; what was asked for before is older. */
  private put(thread: Thread): void {
    this.asked++;
    const others = this.told.value.filter((t) => t.id !== thread.id);
    this.told.value = [...others, thread].sort((a, b) => a.id - b.id);
    this.chosen.value = thread.id;
  }

  /** Whether it was done; else it is told why not. */
  private async change(work: () => Promise<void>): Promise<boolean> {
    this.fault.value = "";
    try {
      await work();
      return true;
    } catch (fault) {
      this.fault.value = reason(fault);
      return false;
    }
  }
}

/** The name that is begun before the cursor, and where its @ is. */
export function begun(text: string, at: number): { from: number; name: string } | null {
  const found = /(?:^|[\s(])@([^@\n]{0,40})$/u.exec(text.slice(0, at));
  return found ? { from: at - found[1]!.length - 1, name: found[1]! } : null;
}

/** Whom a name that is begun can be of. */
export function fitting(people: Person[], name: string): Person[] {
  const wanted = name.toLowerCase();
  const starts = ({ name }: Person) => name.toLowerCase().split(/\s+/u).some((_, i, words) => words.slice(i).join(" ").startsWith(wanted));
  return people.filter((p) => starts(p) && p.name.toLowerCase() !== wanted).slice(0, 6);
}

/** A text in pieces: names behind an @, the longest first, and what is between. */
export function pieces<P extends { name: string }>(text: string, named: P[]): (string | P)[] {
  const longest = [...named].sort((a, b) => b.name.length - a.name.length);
  const found: (string | P)[] = [];
  let from = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const one = longest.find((p) => text.startsWith(p.name, at + 1));
    if (!one) continue;
    if (at > from) found.push(text.slice(from, at));
    found.push(one);
    from = at + 1 + one.name.length;
    at = from - 1;
  }
  return from < text.length ? [...found, text.slice(from)] : found;
}

/** The IDs of those whom a text names. Of people of the same name it is the one who was chosen. */
export function mentionsIn(text: string, people: Person[], chosen: ReadonlySet<number> = new Set()): number[] {
  const first = [...people].sort((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)));
  return [...new Set(pieces(text, first).flatMap((p) => (typeof p === "string" ? [] : [p.id])))];
}
