// The text that elements say.

import type { Setting } from "./api";
import type { State } from "./state";

/** The setting that holds what an element says, where it can be written in place: formatted text has an editor of its own. */
export function mainText(state: State, type: string): Setting | undefined {
  return state.settingsOf(type).find((s) => s.means === "text" && s.shape === "string" && s.editor !== "rich-text");
}
