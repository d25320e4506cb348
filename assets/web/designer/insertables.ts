// What can be put onto the page by its name: components, and what headers and
// footers say on most pages: their number, the date, a logo.

import { type Component, isMarkup, type Setting } from "./api";
import { fitting } from "./fuzzy";
import type { Node } from "./model";
import { pictures } from "./picture";
import type { State } from "./state";
import { t } from "../words";

/** Something that can be put onto the page. */
export interface Insertable {
  name: string;
  label: string;
  icon: string;
  category: string;
  help: string;
  /** What it is inside of a text, where it can stand in one. */
  value?: string;
  make(): Node;
}

/** What a new element begins with, so that something is to be seen. */
export function beginning(c: Component): Node {
  const main = c.settings.find((s) => s.means === "text");
  return { id: "", type: c.name, ...(main ? { props: { [main.name]: filled(main, c.label) } } : {}) };
}

/** A text that says what it is; for a list, an item whose members do. */
function filled(setting: Setting, label: string): unknown {
  const members = setting.item?.settings?.filter((s) => s.shape === "string" && s.editor === "template") ?? [];
  if (setting.shape === "array") return [Object.fromEntries(members.map((s) => [s.name, s.label]))];
  return isMarkup(setting) ? `<p>${label}</p>` : label;
}

const NUMBER = "{$page.number}";
const NUMBERS = `${NUMBER} / {$report.pageCount}`;

const textOf = (text: string): Node => ({ id: "", type: "text", props: { text } });

/** As high as logos of letterheads are, and at the side where a row begins. */
const logoOf = (file: string): Node => ({ id: "", type: "img", props: { ...(file ? { imageUrl: file } : {}), altText: t("Logo"), height: "12mm", objectPosition: "left" } });

/** What pages say of themselves: their number, the date of the report, and each picture of the workspace that is called a logo. */
export function pageFields(files: string[]): Insertable[] {
  const category = t("Header and footer");
  const logos = files.filter((name) => /logo/i.test(name));
  return [
    { name: "page-number", label: t("Page number"), icon: "hash", category, help: t("The number of the page it stands on."), value: NUMBER, make: () => textOf(NUMBER) },
    { name: "page-x-of-y", label: t("Page X / Y"), icon: "book-open", category, help: t("The number of the page and how many there are."), value: NUMBERS, make: () => textOf(NUMBERS) },
    { name: "todays-date", label: t("Today's date"), icon: "calendar-clock", category, help: t("The day on which the report is made."), make: () => ({ id: "", type: "date-time", props: { dateFormat: "d" } }) },
    ...(logos.length > 1 ? logos : [logos[0] ?? ""]).map((file): Insertable => ({ name: `logo ${file}`.trim(), label: logos.length > 1 ? t("Logo {0}", file) : t("Logo"), icon: "image", category, help: t("A picture of the workspace that is called a logo; without one, a place to choose it."), make: () => logoOf(file) })),
  ];
}

/** All that can be put onto the page, in the order of the palette: what pages say comes behind the components, which keep their places. */
export function allInsertables(state: State): Insertable[] {
  const components = state.components.value.filter((c) => state.offers(c)).map((c): Insertable => ({ name: c.name, label: c.label, icon: c.icon, category: c.category, help: c.help, make: () => beginning(c) }));
  return [...components, ...pageFields(pictures())];
}

/** What can be put onto the page, the nearest to a few letters first. */
export function insertables(state: State, typed: string): Insertable[] {
  return nearest(typed, allInsertables(state).map((i) => ({ ...i, label: i.label.replaceAll("\u00ad", "") })));
}

/** By what they are called in the interface first, then by the names of their types, which are English everywhere. */
export function nearest<T extends { name: string; label: string }>(typed: string, all: T[]): T[] {
  return [...new Set([...fitting(typed.trim(), all, (i) => i.label), ...fitting(typed.trim(), all, (i) => i.name.replaceAll("-", " "))])];
}
