import assert from "node:assert/strict";
import { test } from "node:test";
import { changes } from "./compare";
import type { Node, Report } from "./model";

const names = {
  element: (n: Node) => (n.type === "text" ? "Text" : n.type),
  setting: (_: string, name: string) => (name === "text" ? "Text" : name),
  report: (name: string) => (name === "theme" ? "Theme" : name === "parameters" ? "Parameters" : name),
  page: (name: string) => (name === "size" ? "Paper" : name),
};
const text = (id: string, value: string, more: Partial<Node> = {}): Node => ({ id, type: "text", props: { text: value }, ...more });
const report = (elements: Node[], more: Partial<Report> = {}): Report => ({ name: "Offer", pages: [{ id: 1, name: "One", elements }], ...more });
const month = { name: "month", type: "date" };

const cases: { name: string; before: Report; after: Report; told: string[] }[] = [
  { name: "nothing", before: report([text("a", "x")]), after: report([text("a", "x")]), told: [] },
  {
    name: "elements that come, go and differ",
    before: report([text("a", "x"), text("b", "y")]),
    after: report([text("a", "z", { visible: "{$params.all}" }), text("c", "new")]),
    told: ["Text “z”: Text “x” became “z”", "Text “z”: Visible when changed", "Added: Text “new”", "Removed: Text “y”"],
  },
  {
    name: "values that are no texts",
    before: report([{ ...text("a", "x"), props: { text: "x", wrap: true } }]),
    after: report([{ ...text("a", "x"), props: { text: "x", wrap: false, width: "9mm" } }]),
    told: ["Text “x”: wrap yes became no", "Text “x”: width (default) became “9mm”"],
  },
  {
    name: "what moved, beside what else changed",
    before: report([text("a", "x"), text("b", "y"), { id: "row", type: "flow", children: [] }]),
    after: report([text("a", "x"), { id: "row", type: "flow", children: [text("b", "z")] }]),
    told: ["Text “z”: Text “y” became “z”", "Moved: Text “z”"],
  },
  { name: "another order", before: report([text("a", "x"), text("b", "y")]), after: report([text("b", "y"), text("a", "x"), text("c", "z")]), told: ["Added: Text “z”", "Elements were moved"] },
  {
    name: "things with names one by one, others as one",
    before: report([], { theme: "light", parameters: [month, { name: "year" }], columns: [1] }),
    after: report([], { theme: "dark", parameters: [{ ...month, required: true }, { name: "shop" }], columns: [2] }),
    told: ["Report: Theme changed", "Parameters: “shop” added", "Parameters: “month” changed", "Parameters: “year” removed", "Report: columns changed"],
  },
  { name: "the first of a kind", before: report([]), after: report([], { parameters: [month], include: { templates: [] } }), told: ["Parameters: “month” added", "Report: Header, footer and paper changed"] },
  { name: "an order of things", before: report([], { parameters: [month, { name: "year" }] }), after: report([], { parameters: [{ name: "year" }, month] }), told: ["Parameters: another order"] },
  {
    name: "pages",
    before: { name: "Offer", pages: [{ id: 1, name: "One", size: "A4" }, { id: 2, name: "Two" }, { id: 3, name: "" }] },
    after: { name: "Offer", pages: [{ id: 4, name: "New" }, { id: 2, name: "Two" }, { id: 1, name: "One", size: "A5" }] },
    told: ["Added: Page “New”", "Page “One”: Paper changed", "Pages were moved", "Removed: Page “Page 3”"],
  },
];

for (const { name, before, after, told } of cases) test(`changes in words: ${name}`, () => assert.deepEqual(changes(before, after, names), told));
