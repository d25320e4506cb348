import assert from "node:assert/strict";
import { test } from "node:test";
import { COLORS, othersOf, type Present, Presence } from "./presence";

const people = (n: number): Present[] => Array.from({ length: n }, (_, i) => ({ tab: `page-${i}`, userId: i % 3, name: `P${i}` }));

test("everybody else is there, in colours that differ and that all see alike", () => {
  const all = people(COLORS);
  const seen = new Map<string, Set<number>>();
  for (const { tab } of all) for (const other of othersOf(all, tab)) seen.set(other.tab, (seen.get(other.tab) ?? new Set()).add(other.color));
  assert.deepEqual([...seen.values()].map((colors) => colors.size), Array(COLORS).fill(1));
  assert.equal(new Set([...seen.values()].flatMap((colors) => [...colors])).size, COLORS);
  assert.deepEqual(othersOf(people(4), "page-0").map((o) => [o.tab, o.mine]), [["page-1", false], ["page-2", false], ["page-3", true]]);
  assert.equal(othersOf(people(20), "page-0").length, 19, "more than there are colours");
});

test("what is selected is told of once it rests, while there is a connection", async () => {
  const sent: string[][] = [];
  const real = globalThis.fetch;
  globalThis.fetch = ((_: string, init: RequestInit) => (sent.push((JSON.parse(String(init.body)) as { selected: string[] }).selected), Promise.resolve(new Response(null, { status: 204 })))) as typeof fetch;
  try {
    let due: (() => void)[] = [];
    const later = (work: () => void) => (due.push(work), () => (due = due.filter((d) => d !== work)));
    const pass = async () => {
      const works = due;
      due = [];
      for (const work of works) work();
      for (let i = 0; i < 20; i++) await Promise.resolve();
    };
    const presence = new Presence("/presence", { later });
    presence.select(["a"]);
    await pass();
    assert.equal(sent.length, 0, "nobody is told without a connection");
    presence.connected(true);
    await pass();
    for (const id of ["b", "c"]) presence.select([id]);
    await pass();
    assert.deepEqual(sent, [["a"], ["c"]]);
    await pass();
    assert.deepEqual(sent.at(-1), ["c"], "one says again and again that one is there");
    presence.heard(people(2));
    assert.equal(presence.others.value.length, 2);
    presence.connected(false);
    assert.deepEqual(presence.others.value, []);
  } finally {
    globalThis.fetch = real;
  }
});
