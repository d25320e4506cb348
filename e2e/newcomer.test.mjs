// What somebody does in the first hour, each at the moment where a stumble
// would end it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { add, openDesigner, unfold, write } from "./designing.mjs";
import { until } from "./service.mjs";

const settings = (page) => page.getByRole("complementary", { name: "Settings" });

test("a new report is begun from the first page", async (t) => {
  const { service, page, faults } = await openDesigner(t);
  await page.goto(service.url);
  await page.getByRole("link", { name: "New report in" }).first().click();
  await until(() => page.evaluate(() => document.activeElement.id === "new-name"), "the name is not asked for");
  await page.keyboard.type("From the first page");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Components" }).waitFor();
  assert.equal(await page.getByLabel("Name of the report").inputValue(), "From the first page");
  assert.deepEqual(faults, []);
});

for (const type of ["JSON", "CSV", "JavaScript"]) {
  test(`a new ${type} source is no error`, async (t) => {
    const { page, stored, saved, faults } = await openDesigner(t);
    await page.getByRole("tab", { name: "Data" }).click();
    await page.getByLabel("Type of data source").selectOption({ label: type });
    await page.getByRole("button", { name: "Add data source" }).click();
    await until(async () => (await stored()).dataSources?.length === 1, "the source is not saved");
    await saved();
    assert.equal(await page.getByRole("alert").count(), 0);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/\d rows? in /).waitFor();
    assert.deepEqual(faults, []);
  });
}

test("a date is a default as it is picked, and templates are led to it", async (t) => {
  const { page, stored, canvas, faults } = await openDesigner(t);
  await page.getByRole("tab", { name: "Parameters" }).click();
  await page.getByRole("button", { name: "Add parameter" }).click();
  const form = page.getByRole("region", { name: "Parameters" });
  assert.equal(await form.getByText("Lookup source").count(), 0, "a text has no lookup");
  await form.getByLabel("Type", { exact: true }).selectOption("date");
  await form.getByLabel("Default", { exact: true }).fill("2026-11-03");
  await until(async () => (await stored()).parameters?.[0].default === "2026-11-03", "the default is not saved");
  await page.getByRole("tab", { name: "Add" }).click();
  await add(page, "Text");
  await write(page, "Text", "x");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("{", { delay: 30 });
  await page.getByRole("option", { name: "$params" }).waitFor();
  await page.waitForTimeout(150); // the list takes keys only after a moment
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "parameter1" }).waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await until(async () => (await stored()).pages[0].elements?.[0].props.text === "{$params.parameter1}", "the completion did not go on");
  await canvas.getByText("2026").waitFor();
  assert.deepEqual(faults, []);
});

test("a default is a fraction, a range of months, or worked out", async (t) => {
  const parameters = [{ name: "rate", type: "number" }, { name: "span", type: "month-range", default: "2026-05" }, { name: "day", type: "date" }];
  const { page, stored, faults } = await openDesigner(t, { definition: { version: 1, name: "Defaults", parameters, pages: [{ id: 1, name: "One", elements: [] }] } });
  const becomes = (i, wanted) => until(async () => JSON.stringify((await stored()).parameters[i].default) === JSON.stringify(wanted), `parameter ${i} has not the default ${JSON.stringify(wanted)}`);
  await page.getByRole("tab", { name: "Parameters" }).click();
  const form = page.getByRole("region", { name: "Parameters" });
  await form.getByRole("button", { name: /^rate/ }).click();
  await form.getByLabel("Default", { exact: true }).pressSequentially("1.05");
  await becomes(0, 1.05);
  await form.getByRole("button", { name: /^span/ }).click();
  await form.getByLabel("Default, to").fill("2026-07");
  await becomes(1, { from: "2026-05", to: "2026-07" });
  await form.getByRole("button", { name: /^day/ }).click();
  await form.getByRole("button", { name: "Default as a template" }).click();
  await until(() => page.evaluate(() => document.activeElement.labels?.[0]?.textContent === "Default"), "the template is not asked for");
  await page.keyboard.type("{$data.days.0.first}");
  await becomes(2, "{$data.days.0.first}");
  assert.deepEqual(faults, []);
});

test("dots are written where no completion wrote them", async (t) => {
  const { page, stored, faults } = await openDesigner(t);
  await add(page, "Text");
  await write(page, "Text", "x");
  await page.keyboard.type("Only $5... ");
  await until(async () => (await stored()).pages[0].elements?.[0].props.text === "xOnly $5... ", "dots are missing");
  assert.deepEqual(faults, []);
});

test("a picture is brought along and chosen where it is needed", async (t) => {
  const { page, stored, faults } = await openDesigner(t);
  await add(page, "Image");
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>');
  await settings(page).getByLabel("Upload …").setInputFiles({ name: "my-logo.svg", mimeType: "image/svg+xml", buffer });
  const shows = (name) => until(async () => (await stored()).pages[0].elements?.[0].props?.imageUrl === name, `${name} is not shown`);
  await shows("my-logo.svg");
  await until(() => settings(page).getByLabel("Upload …").evaluate((el) => el.value === ""), "the same file cannot be chosen again");
  await settings(page).getByLabel("Choose a picture").selectOption("halden-logo.svg");
  await shows("halden-logo.svg");

  // A file that other reports may show is replaced only when that is meant.
  const asked = new Promise((told) => page.once("dialog", (d) => d.dismiss().then(() => told(d.message()))));
  await settings(page).getByLabel("Upload …").setInputFiles({ name: "my-logo.svg", mimeType: "image/svg+xml", buffer });
  assert.match(await asked, /There is a file my-logo.svg already/);
  await shows("halden-logo.svg");

  // What arrives late goes to the element it was brought for.
  let arrive;
  const held = new Promise((done) => (arrive = done));
  await page.route("**/api/ui/ws/demo/files", (route) => held.then(() => route.continue()));
  await add(page, "Image");
  await until(async () => (await stored()).pages[0].elements.length === 2, "the second picture is not saved");
  await settings(page).getByLabel("Upload …").setInputFiles({ name: "late.svg", mimeType: "image/svg+xml", buffer });
  await page.getByRole("button", { name: /^Image halden-logo/ }).click();
  await until(async () => (await settings(page).getByLabel("Choose a picture").inputValue()) === "halden-logo.svg", "the first picture is not chosen");
  arrive();
  await until(async () => (await stored()).pages[0].elements[1].props?.imageUrl === "late.svg", "the late picture is not shown where it belongs");
  assert.equal((await stored()).pages[0].elements[0].props.imageUrl, "halden-logo.svg");
  assert.deepEqual(faults, []);
});

test("what is added is to be seen, and filled next", async (t) => {
  const { page, stored, canvas, faults } = await openDesigner(t);
  for (let i = 0; i < 3; i++) await add(page, "Data table");
  await settings(page).evaluate((el) => el.scrollTo(0, 400));
  await add(page, "Key-value grid");
  await canvas.getByText("Value", { exact: true }).waitFor();
  await until(() => settings(page).evaluate((el) => el.scrollTop === 0), "the settings do not begin at their top");
  await settings(page).getByRole("button", { name: "Add row" }).click();
  await until(() => page.evaluate(() => document.activeElement.closest("details")?.open), "the new item is not open");
  await page.keyboard.type("Total");
  await until(async () => (await stored()).pages[0].elements.at(-1).props.items?.[1]?.key === "Total", "the key does not go to the new item");
  await settings(page).locator("fieldset > details[open]").getByRole("button", { name: "Remove" }).click();
  await until(() => settings(page).locator("fieldset > details").count().then((n) => n === 1), "the item is not deleted");
  await settings(page).getByRole("button", { name: "Add row" }).click();
  await until(() => page.evaluate(() => document.activeElement.tagName === "INPUT" || document.activeElement.closest(".cm-editor") !== null), "the item after a deleted one is not asked for");
  assert.deepEqual(faults, []);
});

test("what is chosen in the outline comes into view", async (t) => {
  const elements = Array.from({ length: 90 }, (_, i) => ({ id: `t${i}`, type: "text", props: { text: `Line ${i}` } }));
  const { page, faults } = await openDesigner(t, { definition: { version: 1, name: "Long", pages: [{ id: 1, name: "One", elements }] } });
  const canvas = page.getByRole("region", { name: "Canvas" });
  await page.getByRole("button", { name: "Text Line 89" }).click();
  await until(() => canvas.evaluate((el) => el.scrollTop > 300), "the canvas stays where it was");
  const before = await canvas.evaluate((el) => el.scrollTop);
  await page.getByRole("button", { name: "Text Line 88" }).click();
  assert.equal(await canvas.evaluate((el) => el.scrollTop), before, "what is in view stays where it is");
  assert.deepEqual(faults, []);
});

test("a page without a name is called a page below the canvas", async (t) => {
  const { page, faults } = await openDesigner(t, { definition: { version: 1, name: "Nameless", pages: [{ id: 1, elements: [{ id: "h", type: "heading", props: { title: "Orders" } }] }] } });
  await page.getByRole("button", { name: "Heading Orders" }).click();
  await page.getByRole("navigation", { name: "Around the selection" }).getByRole("button", { name: "Page", exact: true }).click();
  await settings(page).getByRole("heading", { name: "Page", level: 2 }).waitFor();
  assert.deepEqual(faults, []);
});

test("a total that no row prints is told of", async (t) => {
  const columns = [{ field: "amount", footer: { aggregate: "sum" } }];
  const { page, faults } = await openDesigner(t, {
    definition: {
      version: 1,
      name: "Totals",
      pages: [{ id: 1, name: "One", elements: [{ id: "rows", type: "data-table", props: { source: "$data.rows", columns } }] }],
      dataSources: [{ name: "rows", type: "json", settings: { content: [{ amount: 1 }] } }],
    },
  });
  await page.getByRole("button", { name: "1 warning" }).click();
  await page.getByText("that of the table is off").click();
  await unfold(page, /^Footer$/, 1);
  assert.deepEqual(faults, []);
});

test("what is missing is said at its place, and defaults say what they are", async (t) => {
  const { page, faults } = await openDesigner(t);
  await settings(page).getByRole("option", { name: "Plain pages (default)" }).waitFor({ state: "attached" });
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByLabel("Type of data source").selectOption({ label: "SQL" });
  await page.getByRole("button", { name: "Add data source" }).click();
  await settings(page).getByText('"query" is missing').first().waitFor();
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.deepEqual(faults, []);
});
