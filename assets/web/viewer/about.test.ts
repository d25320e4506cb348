import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, ownerIn } from "./about";

test("a key tells whose an element is", () => {
  assert.equal(ownerIn("total"), null);
  assert.equal(ownerIn("*/total"), "*");
  assert.equal(ownerIn("terms-2/total"), "terms-2");
  assert.equal(ownerIn("terms/"), null);
});

test("pins never lie on each other, and stay where they have room", () => {
  const at = (left: number, top: number) => ({ left, top });
  assert.deepEqual(apart([at(100, 10), at(100, 30), at(100, 50), at(100, 90)]), [at(100, 10), at(126, 30), at(100, 50), at(100, 90)]);
  assert.deepEqual(apart([at(100, 10), at(100, 10)], true), [at(100, 10), at(74, 10)]);
});
