import assert from "node:assert/strict";
import { test } from "node:test";
import { along, besides } from "./floating";

test("a bar stands at the right end of what is wider than it, and always within the room", () => {
  for (const [around, width, from] of [
    [{ left: 100, right: 700 }, 400, 300],
    [{ left: 100, right: 300 }, 400, 100],
    [{ left: 100 }, 400, 100],
    [{ left: 600 }, 400, 396],
    [{ left: -20, right: 90 }, 200, 4],
  ] as const) assert.equal(along(around, width, 800), from, JSON.stringify(around));
});

test("a bar stands above, or below where no room is", () => {
  assert.equal(besides({ top: 200, bottom: 220, free: 26 }, 36), 138);
  assert.equal(besides({ top: 50, bottom: 70, free: 26 }, 36), 78);
});
