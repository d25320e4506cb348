import assert from "node:assert/strict";
import { test } from "node:test";
import { inRow, placed, released, settled } from "./beside";
import { find, insert, move, type Node, remove, type Report } from "./model";

const element = (id: string, props: Record<string, unknown> = {}): Node => ({ id, type: "text", props: { text: id, ...props } });
const letter = (...elements: Node[]): Report => ({ name: "Letter", pages: [{ id: 1, name: "One", elements }] });
const every = () => true;
const at = (parent: string | null, index: number) => ({ page: 0, slot: "elements", parent, index });

/** What stands where: a row in brackets, what grows with a plus, a width behind a colon. */
function drawn(nodes: Node[]): string {
  return nodes.map((n) => `${n.children ? `[${drawn(n.children)}]` : n.id}${n.props?.grow ? "+" : ""}${n.props?.width ? `:${n.props.width}` : ""}`).join(" ");
}
const seen = (report: Report) => drawn(report.pages[0]!.elements!);

/** Moves an element beside another, as a drop does. */
function dropped(report: Report, id: string, beside: string, after: boolean, sharing: (node: Node) => boolean = every): Report {
  const to = find(report, beside)!;
  const target = at(to.parent?.id ?? null, to.index + (after ? 1 : 0));
  return placed(report, move(report, [id], target), [id], sharing, { id: beside, after });
}

test("what is dropped beside an element makes a row with it, in its place", () => {
  const start = letter(element("a"), element("b"), element("c"));
  assert.equal(seen(dropped(start, "c", "a", true)), "[a+ c+] b");
  assert.equal(seen(dropped(start, "a", "c", false)), "b [a+ c+]");
  assert.equal(seen(dropped(start, "b", "a", true)), "[a+ b+] c", "also where the order stays");
  assert.equal(seen(start), "a b c", "undo goes back to what was there");
});

test("a width stays, and pictures stay as wide as they are", () => {
  const start = letter(element("a", { width: "40mm" }), { id: "logo", type: "img" }, element("c"));
  const pictures = (node: Node) => node.type !== "img";
  assert.equal(seen(dropped(start, "c", "a", true, pictures)), "[a:40mm c+] logo");
  assert.equal(seen(dropped(start, "logo", "c", true, pictures)), "a:40mm [c+ logo]");
});

test("a row begins the page that its element began", () => {
  const row = inRow(letter(element("a", { pageBreakBefore: true }), element("b", { keepWithNext: true })), ["b", "a"], "a", every).pages[0]!.elements![0]!;
  assert.deepEqual(row.props, { gap: "16px", pageBreakBefore: true });
  assert.deepEqual(row.children!.map((c) => c.props), [{ text: "b", grow: true }, { text: "a", grow: true }]);
});

test("in a row that is shared a third has its share; in one that is not, none", () => {
  const row = (...children: Node[]): Node => ({ id: "row", type: "flow", props: { gap: "16px" }, children });
  const third = (row: Node) => {
    const before = letter(row, element("c"));
    return seen(placed(before, move(before, ["c"], at("row", 1)), ["c"], every));
  };
  assert.equal(third(row(element("a", { grow: true }), element("b", { width: "30%" }))), "[a+ c+ b:30%]");
  assert.equal(third(row(element("a"), element("b"))), "[a c b]");
  assert.equal(third({ ...row(element("a", { grow: true })), props: { orientation: "vertical" } }), "[a+ c]");
});

test("a row that is left with one element is that element again", () => {
  const start = dropped(letter(element("a", { pageBreakBefore: true }), element("b"), element("c")), "b", "a", true);
  const out = placed(start, move(start, ["b"], at(null, 2)), ["b"], every);
  assert.equal(seen(out), "a c b");
  assert.equal(find(out, "a")!.node.props!.pageBreakBefore, true);
  assert.equal(seen(settled(start, remove(start, ["a"]))), "b c");
  assert.equal(seen(settled(start, remove(start, ["a", "b"]))), "c", "one that is left with none goes");
  assert.equal(seen(dropped(start, "b", "c", false)), "a [b+ c+]", "from one row into the next");
});

test("a row that its author gave a look or a name stays", () => {
  const own = (more: Partial<Node>): Report => letter({ id: "row", type: "flow", props: { gap: "16px" }, children: [element("a", { grow: true }), element("b", { width: "50%" })], ...more });
  for (const more of [{ name: "Heads" }, { props: { gap: "16px", background: "#eee" } }, { props: {} }, { repeat: { source: "$data.rows" } }]) {
    const start = own(more);
    assert.equal(seen(settled(start, remove(start, ["a"]))), "[b:50%]", JSON.stringify(more));
  }
  assert.equal(seen(settled(own({}), remove(own({}), ["a"]))), "b");
});

test("a row that loses the element that filled it stays filled", () => {
  const start = letter({ id: "row", type: "flow", props: { gap: "16px" }, children: [element("a", { width: "30%" }), element("b", { grow: true }), element("c", { width: "20%" })] });
  assert.equal(seen(settled(start, remove(start, ["b"]))), "[a:30% c+]");
  assert.equal(seen(settled(start, remove(start, ["c"]))), "[a:30% b+]");
});

test("nothing that stays where it is changes", () => {
  const start = dropped(letter(element("a"), element("b"), element("c")), "b", "a", true);
  assert.equal(placed(start, move(start, ["c"], at(null, 2)), ["c"], every), start);
  const row = start.pages[0]!.elements![0]!;
  assert.equal(drawn(released(row)), "a b");
  const more = insert(start, at(row.id, 2), [element("d")]);
  assert.equal(seen(placed(start, more, ["d"], every)), "[a+ b+ d+] c");
});
