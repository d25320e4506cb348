// Where something that is dragged would come to stand beside an element.

import type { Beside } from "./beside";
import { ancestors, find, type Node } from "./model";
import type { Box, Drop, Point, Stage } from "./stage";
import type { State } from "./state";

/** Within this of a container's edge, in pixels of the screen, the container itself is meant. */
export const EDGE = 10;
export const LINE = 2;

type Hit = { id: string; el: Element };

/** The side of a box that a point means: its outer quarters, as far as they are not its upper or lower one. */
export function sideOf(box: Box, p: Point): "left" | "right" | null {
  const [x, y] = [(p.x - box.left) / box.width, (p.y - box.top) / box.height];
  if (y < 0.25 || y > 0.75 || x < 0 || x > 1) return null;
  return x <= 0.25 ? "left" : x >= 0.75 ? "right" : null;
}

/** The line at a side of a box. */
export function lineAt(box: Box, side: "left" | "right"): Box {
  return { left: side === "left" ? box.left - LINE : box.left + box.width, top: box.top, width: LINE, height: box.height };
}

/** Whether what an element holds stands beside each other. */
export function standsInRow(stage: Stage, el: Element): boolean {
  const { display, flexDirection } = stage.doc.defaultView!.getComputedStyle(el);
  return display.includes("flex") && flexDirection === "row";
}

/** The place beside an element at a point, in the row that there is or one to be made; null where none is meant. */
export function besideAt(state: State, stage: Stage, p: Point, types: string[], moved: string[]): Drop | null {
  const hit = meantAt(state, stage, p);
  const place = hit && find(state.report.value, hit.id);
  if (!hit || !place || !stands(state, place.node, types, moved)) return null;
  const box = hit.el.getBoundingClientRect();
  const side = sideOf(box, p);
  if (!side) return null;
  const after = (side === "right") === (stage.doc.defaultView!.getComputedStyle(hit.el.parentElement!).direction === "ltr");
  const target = { page: place.page, slot: place.slot, parent: place.parent?.id ?? null, index: place.index + (after ? 1 : 0) };
  const around = ownerAround(stage, hit);
  const row = around && standsInRow(stage, around.el) ? around.el : null;
  const beside: Beside = { id: hit.id, after };
  return { target, ...(row ? {} : { beside }), line: lineAt(box, side), frame: row?.getBoundingClientRect() ?? box };
}

/** Whether an element may have others beside it. What is there once for each record would have them beside itself. */
function stands(state: State, node: Node, types: string[], moved: string[]): boolean {
  const report = state.report.value;
  const own = (type: string): boolean => state.components.value.find((c) => c.name === type)?.template ?? false;
  const repeats = [node, ...moved.flatMap((id) => find(report, id)?.node ?? [])].some((n) => n.repeat);
  const inMoved = [node, ...ancestors(report, node.id)].some((n) => moved.includes(n.id));
  return !inMoved && !repeats && ![node.type, ...types].some(own);
}

const ownerAround = (stage: Stage, { el }: Hit): Hit | null => (el.parentElement ? stage.ownerOf(el.parentElement) : null);

/** The innermost element at a point; near the side of what is around it, that. Inside of a container its own places are meant. */
function meantAt(state: State, stage: Stage, p: Point): Hit | null {
  const edge = EDGE / stage.zoom();
  const nearSide = ({ el }: Hit): boolean => {
    const r = el.getBoundingClientRect();
    return p.x < r.left + edge || p.x > r.right - edge;
  };
  let hit = stage.nodeAt(p);
  const type = hit && find(state.report.value, hit.id)!.node.type;
  if (!hit || (state.isContainer(type!) && (isEmpty(state, hit) || standsInRow(stage, hit.el) || !nearSide(hit)))) return null;
  for (let around = ownerAround(stage, hit); around && !standsInRow(stage, around.el) && nearSide(around); around = ownerAround(stage, around)) hit = around;
  return hit;
}

const isEmpty = (state: State, { id }: Hit): boolean => (find(state.report.value, id)?.node.children ?? []).length === 0;
