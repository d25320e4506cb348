import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, fitting } from "./fuzzy";

const paths = ["$data.invoice.customer", "$data.invoice.number", "$data.lines", "$params.number", "$data.orderNumber"];
const found = (typed: string) => fitting(typed, paths, (p) => p);

test("a few letters find a path", () => {
  assert.deepEqual(found("num").slice(0, 3).sort(), ["$data.invoice.number", "$data.orderNumber", "$params.number"]);
  assert.equal(found("num").at(-1), "$data.invoice.customer", "letters that lie apart come last");
  assert.equal(found("invn")[0], "$data.invoice.number");
  assert.equal(found("{$data.li")[0], "$data.lines");
  assert.deepEqual(found(""), paths);
  assert.deepEqual(found("xyz"), []);
});

test("the whole word is better than its beginning, and that than letters in between", () => {
  assert.ok(fits("number", "a.number")! > fits("number", "a.numbers")!);
  assert.ok(fits("sum", "sums")! > fits("sum", "customer.sum_")! - 500);
  assert.ok(fits("nr", "n.r")! > fits("nr", "number")!);
});
