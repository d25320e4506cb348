import assert from "node:assert/strict";
import { test } from "node:test";
import { lineAt, sideOf } from "./sidedrop";

const box = { left: 100, top: 50, width: 200, height: 40 };

test("the outer quarters mean beside, the upper and lower ones above and below", () => {
  const side = (x: number, y: number) => sideOf(box, { x, y });
  assert.deepEqual([side(101, 70), side(150, 70), side(151, 70), side(249, 70), side(250, 70), side(300, 70)], ["left", "left", null, null, "right", "right"]);
  assert.deepEqual([side(110, 55), side(110, 61), side(110, 79), side(110, 85)], [null, "left", "left", null]);
  assert.deepEqual([side(99, 70), side(301, 70)], [null, null]);
});

test("a line stands at the side that is meant", () => {
  assert.deepEqual(lineAt(box, "left"), { left: 98, top: 50, width: 2, height: 40 });
  assert.deepEqual(lineAt(box, "right"), { left: 300, top: 50, width: 2, height: 40 });
});
