// The state of the library: the definitions of one kind, and the one that is
// being edited. Each has an editing session of its own, which goes on saving
// when another one is chosen.

import { batch, computed, signal } from "@preact/signals";
import { ask, based, reason, Refused, type Resource, type Schema } from "../designer/api";
import { type Definition, type Kind, KINDS } from "./kinds";
import { inWords } from "../designer/labels";
import { follow } from "../designer/news";
import { Presence } from "../designer/presence";
import { type Merge, mergeValues } from "../session/merge";
import { type Remote, Session, type Stored, type Surroundings } from "../session/session";
import type { Fault } from "../service";
import type { Openers } from "../live/openers";
import { Stream } from "../live/stream";
import { t } from "../words";

type Item = Resource<Definition> & { problems?: Fault[] };

/** A definition that is open. */
export interface Open {
  kind: Kind;
  id: number;
  session: Session<Definition>;
  /** Who else has it open. */
  presence: Presence;
}

/** How long to wait for the next edit before saving, alone and while others are there. */
const IDLE = 900;
const TOGETHER = 250;

export class Library {
  readonly kind = signal<Kind>(KINDS[0]!);
  readonly items = signal<Item[] | null>(null);
  readonly chosen = signal<number | null>(null);
  readonly open = signal<Open | null>(null);
  readonly value = computed(() => this.open.value?.session.value.value ?? null);
  readonly schema = signal<Schema | null>(null);
  readonly problem = signal("");
  /** Who has which of them open. */
  readonly openers = signal<Openers>({});
  readonly deleted = signal<{ id: number; name: string } | null>(null);
  /** What is open and could not be saved, but what is chosen. */
  readonly unsaved = computed(() => this.sessions.value.filter((o) => o !== this.open.value && ["offline", "conflict", "refused", "gone"].includes(o.session.saving.value)));
  readonly components = computed(() => this.schema.value?.components ?? []);
  readonly stepTypes = computed(() => this.schema.value?.steps ?? []);
  readonly api: { base: string; workspace: string };

  private readonly sessions = signal<Open[]>([]);
  private stream: { end(): void } | null = null;
  private list: { end(): void } | null = null;

  constructor(
    base: string,
    workspace: string,
    private readonly around: Surroundings,
    /** Who is signed in. */
    private readonly user: number,
  ) {
    this.api = { base, workspace };
  }

  address(rest = "", kind = this.kind.value): string {
    return `${this.api.base}/api/ui/ws/${this.api.workspace}/${kind.name}${rest}`;
  }

  /** Shows a kind, and one of its definitions where there is that one. */
  async show(kind: Kind, id: number | null = null): Promise<void> {
    await this.flush();
    batch(() => {
      this.kind.value = kind;
      this.items.value = null;
      this.openers.value = {};
      this.problem.value = "";
      this.deleted.value = null;
      this.choose(null);
    });
    try {
      this.schema.value ??= inWords(await ask<Schema>("GET", `${this.api.base}/api/ui/components`));
      const items = await ask<Item[]>("GET", this.address());
      if (this.kind.value !== kind) return; // another was asked for meanwhile
      this.items.value = items;
      if (items.some((i) => i.id === id)) this.choose(id);
      else if (items[0] && kind.name !== "templates") this.choose(items[0].id);
      this.hearOfAll();
    } catch (e) {
      if (this.kind.value !== kind) return;
      this.items.value = [];
      this.problem.value = reason(e);
    }
  }

  /** Hears who has which definitions of the kind open. */
  private hearOfAll(): void {
    this.list?.end();
    const hear = (open: Openers): boolean => ((this.openers.value = open), false);
    const stream = new Stream<Openers>(this.address("/open"), hear, (connected) => connected || hear({}));
    stream.open();
    this.list = stream;
  }

  /** Chooses a definition. The one before goes on saving for itself. */
  choose(id: number | null): void {
    void this.open.value?.session.save();
    this.stream?.end();
    this.stream = null;
    const item = this.items.value?.find((i) => i.id === id);
    batch(() => {
      this.problem.value = "";
      this.chosen.value = item?.id ?? null;
      this.open.value = item ? this.opened(item) : null;
    });
    const open = this.open.value;
    if (open) this.stream = follow(open, this.address(`/${open.id}`, open.kind));
  }

  private opened(item: Item): Open {
    const kind = this.kind.value;
    const known = this.sessions.peek().find((o) => o.kind === kind && o.id === item.id);
    if (known) {
      known.session.refresh().catch(() => undefined); // the saving tells of a lost connection
      return known;
    }
    const presence = new Presence(this.address(`/${item.id}/presence`), this.around);
    const idle = () => (presence.others.peek().length > 0 ? TOGETHER : IDLE);
    const options = { merge: mergeValues as Merge<Definition>, name: `quire-draft-${this.api.workspace}-${kind.name}-${item.id}`, idle };
    const session = new Session<Definition>(this.remote(kind, item.id), this.around, options);
    void session.open(stored(item));
    const made = { kind, id: item.id, session, presence };
    this.sessions.value = [...this.sessions.peek(), made];
    return made;
  }

  private remote(kind: Kind, id: number): Remote<Definition> {
    const address = this.address(`/${id}`, kind);
    const read = async (): Promise<Stored<Definition>> => {
      const found = (await ask<Item[]>("GET", this.address("", kind))).find((i) => i.id === id);
      if (!found) throw new Refused(404, t("This does not exist any more."), []);
      return this.seen(kind, id, stored(found));
    };
    return {
      read,
      save: async (value, revision) => {
        const answer = await ask<{ revision: number; definition?: Definition; problems?: Fault[] }>("PUT", address, value, based(revision));
        return this.seen(kind, id, stored({ id, definition: value, ...answer }));
      },
      restore: () => ask("POST", `${address}/restore`),
    };
  }

  /** Notes in the list what is stored. */
  private seen(kind: Kind, id: number, found: Stored<Definition>): Stored<Definition> {
    if (this.kind.peek() === kind) this.items.value = this.items.peek()?.map((i) => (i.id === id ? { ...i, revision: found.revision, definition: found.value, problems: found.problems } : i)) ?? null;
    return found;
  }

  /** Changes the chosen definition; steps with the same key shortly after each other are one. */
  commit(after: Definition, key = ""): void {
    this.open.value?.session.commit("", after, { key });
  }

  set(name: string, value: unknown): void {
    const { [name]: _, ...rest } = this.value.value!;
    this.commit((value === undefined || value === "" ? rest : { ...this.value.value!, [name]: value }) as Definition, name);
  }

  undo(): void {
    this.open.value?.session.undo();
  }

  redo(): void {
    this.open.value?.session.redo();
  }

  /** The others who have a definition open. */
  othersAt(id: number): Openers[string] {
    return (this.openers.value[id] ?? []).filter((one) => one.userId !== this.user);
  }

  /** Saves what is not saved yet. */
  async flush(): Promise<void> {
    await this.open.value?.session.save();
  }

  /** Makes a definition. The one before closes at once: what somebody types meanwhile is not meant for it. */
  async create(from?: Definition): Promise<void> {
    const before = this.chosen.value;
    this.choose(null);
    await this.attempt(async () => {
      const made = from ?? this.fresh();
      const { id, revision, definition = made } = await ask<{ id: number; revision: number; definition?: Definition }>("POST", this.address(), made).catch((e: unknown) => {
        this.choose(before);
        throw e;
      });
      this.items.value = [...(this.items.value ?? []), { id, revision, definition }];
      this.deleted.value = null;
      this.choose(id);
    });
  }

  private fresh(): Definition {
    const taken = (this.items.value ?? []).map((i) => (i.definition.code ?? i.definition.name).toLowerCase());
    for (let n = taken.length + 1; ; n++) {
      const made = this.kind.value.begin(n);
      if (!taken.includes((made.code ?? made.name).toLowerCase())) return made;
    }
  }

  async duplicate(): Promise<void> {
    const value = this.value.value;
    if (!value) return;
    const { name, code } = this.fresh();
    const named = value.code === undefined ? { name } : { name: `${value.name} (copy)`, code: code! };
    await this.create({ ...value, ...named });
  }

  /** Deletes the chosen definition, with all edits saved; it can be brought back as it was. */
  async remove(): Promise<void> {
    const open = this.open.value;
    if (!open) return;
    await this.attempt(async () => {
      await open.session.save();
      await ask("DELETE", this.address(`/${open.id}`));
      this.items.value = this.items.value?.filter((i) => i.id !== open.id) ?? null;
      this.choose(null);
      this.deleted.value = { id: open.id, name: open.session.value.value.name };
    });
  }

  /** Brings back what was deleted last: the same one, at its place. */
  async restore(): Promise<void> {
    const gone = this.deleted.value;
    if (!gone) return;
    await this.attempt(async () => {
      await ask("POST", this.address(`/${gone.id}/restore`));
      this.items.value = await ask<Item[]>("GET", this.address());
      this.deleted.value = null;
      this.choose(gone.id);
    });
  }

  /** Moves the chosen definition in the order, whose first is often the default. */
  async move(by: number): Promise<void> {
    const items = this.items.value ?? [];
    const at = items.findIndex((i) => i.id === this.chosen.value);
    const to = at + by;
    if (at < 0 || to < 0 || to >= items.length) return;
    const rest = items.filter((_, i) => i !== at);
    const order = [...rest.slice(0, to), items[at]!, ...rest.slice(to)].map((i) => i.id);
    await this.attempt(async () => {
      await ask("PUT", this.address("/order"), { order });
      const now = this.items.value ?? [];
      this.items.value = order.flatMap((id) => now.find((i) => i.id === id) ?? []);
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem.value = "";
    } catch (e) {
      this.problem.value = told(e);
    }
  }
}

function stored(item: Item): Stored<Definition> {
  return { revision: item.revision, value: item.definition, problems: item.problems ?? [] };
}

/** What was refused, with the places. */
function told(e: unknown): string {
  if (!(e instanceof Refused) || e.details.length === 0) return reason(e);
  return e.details.map((d) => (d.path ? `${d.path}: ${d.message}` : d.message)).join("\n");
}
