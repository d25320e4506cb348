import assert from "node:assert/strict";
import { test } from "node:test";
import { isPast, lineBetween } from "./drop";

const box = (left: number) => ({ left, top: 50, width: 100, height: 40 });
const frame = { left: 0, top: 40, width: 600, height: 60 };

test("in a row that is read from the right what comes later stands at the left", () => {
  const past = (x: number, along: "right" | "left") => isPast(box(100), { x, y: 60 }, along);
  assert.deepEqual([past(149, "right"), past(151, "right"), past(149, "left"), past(151, "left")], [false, true, true, false]);
  assert.deepEqual([isPast(box(100), { x: 0, y: 69 }, "down"), isPast(box(100), { x: 0, y: 71 }, "down")], [false, true]);
});

test("the line stands between two boxes, at the end of the last and at the beginning of an empty frame", () => {
  const x = (before: number | null, after: number | null, along: "right" | "left") => lineBetween(before === null ? undefined : box(before), after === null ? undefined : box(after), frame, along).left + 1;
  assert.deepEqual([x(100, 220, "right"), x(220, null, "right"), x(null, 100, "right"), x(null, null, "right")], [210, 322, 98, 0]);
  assert.deepEqual([x(220, 100, "left"), x(100, null, "left"), x(null, 220, "left"), x(null, null, "left")], [210, 98, 322, 600]);
});
