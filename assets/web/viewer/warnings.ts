// What the report's author should know, for those who may see it.

import { h, icon } from "./dom";
import type { Told } from "./facts";
import type { Words } from "./words";

/** A button and the list that it opens. */
export interface Warnings {
  button: HTMLButtonElement;
  list: HTMLElement;
  /** What Escape does; false when the list is not open. */
  close(): boolean;
}

export function warningsOf(doc: Document, told: Told[], words: Words): Warnings {
  const list = h(doc, "div", { class: "warnings", id: "warnings", role: "region", tabindex: "-1", "aria-label": words.warnings, hidden: true },
    h(doc, "strong", {}, words.warnings),
    h(doc, "ul", {}, ...told.map((w) => h(doc, "li", {}, w.message, w.path ? h(doc, "code", {}, w.path) : null))));
  const label = `${words.warnings}: ${told.length}`;
  const show = (open: boolean) => {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) list.focus();
  };
  const button = h(doc, "button", { type: "button", class: "warn", title: words.warnings, "aria-label": label, "aria-controls": "warnings", "aria-expanded": "false", onclick: () => show(list.hidden === true) }, icon(doc, "warning"), String(told.length));
  const close = () => {
    if (list.hidden) return false;
    show(false);
    button.focus();
    return true;
  };
  return { button, list, close };
}
