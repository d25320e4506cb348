import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node } from "./model";
import { asSet, equalShares, hasShares, isEqual, type Measured, type Pair, sharesAfter, withShares, wordsOf } from "./shares";

/** A row of elements by their widths; "+" grows, "" has none. */
const row = (...widths: string[]): Node => ({
  id: "row",
  type: "flow",
  children: widths.map((w, i) => ({ id: "abc"[i]!, type: "text", props: { ...(w === "+" ? { grow: true } : w ? { width: w } : {}) } })),
});
const ab: Pair = ["a", "b"];
const drawn = (node: Node) => node.children!.map((c) => (c.props?.grow ? "+" : (c.props?.width ?? "")));
/** Two halves of 600 pixels with 16 between them. */
const halves: Measured = { first: 292, second: 292, whole: 600, full: true };

test("a share that leads to a guide is as exact as the way there", () => {
  assert.deepEqual(sharesAfter(row("+", "+"), ab, halves, 70, true), ["60.33%", null]);
  assert.deepEqual(sharesAfter(row("292px", "+"), ab, halves, 70, true), ["362px", null]);
});

test("the first has whole percent, and who takes the rest goes on with it", () => {
  assert.deepEqual(sharesAfter(row("+", "+"), ab, halves, 68), ["60%", null]);
  assert.deepEqual(sharesAfter(row("60%", "+"), ab, { ...halves, first: 360, second: 224 }, -60), ["50%", null]);
  assert.deepEqual(sharesAfter(row("+", "30%"), ab, { ...halves, first: 404, second: 180 }, 60), [null, "20%"]);
});

test("what two have together stays where another takes the rest, or nothing fills the row", () => {
  const third: Measured = { first: 180, second: 180, whole: 600, full: true };
  assert.deepEqual(sharesAfter(row("30%", "30%", "+"), ab, third, 60), ["40%", "20%"]);
  assert.deepEqual(sharesAfter(row("+", "+", "+"), ab, third, 60), ["40%", "20%"]);
  assert.deepEqual(sharesAfter(row("", ""), ab, { ...third, full: false }, -30), ["25%", "35%"]);
  assert.deepEqual(sharesAfter(row("", ""), ab, third, -30), ["25%", null], "a row that is full stays so");
});

test("lengths of the paper keep their unit", () => {
  assert.deepEqual(sharesAfter(row("50mm", "+"), ab, { first: 189, second: 395, whole: 600, full: true }, 37.8), ["60mm", null]);
  assert.deepEqual(sharesAfter(row("50mm", "100px", "+"), ab, { first: 189, second: 100, whole: 600, full: true }, 37.8), ["60mm", "62px"]);
});

test("nobody is pressed to nothing", () => {
  assert.deepEqual(sharesAfter(row("+", "+"), ab, halves, -900), ["5%", null]);
  assert.deepEqual(sharesAfter(row("+", "+", "+"), ab, { first: 180, second: 180, whole: 600, full: true }, 900), ["55%", "5%"]);
});

test("keys count from what is set, as the drawing is late", () => {
  assert.equal(asSet(row("61%", "+"), ab, halves).first, 366);
  assert.equal(asSet(row("+", "20%"), ab, halves).first, 584 - 120);
  assert.deepEqual(asSet(row("+", "+"), ab, halves), halves);
  const steps = [1, 2, 3].reduce((r) => withShares(r, ab, sharesAfter(r, ab, asSet(r, ab, halves), 6)), row("40%", "+"));
  assert.deepEqual(drawn(steps), ["43%", "+"]);
});

test("shares are set, known again, and made equal", () => {
  const set = withShares(row("+", "30mm", "20%"), ab, ["40%", null]);
  assert.deepEqual(drawn(set), ["40%", "+", "20%"]);
  assert.deepEqual([hasShares(set, ab, ["40%", null]), hasShares(set, ab, ["41%", null]), hasShares(set, ab, ["40%", "30mm"])], [true, false, false]);
  assert.deepEqual(drawn(equalShares(set)), ["+", "+", "+"]);
  assert.deepEqual([isEqual(set), isEqual(equalShares(set))], [false, true]);
});

test("two shares are read as parts of a whole", () => {
  assert.deepEqual(wordsOf(row("+", "+"), ["60%", null], halves), ["60%", "40%"]);
  assert.deepEqual(wordsOf(row("+", "+"), [null, null], halves), ["49%", "49%"]);
  assert.deepEqual(wordsOf(row("50mm", "+", ""), ["60mm", null], halves), ["60mm", "49%"]);
});
