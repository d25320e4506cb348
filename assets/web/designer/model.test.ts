import assert from "node:assert/strict";
import { test } from "node:test";
import { ancestors, find, fresh, identified, insert, move, type Node, outermost, remove, type Report, shift, update, walk, withSetting } from "./model";

const element = (id: string, children?: Node[]): Node => ({ id, type: children ? "flow" : "text", ...(children ? { children } : {}) });

/** Two pages: a; box(b, inner(c)), d | e in a placeholder. */
const offer = (): Report => ({
  name: "Offer",
  pages: [
    { id: 1, name: "One", elements: [element("a"), element("box", [element("b"), element("inner", [element("c")])]), element("d")] },
    { id: 2, name: "Two", placeholders: { side: [element("e")] } },
  ],
});

const ids = (report: Report): string[] => {
  const found: string[] = [];
  for (const page of report.pages) walk(page, (n) => found.push(n.id));
  return found;
};

test("an element is found wherever it stands", () => {
  assert.deepEqual(ids(offer()), ["a", "box", "b", "inner", "c", "d", "e"]);
  assert.equal(find(offer(), "e")?.slot, "placeholders.side");
  assert.deepEqual(ancestors(offer(), "c").map((n) => n.id), ["box", "inner"]);
  assert.equal(find(offer(), "nobody"), null);
});

test("moving takes an element with all inside, and never into itself", () => {
  const into = move(offer(), ["d"], { page: 0, slot: "elements", parent: "inner", index: 0 });
  assert.deepEqual(ids(into), ["a", "box", "b", "inner", "d", "c", "e"]);
  const report = offer();
  assert.equal(move(report, ["box"], { page: 0, slot: "elements", parent: "inner", index: 0 }), report);
  assert.deepEqual(ids(move(offer(), ["box"], { page: 1, slot: "placeholders.side", parent: null, index: 1 })), ["a", "d", "e", "box", "b", "inner", "c"]);
});

test("a place counts the elements that stand there before", () => {
  assert.deepEqual(ids(move(offer(), ["a"], { page: 0, slot: "elements", parent: null, index: 3 })), ["box", "b", "inner", "c", "d", "a", "e"]);
  assert.deepEqual(ids(shift(offer(), "d", -1)), ["a", "d", "box", "b", "inner", "c", "e"]);
  const report = offer();
  assert.equal(shift(report, "a", -1), report);
});

test("copies and nameless elements get ids that are free", () => {
  const report = offer();
  const copies = fresh(report, [find(report, "box")!.node]);
  const both = insert(report, { page: 1, slot: "placeholders.side", parent: null, index: 0 }, copies);
  assert.equal(new Set(ids(both)).size, ids(both).length);
  const named = identified({ name: "", pages: [{ id: 1, name: "", elements: [{ type: "text" } as Node, element("el2"), { type: "text" } as Node] }] });
  assert.equal(new Set(ids(named)).size, 3);
  assert.ok(ids(named).includes("el2"));
});

test("what an operation leaves alone is shared", () => {
  const report = offer();
  const changed = update(report, "c", (n) => withSetting(n, "text", "x"));
  assert.equal(changed.pages[1], report.pages[1]);
  assert.equal(changed.pages[0]!.elements![0], report.pages[0]!.elements![0]);
  assert.deepEqual(find(report, "c")!.node, element("c"));
  assert.deepEqual(withSetting(find(changed, "c")!.node, "text", ""), element("c"));
});

test("of nested elements the outer one counts", () => {
  assert.deepEqual(outermost(offer(), ["c", "box", "d"]), ["box", "d"]);
  assert.deepEqual(ids(remove(offer(), ["box"])), ["a", "d", "e"]);
});
