// Fields are chosen, not typed from memory: B4 of the findings on the screens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, drag, openDesigner, unfold } from "./designing.mjs";
import { until } from "./service.mjs";

const content = { number: "R-17", customer: { name: "Ana" }, lines: [{ item: "Chair", price: 10 }, { item: "Lamp", price: 5, sold: "2026-11-02" }] };
const definition = (elements) => ({ version: 1, name: "F", dataSources: [{ name: "invoice", type: "json", settings: { content } }], pages: [{ id: 1, name: "One", elements }] });
const settings = (page) => page.getByRole("complementary", { name: "Settings" });
const choose = (page, name) => page.getByRole("region", { name: "Outline" }).getByRole("button", { name }).click();

test("a source, a field of its rows and a group are found by a few letters", async (t) => {
  const chart = { id: "c", type: "generic-chart", props: { height: "160px", series: [{ chartType: "column" }] } };
  const table = { id: "t", type: "data-table", props: { source: "$data.invoice.lines", groups: [{}], columns: [{ field: "item" }] } };
  const { page, stored, canvas, faults } = await openDesigner(t, { name: "F", definition: definition([chart, table]) });
  await canvas.getByText("Chair").first().waitFor();
  await choose(page, /^Chart/);
  const source = settings(page).getByRole("combobox", { name: "Data source", exact: true }).first();
  await source.click();
  await page.keyboard.type("lin");
  await page.getByRole("option", { name: "$data.invoice.lines" }).waitFor();
  await page.keyboard.press("Enter");
  const props = async (i) => (await stored()).pages[0].elements[i].props;
  await until(async () => (await props(0)).source === "$data.invoice.lines", "the source is not chosen");
  await unfold(page, /^Series 1/);
  const x = settings(page).getByRole("combobox", { name: "X field", exact: true });
  await x.click();
  await page.getByRole("option", { name: /^item\s*Chair/ }).waitFor();
  await page.getByRole("option", { name: /^sold\s*2026-11-02/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const y = settings(page).getByRole("combobox", { name: "Y field", exact: true });
  await y.click();
  await page.keyboard.type("prc");
  await page.getByRole("option", { name: "price" }).click();
  await until(async () => JSON.stringify((await props(0)).series) === '[{"chartType":"column","xField":"item","yField":"price"}]', "the fields are not chosen");
  await canvas.locator("svg text", { hasText: "Lamp" }).waitFor();

  await choose(page, /^Data table/);
  const groups = page.locator("fieldset", { has: page.locator("legend", { hasText: /^Groups$/ }) });
  await groups.locator("summary").first().click();
  await groups.getByRole("combobox", { name: "Field", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox", { name: "What there is" }).waitFor({ state: "detached" });
  await page.keyboard.type("it");
  await page.keyboard.press("Enter");
  await until(async () => (await props(1)).groups[0].field === "item", "the group is not chosen");
  assert.deepEqual(faults, []);
});

test("{num finds the number of the invoice, in the panel and on the canvas", async (t) => {
  const { page, stored, canvas, faults } = await openDesigner(t, { name: "F", definition: definition([{ id: "x", type: "text", props: { text: "Hello" } }]) });
  await canvas.getByText("Hello").waitFor();
  await choose(page, /^Text/);
  await page.getByRole("region", { name: "Canvas" }).focus();
  await page.keyboard.press("F2");
  await page.keyboard.press("End");
  await page.keyboard.type(" {num");
  await page.getByRole("option", { name: /\$data\.invoice\.number\s*R-17/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  const text = async () => (await stored()).pages[0].elements[0].props.text;
  await until(async () => (await text()) === "Hello {$data.invoice.number}!", "the path is not written on the canvas");
  await canvas.getByText("Hello R-17!").waitFor();

  const field = settings(page).getByRole("textbox", { name: "Text", exact: true });
  await field.click();
  await page.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" {cust", { delay: 30 });
  await page.getByRole("option", { name: /customer\.name/ }).waitFor();
  await page.waitForTimeout(150); // the list takes keys only after a moment
  await page.keyboard.press("Enter");
  await until(async () => (await text()).startsWith("Hello {$data.invoice.number}! {$data.invoice.customer.name"), "the path is not written in the panel");
  assert.deepEqual(faults, []);
});

test("a heading is referred to by its words, in the panel and on the canvas", async (t) => {
  const elements = [{ id: "x", type: "text", props: { text: "See page" } }, { id: "h", type: "heading", props: { level: "H1", title: "What it costs" } }];
  const { page, stored, canvas, faults } = await openDesigner(t, { name: "F", definition: definition(elements) });
  await canvas.getByText("See page").waitFor();
  await choose(page, /^Text/);
  await page.getByRole("region", { name: "Canvas" }).focus();
  await page.keyboard.press("F2");
  await page.keyboard.press("End");
  await page.keyboard.type(" {costs");
  await page.getByRole("option", { name: /page of What it costs/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const text = async () => (await stored()).pages[0].elements[0].props.text;
  await until(async () => (await text()) === "See page {['h-What it costs']:pageOf}", "the reference is not written on the canvas");
  await canvas.getByText("See page 1").waitFor();

  await settings(page).getByRole("textbox", { name: "Text", exact: true }).click();
  await page.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(", {titleof", { delay: 30 });
  await page.getByRole("option", { name: /words of What it costs/ }).waitFor();
  await page.waitForTimeout(150); // the list takes keys only after a moment
  await page.keyboard.press("Enter");
  await canvas.getByText("See page 1, What it costs").waitFor();
  assert.deepEqual(faults, []);
});

test("the fields of a list are dragged onto a table, a chart, a field and the page", async (t) => {
  const chart = { id: "c", type: "generic-chart", props: { source: "$data.invoice.lines", height: "160px", altText: "x", series: [{ chartType: "column" }] } };
  const table = { id: "t", type: "data-table", props: { source: "$data.invoice.lines", groups: [{}], columns: [{ field: "item", title: "Thing" }] } };
  const { page, stored, canvas, faults } = await openDesigner(t, { name: "F", definition: definition([table, chart]) });
  await canvas.getByText("Thing").waitFor();
  await page.getByRole("tab", { name: "Data" }).click();
  const data = page.getByRole("region", { name: "Data", exact: true });
  const field = (name) => data.getByRole("button", { name: new RegExp(`^${name}`) });
  const props = async (i) => (await stored()).pages[0].elements[i].props;

  await drag(page, await at(field("price")), await at(canvas.getByText("Thing")));
  await until(async () => JSON.stringify((await props(0)).columns) === '[{"field":"item","title":"Thing"},{"field":"price","title":"Price"}]', "the table has no column of it");

  const svg = canvas.locator("[data-id=c]").first();
  await drag(page, await at(field("item")), await at(svg));
  await until(async () => (await props(1)).series?.[0].xField === "item", "the chart has no axis of it");
  await drag(page, await at(field("price")), await at(svg));
  await until(async () => (await props(1)).series?.[0].yField === "price", "the chart has no values of it");

  await choose(page, /^Data table/);
  const groups = page.locator("fieldset", { has: page.locator("legend", { hasText: /^Groups$/ }) });
  await groups.locator("summary").first().click();
  await groups.getByRole("combobox", { name: "Field", exact: true }).scrollIntoViewIfNeeded();
  await drag(page, await at(field("item")), await at(groups.getByRole("combobox", { name: "Field", exact: true })));
  await until(async () => (await props(0)).groups[0].field === "item", "the group has no field");

  const sheet = await at(canvas.locator(".q-page").first(), 0.5, 0.6);
  await drag(page, await at(field("sold")), sheet);
  await until(async () => (await stored()).pages[0].elements[2]?.props.columns?.[0].field === "sold", "there is no new table");
  assert.deepEqual(faults, []);
});

test("where a value comes from is told of what is selected, and of nothing else", async (t) => {
  const table = { id: "t", type: "data-table", props: { source: "$data.invoice.lines", columns: [{ field: "item" }, { field: "price" }] } };
  const { page, canvas, faults } = await openDesigner(t, { name: "F", definition: definition([table, { id: "x", type: "text", props: { text: "Hello" } }]) });
  const origin = page.getByRole("button", { name: "from $data.invoice.lines[0].item" });
  const chair = await at(canvas.getByText("Chair"));
  await page.mouse.click(chair.x, chair.y);
  await origin.waitFor();
  await choose(page, /^Text/);
  await origin.waitFor({ state: "detached" });
  await choose(page, /^Data table/);
  assert.equal(await origin.count(), 0, "the table is from no single value");
  await page.mouse.click(chair.x, chair.y, { button: "right" });
  await page.getByRole("menuitem", { name: "Where does this come from?" }).click();
  await page.getByRole("dialog", { name: "Where this comes from" }).getByText("$data.invoice.lines[0].item").waitFor();
  assert.deepEqual(faults, []);
});
