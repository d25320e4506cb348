// The state of the designer, and the only ways to change it.

import { batch, computed, signal } from "@preact/signals";
import { type Api, type Component, Refused, type SourceType, type Warning } from "./api";
import { History } from "./history";
import { find, fresh, identified, insert, type Node, remove, type Report, shift, update, withSetting } from "./model";

export type Saving = "saved" | "changed" | "saving" | "offline" | "conflict" | "refused";

const IDLE = 1200;
const RETRY = 3000;

export class State {
  readonly report = signal<Report>({ name: "", pages: [] });
  readonly selected = signal<string[]>([]);
  readonly hovered = signal<string | null>(null);
  readonly page = signal(0);
  /** 0 fits the page into the width there is. */
  readonly zoom = signal(0);
  readonly components = signal<Component[]>([]);
  readonly sourceTypes = signal<SourceType[]>([]);
  /** The name of the data source that is being edited, in place of an element. */
  readonly source = signal<string | null>(null);
  /** The beginning of what each data source gave in the last drawing. */
  readonly sample = signal<Record<string, unknown>>({});
  readonly warnings = signal<Warning[]>([]);
  readonly saving = signal<Saving>("saved");
  readonly message = signal("");
  /** Changes with every step, for what undo and redo say. */
  readonly steps = signal(0);

  readonly node = computed<Node | null>(() => {
    const [id] = this.selected.value;
    return id && this.selected.value.length === 1 ? (find(this.report.value, id)?.node ?? null) : null;
  });

  private readonly history = new History();
  private revision = 0;
  private stored: Report | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly api: Api,
    private readonly draftKey: string,
  ) {}

  async open(): Promise<void> {
    const [{ components, sourceTypes }, read] = await Promise.all([this.api.components(), this.api.read()]);
    batch(() => {
      this.components.value = components.filter((c) => !c.template);
      this.sourceTypes.value = sourceTypes;
      this.adopt(identified(read.definition), read.revision);
    });
    this.resumeDraft();
  }

  private adopt(report: Report, revision: number): void {
    this.report.value = report;
    this.stored = report;
    this.revision = revision;
    this.saving.value = "saved";
    this.message.value = "";
  }

  /** Edits that never reached the service, as after a lost connection or a closed tab. */
  private resumeDraft(): void {
    const text = localStorage.getItem(this.draftKey);
    if (!text) return;
    try {
      const draft = JSON.parse(text) as { revision: number; report: Report };
      if (draft.revision !== this.revision) return;
      this.commit("Edits from before", draft.report);
      this.message.value = "Edits that had not been saved are back.";
    } catch {
      localStorage.removeItem(this.draftKey);
    }
  }

  /** Makes a change: one step of undo. */
  commit(label: string, after: Report, options: { key?: string; select?: string[] } = {}): void {
    const before = this.report.value;
    if (after === before) return;
    const selectedAfter = options.select ?? this.selected.value;
    this.history.add({ label, before, after, selectedBefore: this.selected.value, selectedAfter, key: options.key ?? "", time: Date.now() });
    this.show(after, selectedAfter);
  }

  private show(report: Report, selected: string[]): void {
    batch(() => {
      this.report.value = report;
      this.selected.value = selected.filter((id) => find(report, id));
      this.page.value = Math.min(this.page.value, Math.max(0, report.pages.length - 1));
      this.steps.value++;
      this.saving.value = "changed";
    });
    localStorage.setItem(this.draftKey, JSON.stringify({ revision: this.revision, report }));
    this.saveSoon(IDLE);
  }

  undo(): void {
    const step = this.history.undo();
    if (step) this.show(step.before, step.selectedBefore);
  }

  redo(): void {
    const step = this.history.redo();
    if (step) this.show(step.after, step.selectedAfter);
  }

  get undoLabel(): string | undefined {
    return this.history.undoLabel;
  }

  get redoLabel(): string | undefined {
    return this.history.redoLabel;
  }

  set(id: string, label: string, change: (node: Node) => Node, key = ""): void {
    this.commit(label, update(this.report.value, id, change), { key });
  }

  setSetting(id: string, name: string, value: unknown): void {
    this.set(id, `Change ${name}`, (n) => withSetting(n, name, value), `${id}.${name}`);
  }

  /** Inserts behind the selection, inside of a selected container, or at the end of the page. */
  add(nodes: Node[], label: string): void {
    const report = this.report.value;
    const made = fresh(report, nodes);
    const place = this.selected.value[0] ? find(report, this.selected.value[0]) : null;
    const holds = place && this.components.value.find((c) => c.name === place.node.type)?.container;
    const select = made.map((n) => n.id);
    if (place && holds) this.commit(label, insert(report, place.page, place.node.id, place.node.children?.length ?? 0, made), { select });
    else if (place) this.commit(label, insert(report, place.page, place.parent?.id ?? null, place.index + 1, made), { select });
    else this.commit(label, insert(report, this.page.value, null, report.pages[this.page.value]?.elements?.length ?? 0, made), { select });
  }

  removeSelected(): void {
    const [id] = this.selected.value;
    if (!id) return;
    const place = find(this.report.value, id);
    const siblings = place ? (place.parent ? place.parent.children : this.report.value.pages[place.page]!.elements)! : [];
    const next = place && (siblings[place.index + 1] ?? siblings[place.index - 1] ?? place.parent);
    this.commit("Delete", remove(this.report.value, this.selected.value), { select: next ? [next.id] : [] });
  }

  duplicate(): void {
    const nodes = this.selectedNodes();
    if (nodes.length === 0) return;
    const last = find(this.report.value, nodes.at(-1)!.id)!;
    const made = fresh(this.report.value, nodes);
    this.commit("Duplicate", insert(this.report.value, last.page, last.parent?.id ?? null, last.index + 1, made), { select: made.map((n) => n.id) });
  }

  shiftSelected(by: number): void {
    const [id] = this.selected.value;
    if (id) this.commit(by < 0 ? "Move up" : "Move down", shift(this.report.value, id, by), { key: `shift ${id}` });
  }

  selectedNodes(): Node[] {
    return this.selected.value.flatMap((id) => find(this.report.value, id)?.node ?? []);
  }

  selectParent(): void {
    const [id] = this.selected.value;
    const place = id ? find(this.report.value, id) : null;
    this.selected.value = place?.parent ? [place.parent.id] : [];
  }

  addPage(): void {
    const { pages } = this.report.value;
    const id = Math.max(0, ...pages.map((p) => p.id)) + 1;
    const after = { ...this.report.value, pages: [...pages, { id, name: `Page ${id}`, elements: [] }] };
    this.commit("Add page", after, { select: [] });
    this.page.value = after.pages.length - 1;
  }

  removePage(): void {
    const { pages } = this.report.value;
    if (pages.length < 2) return;
    this.commit("Delete page", { ...this.report.value, pages: pages.filter((_, i) => i !== this.page.value) }, { select: [] });
  }

  /** Brings an earlier version back, as a step that can be undone. */
  async restore(revision: number): Promise<void> {
    const old = await this.api.version(revision);
    this.commit(`Restore version ${revision}`, identified(old.definition), { select: [] });
  }

  private saveSoon(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), wait);
  }

  /** Saves what there is. A lost connection is tried again until it is back. */
  async save(): Promise<void> {
    clearTimeout(this.timer);
    const report = this.report.value;
    if (this.saving.value === "saving" || this.saving.value === "conflict") return;
    if (report === this.stored) {
      localStorage.removeItem(this.draftKey);
      this.saving.value = "saved";
      return;
    }
    this.saving.value = "saving";
    try {
      this.revision = (await this.api.save(report, this.revision)).revision;
      this.stored = report;
      if (this.report.value !== report) {
        this.saving.value = "changed";
        this.saveSoon(IDLE);
        return;
      }
      localStorage.removeItem(this.draftKey);
      batch(() => {
        this.saving.value = "saved";
        this.message.value = "";
      });
    } catch (fault) {
      this.failed(fault);
    }
  }

  private failed(fault: unknown): void {
    if (!(fault instanceof Refused) || fault.status >= 500) {
      this.saving.value = "offline";
      this.message.value = "The service cannot be reached. Your edits are kept here and saved as soon as it is back.";
      this.saveSoon(RETRY);
      return;
    }
    this.saving.value = fault.status === 409 ? "conflict" : "refused";
    this.message.value = fault.message;
  }

  /** After a conflict: what the other one saved replaces the edits made here. */
  async takeTheirs(): Promise<void> {
    const read = await this.api.read();
    const theirs = identified(read.definition);
    this.history.add({ label: "Take the other version", before: this.report.value, after: theirs, selectedBefore: this.selected.value, selectedAfter: [], key: "", time: Date.now() });
    localStorage.removeItem(this.draftKey);
    batch(() => {
      this.adopt(theirs, read.revision);
      this.selected.value = [];
      this.steps.value++;
    });
  }

  /** After a conflict: the edits made here replace what the other one saved, which stays in the history of versions. */
  async keepMine(): Promise<void> {
    this.revision = (await this.api.read()).revision;
    this.saving.value = "changed";
    this.stored = null;
    await this.save();
  }
}
