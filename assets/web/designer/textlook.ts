// How the text of elements looks, and the switches that change it.

import type { Setting } from "./api";
import type { Node } from "./model";
import { setAll, setEach } from "./edit";
import type { State } from "./state";
import { say, t } from "../words";

/** The setting that holds what an element says, where it can be written in place: formatted text has an editor of its own. */
export function mainText(state: State, type: string): Setting | undefined {
  return state.settingsOf(type).find((s) => s.means === "text" && s.shape === "string" && s.editor !== "rich-text");
}

/** The settings by which text looks, as components that have text call them. */
const TRAITS = ["fontSize", "fontWeight", "fontStyle", "textDecoration", "color", "textAlign"] as const;
export type Trait = (typeof TRAITS)[number];

/** What changing them is called. */
const STEPS: Record<Trait, string> = { fontSize: say("Size of the text"), fontWeight: say("Weight of the text"), fontStyle: say("Italic"), textDecoration: say("Underline"), color: say("Colour of the text"), textAlign: say("Align the text") };

/** The traits that all of some elements with letters have (codes have text, too), each with what it can be where that is named. */
export function traitsOf(state: State, nodes: Node[]): Map<Trait, string[]> {
  const lists = nodes.map((n) => state.settingsOf(n.type));
  if (lists.length === 0 || lists.some((list) => !list.some((s) => s.means === "text"))) return new Map();
  const found = TRAITS.flatMap((name): [Trait, string[]][] => {
    const each = lists.map((list) => list.find((s) => s.name === name));
    return each.every((s) => s !== undefined) ? [[name, (each[0]!.enum ?? []).filter((value) => each.every((s) => s!.enum?.includes(value)))]] : [];
  });
  return found.some(([name]) => name === "fontSize") ? new Map(found) : new Map();
}

/** How a text looks on the canvas: by its own settings, or the theme's. */
export interface Look {
  /** In points. */
  size: number;
  weight: number;
  italic: boolean;
  underlined: boolean;
  color: string;
  align: string;
}

const POINTS = 72 / 96;
/** From here on letters are called bold. */
export const BOLD = 600;

export function lookOf(part: Element): Look {
  const s = part.ownerDocument.defaultView!.getComputedStyle(part);
  return {
    size: Math.round(parseFloat(s.fontSize) * POINTS * 10) / 10,
    weight: Number(s.fontWeight),
    italic: s.fontStyle === "italic",
    underlined: s.textDecorationLine.includes("underline"),
    color: s.color,
    align: s.textAlign === "start" ? (s.direction === "rtl" ? "right" : "left") : s.textAlign,
  };
}

/** How an element would look without one of its own settings. */
function bare(part: HTMLElement, property: string): Look {
  const own = part.style.getPropertyValue(property);
  part.style.removeProperty(property);
  const look = lookOf(part);
  if (own) part.style.setProperty(property, own);
  return look;
}

/** Sets a trait of elements: one step. */
export function setTrait(state: State, nodes: Node[], trait: Trait, value: string | undefined): void {
  setAll(state, nodes.map((n) => n.id), trait, value, t(STEPS[trait]));
}

export type Switch = "bold" | "italic" | "underlined";

const SWITCHES: Record<Switch, { trait: Trait; property: string; on: string; off: string; is: (look: Look) => boolean }> = {
  bold: { trait: "fontWeight", property: "font-weight", on: "700", off: "400", is: (l) => l.weight >= BOLD },
  italic: { trait: "fontStyle", property: "font-style", on: "italic", off: "normal", is: (l) => l.italic },
  underlined: { trait: "textDecoration", property: "text-decoration", on: "underline", off: "none", is: (l) => l.underlined },
};

/** Whether a switch can be pressed for what is selected. */
export function canSwitch(state: State, what: Switch): boolean {
  return traitsOf(state, selectedTexts(state)).has(SWITCHES[what].trait);
}

export const selectedTexts = (state: State): Node[] => state.selected.value.flatMap((id) => state.nodeOf(id) ?? []);

/** Turns bold, italic or underlined on, or off where all are so; where the theme says the same, nothing is set. */
export function switchLook(state: State, what: Switch): void {
  const { trait, property, on, off, is } = SWITCHES[what];
  const drawn = selectedTexts(state).flatMap((node) => {
    const part = state.stage?.parts(node.id)[0];
    return part ? [{ node, part }] : [];
  });
  const all = drawn.every(({ part }) => is(lookOf(part)));
  setEach(state, new Map(drawn.map(({ node, part }) => [node.id, is(bare(part, property)) === !all ? undefined : all ? off : on])), trait, t(what === "bold" ? say("Bold") : STEPS[trait]));
}

/** The colours that the theme names, as the canvas has them. */
export function themeColors(doc: Document): { name: string; value: string }[] {
  const css = [...doc.querySelectorAll("style")].map((s) => s.textContent ?? "").join("\n");
  const names = [...css.matchAll(/--color-([\w-]+)\s*:/g)].map((m) => m[1]!);
  const style = doc.defaultView!.getComputedStyle(doc.body);
  return [...new Set(names)].map((name) => ({ name, value: style.getPropertyValue(`--color-${name}`).trim() }));
}
