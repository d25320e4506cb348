import assert from "node:assert/strict";
import { test } from "node:test";
import type { Setting } from "./api";
import { lookCopied, lookPasted, withLook } from "./copylook";
import { find, type Node } from "./model";

const setting = (name: string, group = "", values?: string[]): Setting => ({ name, shape: "string", ...(group ? { group } : {}), ...(values ? { enum: values } : {}) });
const font = ["fontSize", "color"].map((name) => setting(name, "Font"));
const box = ["width", "margin", "background", "pageBreakBefore", "grow"].map((name) => setting(name, "Box"));
const paragraph = [setting("text"), setting("textAlign", "", ["", "left", "right", "justify"]), ...font, ...box];
const heading = [setting("title"), setting("textAlign", "", ["", "left", "right"]), ...font, ...box];
const image = [setting("imageUrl"), ...box];

const node = (id: string, type: string, props: Record<string, unknown>): Node => ({ id, type, props });

test("a look is the font, the ground and the side, not what is said, where and how large", () => {
  const from = node("a", "paragraph", { text: "Sum", color: "red", background: "#eee", width: "50mm", margin: "4px", pageBreakBefore: true, grow: true, textAlign: "right" });
  assert.deepEqual(lookCopied(from, paragraph), { textAlign: "right", fontSize: undefined, color: "red", background: "#eee" });
});

test("who takes a look over loses the own one, and has only what there are settings for", () => {
  const look = { textAlign: "justify", fontSize: undefined, color: "red", background: "#eee" };
  assert.deepEqual(withLook(node("b", "heading", { title: "Offer", fontSize: "20pt", width: "30mm", textAlign: "right" }), heading, look).props, { title: "Offer", width: "30mm", textAlign: "right", color: "red", background: "#eee" });
  assert.deepEqual(withLook(node("c", "img", { imageUrl: "logo.png" }), image, look).props, { imageUrl: "logo.png", background: "#eee" });
});

test("several elements take it at once", () => {
  const report = { name: "", pages: [{ id: 1, name: "", elements: [node("a", "heading", {}), node("b", "paragraph", {}), node("c", "paragraph", {})] }] };
  const after = lookPasted(report, ["a", "c"], (type) => (type === "heading" ? heading : paragraph), { color: "red" });
  assert.deepEqual(["a", "b", "c"].map((id) => find(after, id)!.node.props?.color), ["red", undefined, "red"]);
});
