import assert from "node:assert/strict";
import { test } from "node:test";
import { besideInWords } from "./words";

test("long values show where they differ", () => {
  const same = "All prices are net. ".repeat(20);
  const [mine, theirs] = besideInWords(`${same}Payable within 14 days.`, `${same}Payable within 30 days.`);
  assert.match(mine, /^….*Payable within 14 days\.$/);
  assert.match(theirs, /^….*Payable within 30 days\.$/);
  assert.deepEqual(besideInWords("short", "shorter"), ["short", "shorter"]);
  assert.deepEqual(besideInWords(true, undefined), ["yes", "(empty)"]);
});

test("what is called the same but is not shows how it differs", () => {
  assert.deepEqual(besideInWords({ name: "A", value: 1 }, { name: "A", value: 2 }), ['{"name":"A","value":1}', '{"name":"A","value":2}']);
});
