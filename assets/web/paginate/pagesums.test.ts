import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, type Shape, written } from "./pagesums";

const english: Shape = { plus: ["", ""], minus: ["−", ""], point: ".", group: ",", sizes: [3, 3], from: 4, least: 2, most: 2, digits: [..."0123456789"] };

test("differences are exact", () => {
  assert.equal(difference("0.3", "0.1"), "0.2");
  assert.equal(difference("100", "100.005"), "-0.005");
  assert.equal(difference("12345678901234567890.1", "0.1"), "12345678901234567890.0");
  assert.equal(difference("-5", "-12"), "7");
});

test("sums are written as their format writes them", () => {
  assert.equal(written("1234567.005", english), "1,234,567.01");
  assert.equal(written("-0.004", english), "0.00");
  assert.equal(written("-0.005", english), "−0.01");
  assert.equal(written("999.995", english), "1,000.00");
  assert.equal(written("7", english), "7.00");
  const hindi: Shape = { ...english, plus: ["₹", " cr"], sizes: [3, 2], least: 0, most: 2, digits: [..."०१२३४५६७८९"] };
  assert.equal(written("12345678.90", hindi), "₹१,२३,४५,६७८.९ cr");
  const spanish: Shape = { ...english, group: ".", point: ",", from: 5, least: 0, most: 0 };
  assert.equal(written("1234.5", spanish), "1235");
  assert.equal(written("-12345", spanish), "−12.345");
});
