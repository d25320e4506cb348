import assert from "node:assert/strict";
import { test } from "node:test";
import { addColumn, aggregateOf, columnsOf, FORMATS, formatOf, grouped, isGrouped, moveColumn, orderOf, reordered, withColumn, withoutColumn, withTotal } from "./columns";
import type { Node } from "./model";

const table = (props: Record<string, unknown> = {}): Node => ({ id: "t", type: "data-table", props: { source: "$data.rows", columns: [{ field: "a" }, { field: "b" }, { field: "c" }], ...props } });
const fields = (node: Node) => columnsOf(node).map((c) => c.field).join("");

test("columns move before others and behind the last", () => {
  assert.equal(fields(moveColumn(table(), 0, 2)), "bac");
  assert.equal(fields(moveColumn(table(), 0, 3)), "bca");
  assert.equal(fields(moveColumn(table(), 2, 0)), "cab");
  assert.equal(fields(moveColumn(table(), 1, 1)), "abc");
  assert.equal(fields(moveColumn(table(), 9, 0)), "abc");
  assert.equal(fields(addColumn(table(), { field: "d" })), "abcd");
});

test("a total switches the footers on that print it, and the last one off", () => {
  const groups = [{ field: "a", footer: { text: "x" } }];
  const on = withTotal(table({ groups }), 1, "sum");
  assert.deepEqual([on.props!.footer, on.props!.groups, aggregateOf(columnsOf(on)[1])], [{ enabled: true }, [{ field: "a", footer: { text: "x", enabled: true } }], "sum"]);
  const off = withTotal(on, 1, "");
  assert.deepEqual([off.props!.footer, off.props!.groups, columnsOf(off)[1]], [undefined, groups, { field: "b" }]);
  assert.equal(withoutColumn(on, 1).props!.footer, undefined, "the column with the only total went");
  assert.deepEqual((grouped(withTotal(table(), 2, "sum"), "b").props!.groups as unknown[])[0], { field: "b", footer: { enabled: true } }, "a new group prints it, too");
});

test("groups come and go, three levels at most", () => {
  const three = ["a", "b", "c"].reduce(grouped, table());
  assert.ok(isGrouped(three, "c"));
  assert.equal(grouped(three, "d"), three);
  assert.equal(["a", "b", "c"].reduce(grouped, three).props!.groups, undefined);
});

test("the order goes round and keeps the steps before it", () => {
  const limit = { type: "limit", count: 5 };
  const before = table({ transform: [limit] });
  const up = reordered(before, "b");
  assert.deepEqual(before.props!.transform, [limit], "undo goes back to what was there");
  assert.deepEqual([orderOf(up, "b"), orderOf(up, "a")], ["ascending", "none"]);
  const down = reordered(up, "b");
  assert.deepEqual(down.props!.transform, [limit, { type: "sort", by: [{ field: "b", descending: true }] }]);
  assert.equal(orderOf(reordered(down, "a"), "a"), "ascending", "one field at a time");
  assert.deepEqual(reordered(down, "b").props!.transform, [limit]);
  assert.equal(reordered(reordered(reordered(table(), "b"), "b"), "b").props!.transform, undefined);
});

test("formats are known again", () => {
  for (const name of Object.keys(FORMATS)) assert.equal(formatOf({ field: "a", ...FORMATS[name] }), name);
  assert.equal(formatOf({ customFormat: "n;3" }), "own");
  assert.deepEqual(columnsOf(withColumn(table(), 0, { align: "right", format: undefined }))[0], { field: "a", align: "right" });
});
