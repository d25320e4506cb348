// Splitters between the elements of a row: dragged, moved with arrows, or
// double clicked, they set the shares of the elements beside them.

import { useState } from "preact/hooks";
import { isRow } from "./beside";
import { follow } from "./drag";
import { toPage } from "./floating";
import { lockOf } from "./locks";
import { find, type Node, type Report, update } from "./model";
import { asSet, equalShares, hasShares, isEqual, LEAST, type Measured, type Pair, sharesAfter, type Widths, withShares, wordsOf } from "./shares";
import { linesAround, snapped } from "./snap";
import { standsInRow } from "./sidedrop";
import type { Stage } from "./stage";
import type { State } from "./state";
import { t } from "../words";

/** An element of a row, and what draws it there. */
interface Member {
  node: Node;
  el: HTMLElement;
}

interface Row {
  node: Node;
  el: HTMLElement;
  /** Neighbours between which a splitter stands. */
  pairs: [Member, Member][];
  /** The room for the elements, in pixels, and whether they fill it. */
  whole: number;
  full: boolean;
  /** 1 where the first stands at the left. */
  sign: 1 | -1;
}

/** What is drawn right inside of a row for an element: several times for one that repeats. */
const drawnIn = (stage: Stage, row: HTMLElement, { id }: Node): HTMLElement[] => stage.parts(id).filter((el) => el.parentElement === row);

/** A row as it is drawn first; null for what is none, or goes on in a second line. */
function rowOf(stage: Stage, report: Report, node: Node | null): Row | null {
  const el = node && isRow(node) ? stage.parts(node.id)[0] : undefined;
  if (!node || !el || !standsInRow(stage, el)) return null;
  const look = stage.doc.defaultView!.getComputedStyle(el);
  if (look.flexWrap !== "nowrap") return null;
  const drawn = (node.children ?? []).map((n) => ({ node: n, els: drawnIn(stage, el, n) })).filter(({ els }) => els.length > 0);
  const pairs = drawn.slice(1).flatMap((second, i): [Member, Member][] => {
    const first = drawn[i]!;
    const held = [node, first.node, second.node].some((n) => lockOf(report, n.id));
    return first.els.length === 1 && second.els.length === 1 && !held ? [[{ node: first.node, el: first.els[0]! }, { node: second.node, el: second.els[0]! }]] : [];
  });
  const all = drawn.flatMap(({ els }) => els);
  const whole = el.clientWidth - px(look.paddingLeft) - px(look.paddingRight);
  const taken = all.reduce((sum, m) => sum + outer(stage, m), px(look.columnGap) * Math.max(0, all.length - 1));
  return { node, el, pairs, whole, full: taken > whole - 2, sign: look.direction === "rtl" ? -1 : 1 };
}

const px = (length: string): number => Number.parseFloat(length) || 0;

function outer(stage: Stage, el: HTMLElement): number {
  const { marginLeft, marginRight } = stage.doc.defaultView!.getComputedStyle(el);
  return widthOf(el) + px(marginLeft) + px(marginRight);
}

const widthOf = (el: HTMLElement): number => el.getBoundingClientRect().width;

/** The splitters of a row that is selected, or of which an element is. */
export function Splitters({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const node = state.node.value;
  if (!node || state.writing.value !== null || state.drop.value) return null;
  const rows = [node, find(state.report.value, node.id)?.parent ?? null].flatMap((n) => rowOf(state.stage!, state.report.value, n) ?? []);
  return (
    <>
      {rows.flatMap((row) => row.pairs.map((pair) => <Splitter key={`${row.node.id} ${pair[0].node.id} ${pair[1].node.id}`} state={state} row={row} pair={pair} zoom={zoom} />))}
    </>
  );
}

/** The middle between two neighbours, from the frame's corner. */
function middle(first: HTMLElement, second: HTMLElement, sign: 1 | -1): number {
  const [a, b] = [first.getBoundingClientRect(), second.getBoundingClientRect()];
  return sign > 0 ? (a.right + b.left) / 2 : (a.left + b.right) / 2;
}

/** How far an arrow moves a splitter in percent, and with Shift. */
const STEP = 1;
const LEAP = 10;

function Splitter({ state, row, pair: [first, second], zoom }: { state: State; row: Row; pair: [Member, Member]; zoom: number }) {
  const [dragged, show] = useState<number | null>(null);
  const pair: Pair = [first.node.id, second.node.id];
  const measured: Measured = { first: widthOf(first.el), second: widthOf(second.el), whole: row.whole, full: row.full };
  const share = (pixels: number) => Math.round((pixels / row.whole) * 100);
  const box = row.el.getBoundingClientRect();
  const words = (widths: Widths) => wordsOf(row.node, widths, { ...measured, first: widthOf(first.el), second: widthOf(second.el) }).join(" · ");
  const change = (widths: Widths, key = "") => {
    if (hasShares(state.nodeOf(row.node.id) ?? row.node, pair, widths)) return;
    state.commit(t("Shares of the row"), update(state.report.value, row.node.id, (n) => withShares(n, pair, widths)), { key });
  };
  const level = () => {
    if (!isEqual(state.nodeOf(row.node.id) ?? row.node)) state.commit(t("Equal shares"), update(state.report.value, row.node.id, equalShares));
  };
  const key = (e: KeyboardEvent) => {
    const by = { ArrowLeft: -row.sign, ArrowRight: row.sign, ArrowUp: 0, ArrowDown: 0 }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey || (by === undefined && e.key !== "Enter" && e.key !== "Escape")) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === "Escape") return toPage();
    if (e.key === "Enter") return level();
    const now = state.nodeOf(row.node.id) ?? row.node;
    if (by) change(sharesAfter(now, pair, asSet(now, pair, measured), (by * (e.shiftKey ? LEAP : STEP) * row.whole) / 100), `shares ${pair.join(" ")}`);
  };
  return (
    <div
      class="d-splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("Shares of {0} and {1}", state.labelOf(first.node), state.labelOf(second.node))}
      aria-valuemin={LEAST}
      aria-valuenow={share(measured.first)}
      aria-valuemax={Math.max(LEAST, share(measured.first + measured.second) - LEAST)}
      tabIndex={0}
      title={t("Drag or use arrows to share the row; double click or Enter for equal shares")}
      style={{ left: `${(dragged ?? middle(first.el, second.el, row.sign)) * zoom}px`, top: `${box.top * zoom}px`, height: `${box.height * zoom}px` }}
      onPointerDown={(e) => dragShares(state, e, row, [first, second], measured, { show, change, words })}
      onKeyDown={key}
      onDblClick={level}
    />
  );
}

interface Shown {
  show(x: number | null): void;
  change(widths: Widths): void;
  words(widths: Widths): string;
}

/** Drags a splitter; the page shows at once what comes of it. */
function dragShares(state: State, e: PointerEvent, row: Row, pair: [Member, Member], measured: Measured, { show, change, words }: Shown): void {
  if (e.button !== 0) return;
  e.stopPropagation();
  const stage = state.stage!;
  const from = stage.point(e).x;
  const els = pair.map((m) => m.el);
  const [start, lines] = [middle(els[0]!, els[1]!, row.sign), linesAround(state, row.node.id)];
  const styles = els.map((el) => el.getAttribute("style"));
  let widths: Widths | null = null;
  follow(stage, e, () => ({
    move(now, { x }) {
      const near = snapped(stage, lines, "x", start + x - from);
      const made = sharesAfter(row.node, [pair[0].node.id, pair[1].node.id], measured, row.sign * (near.at - start), near.shown.length > 0);
      widths = made;
      els.forEach((el, i) => Object.assign(el.style, made[i] === null ? { width: "", flex: "1 1 0" } : { width: made[i], flex: "0 1 auto" }));
      show(middle(els[0]!, els[1]!, row.sign));
      state.snaps.value = near.shown; // with them the frames around what is selected are measured anew
      state.shadow.value = { x: now.clientX, y: now.clientY, label: words(made) };
    },
    done() {
      if (widths) change(widths);
    },
    ended() {
      els.forEach((el, i) => (styles[i] === null ? el.removeAttribute("style") : el.setAttribute("style", styles[i]!)));
      show(null);
      state.snaps.value = [];
      state.shadow.value = null;
    },
  }));
}
