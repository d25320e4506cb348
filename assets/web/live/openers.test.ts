import assert from "node:assert/strict";
import { test } from "node:test";
import { initials, shownOf } from "./openers";

const people = (n: number) => Array.from({ length: n }, (_, i) => ({ userId: i, name: `P${i}` }));

test("few have faces each, of many the last are counted with their names", () => {
  assert.deepEqual([shownOf([]).shown.length, shownOf([]).rest], [0, ""]);
  assert.deepEqual([shownOf(people(4)).shown.length, shownOf(people(4)).more], [4, 0]);
  const { shown, rest, more } = shownOf(people(6));
  assert.deepEqual([shown.map((p) => p.name), rest, more], [["P0", "P1", "P2"], "P3, P4, P5", 3]);
});

test("initials are letters of any alphabet", () => {
  assert.deepEqual(["Ana Novak", "Ana Maria  Novak ", "ben", "Žiga Čuk", "𝒜 b", ""].map(initials), ["AN", "AN", "B", "ŽČ", "𝒜B", ""]);
});
