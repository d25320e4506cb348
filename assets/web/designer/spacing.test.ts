import assert from "node:assert/strict";
import { test } from "node:test";
import { asList, inSteps, leastOf, pixelsOfSide, type Sides, sidesOf, stepIn, unitOf, withSide } from "./spacing";

const sides = (list: string): Sides => sidesOf(list)!;

test("sides are read as CSS has them and written as short", () => {
  assert.deepEqual(sides("4mm"), { top: "4mm", right: "4mm", bottom: "4mm", left: "4mm" });
  assert.deepEqual(sides("0 auto"), { top: "0", right: "auto", bottom: "0", left: "auto" });
  assert.deepEqual(sides("1px 2px 3px"), { top: "1px", right: "2px", bottom: "3px", left: "2px" });
  assert.equal(sides("calc(1mm + (2px * 2)) 3px").top, "calc(1mm + (2px * 2))");
  assert.equal(sidesOf(undefined), null);
  assert.equal(sidesOf(" "), null);
  for (const list of ["4mm", "0 auto", "1px 2px 3px", "1px 2px 3px 4px"]) assert.equal(asList(sides(list)), list);
  assert.equal(asList(sides("1px 1px 1px 1px")), "1px");
});

test("a side keeps its unit, takes that of its neighbours, or px", () => {
  assert.equal(unitOf(sides("0 4mm"), "right"), "mm");
  assert.equal(unitOf(sides("0 4mm"), "top"), "mm");
  assert.equal(unitOf(sides("12pt 4mm"), "bottom"), "pt");
  assert.equal(unitOf(sides("0 auto"), "left"), "px");
  assert.equal(unitOf(sides("10% 2em"), "top"), "px");
});

test("steps are those of the unit: 1 px, 0.5 mm, and with Shift 8 px, 1 mm", () => {
  assert.equal(inSteps(12.4, "px", "near"), "12px");
  assert.equal(inSteps(12.4, "px", "far"), "16px");
  assert.equal(inSteps(12.4, "px", "exact"), "12.4px");
  assert.equal(inSteps(5 * stepIn("mm", "near"), "mm", "near"), "2.5mm");
  assert.equal(inSteps(10, "mm", "far"), "3mm");
  assert.equal(inSteps(-8, "px", "far"), "-8px");
  assert.equal(inSteps(0.3, "px", "near"), "0");
  assert.equal(Math.round(stepIn("in", "far") * 10), 96);
});

test("what is no length of the paper counts as it is drawn", () => {
  assert.equal(pixelsOfSide("0", 7), 0);
  assert.equal(pixelsOfSide("10px", 7), 10);
  assert.equal(pixelsOfSide("auto", 7), 7);
  assert.equal(pixelsOfSide("5%", 7), 7);
});

test("one side changes, or both, and none goes below what it may", () => {
  assert.equal(asList(withSide(sides("0"), "left", "4mm", false)), "0 0 0 4mm");
  assert.equal(asList(withSide(sides("0"), "left", "4mm", true)), "0 4mm");
  assert.equal(asList(withSide(sides("1px 0"), "bottom", "3px", false)), "1px 0 3px");
  assert.equal(leastOf("padding", -3), 0);
  assert.equal(leastOf("margin", 12), 0);
  assert.equal(leastOf("margin", -3), -3);
});
