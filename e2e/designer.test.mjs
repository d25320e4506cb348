// The designer, in a real browser against the real service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { add, openDesigner, place, reports } from "./designing.mjs";
import { api } from "./service.mjs";

test("a report is built from an empty page", async (t) => {
  const { page, stored, saved, canvas, faults } = await openDesigner(t);
  await page.getByText("This page is empty.").waitFor();
  await add(page, "Heading");
  await canvas.getByRole("heading", { name: "Heading" }).waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Offer for {$params.customer|a good customer}");
  await canvas.getByRole("heading", { name: "Offer for a good customer" }).waitFor();
  await add(page, "Paragraph");
  await page.getByLabel("Text", { exact: true }).fill("Thank you for asking.");
  await canvas.getByText("Thank you for asking.").waitFor();
  await saved();
  const [first, paragraph] = (await stored()).pages[0].elements;
  assert.equal(first.props.title, "Offer for {$params.customer|a good customer}");
  assert.deepEqual([paragraph.type, paragraph.props.text], ["paragraph", "Thank you for asking."]);

  // A click on the page selects what is under it.
  const heading = await place(canvas.getByRole("heading"));
  await page.mouse.click(heading.x + 20, heading.y + heading.height / 2);
  await page.getByRole("heading", { name: "Heading", level: 2 }).waitFor();
  const frame = await place(page.locator(".d-selected"));
  assert.ok(Math.abs(frame.x - heading.x) < 2 && Math.abs(frame.y - heading.y) < 2, `${JSON.stringify(frame)} around ${JSON.stringify(heading)}`);
  assert.deepEqual(faults, []);
});

test("everything is undone, step by step, to the same report", async (t) => {
  const { page, stored, saved } = await openDesigner(t);
  await add(page, "Text");
  await saved();
  const before = JSON.stringify(await stored());
  let steps = 0;
  for (const name of ["Heading", "Paragraph", "Flow", "Text", "Separator", "Badge"]) {
    await add(page, name);
    steps++;
  }
  for (const key of ["Alt+ArrowUp", "Control+d", "Delete"]) {
    await page.locator(".d-canvas").focus();
    await page.keyboard.press(key);
    steps++;
  }
  await page.getByRole("tab", { name: "Pages" }).click();
  await page.getByRole("button", { name: "Add page" }).click();
  steps++;
  await saved();
  assert.notEqual(JSON.stringify(await stored()), before);
  for (let i = 0; i < steps; i++) await page.keyboard.press("Control+z");
  await saved();
  assert.equal(JSON.stringify(await stored()), before);
  for (let i = 0; i < steps; i++) await page.keyboard.press("Control+y");
  await saved();
  assert.equal((await stored()).pages.length, 2);
});

test("elements are pasted into another report", async (t) => {
  const { page, context, service, saved, stored } = await openDesigner(t);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await add(page, "Heading");
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Control+c");
  await saved();
  const other = await (await api(service, "POST", reports, { name: "Other" })).json();
  await page.goto(`${service.url}/ws/demo/reports/${other.id}/design`);
  await page.getByRole("region", { name: "Components" }).waitFor();
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Control+v");
  await saved();
  const there = (await (await api(service, "GET", `${reports}/${other.id}`)).json()).definition;
  assert.equal(there.pages[0].elements[0].props.title, (await stored()).pages[0].elements[0].props.title);
});

test("a lost connection loses nothing", async (t) => {
  const { page, context, stored, saved } = await openDesigner(t);
  await context.setOffline(true);
  await add(page, "Heading");
  await page.getByText("Not connected").waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Kept");
  await context.setOffline(false);
  await saved();
  assert.equal((await stored()).pages[0].elements[0].props.title, "Kept");
});

test("edits survive a closed tab", async (t) => {
  const { page, context, stored, saved } = await openDesigner(t);
  await context.setOffline(true);
  await add(page, "Heading");
  await page.getByText("Not connected").waitFor();
  const address = page.url();
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(address);
  await again.getByText("Edits that had not been saved are back.").waitFor();
  await again.getByText("Saved", { exact: true }).waitFor();
  assert.equal((await stored()).pages[0].elements[0].type, "heading");
});

test("two people edit: the later one is told and chooses", async (t) => {
  const { service, page, report, stored, saved } = await openDesigner(t);
  await add(page, "Heading");
  await saved();
  const { definition, revision } = await (await api(service, "GET", `${reports}/${report.id}`)).json();
  const theirs = { ...definition, title: "Theirs" };
  await api(service, "PUT", `${reports}/${report.id}`, theirs, { "If-Match": `"${revision}"` });
  await page.getByLabel("Title", { exact: true }).fill("Mine");
  await page.getByRole("alert").getByText("has saved this report meanwhile").waitFor();
  await page.getByRole("button", { name: "Keep mine" }).click();
  await saved();
  assert.equal((await stored()).pages[0].elements[0].props.title, "Mine");
});

test("data becomes a table and a text", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t);
  await page.getByRole("tab", { name: "Data" }).click();
  const data = page.getByRole("region", { name: "Data", exact: true });
  await data.getByLabel("Type of data source").selectOption({ label: "JSON" });
  await data.getByRole("button", { name: "Add data source" }).click();
  await page.getByLabel("Name", { exact: true }).fill("shop");
  await page.getByLabel(/^Content/).fill(JSON.stringify({ owner: "Ana", orders: [{ article: "Chair", amount: 690 }, { article: "Table", amount: 1356 }] }));
  await page.getByLabel("Name", { exact: true }).focus();
  await data.getByRole("button", { name: /owner/ }).click();
  await canvas.getByText("Ana").waitFor();
  await data.getByRole("button", { name: "Table of 2 columns" }).click();
  await canvas.getByRole("columnheader", { name: "Article" }).waitFor();
  await canvas.getByRole("cell", { name: "1,356" }).waitFor();
  await saved();
  const report = await stored();
  assert.equal(report.dataSources[0].name, "shop");
  assert.deepEqual(report.pages[0].elements.map((e) => e.type), ["text", "data-table"]);
  assert.deepEqual(faults, []);
});

test("an earlier version is compared and restored", async (t) => {
  const { service, page, report, canvas, stored, saved } = await openDesigner(t);
  await add(page, "Heading");
  await saved();
  // Somebody else's save closes the sitting, so that there are two versions.
  const read = await (await api(service, "GET", `${reports}/${report.id}`)).json();
  const changed = structuredClone(read.definition);
  changed.pages[0].elements[0].props.title = "Changed";
  await api(service, "PUT", `${reports}/${report.id}`, changed, { "If-Match": `"${read.revision}"` });
  await page.reload();
  await canvas.getByRole("heading", { name: "Changed" }).waitFor();
  await page.getByRole("button", { name: "Versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  await dialog.getByRole("button", { name: "Compare" }).last().click();
  await dialog.getByText(/Added: heading “Changed”/).waitFor();
  await dialog.getByRole("button", { name: "Restore" }).last().click();
  await page.getByText("This page is empty.").waitFor();
  await saved();
  assert.deepEqual((await stored()).pages[0].elements ?? [], []);
  await page.keyboard.press("Control+z");
  await canvas.getByRole("heading", { name: "Changed" }).waitFor();
});
