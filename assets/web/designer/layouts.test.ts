import assert from "node:assert/strict";
import { test } from "node:test";
import { allIdentified, isLayouts, layoutOfPage, layoutsOf, ownTemplate, withLayouts, withoutTemplate, withTemplate } from "./layouts";
import { insert, type Report, slotsOf } from "./model";

const letter = (more: Partial<Report> = {}): Report => ({
  name: "Letter",
  pages: [
    { id: 4, name: "One", elements: [{ id: "el1", type: "text" }] },
    { id: 7, name: "Two", pageType: "Landscape" },
    { id: 9, name: "Three", pageType: "landscape" },
  ],
  ...more,
});
const bank = { name: "Bank", code: "bank", theme: "dark", layouts: [{ margin: { top: "9mm" }, header: [{ id: "", type: "text", props: { text: "Bank" } }] }, { pageType: "landscape", orientation: "landscape" }] };

test("a report has a template of its own when it brings along the one that it names, or names none", () => {
  assert.equal(ownTemplate(letter()), -1);
  assert.equal(ownTemplate(letter({ template: "bank" })), -1);
  const carries = { include: { templates: [{ name: "A", code: "a" }, bank] } };
  assert.equal(ownTemplate(letter(carries)), 0);
  assert.equal(ownTemplate(letter({ ...carries, template: "BANK" })), 1);
  assert.equal(ownTemplate(letter({ ...carries, template: "c" })), -1);
});

test("its layouts are edited as pages, by the first page that each lays out, and the pages stay", () => {
  const report = withTemplate(letter({ template: "bank", include: { themes: [{ code: "x" }] } }), bank);
  const view = layoutsOf(report);
  assert.ok(isLayouts(view) && !isLayouts(report));
  assert.deepEqual(view.pages.map((p) => [p.id, p.name]), [[4, "Layout 1"], [7, "landscape"]]);
  assert.deepEqual([4, 7, 9, 5].map((id) => layoutOfPage(report, id)), [0, 1, 1, -1]);
  const header = slotsOf(view.pages[0]!).find(([slot]) => slot === "header")![1];
  assert.match(header[0]!.id, /^tpl/, "an element without an id got one");
  const edited = insert(view, { page: 1, slot: "footer", parent: null, index: 0 }, [{ id: "n", type: "text" }]);
  const after = withLayouts(report, { ...edited, name: "Renamed" });
  assert.equal(after.name, "Renamed");
  assert.equal(after.pages, report.pages);
  const [own] = (after.include as { templates: (typeof bank)[]; themes: unknown[] }).templates;
  assert.deepEqual(own!.layouts[1], { pageType: "landscape", orientation: "landscape", body: [{ id: "content-2", type: "content-placeholder" }], footer: [{ id: "n", type: "text" }] });
  assert.deepEqual([own!.theme, own!.layouts[0]!.margin], ["dark", { top: "9mm" }]);
  assert.deepEqual((after.include as { themes: unknown }).themes, [{ code: "x" }]);
});

test("without it the report is as it was", () => {
  assert.deepEqual(withoutTemplate(withTemplate(letter({ template: "bank" }), bank)), letter({ template: "bank" }));
  const themed = letter({ include: { themes: [1], templates: [{ name: "A", code: "a" }] } });
  assert.deepEqual(withoutTemplate(withTemplate({ ...themed, template: "bank" }, bank)).include, themed.include);
});

test("ids that are there stay, and what has all of them is not changed", () => {
  const once = allIdentified(withTemplate(letter(), bank));
  assert.deepEqual(allIdentified(once), once);
});
