// A table is worked on where it stands: B2 and B3 of the findings on the screens.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { at, drag, openDesigner, place } from "./designing.mjs";
import { until } from "./service.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const content = [{ item: "Chair", region: "North", units: 2, price: 10.5 }, { item: "Lamp", region: "South", units: 1, price: 4 }, { item: "Table", region: "North", units: 3, price: 99 }];
const table = { id: "t", type: "data-table", props: { source: "$data.rows", columns: [{ field: "item", title: "Item" }, { field: "units", title: "Units" }, { field: "price", title: "Price" }] } };
const definition = { version: 1, name: "T", dataSources: [{ name: "rows", type: "json", settings: { content } }], pages: [{ id: 1, name: "One", elements: [table] }] };

async function openTable(t) {
  const opened = await openDesigner(t, { name: "T", definition });
  const { page, canvas, stored } = opened;
  await canvas.getByText("Chair").waitFor();
  const click = async (where, options) => page.mouse.click((await at(where)).x, (await at(where)).y, options);
  const props = async () => (await stored()).pages[0].elements[0].props;
  const bar = (name) => page.getByRole("toolbar", { name: `Column ${name}` });
  const becomes = (holds, complaint) => until(async () => holds(await props()), complaint);
  return { ...opened, click, props, bar, becomes, head: (name) => canvas.locator("th", { hasText: name }) };
}

test("a click chooses a column, whose bar formats, aligns, totals, groups and sorts", async (t) => {
  const { page, canvas, click, bar, becomes, head, faults } = await openTable(t);
  await click(canvas.getByText("99"));
  await bar("Price").waitFor();
  await click(head("Units"));
  await bar("Units").waitFor();
  await click(head("Price"));
  await bar("Price").getByLabel("Format").selectOption({ label: "Two decimals" });
  await canvas.getByText("10.50").waitFor();
  await bar("Price").getByRole("button", { name: "Centre" }).click();
  await becomes((p) => p.columns[2].align === "center", "it is not aligned");
  await bar("Price").getByLabel("Total").selectOption({ label: "Sum" });
  await canvas.getByText("113.50").waitFor(); // B3: the footer is on by itself
  await bar("Price").getByRole("button", { name: "Sort ascending" }).click();
  await becomes((p) => JSON.stringify(p.transform) === '[{"type":"sort","by":[{"field":"price"}]}]', "it is not sorted");
  await bar("Price").getByRole("button", { name: "Sort descending" }).click();
  await until(async () => /Table/.test(await canvas.locator("tbody tr").first().innerText()), "the largest is not the first");
  await page.evaluate(`${axe}; null`);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document.querySelector(".d-touch"), { iframes: false }));
  assert.deepEqual(violations.map((v) => `${v.id} at ${v.nodes[0].target.join(" ")}`), []);

  await page.getByLabel("Add column").selectOption("region");
  await bar("Region").getByRole("button", { name: "Group by this" }).click();
  await becomes((p) => p.groups?.[0].field === "region" && p.groups[0].footer.enabled === true, "it is not grouped, with its totals");
  await canvas.getByText("109.50").waitFor(); // of the north
  await bar("Region").getByRole("button", { name: "Delete column" }).click();
  await becomes((p) => p.columns.length === 3, "it is still there");
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes((p) => p.columns.length === 4, "undo did not bring it back");
  assert.deepEqual(faults, []);
});

test("a column is renamed, made wider and put elsewhere by hand", async (t) => {
  const { page, canvas, click, becomes, head, faults } = await openTable(t);
  await click(canvas.getByText("Lamp"));
  await click(head("Units"), { clickCount: 2 });
  await page.getByLabel("Title of the column").waitFor();
  await page.keyboard.type("Pieces");
  await page.keyboard.press("Enter");
  await canvas.locator("th", { hasText: "Pieces" }).waitFor();
  await click(head("Item"), { clickCount: 2 });
  await page.keyboard.type("No");
  await page.keyboard.press("Escape");
  await becomes((p) => p.columns[0].title === "Item" && p.columns[1].title === "Pieces", "Escape did not forget");

  const before = await place(head("Item"));
  const edge = { x: before.x + before.width, y: before.y + before.height / 2 };
  await drag(page, edge, { x: edge.x + 60, y: edge.y });
  await becomes((p) => /^\d+px$/.test(p.columns[0].width ?? ""), "it has no width");
  await until(async () => Math.abs((await place(head("Item"))).width - before.width - 61) < 4, "it is not as wide as it was drawn");

  const first = await at(head("Item"));
  await drag(page, await at(head("Price")), { x: first.x - 30, y: first.y });
  await becomes((p) => p.columns.map((c) => c.field).join() === "price,item,units", "it did not move");
  await drag(page, await at(head("Price")), await at(canvas.locator("th").last(), 0.9), ["Escape"]);
  await becomes((p) => p.columns[0].field === "price", "Escape did not leave it where it was");
  assert.deepEqual(faults, []);
});

test("columns are chosen, moved and renamed by keys", async (t) => {
  const { page, canvas, bar, becomes, head, faults } = await openTable(t);
  await page.getByRole("region", { name: "Canvas" }).focus();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const order = (fields) => becomes((p) => p.columns.map((c) => c.field).join() === fields, `the columns are not ${fields}`);
  await press("Control+ArrowRight", "Enter");
  await bar("Item").waitFor();
  await press("ArrowRight");
  await bar("Units").waitFor();
  await press("Alt+ArrowRight");
  await order("item,price,units");
  await bar("Units").waitFor();
  await press("Alt+ArrowRight", "ArrowRight"); // there is nothing beyond the last
  await bar("Units").waitFor();
  await press("F2");
  await page.keyboard.type("Pieces");
  await press("Enter");
  await becomes((p) => p.columns[2].title === "Pieces", "it is not renamed");
  await head("Pieces").waitFor();
  await press("ArrowLeft", "Alt+ArrowLeft"); // the focus is on the page again
  await order("price,item,units");
  await press("Escape");
  await bar("Price").waitFor({ state: "detached" });
  assert.equal(await page.locator("[data-node=t]").getAttribute("aria-pressed"), "true", "the table is left with its column");
  await press("ArrowLeft");
  await bar("Pieces").waitFor();
  assert.ok(await canvas.getByText("Chair").count());
  assert.deepEqual(faults, []);
});
