// The designer, in a real browser against the real service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as flaws } from "./axe.mjs";
import { add, openDesigner, place, reports, unfold } from "./designing.mjs";
import { api, until } from "./service.mjs";

test("a report is built from an empty page", async (t) => {
  const { page, stored, saved, canvas, faults } = await openDesigner(t);
  await page.getByText("This page is empty.").waitFor();
  const hint = page.locator(".d-nothing");
  await hint.getByText("press / and choose it by name").waitFor();
  await add(page, "Heading");
  await canvas.getByRole("heading", { name: "Heading" }).waitFor();
  await hint.waitFor({ state: "detached" });
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
  const offer = again.getByRole("status").filter({ hasText: "that were never saved" });
  await offer.getByRole("button", { name: "Compare" }).click();
  await offer.getByText("Added: heading").waitFor();
  await offer.getByRole("button", { name: "Restore" }).click();
  await again.getByText("Saved", { exact: true }).waitFor();
  assert.equal(await offer.count(), 0);
  await again.getByText("Saved", { exact: true }).waitFor();
  assert.equal((await stored()).pages[0].elements[0].type, "heading");
});

test("a reload goes on with what had not been saved", async (t) => {
  const { page, context, stored } = await openDesigner(t);
  await page.route("**/api/ui/ws/*/reports/*", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await add(page, "Heading");
  await page.getByText("Not connected").waitFor();
  await page.reload();
  await page.getByText("Edits that had not been saved are back.").waitFor();
  await page.unroute("**/api/ui/ws/*/reports/*");
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.equal((await stored()).pages[0].elements[0].type, "heading");
  assert.deepEqual(await context.pages()[0].evaluate(() => Object.keys(localStorage).filter((k) => k.startsWith("quire-draft") && !k.endsWith("-params"))), []);
});

test("a draft is offered although somebody else has saved meanwhile", async (t) => {
  const { service, page, report, context, stored } = await openDesigner(t);
  await page.route("**/api/ui/ws/*/reports/*", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await add(page, "Heading");
  await page.getByText("Not connected").waitFor();
  const address = page.url();
  await page.close();
  await saveAs(service, report, (definition) => ({ ...definition, subject: "by another" }));
  const again = await context.newPage();
  await again.goto(address);
  await again.getByRole("button", { name: "Restore" }).click();
  await again.getByText("Saved", { exact: true }).waitFor();
  const { subject, pages } = await stored();
  assert.deepEqual([subject, pages[0].elements[0].type], ["by another", "heading"]);
});

/** Saves a report as another person does. */
async function saveAs(service, report, change) {
  const { definition, revision } = await (await api(service, "GET", `${reports}/${report.id}`)).json();
  await api(service, "PUT", `${reports}/${report.id}`, change(definition), { "If-Match": `"${revision}"` });
}

/** Loads the page again so that it does not hear of others before it saves. */
async function unheard(page) {
  await page.route(/\/events(\?|$)/, (route) => route.abort());
  await page.reload();
  await page.getByRole("region", { name: "Components" }).waitFor();
}

test("two people edit: what touches different settings is merged", async (t) => {
  const { service, page, report, stored, saved } = await openDesigner(t);
  await unheard(page);
  await add(page, "Heading");
  await add(page, "Paragraph");
  await saved();
  await saveAs(service, report, (d) => ({ ...d, subject: "Theirs", pages: [{ ...d.pages[0], elements: d.pages[0].elements.map((e) => (e.type === "heading" ? { ...e, props: { title: "Their title" } } : e)) }] }));
  await page.getByLabel("Text", { exact: true }).fill("My text");
  await page.getByText("Not saved yet").waitFor();
  await saved();
  const { subject, pages } = await stored();
  assert.deepEqual([subject, pages[0].elements[0].props.title, pages[0].elements[1].props.text], ["Theirs", "Their title", "My text"]);
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Control+z");
  await page.getByText("Not saved yet").waitFor();
  await saved();
  const undone = await stored();
  assert.deepEqual([undone.subject, undone.pages[0].elements[0].props.title], ["Theirs", "Their title"], "undo takes back nothing of the others");
  assert.notEqual(undone.pages[0].elements[1].props.text, "My text");
});

test("two people edit the same: the later one sees both sides and chooses", async (t) => {
  const { service, page, report, stored, saved } = await openDesigner(t);
  await unheard(page);
  await add(page, "Heading");
  await saved();
  await saveAs(service, report, (d) => ({ ...d, subject: "Kept", pages: [{ ...d.pages[0], elements: [{ ...d.pages[0].elements[0], props: { title: "Theirs" } }] }] }));
  await page.getByLabel("Title", { exact: true }).fill("Mine");
  await page.getByRole("alert").getByText("Root has saved this meanwhile").waitFor();
  await page.getByRole("button", { name: "See both sides" }).click();
  const dialog = page.getByRole("dialog", { name: "Two people changed the same" });
  await dialog.getByRole("group", { name: "Heading › Title" }).waitFor();
  await dialog.locator("label", { hasText: "Theirs" }).click();
  assert.ok(await dialog.locator("label", { hasText: "Theirs" }).getByRole("radio").isChecked());
  await page.keyboard.press("ArrowLeft"); // back to mine
  await dialog.getByRole("button", { name: "Keep what is chosen" }).click();
  await saved();
  const { subject, pages } = await stored();
  assert.deepEqual([subject, pages[0].elements[0].props.title], ["Kept", "Mine"]);
});

test("a half-filled form is saved, and its fault stands at its field", async (t) => {
  const { service, page, report, stored, saved, canvas } = await openDesigner(t, {
    name: "Half",
    definition: {
      version: 1,
      name: "Half",
      dataSources: [{ name: "rows", type: "json", settings: { content: [{ c: "A", v: 1 }] } }],
      pages: [{ id: 1, name: "One", elements: [{ id: "chart", type: "generic-chart", props: { source: "$data.rows", height: "180px", transform: [{ type: "group", by: [{ field: "c" }], aggregates: [] }], series: [{ chartType: "column", xField: "c", yField: "v" }] } }] }],
    },
  });
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /chart/i }).click();
  const settings = page.getByRole("complementary", { name: "Settings" });
  await (await unfold(page, /^1\./)).getByRole("button", { name: "Add calculation" }).click();
  await settings.getByText("sum needs a field").first().waitFor();
  const stale = page.getByRole("status").filter({ hasText: "the last state that could be drawn" });
  await stale.getByText("sum needs a field").waitFor();
  await saved();
  assert.equal((await stored()).pages[0].elements[0].props.transform[0].aggregates.length, 1);
  await assert.rejects(api(service, "POST", `/api/v1/ws/demo/reports/${report.id}/pdf`, {}), /needs a field/, "an export says it");
  await add(page, "Heading");
  await page.getByLabel("Title", { exact: true }).fill("Saved all the same");
  await saved();
  assert.equal((await stored()).pages[0].elements.at(-1).props.title, "Saved all the same");
  await page.reload();
  const rest = page.getByRole("status").filter({ hasText: "what can be drawn" });
  await rest.getByText("sum needs a field").waitFor();
  await canvas.getByText("Saved all the same").waitFor();
  await rest.getByRole("button", { name: "Show" }).click();
  const step = page.locator("details", { has: page.locator(":scope > summary", { hasText: /^1\./ }) });
  await step.getByText("sum needs a field").first().waitFor();
  await settings.getByRole("button", { name: "Remove", exact: true }).last().click();
  await canvas.getByText("Saved all the same").waitFor();
  await rest.waitFor({ state: "detached" });
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
  await until(async () => (await (await api(service, "GET", `${reports}/${report.id}/versions`)).json())[0].pictured, "the version has no picture");
  await page.reload();
  await canvas.getByRole("heading", { name: "Changed" }).waitFor();
  await page.getByRole("button", { name: "Versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  const drawn = (img) => img.evaluate(async (el) => (await el.decode(), el.naturalWidth));
  assert.ok((await drawn(dialog.getByRole("listitem").first().locator("img"))) >= 400);
  await dialog.getByText("1 element added", { exact: true }).waitFor();
  await dialog.getByText("The first that is kept", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Compare" }).last().click();
  await dialog.getByText(/Added: Heading “Changed”/).waitFor();
  assert.ok((await drawn(dialog.getByRole("figure").last().getByRole("img", { name: "Picture of the version" }))) >= 400);
  // A version gets a name, by which it is found and compared.
  await dialog.getByRole("button", { name: "Name", exact: true }).last().click();
  await dialog.getByRole("textbox", { name: "Name of the version" }).fill("Empty page");
  await page.keyboard.press("Enter");
  await dialog.getByText("Empty page", { exact: true }).waitFor();
  await dialog.getByRole("checkbox", { name: "Only those with a name" }).check();
  assert.equal(await dialog.getByRole("button", { name: "Restore" }).count(), 1);
  assert.deepEqual(await flaws(page, "versions"), []);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/versions.png` });
  await dialog.getByRole("checkbox", { name: "Only those with a name" }).uncheck();
  await dialog.getByRole("button", { name: "Name", exact: true }).first().click();
  await dialog.getByRole("textbox", { name: "Name of the version" }).fill("As it was sent");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByText("As it was sent", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  // What has a name stays, though the next save is of the same sitting; any two are compared.
  const sent = await (await api(service, "GET", `${reports}/${report.id}`)).json();
  sent.definition.pages[0].elements[0].props.title = "Later";
  await api(service, "PUT", `${reports}/${report.id}`, sent.definition, { "If-Match": `"${sent.revision}"` });
  await canvas.getByRole("heading", { name: "Later" }).waitFor(); // without a reload
  await page.getByRole("button", { name: "Versions" }).click();
  await dialog.getByRole("button", { name: "Compare" }).first().click();
  await dialog.getByText("Heading “Later”: Title “Changed” became “Later”").waitFor();
  await dialog.getByLabel("Compared with").selectOption({ index: 1 });
  await dialog.getByText(/Added: Heading “Changed”/).waitFor();
  await dialog.getByRole("button", { name: "Restore" }).last().click();
  await page.getByText("This page is empty.").waitFor();
  await saved();
  assert.deepEqual((await stored()).pages[0].elements ?? [], []);
  await page.keyboard.press("Control+z");
  await canvas.getByRole("heading", { name: "Later" }).waitFor();
});

test("the open form of a parameter goes with it, wherever others put it", async (t) => {
  const parameters = [{ name: "year", type: "number" }, { name: "city", type: "text" }];
  const { service, page, report, stored, saved, faults } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", parameters, pages: [{ id: 1, name: "One", elements: [] }] } });
  await page.getByRole("tab", { name: "Parameters" }).click();
  const form = page.getByRole("region", { name: "Parameters" });
  const opener = (name) => form.getByRole("button", { name: new RegExp(`^${name}`) });
  await opener("city").click();
  await form.getByLabel("Label", { exact: true }).focus();
  await saveAs(service, report, (d) => ({ ...d, parameters: [{ name: "first", type: "text" }, ...d.parameters] }));
  await opener("first").waitFor();
  assert.equal(await opener("city").getAttribute("aria-expanded"), "true");
  assert.equal(await opener("year").getAttribute("aria-expanded"), "false");
  await page.keyboard.type("City"); // it kept the caret
  await saved();
  assert.deepEqual((await stored()).parameters.map((p) => [p.name, p.label]), [["first", undefined], ["year", undefined], ["city", "City"]]);
  await saveAs(service, report, (d) => ({ ...d, parameters: d.parameters.slice(0, 2) }));
  await form.getByRole("button", { name: /^City/ }).waitFor({ state: "detached" });
  assert.equal(await form.locator("[aria-expanded=true]").count(), 0);
  assert.deepEqual(faults, []);
});
