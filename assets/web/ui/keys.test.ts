import assert from "node:assert/strict";
import { test } from "node:test";
import { setTexts } from "../words";
import { keysInWords } from "./keys";

test("keys are called as on the keyboards of the language", () => {
  assert.deepEqual(["Ctrl++", "Ctrl+Shift+L", "Alt+ArrowUp", "Delete", "F2", "?"].map(keysInWords), ["Ctrl++", "Ctrl+Shift+L", "Alt+↑", "Delete", "F2", "?"]);
  setTexts({ "Ctrl | key": "Strg", "Shift | key": "Umschalt", "Delete | key": "Entf" });
  assert.deepEqual(["Ctrl++", "Ctrl+Shift+L", "Shift+1", "Delete", "Escape"].map(keysInWords), ["Strg++", "Strg+Umschalt+L", "Umschalt+1", "Entf", "Esc"]);
  setTexts(undefined);
});
