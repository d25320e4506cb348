// Where something that is dragged would come to stand.

import { ancestors, find, type Node, siblings, type Slot } from "./model";
import { besideAt, EDGE, LINE, standsInRow } from "./sidedrop";
import type { Box, Drop, Point, Stage } from "./stage";
import type { State } from "./state";
import { t } from "../words";

/** The place at a point for elements of some types; moved are the ids of those that are being moved. */
export function dropAt(state: State, stage: Stage, p: Point, types: string[], moved: string[]): Drop | null {
  const report = state.report.value;
  const beside = besideAt(state, stage, p, types, moved);
  if (beside) return refusal(state, beside, types);
  const container = containerAt(state, stage, p, moved);
  if (container) {
    const place = find(report, container.id)!;
    const at = { page: place.page, slot: place.slot, parent: container.id };
    return refusal(state, between(state, stage, p, at, container.el, container.el.getBoundingClientRect(), moved), types);
  }
  const slot = stage.slotAt(p);
  if (!slot) return null;
  const region = slot.region.getBoundingClientRect();
  return refusal(state, between(state, stage, p, { page: slot.page, slot: slot.slot, parent: null }, null, region, moved), types);
}

/** The innermost container around a point that takes what is dropped. */
function containerAt(state: State, stage: Stage, p: Point, moved: string[]): { id: string; el: Element } | null {
  const edge = EDGE / stage.zoom();
  let hit = stage.nodeAt(p);
  while (hit) {
    const { id, el } = hit;
    const node = find(state.report.value, id)!.node;
    const inMoved = moved.includes(id) || ancestors(state.report.value, id).some((a) => moved.includes(a.id));
    const r = el.getBoundingClientRect();
    const deep = p.x > r.left + edge && p.x < r.right - edge && p.y > r.top + Math.min(edge, r.height / 4) && p.y < r.bottom - Math.min(edge, r.height / 4);
    const empty = (node.children ?? []).length === 0;
    if (!inMoved && state.isContainer(node.type) && (deep || empty)) return hit;
    hit = el.parentElement ? stage.ownerOf(el.parentElement) : null;
  }
  return null;
}

function refusal(state: State, drop: Drop, types: string[]): Drop {
  const foreign = types.find((t) => state.components.value.find((c) => c.name === t)?.template && drop.target.slot !== "body");
  return foreign ? { ...drop, refused: t("A content placeholder belongs into the body of a template.") } : drop;
}

/** The gap between children that is nearest, along the direction in which they stand. */
function between(state: State, stage: Stage, p: Point, at: { page: number; slot: Slot; parent: string | null }, el: Element | null, frame: Box, moved: string[]): Drop {
  const report = state.report.value;
  const parent = at.parent ? find(report, at.parent)!.node : null;
  const list = siblings(report, { page: at.page, slot: at.slot, parent });
  const along = el === null ? "down" : alongOf(stage, el);
  const drawn = list.flatMap((n, index) => {
    if (moved.includes(n.id)) return [];
    const box = nearest(stage, n, p, el);
    return box ? [{ index, box }] : [];
  });
  const after = drawn.filter(({ box }) => isPast(box, p, along)).at(-1);
  const index = after ? after.index + 1 : 0;
  const next = drawn.find((d) => d.index >= index);
  return { target: { ...at, index }, line: lineBetween(after?.box, next?.box, frame, along), frame };
}

/** Of an element that is drawn several times the drawing inside of the same container, or the one nearest by. */
function nearest(stage: Stage, node: Node, p: Point, inside: Element | null): Box | null {
  const parts = stage.parts(node.id).filter((el) => !inside || inside.contains(el));
  const boxes = parts.map((el) => el.getBoundingClientRect()).filter((r) => r.width > 0 || r.height > 0);
  const away = (r: DOMRect): number => Math.max(r.top - p.y, p.y - r.bottom, 0);
  return boxes.reduce<DOMRect | null>((near, r) => (near === null || away(r) < away(near) ? r : near), null);
}

/** The direction in which elements follow each other. */
export type Along = "down" | "right" | "left";

function alongOf(stage: Stage, el: Element): Along {
  if (!standsInRow(stage, el)) return "down";
  return stage.doc.defaultView!.getComputedStyle(el).direction === "rtl" ? "left" : "right";
}

/** Whether a point is beyond the middle of a box, in a direction. */
export function isPast(box: Box, p: Point, along: Along): boolean {
  if (along === "down") return p.y > box.top + box.height / 2;
  return p.x > box.left + box.width / 2 === (along === "right");
}

/** The line that marks the place between two boxes, or at the end of a frame. */
export function lineBetween(before: Box | undefined, after: Box | undefined, frame: Box, along: Along): Box {
  if (along !== "down") {
    const sign = along === "right" ? 1 : -1;
    const begin = (b: Box): number => (sign > 0 ? b.left : b.left + b.width);
    const end = (b: Box): number => (sign > 0 ? b.left + b.width : b.left);
    const x = before && after ? (end(before) + begin(after)) / 2 : before ? end(before) + sign * LINE : after ? begin(after) - sign * LINE : begin(frame);
    const top = before ?? after ?? frame;
    return { left: x - LINE / 2, top: top.top, width: LINE, height: Math.max(top.height, 8) };
  }
  const y = before && after ? (before.top + before.height + after.top) / 2 : before ? before.top + before.height + LINE : after ? after.top - LINE : frame.top;
  const nearby = before ?? after ?? frame;
  return { left: Math.min(nearby.left, frame.left), top: y - LINE / 2, width: Math.max(frame.width, 8), height: LINE };
}
