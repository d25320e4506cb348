import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "./commands";
import type { State } from "./state";
import { around, fitting } from "./zoom";

test("what is fitted has room around it, and is never larger or smaller than can be chosen", () => {
  const view = { width: 848, height: 648 };
  assert.equal(fitting({ left: 0, top: 0, width: 800, height: 1200 }, view), 0.5);
  assert.equal(fitting({ left: 50, top: 90, width: 640, height: 100 }, view), 1.25);
  assert.equal(fitting({ left: 0, top: 0, width: 3, height: 3 }, view), 3);
  assert.equal(fitting({ left: 0, top: 0, width: 90_000, height: 3 }, view), 0.25);
});

test("several boxes are one around all of them", () => {
  assert.deepEqual(around([{ left: 10, top: 20, width: 30, height: 5 }, { left: 5, top: 40, width: 10, height: 10 }]), { left: 5, top: 20, width: 35, height: 30 });
  assert.equal(around([]), null);
});

test("digits with Shift are known on every keyboard, and their signs as well", () => {
  const state = { selected: { value: ["a"] } } as unknown as State;
  const pressed = (key: string, code: string) => commandOf({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: true }, state)?.name;
  assert.deepEqual([pressed("@", "Digit2"), pressed('"', "Digit2"), pressed("2", "Digit2"), pressed("!", "Digit1")], ["Zoom to selection", "Zoom to selection", "Zoom to selection", "Fit page"]);
  assert.equal(pressed("/", "Digit7"), "Add a component here"); // a German keyboard has the slash there
  assert.equal(pressed("?", "Slash"), "Keyboard shortcuts");
});
