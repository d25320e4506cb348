// The state of the library: the definitions of one kind, and the one that is
// being edited. Edits are saved by themselves and can be undone.

import { batch, computed, signal } from "@preact/signals";
import { ask, based, reason, Refused, type Resource, type Schema } from "../designer/api";
import { type Definition, type Kind, KINDS } from "./kinds";
import { inWords } from "../designer/labels";

type Item = Resource<Definition>;

interface Step {
  before: Definition;
  after: Definition;
  key: string;
  time: number;
}

const IDLE = 900;
const MERGE = 700;
const KEPT = 200;

export class Library {
  readonly kind = signal<Kind>(KINDS[0]!);
  readonly items = signal<Item[] | null>(null);
  readonly chosen = signal<number | null>(null);
  readonly value = signal<Definition | null>(null);
  readonly schema = signal<Schema | null>(null);
  readonly status = signal<"" | "Saved" | "Saving …" | "Not saved">("");
  readonly problem = signal("");
  /** Whether the problem is what the definition says, at a place of it. */
  readonly refused = signal(false);
  readonly deleted = signal<Definition | null>(null);
  readonly undoable = signal(0);
  readonly redoable = signal(0);
  readonly components = computed(() => this.schema.value?.components ?? []);
  readonly stepTypes = computed(() => this.schema.value?.steps ?? []);
  readonly api: { base: string; workspace: string };

  private done: Step[] = [];
  private undone: Step[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> = Promise.resolve();

  constructor(base: string, workspace: string) {
    this.api = { base, workspace };
  }

  address(rest = ""): string {
    return `${this.api.base}/api/ui/ws/${this.api.workspace}/${this.kind.value.name}${rest}`;
  }

  /** Opens a kind, and one of its definitions where there is that one. */
  async open(kind: Kind, id: number | null = null): Promise<void> {
    await this.flush();
    batch(() => {
      this.kind.value = kind;
      this.items.value = null;
      this.problem.value = "";
      this.deleted.value = null;
      this.choose(null);
    });
    try {
      this.schema.value ??= inWords(await ask<Schema>("GET", `${this.api.base}/api/ui/components`));
      this.items.value = await ask<Item[]>("GET", this.address());
      if (this.items.value.some((i) => i.id === id)) this.choose(id);
      else if (this.items.value[0] && kind.name !== "templates") this.choose(this.items.value[0].id);
    } catch (e) {
      this.items.value = [];
      this.problem.value = reason(e);
    }
  }

  choose(id: number | null): void {
    void this.flush();
    const item = this.items.value?.find((i) => i.id === id) ?? null;
    this.done = [];
    this.undone = [];
    batch(() => {
      if (this.refused.value) this.problem.value = ""; // of the one before
      this.refused.value = false;
      this.chosen.value = item?.id ?? null;
      this.value.value = item?.definition ?? null;
      this.status.value = "";
      this.undoable.value = 0;
      this.redoable.value = 0;
    });
  }

  /** Changes the chosen definition; steps with the same key shortly after each other are one. */
  commit(after: Definition, key = ""): void {
    const before = this.value.value;
    if (!before || before === after) return;
    const last = this.done.at(-1);
    const now = Date.now();
    if (last && key !== "" && last.key === key && now - last.time < MERGE) this.done[this.done.length - 1] = { ...last, after, time: now };
    else this.done.push({ before, after, key, time: now });
    if (this.done.length > KEPT) this.done.shift();
    this.undone = [];
    this.show(after);
  }

  set(name: string, value: unknown): void {
    const { [name]: _, ...rest } = this.value.value!;
    this.commit((value === undefined || value === "" ? rest : { ...this.value.value!, [name]: value }) as Definition, name);
  }

  undo(): void {
    const step = this.done.pop();
    if (!step) return;
    this.undone.push(step);
    this.show(step.before);
  }

  redo(): void {
    const step = this.undone.pop();
    if (!step) return;
    this.done.push(step);
    this.show(step.after);
  }

  private show(value: Definition): void {
    batch(() => {
      this.value.value = value;
      this.undoable.value = this.done.length;
      this.redoable.value = this.undone.length;
      this.status.value = "Saving …";
    });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), IDLE);
  }

  /** Saves what is not saved yet. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.saving = this.saving.then(() => this.save());
    return this.saving;
  }

  private async save(): Promise<void> {
    const item = this.items.value?.find((i) => i.id === this.chosen.value);
    const value = this.value.value;
    if (!item || !value || item.definition === value) return;
    const address = this.address(`/${item.id}`);
    try {
      const { revision } = await ask<{ revision: number }>("PUT", address, value, based(item.revision));
      this.items.value = this.items.value?.map((i) => (i.id === item.id ? { ...i, revision, definition: value } : i)) ?? null;
      batch(() => {
        this.status.value = "Saved";
        this.problem.value = "";
      });
    } catch (e) {
      this.status.value = "Not saved";
      this.refused.value = e instanceof Refused && e.details.some((d) => d.path !== "");
      this.problem.value = told(e);
    }
  }

  async create(from?: Definition): Promise<void> {
    await this.flush();
    try {
      const made = from ?? this.fresh();
      const { id, revision } = await ask<{ id: number; revision: number }>("POST", this.address(), made);
      this.items.value = [...(this.items.value ?? []), { id, revision, definition: made }];
      this.deleted.value = null;
      this.problem.value = "";
      this.choose(id);
    } catch (e) {
      this.problem.value = told(e);
    }
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

  /** Deletes the chosen definition; it can be brought back at once. */
  async remove(): Promise<void> {
    const id = this.chosen.value;
    const value = this.value.value;
    if (id === null || !value) return;
    clearTimeout(this.timer);
    try {
      await ask("DELETE", this.address(`/${id}`));
      this.items.value = this.items.value?.filter((i) => i.id !== id) ?? null;
      this.choose(null);
      this.deleted.value = value;
    } catch (e) {
      this.problem.value = told(e);
    }
  }

  /** Moves the chosen definition in the order, whose first is often the default. */
  async move(by: number): Promise<void> {
    const items = this.items.value ?? [];
    const at = items.findIndex((i) => i.id === this.chosen.value);
    const to = at + by;
    if (at < 0 || to < 0 || to >= items.length) return;
    const rest = items.filter((_, i) => i !== at);
    const order = [...rest.slice(0, to), items[at]!, ...rest.slice(to)];
    try {
      await ask("PUT", this.address("/order"), { order: order.map((i) => i.id) });
      this.items.value = order;
    } catch (e) {
      this.problem.value = told(e);
    }
  }
}

/** What was refused, with the places. */
function told(e: unknown): string {
  if (!(e instanceof Refused) || e.details.length === 0) return reason(e);
  return e.details.map((d) => (d.path ? `${d.path}: ${d.message}` : d.message)).join("\n");
}
