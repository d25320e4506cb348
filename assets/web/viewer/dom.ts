// Makes elements of the viewer.

import * as drawings from "icons";

type Props = Record<string, string | boolean | ((e: never) => void) | null | undefined>;
type Child = Node | string | null | undefined | false;

/** An element: "on…" properties listen, true is an attribute without a value, null and false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(doc: Document, tag: K, props: Props, ...children: Child[]): HTMLElementTagNameMap[K] {
  const el = doc.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") el.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== undefined && value !== false) el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return el;
}

/** The drawings of the viewer: only these are bundled. */
const ICONS = {
  panel: drawings["panel-left"],
  previous: drawings["chevron-left"],
  next: drawings["chevron-right"],
  up: drawings["chevron-up"],
  down: drawings["chevron-down"],
  search: drawings["search"],
  parameters: drawings["sliders-horizontal"],
  print: drawings["printer"],
  grow: drawings["maximize"],
  shrink: drawings["minimize"],
  download: drawings["download"],
  more: drawings["ellipsis"],
  warning: drawings["triangle-alert"],
  comments: drawings["message-square"],
  close: drawings["x"],
  back: drawings["arrow-left"],
  pages: drawings["file-text"],
};
export type IconName = keyof typeof ICONS;

export function icon(doc: Document, name: IconName): SVGElement {
  const svg = doc.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `i i-${name}`);
  svg.innerHTML = ICONS[name];
  return svg;
}

/** A button that shows a drawing and is called by a word. */
export function iconButton(doc: Document, name: IconName, label: string, run: () => void, props: Props = {}): HTMLButtonElement {
  return h(doc, "button", { type: "button", class: "icon", title: label, "aria-label": label, onclick: run, ...props }, icon(doc, name));
}
