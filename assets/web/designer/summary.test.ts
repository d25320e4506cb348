import assert from "node:assert/strict";
import { test } from "node:test";
import type { Setting } from "./api";
import type { Node, Report } from "./model";
import { summary } from "./summary";

const setting = (name: string, more: Partial<Setting> = {}): Setting => ({ name, shape: "string", ...more });
const kinds: Record<string, Setting[]> = {
  text: [setting("text", { means: "text" }), setting("color", { editor: "color", group: "Font" }), setting("lang")],
  "data-table": [setting("source", { editor: "binding" }), setting("columns", { editor: "columns" }), setting("width", { group: "Box" })],
};
const known = { settings: (type: string) => kinds[type] ?? [], report: (name: string) => (name === "theme" ? "Theme" : name) };
const text = (id: string, value: string, props = {}): Node => ({ id, type: "text", props: { text: value, ...props } });
const table = (columns: object[], props = {}): Node => ({ id: "t", type: "data-table", props: { source: "$data.rows", columns, ...props } });
const report = (elements: Node[], more: Partial<Report> = {}): Report => ({ name: "Offer", pages: [{ id: 1, name: "One", elements }], ...more });
const [net, sum, tax] = [{ field: "net" }, { field: "sum" }, { field: "tax" }];

const cases: { name: string; before: Report; after: Report; told: string }[] = [
  { name: "nothing", before: report([text("a", "x")]), after: report([text("a", "x")]), told: "" },
  {
    name: "texts, a column and the theme",
    before: report([text("a", "x"), text("b", "y"), text("c", "z"), table([net, sum])]),
    after: report([text("a", "1"), text("b", "2"), text("c", "3"), table([net, { ...sum, title: "Sum" }])], { theme: "dark" }),
    told: "3 texts, 1 column of a table, theme",
  },
  { name: "columns that move are one change, those that come and go are each", before: report([table([net, sum])]), after: report([table([sum, net])]), told: "1 column of a table" },
  { name: "columns that come", before: report([table([net])]), after: report([table([net, sum, tax])]), told: "2 columns of tables" },
  { name: "an element counts once for its look", before: report([table([net]), text("a", "x")]), after: report([table([net], { width: "9mm" }), text("a", "x", { color: "red", lang: "en" })]), told: "look of 2 elements, settings of 1 element" },
  { name: "elements come, go and move", before: report([text("a", "x"), text("b", "y"), text("c", "z")]), after: report([{ id: "box", type: "flow", children: [text("b", "y")] }, text("c", "z")]), told: "1 element added, 1 element removed, 1 element moved" },
  { name: "what comes is told apart from what changes", before: report([text("a", "x")]), after: report([text("a", "y"), text("b", "z")]), told: "1 element added, changed: 1 text" },
  { name: "an order is a move", before: report([text("a", "x"), text("b", "y")]), after: report([text("b", "y"), text("a", "x")]), told: "1 element moved" },
  { name: "what a table is of", before: report([table([net])]), after: report([{ ...table([net], { source: "$data.other" }), repeat: { source: "$data.all" } }]), told: "data of 1 element" },
  {
    name: "pages, data and parameters",
    before: report([], { dataSources: [{ name: "rows" }] }),
    after: { ...report([], { dataSources: [{ name: "orders" }], parameters: [{ name: "month" }, { name: "year" }], include: { templates: [] } }), pages: [{ id: 1, name: "First" }, { id: 2, name: "Two" }] },
    told: "1 page added, changed: settings of 1 page, 1 data source, 2 parameters, header, footer or paper",
  },
];

for (const { name, before, after, told } of cases) test(`versions differ by: ${name}`, () => assert.equal(summary(before, after, known), told));
