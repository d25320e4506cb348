import assert from "node:assert/strict";
import { test } from "node:test";
import { having, lockOf, marked, markedAll, touched } from "./locks";
import { find, insert, move, type Node, remove, type Report, update, withSetting } from "./model";

const element = (id: string, more: Partial<Node> = {}): Node => ({ id, type: more.children ? "flow" : "text", ...more });

/** a; box(b, c), of which the box is locked; d */
const offer = (): Report => ({ name: "Offer", pages: [{ id: 1, name: "One", elements: [element("a"), element("box", { children: [element("b"), element("c")], design: { locked: true } }), element("d")] }] });
const at = (index: number, parent: string | null = null) => ({ page: 0, slot: "elements", parent, index });

test("marks come and go without a trace", () => {
  const node = element("a");
  const both = marked(marked(node, "locked", true), "hidden", true);
  assert.deepEqual(both.design, { locked: true, hidden: true });
  assert.deepEqual(marked(both, "locked", false).design, { hidden: true });
  assert.deepEqual(marked(marked(both, "locked", false), "hidden", false), node);
  assert.deepEqual(having(markedAll(offer(), ["a", "c"], "hidden", true), "hidden").map((n) => n.id), ["a", "c"]);
});

test("a lock holds all that is inside", () => {
  assert.deepEqual(["a", "box", "b", "d", "nobody"].map((id) => lockOf(offer(), id)?.id), [undefined, "box", "box", undefined, undefined]);
});

test("a locked element stays what it is and where it is", () => {
  const report = offer();
  const touches = (after: Report): string | undefined => touched(report, after)?.id;
  assert.equal(touches(remove(report, ["box"])), "box");
  assert.equal(touches(remove(report, ["b"])), "box");
  assert.equal(touches(update(report, "c", (n) => withSetting(n, "text", "x"))), "box");
  assert.equal(touches(insert(report, at(0, "box"), [element("e")])), "box");
  assert.equal(touches(move(report, ["d"], at(1, "box"))), "box");
  assert.equal(touches(insert(remove(report, ["box"]), at(1), [element("around", { children: [find(report, "box")!.node] })])), "box");
  // What is around it changes freely, and so does the lock itself.
  assert.equal(touches(insert(report, at(0), [element("e")])), undefined);
  assert.equal(touches(move(report, ["d"], at(0))), undefined);
  assert.equal(touches(remove(report, ["a"])), undefined);
  assert.equal(touches(markedAll(report, ["box"], "locked", false)), undefined);
  assert.equal(touches(markedAll(report, ["box"], "hidden", true)), undefined);
});
