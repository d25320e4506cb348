// The frame in which the service's HTML is shown: filled, and made into pages
// by the same paginator as preview and print.

import { batch } from "@preact/signals";
import { paginate } from "../paginate/paginate";
import { type Drawing, type Finding, Refused } from "./api";
import { pathOf } from "./edit";
import { type Report, walk } from "./model";
import type { State } from "./state";
import { t } from "../words";

/** The room around pages, in pixels of the report. */
const GAP = 24;

/** Elements with a height of their own whose content needs more. */
function overflowing(state: State): Finding[] {
  const found: Finding[] = [];
  for (const page of state.report.value.pages) {
    walk(page, (node) => {
      if (node.props?.height === undefined && node.props?.width === undefined) return;
      const tight = state.stage?.parts(node.id).some((el) => el.scrollHeight > el.clientHeight + 2 || el.scrollWidth > el.clientWidth + 2);
      if (tight) found.push({ rule: "overflow", path: pathOf(state.report.value, node.id), message: t("The content is larger than the box; give it more room, or leave the size empty.") });
    });
  }
  return found;
}

/** How long it took from the last edit until the page is painted, for `make bench` and the browser's profiler. */
function measureRedraw(): void {
  requestAnimationFrame(() => setTimeout(() => performance.measure("quire-redraw", "quire-edit")));
}

/** Draws reports into a frame: one at a time, and always the newest. */
export class Drawer {
  private wanted: Report | null = null;
  private busy = false;

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
      await this.show(await this.state.api.render(report, this.state.drawnAs));
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

  private async show({ html, warnings, sample, samples, lint }: Drawing): Promise<void> {
    await fillFrame(this.frame, html, this.drawn);
    batch(() => {
      this.state.sample.value = sample ?? {};
      this.state.samples.value = samples ?? {};
      this.state.findings.value = lint ?? [];
      this.state.warnings.value = warnings;
      this.state.seen.value = overflowing(this.state);
      this.state.drawn.value++;
    });
  }
}

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
