// Keys as they are called on keyboards of the language.

import { say, t } from "../words";

const CALLED: Record<string, string> = {
  Ctrl: say("Ctrl | key"),
  Shift: say("Shift | key"),
  Delete: say("Delete | key"),
  Backspace: "⌫",
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** "Ctrl+Shift+ArrowUp" is Ctrl+Shift+↑, in German Strg+Umschalt+↑. */
export function keysInWords(keys: string): string {
  return keys.replace(/[A-Z][A-Za-z]+/g, (key) => (key in CALLED ? t(CALLED[key]!) : key));
}
