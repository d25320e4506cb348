// Elements in the clipboard: as text, so that they go to other reports, workspaces
// and windows.

import { add, removeSelected, selectedNodes } from "./edit";
import type { Node } from "./model";
import type { State } from "./state";
import { t } from "../words";

const CLIP = "quire-elements";

/** What was copied here last: a browser may keep its clipboard from a menu. */
let last = "";

/** Cutting, copying and pasting by the browser's own keys and menus. */
export function followClipboard(state: State, typing: (target: EventTarget | null) => boolean): void {
  const copy = (e: ClipboardEvent) => {
    if (typing(document.activeElement)) return;
    const nodes = selectedNodes(state);
    if (nodes.length === 0) return;
    e.preventDefault();
    last = JSON.stringify({ [CLIP]: nodes });
    e.clipboardData?.setData("text/plain", last);
    if (e.type === "cut") removeSelected(state);
  };
  const paste = (e: ClipboardEvent) => {
    if (typing(document.activeElement)) return;
    if (put(state, e.clipboardData?.getData("text/plain") ?? "")) e.preventDefault();
  };
  document.addEventListener("copy", copy);
  document.addEventListener("cut", copy);
  document.addEventListener("paste", paste);
}

/** Puts what is in the clipboard onto the page; where that may not be read, what was copied here. */
export async function pasteElements(state: State): Promise<void> {
  const text = await navigator.clipboard?.readText().catch(() => last);
  if (!put(state, text ?? last)) state.told.value = t("There are no elements in the clipboard. Copy one first.");
}

function put(state: State, text: string): boolean {
  const nodes = clipped(state, text);
  if (nodes) add(state, nodes, t("Paste"));
  return nodes !== null;
}

/** Elements in a text, if it is they that are in it, and of types that are known here. */
function clipped(state: State, text: string): Node[] | null {
  try {
    const nodes = (JSON.parse(text) as Record<string, unknown>)[CLIP];
    return Array.isArray(nodes) && nodes.length > 0 && nodes.every((n) => isElement(state, n)) ? (nodes as Node[]) : null;
  } catch {
    return null;
  }
}

function isElement(state: State, value: unknown): boolean {
  const { type, children = [] } = (value ?? {}) as { type?: unknown; children?: unknown };
  return state.components.value.some((c) => c.name === type) && Array.isArray(children) && children.every((c) => isElement(state, c));
}
