import assert from "node:assert/strict";
import { test } from "node:test";
import { inUnits, marginsNamed, nameOfMargins, paperLength, paperName, paperOf, type Side } from "./paper";
import { pixelsOf } from "./lengths";

test("sheets are known by their size on the canvas, whichever way they lie", () => {
  assert.equal(paperName(paperOf(793.7, 1122.52)), "A4 portrait");
  assert.equal(paperName(paperOf(1122.52, 793.7)), "A4 landscape");
  assert.equal(paperName(paperOf(816, 1056)), "Letter portrait");
  assert.equal(paperName(paperOf(377.95, 566.93)), "100 × 150 mm");
});

test("lengths keep their unit, else they have that of the paper", () => {
  assert.equal(paperLength("18mm", 83.15, false), "22mm");
  assert.equal(paperLength("1in", 48, false), "0.5in");
  assert.equal(paperLength(undefined, 48, true), "0.5in");
  assert.equal(paperLength(undefined, 37.8, false), "10mm");
  assert.equal(inUnits("22.5mm"), "22.5 mm");
});

test("margins of a name are found again when they are drawn", () => {
  for (const inches of [false, true]) {
    for (const name of ["normal", "narrow", "wide"]) {
      const set = Object.entries(marginsNamed(name, inches)).map(([side, length]) => [side, pixelsOf(length, 0)]);
      assert.equal(nameOfMargins(Object.fromEntries(set) as Record<Side, number>, inches), name);
    }
  }
  assert.equal(nameOfMargins({ top: 10, right: 70, bottom: 70, left: 70 }, false), "own");
});
