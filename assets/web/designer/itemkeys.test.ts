import { test } from "node:test";
import assert from "node:assert/strict";
import { ItemKeys } from "./itemkeys";

const color = (name: string, value = "#fff") => ({ name, value });

test("an item keeps its key while it is written in and while others insert, move and remove", () => {
  const keys = new ItemKeys();
  assert.deepEqual(keys.of([color("a"), color("b"), color("c")]), [0, 1, 2]);
  assert.deepEqual(keys.of([color("a"), color("b", "#111"), color("c")]), [0, 1, 2]);
  assert.deepEqual(keys.of([color("new"), color("a"), color("b", "#111"), color("c")]), [3, 0, 1, 2]);
  assert.deepEqual(keys.of([color("new"), color("c"), color("a"), color("b", "#111")]), [3, 2, 0, 1]);
  assert.deepEqual(keys.of([color("c"), color("bb", "#111")]), [2, 1], "one that is given another name is the same");
  assert.equal(keys.next, 4);
});

test("items without names are followed by what they hold", () => {
  const keys = new ItemKeys();
  const column = (field: string, title: string) => ({ field, title });
  keys.of([column("a", "A"), column("b", "B")]);
  assert.deepEqual(keys.of([{}, column("a", "A"), column("b", "B")]), [2, 0, 1]);
  assert.deepEqual(keys.of([{}, column("a", "A"), column("b", "Bold")]), [2, 0, 1]);
  assert.deepEqual(keys.of([column("a", "A"), column("b", "Bold")]), [0, 1]);
  assert.deepEqual(keys.of([]), []);
});

test("equal texts stay apart", () => {
  const keys = new ItemKeys();
  assert.deepEqual(keys.of(["", ""]), [0, 1]);
  assert.deepEqual(keys.of(["", "x"]), [0, 1]);
  assert.equal(new Set(keys.of(["", "", "x"])).size, 3);
});
