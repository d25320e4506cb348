import assert from "node:assert/strict";
import { test } from "node:test";
import { inUnitOf, isFixed, pixelsOf } from "./lengths";

test("a length keeps the unit that it had", () => {
  assert.equal(inUnitOf("40mm", 189), "50mm");
  assert.equal(inUnitOf("10px", 33.4), "33px");
  assert.equal(inUnitOf("50%", 33.4), "33px");
  assert.equal(inUnitOf(undefined, 12), "12px");
});

test("lengths and shares are pixels of a whole", () => {
  assert.equal(pixelsOf("25%", 600), 150);
  assert.equal(pixelsOf("1in", 600), 96);
  assert.deepEqual([pixelsOf("auto", 600), pixelsOf(undefined, 600), pixelsOf("2em", 600)], [undefined, undefined, undefined]);
  assert.deepEqual(["30mm", "8px", "30%", "", undefined].map(isFixed), [true, true, false, false, false]);
});
