// The look of an element taken over to others: font, colours, borders and room
// inside, not what it says, where it stands and how large it is.

import type { Setting } from "./api";
import { type Node, type Report, update, withSetting } from "./model";

/** A look by its settings; undefined is as the theme has it. */
export type CopiedLook = Record<string, unknown>;

/** Of the box around an element, what is a look; the rest is about its place. */
const BOX = ["padding", "background", "border", "borderRadius", "class", "style"];
/** What else is a look, whatever has it. */
const SIDES = ["textAlign", "verticalAlign"];

const isLook = (s: Setting): boolean => s.group === "Font" || (s.group === "Box" && BOX.includes(s.name)) || SIDES.includes(s.name);

/** How an element looks, as far as its own settings say so. */
export function lookCopied(node: Node, settings: Setting[]): CopiedLook {
  return Object.fromEntries(settings.filter(isLook).map((s) => [s.name, node.props?.[s.name]]));
}

/** An element with a look, as far as it has settings for it and they take these values. */
export function withLook(node: Node, settings: Setting[], look: CopiedLook): Node {
  const takes = (s: Setting, value: unknown): boolean => isLook(s) && s.name in look && (value === undefined || !s.enum || s.enum.includes(String(value)));
  return settings.filter((s) => takes(s, look[s.name])).reduce((n, s) => withSetting(n, s.name, look[s.name]), node);
}

/** A report whose elements have a look. */
export function lookPasted(report: Report, ids: string[], settingsOf: (type: string) => Setting[], look: CopiedLook): Report {
  return ids.reduce((r, id) => update(r, id, (n) => withLook(n, settingsOf(n.type), look)), report);
}
