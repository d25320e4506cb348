// The name of an element, written where the outline shows it.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Node } from "./model";
import type { State } from "./state";
import { t } from "../words";

/** The element whose name is being written. */
export const renaming = signal<string | null>(null);

/** An element with a name of its own; without one it is called what its type is. */
export function withName(node: Node, name: string): Node {
  const { name: _, ...rest } = node;
  return name === "" ? rest : { ...rest, name };
}

/** Enter keeps, Escape forgets; both lead back to the outline. */
export function NameField({ state, node }: { state: State; node: Node }) {
  const field = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  useLayoutEffect(() => (field.current!.focus(), field.current!.select()), []);
  const leave = (keep: boolean) => {
    if (left.current) return;
    left.current = true;
    const name = field.current!.value.trim();
    renaming.value = null;
    if (keep && name !== (node.name ?? "")) state.set(node.id, t("Rename"), (n) => withName(n, name));
  };
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault();
    leave(e.key === "Enter");
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.d-outline [data-node="${CSS.escape(node.id)}"]`)?.focus());
  };
  return <input ref={field} type="text" class="d-rename" aria-label={t("Name in the outline")} placeholder={state.labelOf(withName(node, ""))} maxLength={200} value={node.name ?? ""} onKeyDown={key} onBlur={() => leave(true)} />;
}
