import assert from "node:assert/strict";
import { test } from "node:test";
import { most, read } from "./sides";

test("what a browser remembers of the panels is used as far as it can be understood", () => {
  const usual = { width: 0, hidden: false };
  for (const text of [null, "", "{", "null", "7", "[]", '{"left":3,"right":null}', '{"left":{"width":-5},"right":{"width":"wide","hidden":"yes"}}']) assert.deepEqual(read(text), { left: usual, right: usual }, String(text));
  assert.deepEqual(read('{"left":{"width":420,"hidden":false},"right":{"width":10,"hidden":true}}'), { left: { width: 420, hidden: false }, right: { width: 0, hidden: true } });
});

test("a panel leaves room for the canvas, and is never too narrow to be read", () => {
  assert.equal(most(1440, 300), 900);
  assert.equal(most(720, 600), 200);
});
