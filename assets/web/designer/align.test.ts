import assert from "node:assert/strict";
import { test } from "node:test";
import { acrossOf, alignedAcross, alignedUpright, canAcross, distributable, distributed, type Known, levelable, levelled, marginsFor, uprightOf } from "./align";
import { find, type Node, type Report } from "./model";

const element = (id: string, props: Record<string, unknown> = {}, type = "text"): Node => ({ id, type, props });
const row = (id: string, props: Record<string, unknown>, ...children: Node[]): Node => ({ id, type: "flow", props, children });
const letter = (...elements: Node[]): Report => ({ name: "Letter", pages: [{ id: 1, name: "One", elements }] });
const known = (more: Partial<Known> = {}): Known => ({ fills: () => false, margin: () => "6px 0", leavesRoom: (r) => !r.children!.some((c) => c.props?.grow), has: (type, setting) => type === "text" || setting === "margin", fromRight: false, ...more });
const props = (report: Report, id: string) => find(report, id)!.node.props;

test("margins move an element to a side; those above and below stay", () => {
  for (const [margin, to, becomes] of [
    ["", "left", undefined],
    ["", "center", "0 auto"],
    ["", "right", "0 0 0 auto"],
    ["0 auto", "left", undefined],
    ["0 0 0 auto", "left", undefined],
    ["6px 0 4px", "center", "6px auto 4px"],
    ["6px 2mm", "right", "6px 2mm 6px auto"],
    ["6px 2mm", "left", "6px 2mm"],
  ] as const) assert.equal(marginsFor(margin, to), becomes, JSON.stringify([margin, to]));
});

test("what is narrower than its place is moved by margins, what fills it has its text aligned", () => {
  const report = letter(element("logo", {}, "img"), element("title"));
  const k = known({ fills: (id) => id === "title" });
  const right = alignedAcross(report, ["logo", "title"], "right", k);
  assert.deepEqual(props(right, "logo"), { margin: "6px 0 6px auto" });
  assert.deepEqual(props(right, "title"), { textAlign: "right" });
  assert.equal(acrossOf(right, ["logo", "title"], k), "right");
  const back = alignedAcross(right, ["logo"], "left", k);
  assert.deepEqual(props(back, "logo"), { margin: "6px 0" });
  const wide = known({ fills: () => true });
  assert.equal(canAcross(report, ["logo"], wide), false, "a picture that fills its place has no side to go to");
  assert.equal(alignedAcross(report, ["logo"], "right", wide), report);
});

test("a row says where its elements stand; one that they fill has nothing to share out", () => {
  const loose = letter(row("r", {}, element("a"), element("b")));
  assert.deepEqual(props(alignedAcross(loose, ["a", "b"], "center", known()), "r"), { justifyItems: "center" });
  assert.deepEqual(props(alignedAcross(loose, ["a"], "right", known()), "r"), { justifyItems: "end" });
  assert.deepEqual(props(alignedAcross(loose, ["a"], "left", known({ fromRight: true })), "r"), { justifyItems: "end" });
  assert.deepEqual(props(distributed(loose, ["a"], known()), "r"), { justifyItems: "space-between" });
  assert.deepEqual(props(alignedUpright(loose, ["r"], "middle"), "r"), { alignItems: "center" });
  assert.equal(uprightOf(alignedUpright(loose, ["a"], "bottom"), ["b"]), "bottom");
  const full = letter(row("r", {}, element("a", { grow: true }), element("b")));
  assert.deepEqual(distributable(full, ["a"], known()), []);
  assert.deepEqual(props(alignedAcross(full, ["b"], "center", known()), "b"), { textAlign: "center" });
});

test("the elements of a row are made equally wide, however many of them are selected", () => {
  const report = letter(row("r", { gap: "8px", justifyItems: "space-between" }, element("a", { width: "30mm" }), element("b"), element("c", { grow: true })), element("d"));
  const level = levelled(report, ["a"]);
  assert.deepEqual(["a", "b", "c"].map((id) => props(level, id)), [{ grow: true }, { grow: true }, { grow: true }]);
  assert.deepEqual(props(level, "r"), { gap: "8px" });
  assert.deepEqual(levelable(level, ["a", "b"]), [], "they are so already");
  assert.deepEqual(levelable(report, ["d"]), []);
});
