// The state of the designer, and the only ways to change it.

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { ask, type Component, type Desk, type Drawing, type DrawnAs, type Finding, type Resource, type Saved, type Schemas, type Setting, type SourceType, type StepType, type Warning } from "./api";
import { Comments } from "./comments";
import { allIdentified, isLayouts, layoutOfPage, layoutsOf, ownTemplate, withLayouts } from "./layouts";
import { ancestors, find, type Node, type Report, type Slot, slotsOf, update, withSetting } from "./model";
import { Presence } from "./presence";
import type { Box, Drop, Stage } from "./stage";
import { inWords } from "./labels";
import { lockOf, touched } from "./locks";
import { mergeReports } from "./merge";
import { equal } from "../session/merge";
import { Session, type Surroundings } from "../session/session";
import { selectorOf, TEMPLATE } from "../viewer/about";
import { t } from "../words";

/** How long to wait for the next edit before saving, alone and while others are there. */
const IDLE = 1200;
const TOGETHER = 250;

/** What goes with a step: what is selected, and the id of the page that is shown. */
interface Mark {
  selected: string[];
  page: number;
}

const stored = ({ revision, definition, problems = [] }: Saved) => ({ revision, value: definition, problems });

export class State {
  readonly session: Session<Report, Mark>;
  /** Whether what is edited are layouts, of a template or of a report's own. */
  readonly layouts = computed(() => isLayouts(this.report.value));
  /** What is edited: the report, or while its frame is, the layouts of the template that it brings along as pages. */
  readonly report: ReadonlySignal<Report>;
  /** Whether header, footer and paper of a report are wanted to be edited. */
  readonly framing = signal(false);
  /** Whether they are: undo may have taken the template away. */
  readonly framed = computed(() => this.framing.value && ownTemplate(this.session.value.value) >= 0);
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
  readonly snaps = signal<Box[]>([]);
  /** The element whose text is edited in place. */
  readonly writing = signal<string | null>(null);
  /** Whether the field that a slash opens is there. */
  readonly slash = signal(false);
  /** Whether a drawing takes long enough to be told. */
  readonly drawing = signal(false);
  /** What the canvas shows while not all there is can be drawn: the state before, or the rest of it. */
  readonly stale = signal<"before" | "rest" | null>(null);
  /** Values that the last drawing made for parameters that have none. */
  readonly samples = signal<Record<string, unknown>>({});
  /** What does not fit on the canvas. */
  readonly seen = signal<Finding[]>([]);
  /** Changes after each drawing. */
  readonly drawn = signal(0);
  readonly tab = signal("Add");
  /** Why something was not done; until something else is selected. */
  readonly told = signal("");
  /** Whether the list of problems is open. */
  readonly listed = signal(false);
  /** The place of the parameter whose form is open. */
  readonly parameter = signal<number | null>(null);
  readonly dialog = signal<"commands" | "shortcuts" | "tour" | "origins" | "frame" | "share" | null>(null);
  /** The column that is chosen in the selected table. */
  readonly column = signal<{ id: string; index: number } | null>(null);
  /** Where what was pointed at last comes from; until something else is selected. */
  readonly origins = signal<string[]>([]);
  /** What was pressed that a subreport or the template brings: comments may be about it. */
  readonly about = signal<string | null>(null);
  /** What people say about it; null where nobody does. */
  readonly comments: Comments | null;
  /** Who else is there. */
  readonly presence: Presence;
  stage: Stage | null = null;
  /** What others saved, as it is drawn and read at once. */
  private ahead: { as: string; drawing: Promise<(Drawing & Saved) | null> } | null = null;
  /** Whether what was read last is edited as it was. */
  private asRead = true;

  readonly node = computed<Node | null>(() => {
    const [id] = this.selected.value;
    return id && this.selected.value.length === 1 ? (find(this.report.value, id)?.node ?? null) : null;
  });

  constructor(
    readonly api: Desk,
    private readonly draftKey: string,
    /** Where the way back leads, and the preview below which pages and PDF are; empty for what has none. */
    readonly addresses: { back: string; preview: string },
    private readonly around: Surroundings,
  ) {
    const remote = {
      read: async () => stored(await api.read()),
      save: async (report: Report, revision: number) => stored(await api.save(report, revision)),
      ...(api.restore ? { restore: () => api.restore!() } : {}),
    };
    this.session = new Session(remote, around, { merge: mergeReports, name: draftKey, idle: () => (this.presence.others.peek().length ? TOGETHER : IDLE), adopt: (read) => this.adopted(read) });
    this.session.value.value = { name: "", pages: [] };
    this.session.mark = { get: () => this.mark(), set: (mark, there) => this.chosen(mark, there) };
    this.session.holds = (after) => this.inHand(after);
    this.report = computed(() => (this.framed.value ? layoutsOf(this.session.value.value) : this.session.value.value));
    this.comments = api.told ? new Comments(api.told) : null;
    if (this.comments) this.comments.ofTemplate.value = (id) => this.drawn.value > 0 && !find(this.whole, id) && !!this.stage?.doc.querySelector(selectorOf(`${TEMPLATE}/${id}`));
    this.presence = new Presence(`${api.news}/presence`, around);
  }

  async open(): Promise<void> {
    const [{ components, sourceTypes, steps, schemas }] = await Promise.all([this.api.components().then(inWords), this.session.open()]);
    batch(() => {
      this.components.value = components;
      this.sourceTypes.value = sourceTypes;
      this.stepTypes.value = steps;
      this.schemas.value = schemas;
    });
    this.params.value = readJSON(this.around.storage.getItem(`${this.draftKey}-params`));
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
    keep(this.around.storage, `${this.draftKey}-params`, JSON.stringify(this.params.value));
  }

  /** How the canvas is drawn now. */
  get drawnAs(): DrawnAs {
    const known = ((this.report.value.parameters as { name?: string; reuse?: string }[] | undefined) ?? []).map((p) => p.name || p.reuse);
    const params = Object.fromEntries(Object.entries(this.params.value).filter(([name]) => known.includes(name)));
    return { ...(this.lang.value ? { lang: this.lang.value } : {}), ...(Object.keys(params).length > 0 ? { params } : {}) };
  }

  private adopted(read: Report): Report {
    const report = allIdentified(read);
    this.asRead = equal(report, read);
    return report;
  }

  /** Others have saved a revision: it is read, and drawn with it where nothing is edited here. */
  hear(revision: number, by?: string): void {
    const as = this.drawnAs;
    const drawing = revision > this.session.stored.revision && !this.session.dirty ? (this.api.renderStored?.(as).catch(() => null) ?? null) : null;
    if (drawing) this.ahead = { as: JSON.stringify(as), drawing };
    void this.session.hear(revision, by, drawing?.then((drawn) => drawn && stored(drawn)));
  }

  /** Draws what is edited; it may have been drawn already. */
  async render(report: Report): Promise<Drawing> {
    const { ahead } = this;
    this.ahead = null;
    if (ahead && this.asRead && report === this.session.stored.value && ahead.as === JSON.stringify(this.drawnAs)) {
      const drawing = await ahead.drawing;
      if (drawing?.revision === this.session.stored.revision) return drawing;
    }
    return this.api.render(report, this.drawnAs);
  }

  settingsOf(type: string): Setting[] {
    return this.components.value.find((c) => c.name === type)?.settings ?? [];
  }

  isContainer(type: string): boolean {
    return this.components.value.find((c) => c.name === type)?.container ?? false;
  }

  /** Whether the palette has a component: some belong into templates only. */
  offers(component: Component): boolean {
    return !component.template || this.layouts.value;
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

  /** All of the report, whatever part of it is edited. */
  get whole(): Report {
    return this.session.value.value;
  }

  /** The page of what is edited that sheets with the ID of a page show; -1 for none. */
  pageOfSheets(id: number): number {
    return this.framed.peek() ? layoutOfPage(this.whole, id) : this.report.value.pages.findIndex((p) => p.id === id);
  }

  /** Selects elements and shows their page. */
  select(ids: string[]): void {
    const place = ids[0] ? find(this.report.value, ids[0]) : null;
    batch(() => {
      this.source.value = null;
      this.told.value = "";
      this.origins.value = [];
      this.about.value = null;
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

  /** Tells that something is locked, where it is. */
  held(ids: string[]): boolean {
    const lock = ids.map((id) => lockOf(this.report.value, id)).find((n) => n !== null);
    if (lock) this.tellLock(lock);
    return lock !== undefined;
  }

  private tellLock(lock: Node): void {
    this.told.value = t("“{0}” is locked. Unlock it at the right or with Ctrl+Shift+L first.", this.labelOf(lock));
  }

  /** Makes a change: one step of undo. What is locked stays, and that is said. */
  commit(label: string, after: Report, options: { key?: string; select?: string[] } = {}): void {
    const lock = touched(this.report.value, after);
    if (lock) return this.tellLock(lock);
    this.told.value = "";
    const whole = after === this.report.value ? this.whole : this.framed.value ? withLayouts(this.whole, after) : after;
    this.keepStep(label, whole, options);
  }

  /** Makes a change of all of the report, whatever part of it is edited. */
  commitWhole(label: string, after: Report): void {
    this.keepStep(label, after, { select: [] });
  }

  private keepStep(label: string, after: Report, options: { key?: string; select?: string[] }): void {
    this.session.commit(label, after, { ...(options.key ? { key: options.key } : {}), ...(options.select ? { mark: this.mark(options.select) } : {}) });
  }

  private mark(selected = this.selected.peek()): Mark {
    return { selected, page: this.report.peek().pages[this.page.peek()]?.id ?? 0 };
  }

  /** Whether another state would take what is written or dragged on the canvas from under the hands. */
  private inHand(after: Report): boolean {
    if (this.shadow.peek()) return true;
    const id = this.writing.peek();
    const [was, will] = [this.whole, after].map((whole) => id && find(this.framed.peek() ? layoutsOf(whole) : whole, id)?.node.props);
    return id !== null && !equal(was, will);
  }

  /** What is selected after a step, as far as it is there; where a step of undo happened is shown. */
  private chosen({ selected, page }: Mark, there: boolean): void {
    const report = this.report.peek();
    const found = selected.filter((id) => find(report, id));
    batch(() => {
      if (there || !found.includes(this.writing.peek() ?? "")) this.writing.value = null;
      if (found.join() !== this.selected.peek().join()) this.selected.value = found;
      const place = there && found[0] ? find(report, found[0]) : null;
      const at = place ? place.page : there ? -1 : report.pages.findIndex((p) => p.id === page); // others may have moved it
      if (at >= 0) this.page.value = at;
      this.page.value = Math.min(this.page.value, Math.max(0, report.pages.length - 1));
    });
  }

  undo(): void {
    this.session.undo();
  }

  redo(): void {
    this.session.redo();
  }

  get undoLabel(): string | undefined {
    return this.session.undoLabel.value;
  }

  get redoLabel(): string | undefined {
    return this.session.redoLabel.value;
  }

  /** Saves what there is. */
  save(): Promise<void> {
    return this.session.save();
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
    this.commitWhole(t("Restore version {0}", revision), allIdentified(old.definition));
  }
}

function keep(storage: { setItem(key: string, value: string): void }, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // it is not kept then
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
