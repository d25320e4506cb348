import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "./caret";

test("the caret stays between the letters it stands between", () => {
  for (const [before, after] of [
    ["Sales| of May", "Sales| of June"],
    ["Sales of| May", "All sales of| May"],
    ["|May", "|June"],
    ["May|", "In May|"],
    ["Sales of M|ay", "Sales of J|une"],
    ["Sales of Ma|y", "S|"],
  ] as const) {
    const at = before.indexOf("|");
    const place = moved(before.replace("|", ""), after.replace("|", ""), at);
    assert.equal(`${after.replace("|", "").slice(0, place)}|${after.replace("|", "").slice(place)}`, after, before);
  }
});
