// One editing session: a definition, its steps of undo, and the way of its
// edits to the service. No edit is lost: what the service does not have yet is
// kept in the browser, and what somebody else saved meanwhile is merged.

import { batch, computed, signal } from "@preact/signals-core";
import { type Draft, Drafts, type Storage } from "./drafts";
import { History } from "./history";
import { type Choices, type Clash, equal, type Merge, type Merged, sharing } from "./merge";
import { type Fault, Refused } from "../service";
import { t } from "../words";

/** A definition as the service has it. */
export interface Stored<T> {
  revision: number;
  value: T;
  /** What is to be mended in it before it prints. */
  problems: Fault[];
}

/** Where a definition is kept. */
export interface Remote<T> {
  read(): Promise<Stored<T>>;
  /** Saves over a revision, and gives what is stored now. */
  save(value: T, revision: number): Promise<Stored<T>>;
  /** Undoes a deletion. */
  restore?(): Promise<unknown>;
}

/** What a session needs of the browser. */
export interface Surroundings {
  storage: Storage;
  /** This tab, the same after a reload. */
  tab: string;
  /** The tabs that are open now. */
  tabs(): Promise<ReadonlySet<string>>;
  now(): number;
  /** Does something later, and gives what keeps it from being done. */
  later(work: () => void, milliseconds: number): () => void;
}

export type Saving = "saved" | "changed" | "saving" | "offline" | "conflict" | "refused" | "gone";

/** What cannot be merged without a choice. */
export interface Conflict<T> {
  /** The other side: what is stored now, or what is edited now beside a draft. */
  theirs: T;
  mine: T;
  clashes: Clash[];
  /** The draft that was to be brought back; else somebody else has saved. */
  draft?: Draft<T>;
}

export interface Options<T> {
  merge: Merge<T>;
  /** Where drafts are kept. */
  name: string;
  /** How long to wait for the next edit before saving. */
  idle?: () => number;
  /** Brings what the service gave into the form that is edited. */
  adopt?: (value: T) => T;
}

const IDLE = 1000;
const RETRY = 3000;
/** Drafts that can be offered at a time. */
const OFFERED = 20;
/** Sent states that are remembered until it is known which of them arrived. */
const UNSURE = 20;

export class Session<T extends object, M = undefined> {
  readonly value = signal<T>(undefined as unknown as T);
  readonly saving = signal<Saving>("saved");
  /** What to tell of the saving; empty when there is nothing. */
  readonly message = signal("");
  /** What is to be mended, as the service said when it was saved. */
  readonly problems = signal<Fault[]>([]);
  readonly conflict = signal<Conflict<T> | null>(null);
  /** Drafts that are not part of what is edited, the newest first. */
  readonly offers = signal<Draft<T>[]>([]);
  /** Changes with every step. */
  readonly steps = signal(0);
  readonly undoLabel = computed(() => (this.steps.value, this.history.undoLabel));
  readonly redoLabel = computed(() => (this.steps.value, this.history.redoLabel));
  /** What goes with a step, such as what is selected: read before and set after. */
  mark: { get(): M; set(mark: M, there: boolean): void } = { get: () => undefined as M, set: () => undefined };
  /** Whether what others did has to wait: something is under way that it would take from under somebody's hands. hear() goes on. */
  holds: (after: T) => boolean = () => false;

  private readonly history = new History<T, M>();
  private readonly drafts: Drafts<T>;
  private base: { revision: number; value: T } = { revision: 0, value: undefined as unknown as T };
  private cancel: () => void = () => undefined;
  private running: Promise<void> | null = null;
  private ended = false;
  /** What was sent over the base and may have arrived, though no answer came; at most one of them did. */
  private unsure: T[] = [];
  /** What is stored while it is chosen between that and what is edited. */
  private pending: Stored<T> | null = null;
  /** The newest revision that was told of, and who saved it. */
  private heard = { revision: 0, by: "" };
  private hearing = false;

  constructor(
    private readonly remote: Remote<T>,
    private readonly around: Surroundings,
    private readonly options: Options<T>,
  ) {
    this.drafts = new Drafts(around.storage, options.name, around.tab);
  }

  /** Reads what is stored, unless it is given, and finds drafts. */
  async open(stored?: Stored<T>): Promise<void> {
    const tabs = this.around.tabs();
    const read = this.adopted(stored ?? (await this.remote.read()));
    batch(() => {
      this.base = read;
      this.value.value = read.value;
      this.problems.value = read.problems;
      this.saving.value = "saved";
    });
    const found = this.drafts.found(this.around.now());
    if (found.length > 0) this.offer(found, await tabs);
  }

  /** A reload goes on where it was; all other drafts are offered. */
  private offer(found: Draft<T>[], tabs: ReadonlySet<string>): void {
    const offers: Draft<T>[] = [];
    for (const draft of found) {
      draft.value = this.options.adopt?.(draft.value) ?? draft.value;
      if (this.has(draft)) this.drafts.drop(draft.place);
      else if (draft.tab === this.around.tab && draft.revision === this.base.revision && !this.dirty) this.resume(draft);
      else if (draft.tab === this.around.tab || !tabs.has(draft.tab)) offers.push(draft);
    }
    this.offers.value = offers.slice(0, OFFERED);
  }

  /** Whether the service has all that a draft brings. */
  private has(draft: Draft<T>): boolean {
    if (equal(draft.value, this.base.value)) return true;
    return draft.base !== undefined && equal(this.options.merge(draft.base, draft.value, this.base.value).value, this.base.value);
  }

  private resume(draft: Draft<T>): void {
    this.commit(t("Edits from before"), draft.value);
    this.drafts.drop(draft.place);
    this.message.value = t("Edits that had not been saved are back.");
  }

  private get idle(): number {
    return this.options.idle?.() ?? IDLE;
  }

  /** Whether the service lacks something. */
  get dirty(): boolean {
    return this.value.value !== this.base.value;
  }

  /** What the service had last, as far as it is known here. */
  get stored(): { revision: number; value: T } {
    return this.base;
  }

  /** Makes a change: one step of undo. */
  commit(label: string, after: T, options: { key?: string; mark?: M } = {}): void {
    const before = this.value.value;
    if (after === before) return;
    const markBefore = this.mark.get();
    const markAfter = "mark" in options ? options.mark! : markBefore;
    this.history.add({ label, before, after, markBefore, markAfter, key: options.key ?? "", time: this.around.now() });
    batch(() => {
      this.show(after);
      this.mark.set(markAfter, false);
    });
  }

  undo(): void {
    const step = this.history.undo();
    if (step) this.go(step.after, step.before, step.markBefore);
  }

  redo(): void {
    const step = this.history.redo();
    if (step) this.go(step.before, step.after, step.markAfter);
  }

  /** Goes from one state to another. What others did since stays. */
  private go(from: T, to: T, mark: M): void {
    const now = this.value.value;
    batch(() => {
      this.show(equal(now, from) ? to : this.options.merge(from, to, now, undefined, "theirs").value);
      this.mark.set(mark, true);
    });
  }

  private show(value: T): void {
    batch(() => {
      this.value.value = value;
      this.steps.value++;
      if (this.saving.value !== "conflict" && this.saving.value !== "gone") this.saving.value = "changed";
    });
    this.keep();
    this.askAnew();
    this.saveSoon(this.idle);
  }

  /** What is to be chosen is between what there is now. */
  private askAnew(): void {
    const { draft } = this.conflict.peek() ?? {};
    if (draft) this.conflict.value = this.between(draft.base, draft.value, this.value.value, [], draft);
    else if (this.conflict.peek() && this.pending) this.conflict.value = this.between(this.base.value, this.value.value, this.pending.value, []);
  }

  /** Keeps what the service lacks in the browser. */
  private keep(): void {
    if (!this.dirty) return this.drafts.drop();
    if (!this.drafts.keep(this.base.revision, this.base.value, this.value.value, this.around.now())) {
      this.message.value = t("This browser has no room to keep your edits until they are saved. Leave this page open.");
    }
  }

  private saveSoon(wait: number): void {
    this.cancel();
    if (!this.ended) this.cancel = this.around.later(() => void this.save(false), wait);
  }

  /** Saves what there is; with all, also what is edited while that is under way. */
  save(all = true): Promise<void> {
    this.cancel();
    const before = this.running ?? Promise.resolve();
    const mine = before.then(() => this.run(all));
    this.running = mine;
    void mine.finally(() => {
      if (this.running !== mine) return;
      this.running = null;
      void this.hear();
    });
    return mine;
  }

  private async run(all: boolean): Promise<void> {
    for (;;) {
      if (this.conflict.value?.clashes.length === 0) return void this.resolve(new Map()); // what was changed twice was taken back
      if (this.saving.value === "conflict" || this.saving.value === "gone") return;
      if (!this.dirty && this.unsure.length === 0) return this.settled();
      this.saving.value = "saving";
      const sent = this.value.value;
      let again = true;
      try {
        if (this.dirty) {
          this.accepted(sent, this.adopted(await this.remote.save(sent, this.base.revision)));
          again = all;
        } else await this.lookAfter();
      } catch (fault) {
        const answered = fault instanceof Refused && fault.status < 500;
        if (!answered && this.dirty && sent !== this.unsure.at(-1)) this.unsure = [...this.unsure.slice(0, UNSURE - 1), sent];
        again = await this.failed(fault);
      }
      if (!again) break;
    }
    if (this.saving.value !== "saving") return;
    if (!this.dirty) return this.settled();
    this.saving.value = "changed";
    this.saveSoon(this.idle);
  }

  private settled(): void {
    this.drafts.drop();
    batch(() => {
      this.saving.value = "saved";
      this.message.value = "";
    });
  }

  /** The service stored what was sent, perhaps in a form of its own. */
  private accepted(sent: T, stored: Stored<T>): void {
    const there = sharing(sent, stored.value);
    const now = this.value.value;
    this.unsure = [];
    batch(() => {
      this.base = { revision: stored.revision, value: there };
      if (there !== sent) {
        const value = now === sent ? there : sharing(now, this.options.merge(sent, now, there).value);
        this.history.map((v) => (v === sent ? there : v === now ? value : v)); // so that undo finds what is there
        this.value.value = value;
      }
      this.problems.value = stored.problems;
    });
    this.keep();
  }

  /** What became of a save that was not accepted; true when it is to be tried again at once. */
  private async failed(fault: unknown): Promise<boolean> {
    const status = fault instanceof Refused ? fault.status : 0;
    if (status === 409) {
      try {
        return await this.catchUp(fault as Refused);
      } catch (second) {
        return this.failed(second instanceof Refused && second.status === 409 ? new Error() : second);
      }
    }
    if (status === 0 || status === 401 || status === 429 || status >= 500) return this.away(status);
    if (status === 404) return this.stop("gone", t("This was deleted meanwhile. Your edits are kept here."));
    return this.stop("refused", t("Not saved yet: {0}", (fault as Refused).message), (fault as Refused).details);
  }

  private away(status: number): false {
    const message = status === 401 ? t("You are not signed in any more. Your edits are kept here and saved as soon as you are; sign in in another tab.") : t("The service cannot be reached. Your edits are kept here and saved as soon as it is back.");
    this.stop("offline", message);
    this.saveSoon(RETRY);
    return false;
  }

  private stop(saving: Saving, message: string, problems?: Fault[]): false {
    batch(() => {
      this.saving.value = saving;
      this.message.value = message;
      if (problems?.length) this.problems.value = problems;
    });
    return false;
  }

  /** Somebody else has saved: both changes are kept, or it is asked which. */
  private async catchUp(fault: Refused): Promise<boolean> {
    const stored = this.adopted(await this.remote.read());
    if (stored.revision === this.base.revision) return this.stop("refused", t("Not saved yet: {0}", fault.message), fault.details); // as of a code that is taken
    this.foundOf(stored.value);
    const taken = this.takeIn(stored);
    if (taken === "clash") return this.stop("conflict", savedBy(fault.by));
    return taken === "taken"; // what is held is tried again
  }

  /** Looks for what may have arrived and was taken back meanwhile. */
  private async lookAfter(): Promise<void> {
    const stored = this.adopted(await this.remote.read());
    if (stored.revision === this.base.revision) this.unsure = [];
    else if (!this.dirty) {
      this.foundOf(stored.value);
      if (this.takeIn(stored) === "clash") this.stop("conflict", savedBy(this.saverOf(stored)));
    }
  }

  /** What has arrived without an answer is what both sides go on from. */
  private foundOf(stored: T): void {
    const arrived = this.unsure.findLast((sent) => {
      const { value, clashes } = this.options.merge(this.base.value, sent, stored);
      return clashes.length === 0 && equal(value, stored);
    });
    if (arrived) this.base = { ...this.base, value: arrived };
    this.unsure = [];
  }

  /** Merges what is stored now into what is edited, unless there is something to choose or to wait for. */
  private takeIn(stored: Stored<T>, choices?: Choices): "taken" | "clash" | "held" {
    const mine = this.value.value;
    const { value, clashes, rename }: Merged<T> = this.dirty ? this.options.merge(this.base.value, mine, stored.value, choices) : { value: stored.value, clashes: [] };
    if (this.holds(value)) return "held";
    if (clashes.length > 0) {
      this.conflict.value = this.between(this.base.value, mine, stored.value, clashes);
      this.pending = stored;
      return "clash";
    }
    if (rename) this.history.map(rename);
    this.history.close(); // a step that began before must not hold what others did
    const mark = this.mark.get();
    const merged = sharing(mine, equal(value, stored.value) ? stored.value : value);
    batch(() => {
      this.base = { revision: stored.revision, value: sharing(merged, stored.value) };
      this.value.value = merged;
      this.problems.value = stored.problems;
      this.steps.value++;
      this.mark.set(mark, false);
    });
    this.keep();
    return "taken";
  }

  /** All that is to be chosen; a choice may have brought more. */
  private between(base: T | undefined, mine: T, theirs: T, left: Clash[], draft?: Draft<T>): Conflict<T> {
    const all = this.options.merge(base, mine, theirs).clashes;
    const clashes = [...all, ...left.filter((c) => !all.some((a) => a.key === c.key))];
    return { mine, theirs, clashes, ...(draft ? { draft } : {}) };
  }

  /** Settles a conflict: for each clash the side that stays. */
  async resolve(choices: Choices): Promise<void> {
    const conflict = this.conflict.value;
    if (!conflict) return;
    if (conflict.draft) return this.bring(conflict.draft, choices);
    if (!this.pending || this.takeIn(this.pending, choices) !== "taken") return; // a choice brought more to choose
    this.pending = null;
    batch(() => {
      this.conflict.value = null;
      this.message.value = "";
      this.saving.value = "changed";
    });
    await this.save();
  }

  /** Brings an offered draft back, merged with what is edited now. */
  async bring(draft: Draft<T>, choices?: Choices): Promise<void> {
    const now = this.value.value;
    const { value, clashes } = this.options.merge(draft.base, draft.value, now, choices);
    if (clashes.length > 0) {
      this.conflict.value = this.between(draft.base, draft.value, now, clashes, draft);
      return;
    }
    this.conflict.value = this.pending ? this.between(this.base.value, now, this.pending.value, []) : null;
    this.commit(t("Edits from before"), value);
    this.discard(draft);
    await this.save();
  }

  /** Leaves the conflict between a draft and what is edited; the draft stays offered. */
  setAside(): void {
    if (this.conflict.value?.draft) this.conflict.value = this.pending ? this.between(this.base.value, this.value.value, this.pending.value, []) : null;
  }

  discard(draft: Draft<T>): void {
    this.drafts.drop(draft.place);
    this.offers.value = this.offers.value.filter((d) => d !== draft);
  }

  /** Somebody has saved a revision: it is merged into what is edited, as soon as nothing else is under way. It may have been asked for already. */
  async hear(revision = 0, by = "", asked?: Promise<Stored<T> | null>): Promise<void> {
    if (revision > this.heard.revision) this.heard = { revision, by };
    if (this.hearing) return;
    this.hearing = true;
    try {
      for (let last = -1; this.heard.revision > this.base.revision && this.base.revision > last; ) {
        last = this.base.revision;
        await this.refresh((await asked) ?? undefined);
        asked = undefined;
      }
    } catch {
      if (!this.ended) this.around.later(() => void this.hear(), RETRY);
    } finally {
      this.hearing = false;
    }
  }

  /** Takes in what somebody else saved, beside what is edited here. */
  async refresh(given?: Stored<T>): Promise<void> {
    if (this.occupied) return;
    const stored = this.adopted(given ?? (await this.remote.read()));
    if (this.occupied || stored.revision <= this.base.revision) return;
    if (this.takeIn(stored) === "clash") this.stop("conflict", savedBy(this.saverOf(stored)));
  }

  /** Who saved what is stored, as far as that was told. */
  private saverOf({ revision }: Stored<T>): string {
    return revision === this.heard.revision ? this.heard.by : "";
  }

  /** Whether what is stored is looked at anyway, something is to be chosen first, or all is over: another session may keep its drafts in the same place. */
  private get occupied(): boolean {
    return this.ended || this.running !== null || this.unsure.length > 0 || this.saving.value === "conflict" || this.saving.value === "gone";
  }

  /** Brings back what somebody else deleted, with the edits made here. */
  async revive(): Promise<void> {
    let refused = "";
    try {
      await this.remote.restore?.();
    } catch (fault) {
      refused = fault instanceof Refused ? fault.message : t("The service cannot be reached.");
      if (!(fault instanceof Refused && fault.status === 404)) return void this.stop("gone", refused);
    }
    this.saving.value = "changed"; // what is not deleted somebody else may have brought back
    await this.save();
    if (refused && this.saving.peek() === "gone") this.stop("gone", refused);
  }

  /** Ends the session; nothing is saved any more. */
  end(): void {
    this.ended = true;
    this.cancel();
  }

  private adopted(stored: Stored<T>): Stored<T> {
    return this.options.adopt ? { ...stored, value: this.options.adopt(stored.value) } : stored;
  }
}

/** Who has saved the same. */
function savedBy(by: string): string {
  if (by === "") return t("Somebody else has saved this meanwhile and changed the same as you. Choose what stays; until then your edits are kept here.");
  return t("{0} has saved this meanwhile and changed the same as you. Choose what stays; until then your edits are kept here.", by);
}
