// Two people edit one report, one theme and one job at the real service, as the
// pages do: with their sessions, drafts and merges. What is not real is chance:
// reloads, closed tabs, requests and answers that are late or lost, deletions.
// e2e/edits.test.mjs starts the service and plays this.

import { ReportDesk } from "../designer/api";
import { fresh, insert, move, type Node, remove, type Report, slotsOf, update, walk, withSetting } from "../designer/model";
import { State } from "../designer/state";
import { type Definition, KINDS } from "../library/kinds";
import { Library } from "../library/state";
import { equal } from "./merge";
import type { Session, Surroundings } from "./session";
import { Browser } from "./testing";

/** A definition that both edit. */
export interface Thing {
  kind: "reports" | "themes" | "jobs";
  id: number;
}

export interface Game {
  url: string;
  workspace: string;
  people: { name: string; token: string }[];
  things: Thing[];
  seed: number;
  edits: number;
}

/** What happened, and what is wrong at the end. */
export interface Outcome {
  edits: number;
  undone: number;
  saves: number;
  merged: number;
  conflicts: number;
  settings: number;
  offers: number;
  reloads: number;
  closed: number;
  lost: number;
  unanswered: number;
  late: number;
  deleted: number;
  /** Edits that had to be there. */
  lasting: number;
  /** Edits that are there more than once: of items that both moved and changed beyond recognition. */
  twice: number;
  faults: string[];
}

type Any = Session<Definition>;

const asReport = (value: Definition) => value as unknown as Report;
const asDefinition = (report: Report) => report as unknown as Definition;

const MARK = /(?:ana|ben)-\d+/g;

/** The marks of edits in a value, each with the setting it is in: an element's wherever that stands. */
function marks(value: unknown, place = "", found = new Map<string, string>()): Map<string, string> {
  if (typeof value === "string") for (const mark of value.match(MARK) ?? []) found.set(mark, place);
  if (Array.isArray(value)) for (const item of value) marks(item, `${place}.*`, found);
  else if (value !== null && typeof value === "object") {
    const { id, type } = value as { id?: unknown; type?: unknown };
    const at = typeof id === "string" && typeof type === "string" ? `#${id}` : place;
    for (const [name, member] of Object.entries(value)) if (name !== "id") marks(member, `${at}.${name}`, found);
  }
  return found;
}

/** How often each mark is there: an item that one moved while another changed it is kept twice. */
function copies(value: unknown): Map<string, number> {
  const found = new Map<string, number>();
  for (const mark of JSON.stringify(value).match(MARK) ?? []) found.set(mark, (found.get(mark) ?? 0) + 1);
  return found;
}

/** The answer to a page that is gone. */
const never = () => new Promise<Response>(() => undefined);

const turn = () => new Promise((done) => setTimeout(done, 0));

/** A page of a browser. When it is left, nothing of it goes on but requests that have left. */
class Page {
  alive = true;
  session!: Any;

  constructor(
    readonly person: Person,
    readonly thing: Thing,
    readonly tab: string,
    readonly number: number,
    /** Decides what becomes of its requests. */
    readonly random: (n: number) => number,
  ) {}

  get base(): string {
    return `page:${this.number}`;
  }

  around(): Surroundings {
    const { browser } = this.person;
    const real = browser.around(this.tab);
    const { storage } = browser;
    return {
      ...real,
      storage: {
        get length() {
          return storage.length;
        },
        key: (i) => storage.key(i),
        getItem: (key) => storage.getItem(key),
        setItem: (key, text) => this.alive && storage.setItem(key, text),
        removeItem: (key) => this.alive && storage.removeItem(key),
      } as Surroundings["storage"],
      later: (work, milliseconds) => real.later(() => this.alive && work(), milliseconds),
    };
  }

  async load(workspace: string): Promise<void> {
    const { kind, id } = this.thing;
    if (kind === "reports") {
      const state = new State(new ReportDesk(this.base, workspace, String(id)), `quire-draft-${workspace}-${id}`, { back: "", preview: "" }, this.around());
      await state.open();
      this.session = state.session as unknown as Any;
      return;
    }
    const library = new Library(this.base, workspace, this.around(), 0);
    await library.show(KINDS.find((k) => k.name === kind)!, id);
    if (!library.open.value) throw new Error(`${kind}/${id} does not open: ${library.problem.value}`);
    this.session = library.open.value.session;
  }
}

class Person {
  readonly browser = new Browser();
  readonly pages = new Map<Thing, Page>();

  constructor(
    readonly name: string,
    readonly token: string,
  ) {}
}

/** What the network does with a request. */
type Fate = "fine" | "lost" | "unanswered" | "late" | "late answer";

/** Random numbers below n that a seed repeats. */
function chance(seed: number): (n: number) => number {
  let state = (seed * 7919 + 17) % 2147483647;
  return (n) => (state = (state * 48271 + 11) % 2147483647) % n;
}

class Play {
  private readonly pages: Page[] = [];
  private readonly people: Person[];
  private readonly real = globalThis.fetch;
  private readonly random: (n: number) => number;
  private busy = 0;
  /** Requests and answers under way for long. */
  private held: { page: Page; go: () => void }[] = [];
  private calm = true;
  /** The edits that are to be there at the end, each with its setting. */
  private readonly lasting = new Map<Thing, Map<string, string>>();
  private readonly deleted = new Set<Thing>();
  readonly outcome: Outcome = { edits: 0, undone: 0, saves: 0, merged: 0, conflicts: 0, settings: 0, offers: 0, reloads: 0, closed: 0, lost: 0, unanswered: 0, late: 0, deleted: 0, lasting: 0, twice: 0, faults: [] };

  constructor(private readonly game: Game) {
    this.random = chance(game.seed);
    this.people = game.people.map((p) => new Person(p.name, p.token));
    for (const thing of game.things) this.lasting.set(thing, new Map());
  }


  private one<T>(list: readonly T[]): T {
    return list[this.random(list.length)]!;
  }

  async run(): Promise<Outcome> {
    const known = Math.random;
    Math.random = () => this.random(1_000_000) / 1_000_000; // names of elements
    globalThis.fetch = ((address: string, init?: RequestInit) => this.fetch(address, init)) as typeof fetch;
    try {
      for (const person of this.people) for (const thing of this.game.things) await this.load(person, thing, "first");
      while (this.outcome.edits < this.game.edits) await this.step();
      await this.settle();
      await this.judge();
    } finally {
      globalThis.fetch = this.real;
      Math.random = known;
    }
    return this.outcome;
  }

  private path({ kind, id }: Thing): string {
    return `${this.game.url}/api/ui/ws/${this.game.workspace}/${kind}/${id}`;
  }

  private async ask(method: string, address: string): Promise<Response> {
    return this.real(address, { method, headers: { Authorization: `Bearer ${this.people[0]!.token}` } });
  }

  private fate(page: Page, method: string): Fate {
    if (this.calm || method === "POST") return "fine";
    const n = page.random(20);
    if (n < 3) return "lost";
    if (n < 6) return "unanswered";
    if (n < 8) return "late";
    return n < 10 ? "late answer" : "fine";
  }

  private hold(page: Page): Promise<void> {
    this.outcome.late++;
    this.busy--;
    return new Promise((go) => this.held.push({ page, go: () => (this.busy++, go()) }));
  }

  /** The network of a page. */
  private async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const [, number, path] = /^page:(\d+)(\/.*)$/.exec(address)!;
    const page = this.pages[Number(number)]!;
    const method = init.method ?? "GET";
    const fate = this.fate(page, method);
    if (!page.alive) return never();
    this.busy++;
    try {
      if (fate === "late") await this.hold(page);
      if (fate === "lost") {
        this.outcome.lost++;
        throw new TypeError("network");
      }
      const answer = await this.real(this.game.url + path, { ...init, headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${page.person.token}` } });
      const text = await answer.text();
      if (method === "PUT" && answer.ok) this.outcome.saves++;
      if (method === "PUT" && answer.status === 409) this.outcome.merged++;
      if (fate === "late answer") await this.hold(page);
      if (fate === "unanswered") {
        this.outcome.unanswered++;
        throw new TypeError("network");
      }
      if (!page.alive) return never();
      return { ok: answer.ok, status: answer.status, json: async () => JSON.parse(text) as unknown } as Response; // at once, so that games repeat
    } finally {
      this.busy--;
    }
  }

  /** Waits until all has come to its end but what is held. */
  private async quiet(): Promise<void> {
    for (let still = 0; still < 3; still = this.busy === 0 ? still + 1 : 0) await turn();
  }

  private async release(all: boolean): Promise<void> {
    while (this.held.length > 0) {
      this.held.sort((a, b) => a.page.number - b.page.number); // games repeat, whatever came first
      this.held.splice(this.random(this.held.length), 1)[0]!.go();
      await this.quiet();
      if (!all) return;
    }
  }

  /** Opens a page: for the first time, again in its tab, or in another tab when that was closed. */
  private async load(person: Person, thing: Thing, how: "first" | "reload" | "closed"): Promise<void> {
    const before = person.pages.get(thing);
    if (before) {
      if (this.random(2) && before.session.saving.value === "changed") void before.session.save(); // as pages do when they are left
      before.alive = false;
      before.session.end();
      if (how === "closed") person.browser.open.delete(before.tab);
    }
    if (how === "reload") this.outcome.reloads++;
    if (how === "closed") this.outcome.closed++;
    if (this.deleted.delete(thing)) await this.ask("POST", `${this.path(thing)}/restore`);
    const calm = this.calm;
    this.calm = true; // a page that does not load is loaded again
    const page = new Page(person, thing, how === "reload" ? before!.tab : `tab${this.pages.length}`, this.pages.length, chance(this.random(1_000_000)));
    this.pages.push(page);
    person.pages.set(thing, page);
    await page.load(this.game.workspace);
    await this.quiet();
    this.calm = calm;
  }

  private async step(): Promise<void> {
    const person = this.one(this.people);
    const thing = this.one(this.game.things);
    this.calm = false;
    const n = this.random(24);
    if (n === 0) await this.load(person, thing, "reload");
    else if (n === 1) await this.load(person, thing, "closed");
    else if (n === 2) this.seen(thing, person, (s) => (s.undo(), this.outcome.undone++), false);
    else if (n === 3) this.seen(thing, person, (s) => (s.redo(), this.outcome.undone++), false);
    else if (n === 4 && this.random(4) === 0) await this.remove(thing);
    else if (n === 5) void person.pages.get(thing)!.session.refresh().catch(() => undefined);
    else this.edit(thing, person);
    if (this.random(3) === 0) await person.browser.pass(this.random(2500));
    await this.quiet();
    if (this.random(3) === 0) await this.release(false);
    if (this.random(4) === 0) await this.choose(person.pages.get(thing)!);
    for (const offer of person.pages.get(thing)!.session.offers.value) if (this.random(2)) await this.bring(person.pages.get(thing)!, offer);
  }

  private async remove(thing: Thing): Promise<void> {
    const answer = await this.ask("DELETE", this.path(thing));
    if (!answer.ok) return;
    this.outcome.deleted++;
    this.deleted.add(thing);
  }

  private edit(thing: Thing, person: Person): void {
    const mark = `${person.name}-${this.outcome.edits}`;
    const change = { reports: () => this.editReport, themes: () => this.editTheme, jobs: () => this.editJob }[thing.kind]();
    this.seen(thing, person, (session) => {
      const before = session.value.value;
      const after = change.call(this, before, mark);
      if (equal(before, after)) return;
      session.commit("Edit", after);
      this.outcome.edits++;
    });
  }

  /** What goes away by an edit, if only one copy of it, its maker has seen; what it brings has to last. Undo shows what was there before, which somebody may have replaced. */
  private seen(thing: Thing, person: Person, work: (session: Any) => void, lasts = true): void {
    const { session } = person.pages.get(thing)!;
    const before = copies(session.value.value);
    work(session);
    const after = copies(session.value.value);
    const lasting = this.lasting.get(thing)!;
    for (const [mark, n] of before) if ((after.get(mark) ?? 0) < n) lasting.delete(mark);
    if (lasts) for (const [mark, place] of marks(session.value.value)) if (!before.has(mark)) lasting.set(mark, place);
  }

  private set(value: Definition, mark: string, ...names: string[]): Definition {
    const name = this.one(names);
    return { ...value, [name]: mark };
  }

  /** Adds an item to a list, removes one, moves one, or changes one. */
  private list<T extends object>(list: T[] | undefined, made: () => T, changed: (item: T) => T): T[] {
    const items = [...(list ?? [])];
    const at = this.random(items.length + 1);
    const what = this.random(6);
    if (items.length < 2 || what < 2) items.splice(at, 0, made());
    else if (what === 2 || items.length > 9) items.splice(Math.min(at, items.length - 1), 1);
    else if (what === 3) items.splice(this.random(items.length), 0, ...items.splice(Math.min(at, items.length - 1), 1));
    else items[Math.min(at, items.length - 1)] = changed(items[Math.min(at, items.length - 1)]!);
    return items;
  }

  private editReport(value: Definition, mark: string): Definition {
    const report = asReport(value);
    const page = this.random(report.pages.length);
    const nodes: Node[] = [];
    walk(report.pages[page]!, (node) => nodes.push(node));
    const target = () => {
      const around = this.random(3) ? null : (nodes.filter((n) => n.type === "container")[0] ?? null);
      const among = around ? (around.children ?? []) : (slotsOf(report.pages[page]!)[0]?.[1] ?? []);
      return { page, slot: "elements", parent: around?.id ?? null, index: this.random(among.length + 1) };
    };
    switch (this.random(10)) {
      case 0: return this.set(value, mark, "subject", "author", "description");
      case 1: return { ...value, dataSources: this.list(report.dataSources, () => ({ name: mark, type: "json", settings: { content: [] } }), (s) => ({ ...s, settings: { content: [mark] } })) };
      case 2: return report.pages.length > 3 ? { ...value, pages: report.pages.map((p, i) => (i === page ? { ...p, name: mark } : p)) } : asDefinition({ ...report, pages: [...report.pages, { id: Math.max(...report.pages.map((p) => p.id)) + 1, name: mark }] });
      case 3:
      case 4: return asDefinition(insert(report, target(), fresh(report, [this.random(3) ? { id: "", type: "heading", props: { title: mark } } : { id: "", type: "container", name: mark, children: [] }])));
      case 5: return nodes.length < 4 ? value : asDefinition(remove(report, [this.one(nodes).id]));
      case 6: return nodes.length < 2 ? value : asDefinition(move(report, [this.one(nodes).id], target()));
      default: {
        const headings = nodes.filter((n) => n.type === "heading");
        return headings.length === 0 ? value : asDefinition(update(report, this.one(headings).id, (node) => withSetting(node, this.one(["title", "subtitle"]), mark)));
      }
    }
  }

  private editTheme(value: Definition, mark: string): Definition {
    const below = (of: string, name: string, set: unknown) => ({ ...(value[of] as object | undefined), [name]: set });
    const text = value.text as Record<string, object> | undefined;
    switch (this.random(7)) {
      case 0: return { ...value, customCss: `/* ${mark} */` };
      case 1:
      case 2: return { ...value, colors: this.list(value.colors as object[], () => ({ name: mark, value: "#123456" }), (c) => ({ ...c, value: `var(--${mark})` })) };
      case 3: return { ...value, page: below("page", this.one(["fontFamily", "background"]), mark) };
      case 4: return { ...value, externalCss: [...((value.externalCss as string[] | undefined) ?? []).slice(-5), mark] };
      case 5: return { ...value, advancedChart: below("advancedChart", this.one(["a", "b", "c"]), { deep: [mark] }) };
      default: {
        const style = this.one(["h1", "h2", "small"]);
        return { ...value, text: { ...text, [style]: { ...text?.[style], [this.one(["fontFamily", "color"])]: mark } } };
      }
    }
  }

  private editJob(value: Definition, mark: string): Definition {
    switch (this.random(6)) {
      case 0: return this.set(value, mark, "description", "repeat");
      case 1: return { ...value, reports: this.list(value.reports as object[], () => ({ report: String(this.game.things[0]!.id), fileName: mark }), (r) => ({ ...r, params: { ...(r as { params?: object }).params, [this.one(["a", "b"])]: mark } })) };
      case 2: return { ...value, deliveries: this.list(value.deliveries as object[], () => ({ name: mark, type: "email", settings: {} }), (d) => ({ ...d, settings: { ...(d as { settings?: object }).settings, [this.one(["subject", "body"])]: mark } })) };
      case 3: return { ...value, parameters: this.list(value.parameters as object[], () => ({ name: mark, type: "text" }), (p) => ({ ...p, label: mark })) };
      case 4: return { ...value, dataSources: this.list(value.dataSources as object[], () => ({ name: mark, type: "json", settings: { content: [] } }), (s) => ({ ...s, settings: { content: [{ [this.one(["x", "y"])]: mark }] } })) };
      default: return this.set(value, mark, "language", "timezone");
    }
  }

  /** Settles a conflict at random: what is not chosen is given up. */
  private async choose({ session, thing }: Page): Promise<void> {
    const lasting = this.lasting.get(thing)!;
    for (let asked = 0; session.conflict.value; asked++) {
      if (asked > 50) throw new Error(`the conflict of ${thing.kind} does not end`);
      this.outcome.conflicts++;
      const { clashes } = session.conflict.value;
      this.outcome.settings += clashes.length;
      const choices = new Map(clashes.map((c) => [c.key, this.random(2) ? ("mine" as const) : ("theirs" as const)]));
      for (const clash of clashes) {
        const [kept, left] = choices.get(clash.key) === "mine" ? [clash.mine, clash.theirs] : [clash.theirs, clash.mine];
        const stays = marks(kept);
        for (const mark of marks(left).keys()) if (!stays.has(mark)) lasting.delete(mark);
      }
      void session.resolve(choices);
      await this.quiet();
    }
    if (session.saving.value === "gone") {
      void session.revive();
      await this.quiet();
    }
  }

  private async bring(page: Page, offer: Any["offers"]["value"][number]): Promise<void> {
    this.outcome.offers++;
    void page.session.bring(offer);
    await this.quiet();
    await this.choose(page);
  }

  private open(): Page[] {
    return this.people.flatMap((p) => [...p.pages.values()]);
  }

  /** The network is well again, and everybody looks at what is asked. */
  private async settle(): Promise<void> {
    this.calm = true;
    for (let round = 0; round < 12; round++) {
      await this.release(true);
      for (const page of this.open()) {
        if (this.deleted.delete(page.thing)) await this.ask("POST", `${this.path(page.thing)}/restore`);
        while (page.session.offers.value[0]) await this.bring(page, page.session.offers.value[0]);
        await page.person.browser.pass(5000);
        await this.quiet();
        await this.choose(page);
        await page.session.refresh();
      }
    }
  }

  private async judge(): Promise<void> {
    const { faults } = this.outcome;
    const at = (thing: Thing) => `${thing.kind}/${thing.id}`;
    for (const thing of this.game.things) {
      const answer = await (await this.ask("GET", `${this.game.url}/api/ui/ws/${this.game.workspace}/${thing.kind}${thing.kind === "reports" ? `/${thing.id}` : ""}`)).json();
      const stored = (Array.isArray(answer) ? answer.find((i: { id: number }) => i.id === thing.id) : answer).definition as Definition;
      const end = marks(stored);
      for (const [mark, place] of this.lasting.get(thing)!) {
        this.outcome.lasting++;
        if (!end.has(mark)) faults.push(`${at(thing)}: ${mark} at ${place} is missing`);
        else if (end.get(mark) !== place) faults.push(`${at(thing)}: ${mark} is at ${end.get(mark)}, not at ${place}`);
      }
      for (const n of copies(stored).values()) if (n > 1) this.outcome.twice++;
      for (const { pages } of this.people) {
        const { session, person } = pages.get(thing)!;
        const { saving, message, value } = session;
        if (saving.value !== "saved") faults.push(`${at(thing)}: ${person.name} has ${saving.value}: ${message.value}`);
        if (!equal(value.value, stored)) faults.push(`${at(thing)}: ${person.name} sees something else than what is stored`);
      }
    }
    for (const { name, browser } of this.people) for (const key of browser.storage.kept.keys()) faults.push(`${name}'s browser still keeps ${key}`);
  }
}

/** Plays one game. */
export const play = (game: Game): Promise<Outcome> => new Play(game).run();
