// The parts of a sheet on the canvas: where header and footer end, what an empty
// one can begin with, and the margins, which are dragged or moved with arrows.

import { useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { dragMarquee, follow } from "./drag";
import { add } from "./edit";
import { toPage } from "./floating";
import { editFrame } from "./framing";
import { allInsertables, pageFields } from "./insertables";
import { pixelsOf } from "./lengths";
import type { Page, Slot } from "./model";
import { inInches, inUnits, paperLength, type Side, SIDES, stepOf } from "./paper";
import { pictures } from "./picture";
import type { Box, Point, Stage } from "./stage";
import type { State } from "./state";
import { named, say, t } from "../words";

/** The parts of a sheet, in pixels of the report. */
export interface Bands {
  sheet: Box;
  body: Box;
  header: Box | null;
  footer: Box | null;
  /** Whether the header is that of the first sheet only. */
  first: boolean;
  margin: Record<Side, number>;
}

/** The parts of the first sheet of a page. */
export function bandsOf(stage: Stage, page: number): Bands | null {
  const el = stage.doc.querySelector<HTMLElement>(`.q-page[data-page="${page}"]`);
  return el && bandsOfSheet(el);
}

export function bandsOfSheet(el: HTMLElement): Bands | null {
  const part = (name: string) => el.querySelector(`:scope > .q-page-${name}`);
  const [headerEl, bodyEl, footerEl] = [part("header"), part("body"), part("footer")];
  if (!bodyEl) return null;
  const [sheet, body] = [el.getBoundingClientRect(), bodyEl.getBoundingClientRect()];
  const [header, footer] = [headerEl?.getBoundingClientRect() ?? null, footerEl?.getBoundingClientRect() ?? null];
  const margin = { top: (header ?? body).top - sheet.top, right: sheet.right - body.right, bottom: sheet.bottom - (footer ?? body).bottom, left: body.left - sheet.left };
  return { sheet, body, header, footer, first: !!headerEl?.querySelector(":scope > .q-first-header"), margin };
}

/** The part of a sheet at a point, when it is header or footer, or the margin beside where they would be. */
export function bandAt(stage: Stage, p: Point): Slot | null {
  const el = stage.doc.elementsFromPoint(p.x, p.y).find((hit) => hit.closest(".q-page"))?.closest<HTMLElement>(".q-page");
  const bands = el && bandsOf(stage, Number(el.dataset.page));
  if (!bands) return null;
  const box = el.getBoundingClientRect(); // a further sheet of the page has the same parts
  const y = p.y - box.top + bands.sheet.top;
  if (y < bands.body.top) return bands.first ? "firstHeader" : "header";
  return y > bands.body.top + bands.body.height ? "footer" : null;
}

/** The edge between the body and a header or footer. */
const edgeOf = ({ body, header, footer }: Bands, at: "header" | "footer"): number => (at === "header" ? (header ? header.top + header.height : body.top) : (footer?.top ?? body.top + body.height));

/** Names at the edges of header and footer; while they are edited also what is empty, and the margins. */
export function BandMarks({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const page = state.report.peek().pages[state.page.value]; // as it is drawn
  const kept = useRef<{ id: number; bands: Bands } | null>(null);
  const drawn = page && bandsOf(state.stage!, page.id);
  // While pages are made anew the sheet is away for a moment; what has the focus stays.
  if (drawn) kept.current = { id: page.id, bands: drawn };
  const bands = kept.current?.id === page?.id ? kept.current?.bands : null;
  if (!page || !bands || state.writing.value !== null || state.drop.value) return null;
  const editing = state.layouts.value;
  const marks = (["header", "footer"] as const).map((at) => ({ at, slot: at === "header" && bands.first ? "firstHeader" : at, y: edgeOf(bands, at), filled: bands[at] !== null }));
  return (
    <>
      {marks.map(({ at, slot, y, filled }) => (
        <div key={at} class={`d-band d-band-${at}`} style={{ left: `${bands.sheet.left * zoom}px`, top: `${y * zoom}px`, width: `${bands.sheet.width * zoom}px` }}>
          <span>
            <button type="button" title={editing ? t("New elements come into it") : t("Edit header, footer and paper")} aria-pressed={editing ? state.slot.value === slot && state.selected.value.length === 0 : undefined} onPointerDown={(e) => marquee(state, e)} onClick={() => editFrame(state, slot)}>
              {!filled && !editing && <Icon name="plus" />}
              {t(NAMES[at])}
            </button>
            {!filled && editing && <Empty state={state} slot={slot} name={t(NAMES[at])} />}
          </span>
        </div>
      ))}
      {editing && state.selected.value.length === 0 && SIDES.map((side) => <Margin key={side} state={state} page={page} bands={bands} side={side} zoom={zoom} />)}
    </>
  );
}

/** A press that moves is one of the page below; else it is the button's. */
function marquee(state: State, e: PointerEvent): void {
  e.stopPropagation();
  dragMarquee(state, e, () => {});
}

const NAMES = { header: say("Header"), footer: say("Footer") };

/** What an empty header or footer can begin with. */
function Empty({ state, slot, name }: { state: State; slot: Slot; name: string }) {
  const fields = pageFields(pictures());
  const text = allInsertables(state)[0];
  const put = (what: (typeof fields)[number]) => {
    state.select([]);
    state.slot.value = slot;
    add(state, [what.make()], t("Add {0}", named(what.label)));
    toPage();
  };
  return (
    <span class="d-empty-band" role="group" aria-label={t("{0}: begin with", name)}>
      {[...(text ? [text] : []), ...fields].map((what) => (
        <button key={what.name} type="button" title={what.help} onPointerDown={(e) => e.stopPropagation()} onClick={() => put(what)}>
          <Icon name={what.icon} />
          {what.label}
        </button>
      ))}
    </span>
  );
}

const WORDS: Record<Side, string> = { top: say("Margin at the top"), right: say("Margin at the right"), bottom: say("Margin at the bottom"), left: say("Margin at the left") };
/** What stays of a sheet between its margins, in pixels. */
const LEAST = 96;

/** A margin: its edge is dragged, or moved with arrows by a millimetre, with Shift by ten. */
function Margin({ state, page, bands, side, zoom }: { state: State; page: Page; bands: Bands; side: Side; zoom: number }) {
  const [dragged, show] = useState<number | null>(null);
  const { sheet, margin } = bands;
  const inches = inInches(page.size);
  const step = stepOf(inches);
  const upright = side === "left" || side === "right";
  const [whole, other] = upright ? [sheet.width, margin[side === "left" ? "right" : "left"]] : [sheet.height, margin[side === "top" ? "bottom" : "top"]];
  const most = Math.max(0, whole - other - LEAST);
  const now = dragged ?? margin[side];
  const before = (page.margin as Partial<Record<Side, string>> | undefined)?.[side];
  const change = (pixels: number, key = "") => {
    const set = paperLength(before, pixels, inches);
    const report = state.report.peek();
    const pages = report.pages.map((p, i) => (i === state.page.peek() ? { ...p, margin: { ...(p.margin as object | undefined), [side]: set } } : p));
    if (set !== marginSet(state, side)) state.commit(t(WORDS[side]), { ...report, pages }, { key });
  };
  const within = (pixels: number) => Math.min(most, Math.max(0, pixels));
  const key = (e: KeyboardEvent) => {
    const out = { left: "ArrowLeft", right: "ArrowRight", top: "ArrowUp", bottom: "ArrowDown" }[side];
    const into = { left: "ArrowRight", right: "ArrowLeft", top: "ArrowDown", bottom: "ArrowUp" }[side];
    if (e.key === "Escape") return void (e.preventDefault(), e.stopPropagation(), toPage());
    const by = e.key === into ? 1 : e.key === out ? -1 : 0;
    if (by === 0 || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    const set = pixelsOf(marginSet(state, side), 0) ?? margin[side]; // keys come faster than drawings
    change(within(set + by * step * (e.shiftKey ? 10 : 1)), `margin ${side}`);
  };
  const at = side === "left" ? sheet.left + now : side === "right" ? sheet.left + sheet.width - now : side === "top" ? sheet.top + now : sheet.top + sheet.height - now;
  const place = upright ? { left: `${at * zoom}px`, top: `${sheet.top * zoom}px`, height: `${sheet.height * zoom}px` } : { top: `${at * zoom}px`, left: `${sheet.left * zoom}px`, width: `${sheet.width * zoom}px` };
  const words = inUnits(paperLength(before, now, inches));
  return (
    <div
      class={`d-margin d-margin-${side}`}
      role="separator"
      tabIndex={0}
      aria-orientation={upright ? "vertical" : "horizontal"}
      aria-label={t(WORDS[side])}
      aria-valuemin={0}
      aria-valuenow={Math.round(now / step)}
      aria-valuemax={Math.round(most / step)}
      aria-valuetext={words}
      title={`${t(WORDS[side])}: ${words}`}
      style={place}
      onPointerDown={(e) => dragMargin(state, e, { side, sheet, step, within, show, change, words: (pixels) => inUnits(paperLength(before, pixels, inches)) })}
      onKeyDown={key}
    />
  );
}

/** A margin as it is set; undefined where it is not. */
const marginSet = (state: State, side: Side): string | undefined => (state.report.peek().pages[state.page.peek()]?.margin as Partial<Record<Side, string>> | undefined)?.[side];

interface Dragged {
  side: Side;
  sheet: Box;
  step: number;
  within(pixels: number): number;
  show(pixels: number | null): void;
  change(pixels: number): void;
  words(pixels: number): string;
}

/** Drags the edge of a margin in whole steps; with Alt as finely as lengths are. */
function dragMargin(state: State, e: PointerEvent, { side, sheet, step, within, show, change, words }: Dragged): void {
  if (e.button !== 0) return;
  e.stopPropagation();
  let margin: number | null = null;
  follow(state.stage!, e, () => ({
    move(now, { x, y }) {
      const free = side === "left" ? x - sheet.left : side === "right" ? sheet.left + sheet.width - x : side === "top" ? y - sheet.top : sheet.top + sheet.height - y;
      margin = within(now.altKey ? free : Math.round(free / step) * step);
      show(margin);
      state.shadow.value = { x: now.clientX, y: now.clientY, label: words(margin) };
    },
    done() {
      if (margin !== null) change(margin);
    },
    ended() {
      show(null);
      state.shadow.value = null;
    },
  }));
}

const STYLE = "d-framed";

/** Shows the content of a report paler while its frame is edited. */
export function pale(doc: Document, on: boolean): void {
  const style = doc.getElementById(STYLE);
  if (!on) return style?.remove();
  if (style) return;
  const made = doc.createElement("style");
  made.id = STYLE;
  made.textContent = ".q-page-body{opacity:.45}";
  doc.head.append(made);
}
