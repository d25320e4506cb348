// What the report's author should know, for those who may see it.

import type { Warning } from "../paginate/types";
import type { Words } from "./words";

interface Told {
  path: string;
  message: string;
}

/** What a page for a signed-in user tells besides the report; null in frames of other sites. */
export interface ForUser {
  warnings: Told[];
  asks: boolean;
  formats: string[];
}

export function forUser(doc: Document): ForUser | null {
  const block = doc.getElementById("quire-user");
  return block ? (JSON.parse(block.textContent ?? "") as ForUser) : null;
}

/** The warnings of the service and those of the paginator. */
export function warningsOf(user: ForUser, found: Warning[]): Told[] {
  return [...user.warnings, ...found.map((w) => ({ path: w.id, message: w.message }))];
}

/** Adds a button to the tools that opens the list; nothing when there are none. */
export function addWarnings(doc: Document, bar: HTMLElement, list: Told[], words: Words): void {
  if (list.length === 0) return;
  const panel = doc.createElement("div");
  panel.className = "q-warnings";
  panel.id = "quire-warnings-list";
  panel.hidden = true;
  panel.tabIndex = -1;
  panel.setAttribute("role", "region");
  panel.setAttribute("aria-label", words.warnings);
  panel.append(title(doc, words), items(doc, list));
  const button = doc.createElement("button");
  button.type = "button";
  button.className = "q-warn";
  button.textContent = `⚠ ${list.length}`;
  button.title = words.warnings;
  button.setAttribute("aria-label", `${words.warnings}: ${list.length}`);
  button.setAttribute("aria-controls", panel.id);
  const show = (open: boolean) => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) panel.focus();
  };
  show(false);
  button.addEventListener("click", () => show(panel.hidden === true));
  doc.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || panel.hidden) return;
    show(false);
    button.focus();
  });
  bar.prepend(button);
  doc.body.append(panel);
}

function title(doc: Document, words: Words): HTMLElement {
  const el = doc.createElement("strong");
  el.textContent = words.warnings;
  return el;
}

function items(doc: Document, list: Told[]): HTMLElement {
  const ul = doc.createElement("ul");
  for (const w of list) {
    const li = doc.createElement("li");
    const path = doc.createElement("code");
    path.textContent = w.path;
    li.append(w.message);
    if (w.path) li.append(path);
    ul.append(li);
  }
  return ul;
}
