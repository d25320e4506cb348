import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "./aids";
import { firstBelow, INCHES, marksBetween, MILLIMETRES } from "./rulers";

const MM = 96 / 25.4;
const numbers = (zoom: number, unit = MILLIMETRES, to = 794 * zoom) => marksBetween(0, to, zoom, unit).flatMap((m) => m.number ?? []);

test("at 100 % every centimetre of a sheet has its number and every millimetre a mark", () => {
  const marks = marksBetween(0, 210 * MM, 1, MILLIMETRES);
  assert.equal(marks.length, 211);
  assert.deepEqual(numbers(1).slice(0, 3), ["0", "10", "20"]);
  assert.equal(marks.at(-1)!.number, "210");
  assert.deepEqual(marks.slice(0, 11).map((m) => m.rank), ["number", "part", "part", "part", "part", "half", "part", "part", "part", "part", "number"]);
  assert.ok(Math.abs(marks[25]!.at - 25 * MM) < 1e-9);
});

test("numbers keep their room at every zoom, and marks theirs", () => {
  for (const unit of [MILLIMETRES, INCHES]) {
    for (const zoom of [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 8]) {
      const marks = marksBetween(0, 1000, zoom, unit);
      const apart = (of: typeof marks) => Math.min(...of.slice(1).map((m, i) => m.at - of[i]!.at));
      assert.ok(apart(marks.filter((m) => m.number)) >= unit.room - 1e-9, `${unit.name} at ${zoom}`);
      assert.ok(apart(marks) >= 3.5 - 1e-9, `${unit.name} at ${zoom}`);
      assert.ok(marks.length < 300);
    }
  }
  assert.deepEqual(numbers(0.25).slice(0, 3), ["0", "50", "100"]);
  assert.deepEqual(numbers(3).slice(0, 3), ["0", "5", "10"]);
});

test("inches are whole, in eighths", () => {
  assert.deepEqual(numbers(1, INCHES, 8.5 * 96), ["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  assert.equal(marksBetween(0, 96, 1, INCHES).length, 9);
});

test("only what is in sight is marked", () => {
  const marks = marksBetween(500, 600, 1, MILLIMETRES);
  assert.ok(marks.every((m) => m.at >= 500 && m.at <= 600) && marks.length > 20);
});

test("the first sheet in sight is found without looking at all", () => {
  let asked = 0;
  const bottom = (i: number) => (asked++, i * 1147 + 1123);
  assert.equal(firstBelow(300, bottom, 0), 0);
  assert.equal(firstBelow(300, bottom, 1123.5), 1);
  assert.equal(firstBelow(300, bottom, 299 * 1147), 299);
  assert.equal(firstBelow(300, bottom, 1e9), 300);
  assert.ok(asked < 45, `${asked} boxes were measured`);
});

test("what was never chosen, or cannot be read, is shown", () => {
  assert.deepEqual(read(null), { rulers: true, guides: true });
  assert.deepEqual(read('{"rulers":false}'), { rulers: false, guides: true });
  assert.deepEqual(read("{"), { rulers: true, guides: true });
});
