import assert from "node:assert/strict";
import { test } from "node:test";
import type { Setting } from "./api";
import { findAll, type Forms, goOnAt, replaced, written } from "./find";
import type { Report } from "./model";

const text = (name: string, more: Partial<Setting> = {}): Setting => ({ name, shape: "string", ...more });
const column: Setting = { name: "", shape: "object", settings: [text("field", { editor: "field" }), text("title"), text("align", { enum: ["left", "right"] }), { name: "content", shape: "array", item: { name: "", shape: "object", editor: "element" } }] };
const kinds: Record<string, Setting[]> = {
  text: [text("text", { means: "text", editor: "template" }), text("color", { editor: "color" })],
  paragraph: [text("content", { editor: "rich-text" })],
  "data-table": [text("source", { editor: "binding" }), { name: "columns", shape: "array", item: column }, { name: "transform", shape: "array", editor: "steps" }],
};
const forms: Forms = {
  element: (type) => kinds[type] ?? [],
  source: () => [text("query", { editor: "code" }), text("password", { editor: "secret" })],
  step: () => [text("expression", { editor: "expression" }), text("function", { enum: ["sum", "amount"] })],
  parameter: [text("name"), text("label"), text("type", { enum: ["text"] })],
};

const offer = (): Report => ({
  name: "Offer",
  pages: [
    {
      id: 1,
      name: "Amounts",
      elements: [
        { id: "amount-1", type: "text", name: "Total amount", visible: "{$data.amount > 0}", props: { text: "Amount: {$data.amount:currency}", color: "amount" } },
        { id: "p", type: "paragraph", props: { content: '<p class="amount">The amount &amp; more</p>' } },
        {
          id: "t",
          type: "data-table",
          repeat: { source: "$data.amounts" },
          props: { source: "$data.rows", columns: [{ field: "amount", title: "Net", align: "amount", content: [{ type: "text", props: { text: "{amount}", color: "amount" } }] }], transform: [{ type: "amount", expression: "amount * 2", function: "amount" }] },
        },
      ],
    },
    { id: 2, name: "Two", placeholders: { side: [{ id: "s", type: "text", props: { text: "data:amount" } }] } },
  ],
  dataSources: [{ name: "rows", type: "sql", settings: { query: "select amount from sales", password: "amount", content: [{ amount: "amount" }] } }],
  parameters: [{ name: "least", label: "Least amount", type: "amount" }],
});

const places = (typed: string, exact = false) => findAll(offer(), typed, forms, exact).map((h) => `${written(h.path)} ${h.at}`);

test("texts, templates, fields, paths and names are found in the order of the page", () => {
  assert.deepEqual(places("amount"), [
    "pages[0].elements[0].name 6",
    "pages[0].elements[0].visible 7",
    "pages[0].elements[0].props.text 0",
    "pages[0].elements[0].props.text 15",
    "pages[0].elements[1].props.content 22",
    "pages[0].elements[2].repeat.source 6",
    "pages[0].elements[2].props.columns[0].field 0",
    "pages[0].elements[2].props.columns[0].content[0].props.text 1",
    "pages[0].elements[2].props.transform[0].expression 0",
    "pages[0].name 0",
    "dataSources[0].settings.query 7",
    "parameters[0].label 6",
  ]);
});

test("capitals count when that is wanted, signs are signs, and nothing finds nothing", () => {
  assert.deepEqual(places("Amount", true), ["pages[0].elements[0].props.text 0", "pages[0].name 0"]);
  assert.deepEqual(places("{$data.amount:"), ["pages[0].elements[0].props.text 8"]);
  assert.deepEqual(places("a.o"), []);
  assert.deepEqual(places(""), []);
});

test("of formatted text only what is read is found, and what is put there is text", () => {
  assert.deepEqual(places("class"), []);
  const hits = findAll(offer(), "amount & more", forms);
  assert.equal(hits.length, 1);
  assert.equal(replaced(offer(), hits, "<sum>").pages[0]!.elements![1]!.props!.content, '<p class="amount">The &lt;sum&gt;</p>');
});

test("replacing all leaves the rest as it is, shared", () => {
  const before = offer();
  const after = replaced(before, findAll(before, "amount", forms), "$&sum");
  assert.equal(after.pages[0]!.elements![0]!.props!.text, "$&sum: {$data.$&sum:currency}");
  assert.deepEqual((after.pages[0]!.elements![2]!.props!.columns as unknown[])[0], { field: "$&sum", title: "Net", align: "amount", content: [{ type: "text", props: { text: "{$&sum}", color: "amount" } }] });
  assert.equal(after.pages[1], before.pages[1]);
  assert.deepEqual(findAll(after, "amount", forms), []);
});

test("replacing one after the other ends, though the new text has the old one in it", () => {
  let report = offer();
  let hits = findAll(report, "amount", forms);
  let at = 0;
  const wanted = hits.length;
  for (let n = 0; n < wanted; n++) {
    const hit = hits[at]!;
    report = replaced(report, [hit], "amount amount");
    hits = findAll(report, "amount", forms);
    at = goOnAt(hits, hit, at, "amount amount");
  }
  assert.equal(at, 0);
  assert.equal(hits.length, 2 * wanted);
  assert.equal(report.pages[0]!.elements![0]!.props!.text, "amount amount: {$data.amount amount:currency}");
});
