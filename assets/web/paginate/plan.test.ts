import assert from "node:assert/strict";
import { test } from "node:test";
import { Planner } from "./plan";
import type { Level, Piece, Sheet } from "./types";

/** A run of pieces of these heights; they are text, so that nothing of a document is asked. */
function pieces(...heights: (number | { height: number; level?: Level; forced?: boolean; head?: number })[]): Piece[] {
  let top = 0;
  return heights.map((given) => {
    const { height, level = 0, forced = false, head = 0 } = typeof given === "number" ? { height: given } : given;
    const node = { nodeType: 3, previousSibling: null } as unknown as Node;
    const piece: Piece = { node, top, bottom: (top += height), level, forced, head, tail: 0, el: null, nodes: null, run: false, space: false, lines: null, parts: null, locate: null, table: null, slices: null };
    return piece;
  });
}

/** How many pieces each page has. */
function counts(all: Piece[], first: number, rest = first): number[] {
  const planned = new Planner({ pieces: all, start: 0 } as unknown as Sheet, { first, rest }).run();
  const ends = planned.map((p) => (p.until ? all.findIndex((x) => x.node === p.until!.node) : all.length));
  return ends.map((end, i) => end - (ends[i - 1] ?? 0));
}

test("a page takes as many pieces as fit", () => {
  assert.deepEqual(counts(pieces(30, 30, 30, 30, 30), 100), [3, 2]);
  assert.deepEqual(counts(pieces(30, 30, 30, 30, 30), 60, 100), [2, 3]);
  assert.deepEqual(counts(pieces(), 100), [0]);
});

test("what should be kept together is, as long as there is another break", () => {
  assert.deepEqual(counts(pieces(30, 30, 30, { height: 30, level: 1 }, 30), 100), [2, 3]);
  assert.deepEqual(counts(pieces(40, { height: 40, level: 1 }, { height: 40, level: 1 }), 100), [2, 1]);
});

test("a forced break ends a page that has room", () => {
  assert.deepEqual(counts(pieces(10, { height: 10, forced: true }, 10), 100), [1, 2]);
});

test("what is repeated at the top of a page takes its room", () => {
  const rows = Array.from({ length: 9 }, () => ({ height: 20, head: 20 }));
  assert.deepEqual(counts(pieces(...rows), 100), [5, 4]);
  assert.deepEqual(counts(pieces(...rows, ...rows), 100), [5, 4, 4, 4, 1]);
});

test("what is higher than a page has a page, and nothing is lost", () => {
  assert.deepEqual(counts(pieces(30, 300, 30), 100), [1, 1, 1]);
});
