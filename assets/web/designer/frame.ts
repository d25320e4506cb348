// The frame in which the service's HTML is shown: filled, and made into pages
// by the same paginator as preview and print.

import { batch } from "@preact/signals";
import "../paginate/craft";
import { paginate } from "../paginate/paginate";
import { type Drawing, type Finding, Refused } from "./api";
import { craft } from "./craft";
import { pathOf } from "./edit";
import { type Report, walk } from "./model";
import { Shown } from "./patch";
import type { State } from "./state";
import { t } from "../words";

/** The room around pages, in pixels of the report. */
const GAP = 24;

/** Elements with a height of their own whose content needs more. */
function overflowing(state: State): Finding[] {
  const found: Finding[] = [];
  const tight = new Set<string>();
  for (const el of state.stage?.doc.querySelectorAll("[data-id]") ?? []) {
    if (el.scrollHeight > el.clientHeight + 2 || el.scrollWidth > el.clientWidth + 2) tight.add(el.getAttribute("data-id")!);
  }
  for (const page of state.report.value.pages) {
    walk(page, (node) => {
      if (node.props?.height === undefined && node.props?.width === undefined) return;
      if (tight.has(node.id)) found.push({ rule: "overflow", path: pathOf(state.report.value, node.id), message: t("The content is larger than the box; give it more room, or leave the size empty.") });
    });
  }
  return found;
}

/** What the pages show of how they may become better. */
const seen = (state: State): Finding[] => (state.stage ? [...overflowing(state), ...craft(state.stage.doc, state.report.value)] : []);

/** How long it took from the last edit until the page is painted, for `make bench` and the browser's profiler. */
function measureRedraw(): void {
  requestAnimationFrame(() => setTimeout(() => performance.measure("quire-redraw", "quire-edit")));
}

/** Draws reports into a frame: one at a time, and always the newest. */
export class Drawer {
  private wanted: Report | null = null;
  private busy = false;
  private shown: Shown | null = null;
  private size = { width: 0, height: 0 };
  private looking: ReturnType<typeof setTimeout> | undefined;
  /** The drawing whose pages are to be made anew once nothing is edited for a while. */
  private later: { html: string; timer: ReturnType<typeof setTimeout> } | null = null;

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly state: State,
    private readonly drawn: (size: { width: number; height: number }) => void,
  ) {}

  draw(report: Report): void {
    performance.mark("quire-edit");
    this.wanted = report;
    if (!this.busy) void this.run();
  }

  private async run(): Promise<void> {
    this.busy = true;
    const slow = setTimeout(() => (this.state.drawing.value = true), 150);
    try {
      while (this.wanted) {
        const report = this.wanted;
        this.wanted = null;
        await this.once(report);
        if (!this.wanted) measureRedraw();
      }
    } finally {
      clearTimeout(slow);
      this.busy = false;
      this.state.drawing.value = false;
    }
  }

  private async once(report: Report): Promise<void> {
    try {
      await this.show(await this.state.render(report));
      this.state.stale.value = null;
    } catch (fault) {
      if (fault instanceof TypeError) return; // the saving tells of a lost connection
      const wrong = fault instanceof Refused ? (fault.details.length > 0 ? fault.details : [{ path: "", message: fault.message }]) : [{ path: "", message: t("The page cannot be drawn: {0}", fault) }];
      // The picture from before stays; where there is none, the rest is drawn.
      if (this.state.drawn.value === 0 || this.state.stale.value === "rest") await this.rest(report);
      this.state.stale.value ??= "before";
      this.state.warnings.value = wrong;
    }
  }

  /** Draws what is not at fault. */
  private async rest(report: Report): Promise<void> {
    try {
      await this.show(await this.state.api.render(report, { ...this.state.drawnAs, anyway: true }));
      this.state.stale.value = "rest";
    } catch {
      // nothing is to be seen then; why, the problems say
    }
  }

  private async show(drawing: Drawing): Promise<void> {
    const how = this.shown?.change(drawing.html) ?? "not";
    const late = how === "late" || (how === "same" && this.later !== null);
    if (this.later) clearTimeout(this.later.timer);
    this.later = late ? { html: drawing.html, timer: setTimeout(() => void this.again(), STILL) } : null;
    if (how === "not") await this.fill(drawing.html);
    else this.drawn(this.size);
    this.tell(drawing);
  }

  private async fill(html: string): Promise<void> {
    this.shown = null;
    await fillFrame(this.frame, html, (size) => this.drawn((this.size = size)));
    this.shown = new Shown(this.frame.contentDocument!, html);
  }

  /** Makes the pages anew, unless something is on its way that does so. */
  private async again(): Promise<void> {
    if (!this.later || this.busy) return; // a drawing that is on its way looks after it
    const { html } = this.later;
    this.later = null;
    this.busy = true;
    try {
      await this.fill(html);
      this.state.drawn.value++;
    } finally {
      this.busy = false;
    }
    if (this.wanted) void this.run();
  }

  private tell({ warnings, sample, samples, lint }: Drawing): void {
    batch(() => {
      this.state.sample.value = sample ?? {};
      this.state.samples.value = samples ?? {};
      this.state.findings.value = lint ?? [];
      this.state.warnings.value = warnings;
      this.state.drawn.value++;
    });
    clearTimeout(this.looking);
    this.looking = setTimeout(() => (this.state.seen.value = seen(this.state)), STILL);
  }
}

/** So long nothing is edited before what takes long is done. */
const STILL = 300;

/** Shows the service's HTML in a frame as pages, and tells how large all of it is. */
export async function fillFrame(frame: HTMLIFrameElement, html: string, drawn: (size: { width: number; height: number }) => void): Promise<void> {
  const view = frame.contentWindow as (Window & typeof globalThis) | null;
  const doc = frame.contentDocument;
  if (!view || !doc) return;
  // The frame's own parser keeps inline styles, which ours would drop by our policy.
  const parsed = new view.DOMParser().parseFromString(html, "text/html");
  for (const script of parsed.querySelectorAll("script")) script.remove();
  for (const { name, value } of [...parsed.documentElement.attributes]) doc.documentElement.setAttribute(name, value);
  doc.head.replaceChildren(...[...parsed.head.childNodes].map((n) => doc.adoptNode(n)));
  doc.body.replaceWith(doc.adoptNode(parsed.body));
  await paginate(doc);
  const look = doc.createElement("style");
  look.textContent = `html{overflow:hidden!important}body{margin:0!important;padding:${GAP}px!important;display:flex;flex-direction:column;gap:${GAP}px;align-items:center;width:max-content;min-width:0}.q-page{background:#fff;box-shadow:0 1px 4px rgb(0 0 0/.25);flex:none}`;
  doc.head.append(look);
  drawn({ width: doc.body.scrollWidth, height: doc.body.scrollHeight });
}
