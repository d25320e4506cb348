import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component, Setting } from "./api";
import { beginning, nearest, pageFields } from "./insertables";

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

test("components are found by what they are called, and by the names of their types", () => {
  const german = [
    { name: "heading", label: "Überschrift" },
    { name: "data-table", label: "Datentabelle" },
    { name: "table", label: "Tabelle" },
    { name: "qr-code", label: "QR-Code" },
  ];
  const found = (typed: string) => nearest(typed, german).map((c) => c.name);
  assert.deepEqual(found(""), ["heading", "data-table", "table", "qr-code"]);
  assert.equal(found("tab")[0], "table");
  assert.equal(found("übers")[0], "heading");
  assert.equal(found("head")[0], "heading");
  assert.equal(found("data ta")[0], "data-table");
  assert.equal(found("qrc")[0], "qr-code");
  assert.deepEqual(found("invoice"), []);
});

test("pages say their number, the date and whose they are", () => {
  const made = (files: string[]) => pageFields(files).map((i) => [i.label, i.make()] as const);
  const [number, numbers, date, logo, ...more] = made(["chair.svg", "halden-logo.svg"]);
  assert.deepEqual(number, ["Page number", { id: "", type: "text", props: { text: "{$page.number}" } }]);
  assert.deepEqual(numbers, ["Page X / Y", { id: "", type: "text", props: { text: "{$page.number} / {$report.pageCount}" } }]);
  assert.deepEqual(date, ["Today's date", { id: "", type: "date-time", props: { dateFormat: "d" } }]);
  assert.deepEqual([logo![0], logo![1].props!.imageUrl], ["Logo", "halden-logo.svg"]);
  assert.deepEqual(more, []);
  assert.deepEqual(made(["Logo-a.svg", "b.logo.png"]).slice(3).map(([label, n]) => [label, n.props!.imageUrl]), [["Logo Logo-a.svg", "Logo-a.svg"], ["Logo b.logo.png", "b.logo.png"]]);
  assert.equal(made([])[3]![1].props!.imageUrl, undefined, "without a picture there is a place for one");
});
