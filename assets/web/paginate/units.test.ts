import assert from "node:assert/strict";
import { test } from "node:test";
import { px } from "./units";

// A column that is as wide as its word is cut 1/64 px narrower where its width is
// rounded down, and the word is broken.
test("what was measured comes back", () => {
  for (let n = 1; n < 50_000; n++) assert.equal(Math.floor(Number.parseFloat(px(n / 64)) * 64), n);
  assert.equal(px(52.109375), "52.11px");
  assert.equal(px(12), "12px");
});
