// The toolbar above formatted text: one stop for Tab, arrows inside.

import { closeHistory } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { t } from "../words";

/** A button: what it does, and whether it is on at the selection. */
export interface Tool {
  label: string;
  /** What stands on it: a text, or the path of a picture of 16 by 16. */
  face: string;
  keys?: string;
  run: Command;
  active?: (state: EditorState) => boolean;
}

export interface Toolbar {
  dom: HTMLElement;
  /** Shows what is on and what is possible. */
  update(): void;
}

export function makeToolbar(groups: Tool[][], controls: string, view: () => EditorView): Toolbar {
  const dom = element("div", { role: "toolbar", "aria-label": t("Formatting"), "aria-controls": controls, class: "d-tools" });
  const made: { tool: Tool; button: HTMLButtonElement }[] = [];
  for (const group of groups) {
    const box = element("div", { role: "group" });
    for (const tool of group) {
      const button = element("button", { type: "button", "aria-label": tool.label, title: tool.keys ? `${tool.label} (${tool.keys})` : tool.label, tabindex: "-1" }) as HTMLButtonElement;
      button.append(tool.face.startsWith("M") && tool.face.length > 2 ? picture(tool.face) : tool.face);
      // The selection of the text stays where it is.
      button.addEventListener("mousedown", (e) => e.preventDefault());
      button.addEventListener("click", () => {
        if (button.ariaDisabled === "true") return;
        const v = view();
        const from = document.activeElement;
        tool.run(v.state, (change) => v.dispatch(closeHistory(change)), v); // a step of undo of its own
        if (from !== button && document.activeElement === from) v.focus();
      });
      made.push({ tool, button });
      box.append(button);
    }
    dom.append(box);
  }
  const buttons = made.map((m) => m.button);
  buttons[0]?.setAttribute("tabindex", "0");
  dom.addEventListener("keydown", (e) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[e.key];
    if (at < 0 || to === undefined) return;
    e.preventDefault();
    move(buttons, (to + buttons.length) % buttons.length);
  });
  return {
    dom,
    update() {
      const v = view();
      for (const { tool, button } of made) {
        if (tool.active) button.ariaPressed = String(tool.active(v.state));
        button.ariaDisabled = String(!tool.run(v.state, undefined, v));
      }
    },
  };
}

function move(buttons: HTMLButtonElement[], to: number): void {
  for (const [i, button] of buttons.entries()) button.setAttribute("tabindex", i === to ? "0" : "-1");
  buttons[to]!.focus();
}

export function element(tag: string, attributes: Record<string, string>): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function picture(path: string): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 16 16", width: "16", height: "16", "aria-hidden": "true" })) made.setAttribute(name, value);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ d: path, fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linecap": "round", "stroke-linejoin": "round" })) line.setAttribute(name, value);
  made.append(line);
  return made;
}
