// The name of an element, written where the outline shows it.

import { signal } from "@preact/signals";
import { useWritten } from "./written";
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
  // As soon as the line is there again: the next key is meant for it.
  const back = () => queueMicrotask(() => document.querySelector<HTMLElement>(`.d-outline [data-node="${CSS.escape(node.id)}"]`)?.focus());
  const done = (byKey: boolean) => {
    renaming.value = null;
    if (byKey) back();
  };
  const written = useWritten((name) => name !== (node.name ?? "") && state.set(node.id, t("Rename"), (n) => withName(n, name)), done);
  return <input {...written} type="text" class="d-rename" aria-label={t("Name in the outline")} placeholder={state.labelOf(withName(node, ""))} maxLength={200} defaultValue={node.name ?? ""} />;
}
