import assert from "node:assert/strict";
import { test } from "node:test";
import { slashed } from "./slash";

test("a slash at the beginning of a line asks for a component, others are text", () => {
  for (const [text, caret, found] of [
    ["/", 1, ""],
    ["/data ta", 8, "data ta"],
    ["/heading", 4, "hea"],
    ["Total\n/ch", 9, "ch"],
    ["1/2", 3, null],
    ["km/h", 4, null],
    ["Total /chart", 12, null],
    ["/heading", 0, null],
    ["/a/b", 4, null],
  ] as const) assert.equal(slashed(text, caret), found, JSON.stringify([text, caret]));
});
