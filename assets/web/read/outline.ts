// Outlines: a second line around an element, at some distance from its border. Office
// files have one line around a box, so that each becomes a box of its own.

import { type Look, type Looks, round } from "./looks";
import type { Out, Outline, Rect, Sides, State, Style } from "./types";

/** What is read of an element with its outline around. */
export function outlined(made: Out, look: Look, looks: Looks, state: State, box: Rect): Out {
  const { outline } = look;
  if (!outline) return made;
  const reach = outline.offset + outline.edge.width!;
  if (state === "pages") return drawn(made, outline, looks, box, reach);
  return reach <= 0 ? within(made, outline, looks) : without(made, outline, looks, reach);
}

/** In pages it is drawn over the element. */
function drawn(made: Out, { edge }: Outline, looks: Looks, box: Rect, reach: number): Out {
  const around = wider(box, reach);
  const line: Out = { kind: "block", style: looks.place({ border: [edge, edge, edge, edge] }), box: around };
  const out: Out = { kind: "block", style: looks.place({}), bare: true, box, children: [made, line] };
  if (made.absolute) out.absolute = true;
  return out;
}

/** The element holds it, and it what the element held. */
function within(made: Out, { edge, offset }: Outline, looks: Looks): Out {
  const style = looks.styles[made.style]!;
  const border = (style.border ?? []).map((e) => e.width ?? 0);
  const gap = (side: number) => Math.max(0, round(-offset - edge.width! - (border[side] ?? 0)));
  const padding = [0, 1, 2, 3].map(gap) as Sides;
  const rest = padding.map((v, side) => Math.max(0, round((style.padding?.[side] ?? 0) - v - edge.width!))) as Sides;
  const inner: Style = { ...style, border: [edge, edge, edge, edge], padding: rest };
  delete inner.margin;
  delete inner.background;
  delete inner.radius;
  if (style.height) inner.height = Math.max(0, round(style.height - padding[0] - padding[2] - (border[0] ?? 0) - (border[2] ?? 0)));
  const outer: Style = { ...style, padding };
  delete outer.vertical;
  return around(made, looks.place(outer), looks.place(inner));
}

/** It holds the element. */
function without(made: Out, { edge, offset }: Outline, looks: Looks, reach: number): Out {
  const style = looks.styles[made.style]!;
  const outer: Style = { border: [edge, edge, edge, edge], padding: Array.from({ length: 4 }, () => Math.max(0, offset)) as Sides };
  if (style.name) outer.name = style.name;
  if (style.margin) outer.margin = style.margin.map((v) => Math.max(0, round(v - reach))) as Sides;
  const inner: Style = { ...style };
  delete inner.margin;
  const out = around(made, looks.place(outer), looks.place(inner));
  if (out.box) out.box = wider(out.box, reach);
  return out;
}

/** A box around what was read, which has what is the element's as a whole. */
function around(made: Out, outer: number, inner: number): Out {
  const { id, anchors, keep, absolute, box, bare: _, ...rest } = made;
  return {
    kind: "block",
    style: outer,
    ...(box ? { box } : {}),
    ...(id ? { id } : {}),
    ...(anchors ? { anchors } : {}),
    ...(keep ? { keep } : {}),
    ...(absolute ? { absolute } : {}),
    children: [{ ...rest, style: inner }],
  };
}

function wider([x, y, width, height]: Rect, by: number): Rect {
  return [round(x - by), round(y - by), round(width + 2 * by), round(height + 2 * by)];
}
