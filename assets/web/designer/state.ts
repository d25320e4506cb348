// The state of the designer, and the only ways to change it.

import { batch, computed, signal } from "@preact/signals";
import { ask, type Component, type Desk, type DrawnAs, type Finding, Refused, type Resource, type Schemas, type SourceType, type StepType, type Warning } from "./api";
import type { Drop } from "./drop";
import { History } from "./history";
import { ancestors, find, identified, LAYOUT_SLOTS, type Node, type Report, type Slot, slotsOf, update, withSetting } from "./model";
import type { Box, Stage } from "./stage";
import { t } from "../words";
import { inWords } from "./labels";

export type Saving = "saved" | "changed" | "saving" | "offline" | "conflict" | "refused";

const IDLE = 1200;
const RETRY = 3000;

export class State {
  readonly report = signal<Report>({ name: "", pages: [] });
  readonly selected = signal<string[]>([]);
  readonly hovered = signal<string | null>(null);
  readonly page = signal(0);
  /** The part of the page that new elements come to when nothing is selected. */
  readonly slot = signal<Slot | null>(null);
  /** 0 fits the page into the width there is. */
  readonly zoom = signal(0);
  readonly components = signal<Component[]>([]);
  readonly sourceTypes = signal<SourceType[]>([]);
  readonly stepTypes = signal<StepType[]>([]);
  readonly schemas = signal<Schemas>({});
  /** The name of the data source that is being edited, in place of an element. */
  readonly source = signal<string | null>(null);
  /** The beginning of what each data source gave in the last drawing. */
  readonly sample = signal<Record<string, unknown>>({});
  readonly warnings = signal<Warning[]>([]);
  /** The language and the values of parameters that the canvas is drawn with; they are this browser's own. */
  readonly lang = signal("");
  readonly params = signal<Record<string, unknown>>({});
  readonly languages = signal<{ code: string; name: string }[]>([]);
  /** The dictionary entries of the workspace with a text of each. */
  readonly words = signal<Record<string, string>>({});
  /** What might be better, by the service's rules and by what is seen on the canvas. */
  readonly findings = signal<Finding[]>([]);
  /** What the pointer is doing: where a drop would go, a shadow at the pointer, a rectangle, lines that an edge snaps to. */
  readonly drop = signal<Drop | null>(null);
  readonly shadow = signal<{ x: number; y: number; label: string } | null>(null);
  readonly marquee = signal<Box | null>(null);
  readonly guides = signal<Box[]>([]);
  /** The element whose text is edited in place. */
  readonly writing = signal<string | null>(null);
  /** Whether a drawing takes long enough to be told. */
  readonly drawing = signal(false);
  /** What does not fit on the canvas. */
  readonly seen = signal<Finding[]>([]);
  /** Changes after each drawing. */
  readonly drawn = signal(0);
  readonly tab = signal("Add");
  readonly dialog = signal<"commands" | "shortcuts" | "tour" | "origins" | null>(null);
  /** Where what was pointed at last comes from. */
  readonly origins = signal<string[]>([]);
  stage: Stage | null = null;
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
    readonly api: Desk,
    private readonly draftKey: string,
    /** Where the way back leads, and the preview below which pages and PDF are; empty for what has none. */
    readonly addresses: { back: string; preview: string },
  ) {}

  async open(): Promise<void> {
    const [{ components, sourceTypes, steps, schemas }, read] = await Promise.all([this.api.components().then(inWords), this.api.read()]);
    batch(() => {
      this.components.value = components;
      this.sourceTypes.value = sourceTypes;
      this.stepTypes.value = steps;
      this.schemas.value = schemas;
      this.adopt(identified(read.definition), read.revision);
    });
    this.params.value = readJSON(localStorage.getItem(`${this.draftKey}-params`));
    this.resumeDraft();
    void this.readWords();
  }

  /** Words are there to complete, languages to choose; who may not read them does without. */
  private async readWords(): Promise<void> {
    try {
      this.languages.value = (await ask<Resource<{ code: string; name: string }>[]>("GET", `${this.api.base}/api/ui/ws/${this.api.workspace}/languages`)).map((l) => l.definition);
      const found = await ask<Resource<{ entries?: Record<string, Record<string, string>> }>[]>("GET", `${this.api.base}/api/ui/ws/${this.api.workspace}/dictionaries`);
      const entries = found.flatMap((d) => Object.entries(d.definition.entries ?? {}));
      this.words.value = Object.fromEntries(entries.map(([name, texts]) => [name, Object.values(texts)[0] ?? ""]));
    } catch {
      // nothing is completed then
    }
  }

  /** Gives a parameter a value for the canvas. */
  setParam(name: string, value: unknown): void {
    const { [name]: _, ...rest } = this.params.value;
    this.params.value = value === undefined || value === "" ? rest : { ...rest, [name]: value };
    localStorage.setItem(`${this.draftKey}-params`, JSON.stringify(this.params.value));
  }

  /** How the canvas is drawn now. */
  get drawnAs(): DrawnAs {
    const known = ((this.report.value.parameters as { name?: string; reuse?: string }[] | undefined) ?? []).map((p) => p.name || p.reuse);
    const params = Object.fromEntries(Object.entries(this.params.value).filter(([name]) => known.includes(name)));
    return { ...(this.lang.value ? { lang: this.lang.value } : {}), ...(Object.keys(params).length > 0 ? { params } : {}) };
  }

  isContainer(type: string): boolean {
    return this.components.value.find((c) => c.name === type)?.container ?? false;
  }

  /** Whether the palette has a component: some belong into templates only. */
  offers(component: Component): boolean {
    return !component.template || LAYOUT_SLOTS.some((slot) => slot in (this.report.value.pages[0] ?? {}));
  }

  nodeOf(id: string): Node | null {
    return find(this.report.value, id)?.node ?? null;
  }

  ancestorsOf(id: string): string[] {
    return ancestors(this.report.value, id).map((n) => n.id);
  }

  /** What people call an element: its own name, or that of its type. */
  labelOf(node: Node): string {
    return node.name || this.components.value.find((c) => c.name === node.type)?.label || node.type;
  }

  /** Selects elements and shows their page. */
  select(ids: string[]): void {
    const place = ids[0] ? find(this.report.value, ids[0]) : null;
    batch(() => {
      this.source.value = null;
      this.selected.value = ids;
      if (place) {
        this.page.value = place.page;
        this.slot.value = place.slot;
      }
    });
  }

  /** Selects an element and brings it into view. */
  reveal(id: string): void {
    this.select([id]);
    const box = this.stage?.boxes(id)[0];
    const view = this.stage?.frame.closest(".d-canvas");
    if (box && view) view.scrollTo({ top: box.top * this.stage!.zoom() - view.clientHeight / 3 });
  }

  /** Where new elements go when nothing is selected: the end of the page. */
  get pageEnd(): { page: number; slot: Slot; parent: null; index: number } {
    const page = this.page.value;
    const slots = slotsOf(this.report.value.pages[page]!);
    const [slot, list] = slots.find(([name]) => name === this.slot.value) ?? slots.find(([name]) => name === "body") ?? slots[0]!;
    return { page, slot, parent: null, index: list.length };
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
      this.commit(t("Edits from before"), draft.report);
      this.message.value = t("Edits that had not been saved are back.");
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

  private show(report: Report, selected: string[], there = false): void {
    batch(() => {
      this.report.value = report;
      this.writing.value = null;
      this.selected.value = selected.filter((id) => find(report, id));
      const place = there && this.selected.value[0] ? find(report, this.selected.value[0]) : null;
      if (place) this.page.value = place.page;
      this.page.value = Math.min(this.page.value, Math.max(0, report.pages.length - 1));
      this.steps.value++;
      this.saving.value = "changed";
    });
    localStorage.setItem(this.draftKey, JSON.stringify({ revision: this.revision, report }));
    this.saveSoon(IDLE);
  }

  undo(): void {
    const step = this.history.undo();
    if (step) this.show(step.before, step.selectedBefore, true);
  }

  redo(): void {
    const step = this.history.redo();
    if (step) this.show(step.after, step.selectedAfter, true);
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
    this.set(id, t("Change {0}", name), (n) => withSetting(n, name, value), `${id}.${name}`);
  }

  selectParent(): void {
    const [id] = this.selected.value;
    const around = id ? this.ancestorsOf(id).at(-1) : undefined;
    this.select(around ? [around] : []);
  }

  /** Brings an earlier version back, as a step that can be undone. */
  async restore(revision: number): Promise<void> {
    const old = await this.api.version!(revision);
    this.commit(t("Restore version {0}", revision), identified(old.definition), { select: [] });
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
      this.message.value = t("The service cannot be reached. Your edits are kept here and saved as soon as it is back.");
      this.saveSoon(RETRY);
      return;
    }
    this.saving.value = fault.status === 409 ? "conflict" : "refused";
    this.message.value = this.told(fault);
  }

  /** What was refused, by the name that people know it by. */
  private told(fault: Refused): string {
    const [first] = fault.details;
    const source = first && /^dataSources\[(\d+)\]/.exec(first.path);
    const used = source && this.report.value.dataSources?.[Number(source[1])];
    return used ? t("Not saved yet: in the data source {0}, {1}", used.name || used.reuse || "", first.message) : fault.message;
  }

  /** After a conflict: what the other one saved replaces the edits made here. */
  async takeTheirs(): Promise<void> {
    const read = await this.api.read();
    const theirs = identified(read.definition);
    this.history.add({ label: t("Take the other version"), before: this.report.value, after: theirs, selectedBefore: this.selected.value, selectedAfter: [], key: "", time: Date.now() });
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

/** The object of a text that was kept; an empty one when it cannot be read. */
function readJSON(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
