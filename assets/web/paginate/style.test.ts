import assert from "node:assert/strict";
import { test } from "node:test";
import { paper } from "./style";

test("all of a page is printed, whatever the browser rounds", () => {
  const mm = 96 / 25.4;
  for (const [page, want] of [[210 * mm, 794], [297 * mm, 1123], [148 * mm, 560], [105 * mm, 397], [8.5 * 96, 816], [14 * 96, 1344], [200 / 0.75, 268], [29 * mm, 110], [1000 * mm, 3780]] as const) {
    assert.equal(paper(page), want, `${page}`);
  }
});
