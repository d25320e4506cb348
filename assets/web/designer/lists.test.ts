import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component, Setting } from "./api";
import { beginning } from "./lists";

const component = (...settings: Setting[]): Component => ({ name: "stamp", label: "Stamp", category: "Text", help: "", icon: "type", settings });

test("a new element says what it is in the setting that means its text", () => {
  const other: Setting = { name: "title", shape: "string", editor: "template" };
  assert.deepEqual(beginning(component(other)), { id: "", type: "stamp" });
  assert.deepEqual(beginning(component(other, { name: "words", shape: "string", editor: "template", means: "text" })).props, { words: "Stamp" });
  for (const editor of ["html", "rich-text"]) assert.deepEqual(beginning(component({ name: "words", shape: "string", editor, means: "text" })).props, { words: "<p>Stamp</p>" });
});

test("a new element whose text is a list begins with one item", () => {
  const item: Setting = { name: "", shape: "object", settings: [{ name: "key", label: "Name", shape: "string", editor: "template" }, { name: "hide", label: "Hide", shape: "string", editor: "expression" }] };
  assert.deepEqual(beginning(component({ name: "rows", shape: "array", means: "text", item })).props, { rows: [{ key: "Name" }] });
});
