// What helps to place things and is nothing of the report. This browser remembers
// whether it is shown.

import { signal } from "@preact/signals";
import { parsed, recalled, remember } from "./kept";

export type Aid = "rulers" | "guides";

const KEY = "quire-aids";

export const aids = signal<Record<Aid, boolean>>(read(recalled(KEY)));

/** What was remembered, as far as it can be understood; what was never chosen is shown. */
export function read(text: string | null): Record<Aid, boolean> {
  const known = parsed(text) as Partial<Record<Aid, unknown>> | null;
  return { rulers: known?.rulers !== false, guides: known?.guides !== false };
}

export function showAid(aid: Aid, shown: boolean): void {
  if (aids.value[aid] === shown) return;
  aids.value = { ...aids.value, [aid]: shown };
  remember(KEY, aids.value);
}

export const toggleAid = (aid: Aid): void => showAid(aid, !aids.value[aid]);
