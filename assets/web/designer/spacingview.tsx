// The room inside of the selected element and around it: tinted areas, and
// handles that are dragged, moved with arrows, or double clicked to be as the
// theme has it.

import { useRef } from "preact/hooks";
import { follow } from "./drag";
import { toPage } from "./floating";
import { lockOf } from "./locks";
import { type Node, update, withSetting } from "./model";
import { inUnits, type Side, SIDES } from "./paper";
import { linesAround, snapped } from "./snap";
import { asList, inSteps, type Kind, leastOf, onward, pixelsOfSide, type Sides, sidesOf, stepIn, unitOf, withSide } from "./spacing";
import type { Box } from "./stage";
import type { State } from "./state";
import { say, t } from "../words";

type Widths = Record<Side, number>;

/** How an element is drawn, in pixels of the report. */
interface Drawn {
  el: HTMLElement;
  box: Box;
  border: Widths;
  margin: Widths;
  padding: Widths;
}

const px = (length: string): number => Number.parseFloat(length) || 0;
const widths = (of: (side: Side) => string): Widths => ({ top: px(of("top")), right: px(of("right")), bottom: px(of("bottom")), left: px(of("left")) });

function drawnOf(el: HTMLElement): Drawn {
  const look = el.ownerDocument.defaultView!.getComputedStyle(el);
  const read = (name: string, end = "") => widths((side) => look.getPropertyValue(`${name}-${side}${end}`));
  return { el, box: el.getBoundingClientRect(), border: read("border", "-width"), margin: read("margin"), padding: read("padding") };
}

/** What an element has without a setting. */
function standardOf(el: HTMLElement, kind: Kind): Sides {
  const style = el.getAttribute("style");
  el.style.removeProperty(kind);
  const drawn = drawnOf(el)[kind];
  restore(el, style);
  return Object.fromEntries(SIDES.map((side) => [side, inSteps(drawn[side], "px", "exact")])) as Sides;
}

const restore = (el: HTMLElement, style: string | null): void => (style === null ? el.removeAttribute("style") : el.setAttribute("style", style));

/** Which room of an element can be set. A table whose lines are joined has none inside. */
function kindsOf(state: State, node: Node, el: HTMLElement): Kind[] {
  const settings = state.settingsOf(node.type);
  const look = el.ownerDocument.defaultView!.getComputedStyle(el);
  const joined = look.display === "table" && look.borderCollapse === "collapse";
  return (["margin", "padding"] as const).filter((kind) => settings.some((s) => s.name === kind && s.editor === "lengths") && !(kind === "padding" && joined));
}

/** The areas of a kind, side by side without overlap. */
function areasOf({ box, border, margin, padding }: Drawn, kind: Kind): [Side, Box][] {
  const outer = kind === "margin" ? grown(box, margin) : grown(box, border, -1);
  const inner = kind === "margin" ? box : grown(outer, padding, -1);
  const [bottom, right] = [inner.top + inner.height, inner.left + inner.width];
  const all: [Side, Box][] = [
    ["top", { left: outer.left, top: outer.top, width: outer.width, height: inner.top - outer.top }],
    ["bottom", { left: outer.left, top: bottom, width: outer.width, height: outer.top + outer.height - bottom }],
    ["left", { left: outer.left, top: inner.top, width: inner.left - outer.left, height: inner.height }],
    ["right", { left: right, top: inner.top, width: outer.left + outer.width - right, height: inner.height }],
  ];
  return all.filter(([, { width, height }]) => width > 0 && height > 0);
}

const grown = ({ left, top, width, height }: Box, by: Widths, sign = 1): Box => ({ left: left - sign * by.left, top: top - sign * by.top, width: width + sign * (by.left + by.right), height: height + sign * (by.top + by.bottom) });

export function Spacing({ state, zoom }: { state: State; zoom: number; layout: number }) {
  state.snaps.value; // the page moves while something is dragged
  const group = useRef<HTMLDivElement>(null);
  const node = state.node.value;
  const el = node && state.stage!.parts(node.id)[0];
  const kept = useRef<{ id: string; drawn: Drawn; kinds: Kind[] } | null>(null);
  // While pages are made anew the element is away for a moment; what has the focus stays.
  if (node && el) kept.current = { id: node.id, drawn: drawnOf(el), kinds: kindsOf(state, node, el) };
  if (!node || kept.current?.id !== node.id || state.writing.value !== null || state.drop.value || state.marquee.value || lockOf(state.report.value, node.id)) return null;
  const { drawn, kinds } = kept.current;
  const pointed = state.hovered.value !== null && (state.hovered.value === node.id || state.ancestorsOf(state.hovered.value).includes(node.id));
  // One stop of Tab leads to the handles, and Tab goes on among them.
  const tab = (e: KeyboardEvent) => {
    if (e.key !== "Tab") return;
    const all = [...group.current!.querySelectorAll<HTMLElement>(".d-space-handle")];
    const next = all[all.indexOf(document.activeElement as HTMLElement) + (e.shiftKey ? -1 : 1)];
    if (!next) return;
    e.preventDefault();
    next.focus();
  };
  return (
    <div ref={group} class={`d-spacing ${pointed ? "d-pointed" : ""}`} role="group" aria-label={t("Margin and padding of {0}", state.labelOf(node))} onKeyDown={tab}>
      {kinds.flatMap((kind) => areasOf(drawn, kind).map(([side, box]) => <div key={`${kind} ${side}`} class={`d-box d-space d-space-${kind}`} style={{ left: `${box.left * zoom}px`, top: `${box.top * zoom}px`, width: `${box.width * zoom}px`, height: `${box.height * zoom}px` }} />))}
      {kinds.flatMap((kind, k) => SIDES.map((side, s) => <Handle key={`${node.id} ${kind} ${side}`} state={state} node={node} drawn={drawn} kind={kind} side={side} zoom={zoom} first={k + s === 0} />))}
    </div>
  );
}

const WORDS: Record<Kind, Record<Side, string>> = {
  margin: { top: say("Margin, top"), right: say("Margin, right"), bottom: say("Margin, bottom"), left: say("Margin, left") },
  padding: { top: say("Padding, top"), right: say("Padding, right"), bottom: say("Padding, bottom"), left: say("Padding, left") },
};

/** What a handle takes along its side and across, and how far it stands from the edge at least, in pixels of the screen. */
const LONG = 18;
const THICK = 10;
const AWAY = 7;
/** What is lower or narrower has no room for handles inside, which would be in the way of a click on it. */
const ROOM = 36;

/** Where a handle stands: in the middle of its area, to the end of the side, away from handles that resize. */
function placeOf({ box, border, margin, padding }: Drawn, kind: Kind, side: Side, zoom: number) {
  const away = kind === "margin" ? Math.max(AWAY, (margin[side] * zoom) / 2) : Math.max(AWAY, (padding[side] * zoom) / 2) + border[side] * zoom;
  const [from, along] = side === "top" || side === "bottom" ? [box.top, box.height] : [box.left, box.width];
  const atEnd = side === "bottom" || side === "right";
  const across = (atEnd ? from + along : from) * zoom + (atEnd === (kind === "margin") ? away : -away);
  return side === "top" || side === "bottom"
    ? { left: `${(box.left + box.width * 0.75) * zoom - LONG / 2}px`, top: `${across - THICK / 2}px`, width: `${LONG}px`, height: `${THICK}px` }
    : { left: `${across - THICK / 2}px`, top: `${(box.top + box.height * (box.height * zoom > 80 ? 0.75 : 0.5)) * zoom - LONG / 2}px`, width: `${THICK}px`, height: `${LONG}px` };
}

function Handle({ state, node, drawn, kind, side, zoom, first }: { state: State; node: Node; drawn: Drawn; kind: Kind; side: Side; zoom: number; first: boolean }) {
  const upright = side === "top" || side === "bottom";
  const now = (): Node => state.nodeOf(node.id) ?? node;
  const written = sidesOf(node.props?.[kind]);
  const pixels = written ? pixelsOfSide(written[side], drawn[kind][side]) : drawn[kind][side];
  const words = inUnits(written && Number.parseFloat(written[side]) ? written[side] : `${Math.round(pixels)}px`);
  const change = (sides: Sides | undefined, key = "") => setSides(state, now(), kind, sides, key);
  const reset = (both: boolean) => {
    const standard = standardOf(drawn.el, kind);
    const set = sidesOf(now().props?.[kind]);
    if (!set) return;
    const made = both ? standard : withSide(set, side, standard[side], false);
    change(asList(made) === asList(standard) ? undefined : made);
  };
  const key = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.key === "Tab") return;
    const by = { ArrowUp: upright ? -1 : 0, ArrowDown: upright ? 1 : 0, ArrowLeft: upright ? 0 : -1, ArrowRight: upright ? 0 : 1 }[e.key];
    if (by === undefined && !["Escape", "Delete", "Backspace"].includes(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === "Escape") return toPage();
    if (by === undefined) return reset(e.altKey);
    if (by === 0) return;
    const sides = sidesOf(now().props?.[kind]) ?? standardOf(drawn.el, kind);
    const unit = unitOf(sides, side);
    const was = pixelsOfSide(sides[side], drawn[kind][side]);
    const far = e.shiftKey ? "far" : "near";
    const to = Math.max(leastOf(kind, was), was + by * onward(side) * stepIn(unit, far));
    change(withSide(sides, side, inSteps(to, unit, far), e.altKey), `space ${node.id} ${kind} ${side}`);
  };
  const tight = kind === "padding" && Math.min(drawn.box.height, drawn.box.width) * zoom < ROOM;
  const label = t(WORDS[kind][side]);
  return (
    <div
      class={`d-space-handle d-for-${kind} ${upright ? "d-upright" : ""} ${tight ? "d-tight" : ""}`}
      role="slider"
      tabIndex={first ? 0 : -1}
      aria-orientation={upright ? "vertical" : "horizontal"}
      aria-label={label}
      aria-valuemin={Math.min(0, Math.round(pixels))}
      aria-valuenow={Math.round(pixels)}
      aria-valuemax={Math.max(500, Math.round(pixels))}
      aria-valuetext={words}
      title={`${label}: ${words}\n${t("Drag or use arrows. Shift: larger steps. Alt: both sides. Double click or Delete: the default")}`}
      style={placeOf(drawn, kind, side, zoom)}
      onPointerDown={(e) => dragSide(state, e, { node, drawn, kind, side, change })}
      onKeyDown={key}
      onDblClick={(e) => reset(e.altKey)}
    />
  );
}

/** Writes the room of an element as its settings do. */
function setSides(state: State, node: Node, kind: Kind, sides: Sides | undefined, key: string): void {
  const list = sides && asList(sides);
  if (list !== node.props?.[kind]) state.commit(t("Change {0}", kind), update(state.report.value, node.id, (n) => withSetting(n, kind, list)), { key });
}

interface Dragged {
  node: Node;
  drawn: Drawn;
  kind: Kind;
  side: Side;
  change(sides: Sides): void;
}

/** Where what moves with a side is: the edge of the element or of its content, or what follows. */
function edgeOf({ box, border, margin, padding }: Drawn, kind: Kind, side: Side): number {
  const inside = kind === "padding" ? border[side] + padding[side] : 0;
  if (side === "top") return box.top + inside;
  if (side === "left") return box.left + inside;
  if (side === "right") return box.left + box.width - inside;
  return box.top + box.height + (kind === "margin" ? margin.bottom : 0);
}

/** Drags a side; the page shows at once what comes of it. */
function dragSide(state: State, e: PointerEvent, { node, drawn, kind, side, change }: Dragged): void {
  if (e.button !== 0) return;
  e.stopPropagation();
  e.preventDefault();
  const handle = e.currentTarget as HTMLElement;
  handle.focus({ preventScroll: true });
  const stage = state.stage!;
  const axis = side === "top" || side === "bottom" ? "y" : "x";
  const from = stage.point(e)[axis];
  let sides: Sides | null = null;
  follow(stage, e, () => {
    const base = sidesOf(node.props?.[kind]) ?? standardOf(drawn.el, kind);
    const unit = unitOf(base, side);
    const start = pixelsOfSide(base[side], drawn[kind][side]);
    const [edge, lines] = [edgeOf(drawn, kind, side), linesAround(state, node.id, axis === "y")];
    const drawnAll = stage.parts(node.id).map((el) => ({ el, style: el.getAttribute("style") }));
    handle.classList.add("d-held");
    return {
      move(now, at) {
        const far = now.shiftKey;
        const wanted = Math.max(leastOf(kind, start), start + onward(side) * (at[axis] - from));
        const snap = far ? null : snapped(stage, lines, axis, edge + onward(side) * (wanted - start));
        const hit = snap !== null && snap.shown.length > 0;
        const to = hit ? Math.max(leastOf(kind, start), start + onward(side) * (snap.at - edge)) : wanted;
        const length = inSteps(to, unit, hit ? "exact" : far ? "far" : "near");
        sides = withSide(base, side, length, now.altKey);
        for (const { el } of drawnAll) el.style.setProperty(kind, asList(sides));
        state.snaps.value = snap?.shown ?? [];
        state.shadow.value = { x: now.clientX, y: now.clientY, label: now.altKey ? t("{0}, both sides", inUnits(length)) : inUnits(length) };
      },
      done() {
        if (sides) change(sides);
      },
      ended() {
        for (const { el, style } of drawnAll) restore(el, style);
        handle.classList.remove("d-held");
        state.snaps.value = [];
        state.shadow.value = null;
      },
    };
  });
}
