// What reports take from the library of their workspace: A3, A7 and A8 of the
// findings on the screens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesigner, reports } from "./designing.mjs";
import { api, importWorkspace, signIn, startBrowser, startService, until } from "./service.mjs";

const demo = "/api/ui/ws/demo";

test("A3: what the library has is attached by one press", async (t) => {
  const text = "{$params.region} of {$data.sales2026.0.month}";
  const { service, page, canvas, stored, faults } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", pages: [{ id: 1, elements: [{ id: "x", type: "text", props: { text } }] }] } }, async (service) => {
    await api(service, "POST", `${demo}/dataSources`, { name: "Sales 2026", displayName: "Sales of the year", type: "json", scope: "reusable", settings: { content: [{ month: "January", amount: 3 }] } });
    await api(service, "POST", `${demo}/parameters`, { name: "region", label: "Region of the sales", type: "lookup", scope: "reusable", required: true, lookup: [{ value: "N", label: "North" }, { value: "S", label: "South" }] });
    await api(service, "POST", `${demo}/dataSources`, { name: "company", displayName: "Our company", type: "json", scope: "global", settings: { content: { town: "Basel" } } });
  });
  await page.getByRole("tab", { name: "Data" }).click();
  const shelf = page.getByRole("region", { name: "From the library" });
  await shelf.getByRole("button", { name: "Sales of the year JSON" }).click();
  await canvas.getByText("of January").waitFor();
  const settings = page.getByRole("complementary", { name: "Settings" });
  await settings.getByRole("heading", { name: "Reusable data source" }).waitFor();
  assert.equal(await settings.getByLabel("Taken from the library").inputValue(), "Sales 2026");
  assert.equal(await settings.getByRole("textbox", { name: "Name" }).inputValue(), "sales2026");
  await page.getByRole("button", { name: "amount 3" }).waitFor();
  assert.equal(await shelf.getByText("Sales of the year").count(), 0, "what is attached is not offered again");

  await page.getByRole("tab", { name: "Parameters" }).click();
  await shelf.getByRole("button", { name: "Region of the sales Lookup" }).click();
  const form = page.getByRole("region", { name: "Parameters" });
  await form.getByRole("button", { name: "Region of the sales reused" }).waitFor();
  assert.equal(await form.getByLabel("Label", { exact: true }).count(), 0, "what the library says is not asked again");
  await page.getByRole("region", { name: "Drawn with" }).getByLabel("Region of the sales").selectOption({ label: "South" });
  await canvas.getByText("S of January").waitFor();
  await until(async () => (await stored()).parameters?.[0].reuse === "region", "the parameter is not attached");
  assert.deepEqual((await stored()).dataSources, [{ name: "sales2026", type: "", reuse: "Sales 2026" }]);

  // What is for all reports is offered, too, as soon as it is read.
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /^Text/ }).click();
  const definition = await stored();
  definition.pages[0].elements[0].props.text = "{$data.company.town}";
  const made = await (await api(service, "POST", reports, { name: "U", definition })).json();
  await page.goto(`${service.url}/ws/demo/reports/${made.id}/design`);
  await canvas.getByText("Basel").waitFor();
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByText("Our company, for all reports").waitFor();
  await page.getByRole("button", { name: "town Basel" }).waitFor();
  assert.deepEqual(faults, []);
});

test("A8: the default report of a type is chosen among its reports", async (t) => {
  const service = await startService(t);
  const page = await (await (await startBrowser(t)).newContext()).newPage();
  await signIn(page, service);
  await api(service, "POST", `${demo}/reportTypes`, { name: "Reminders", code: "reminder" });
  const definition = { version: 1, name: "First reminder", type: "reminder", pages: [] };
  await api(service, "POST", reports, { name: "First reminder", type: "reminder", definition });
  await page.goto(`${service.url}/ws/demo/library#reportTypes`);
  await page.getByRole("region", { name: "Report types" }).getByRole("button", { name: /Reminders/ }).click();
  const field = page.getByLabel("Default report");
  await field.getByRole("option", { name: "First reminder" }).waitFor({ state: "attached" });
  assert.deepEqual(await field.getByRole("option").allInnerTexts(), ["None", "First reminder"]);
  await field.selectOption({ label: "First reminder" });
  const stored = async () => (await (await api(service, "GET", `${demo}/reportTypes`)).json()).find((r) => r.definition.code === "reminder").definition.defaultReport;
  await until(async () => (await stored()) === "first-reminder", "the choice is not stored");
  await page.goto(`${service.url}/ws/demo`);
  await page.locator(".report", { hasText: "First reminder" }).locator(".tag", { hasText: "reminder" }).waitFor();
});

test("A7, B6: a template goes to another workspace with what it uses", async (t) => {
  const service = await startService(t);
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  importWorkspace(t, service, { "workspace.json": { version: 1, name: "Branch", code: "branch" } });
  await api(service, "POST", `${demo}/themes`, { name: "House colours", code: "house" });
  await api(service, "POST", `${demo}/templates`, { name: "Head paper", code: "head-paper", theme: "house", layouts: [{ header: [{ type: "text", props: { text: "OUR HEAD" } }] }] });
  await page.goto(`${service.url}/ws/demo/library#templates`);
  await page.getByRole("button", { name: "Head paper" }).click();
  await page.getByRole("link", { name: "To another workspace" }).click();
  await page.getByRole("heading", { name: "Head paper to another workspace" }).waitFor();
  await page.getByText("House colours").waitFor();
  await page.getByLabel("To workspace").selectOption({ label: "Branch (branch)" });
  await page.getByRole("button", { name: "Copy there" }).click();
  await page.waitForURL(/\/ws\/branch\/library#templates\/\d+$/);
  await page.getByRole("heading", { name: "Head paper" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Paper of the branch"); // B6: its name is in the form
  await page.getByRole("heading", { name: "Paper of the branch" }).waitFor();
  await page.getByRole("link", { name: "Themes", exact: true }).click();
  await page.getByRole("heading", { name: "House colours" }).waitFor();
});

test("a kind of which there is nothing says what it is for, and makes the first one", async (t) => {
  const service = await startService(t);
  importWorkspace(t, service, { "workspace.json": { name: "Bare", code: "bare" } });
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/ws/bare/library#dictionaries`);
  const editor = page.getByRole("region", { name: "Definition" });
  await editor.getByRole("heading", { name: "There is no dictionary yet." }).waitFor();
  await editor.getByText("prints the entry in the language of the report").waitFor();
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/nothing.png` });
  await editor.getByRole("button", { name: "Make the first one" }).click();
  await editor.getByRole("heading", { name: "Dictionary 1" }).waitFor();
  await page.goto(`${service.url}/ws/bare/library#templates`);
  await until(async () => (await editor.innerText()) !== "" && !(await editor.innerText()).includes("Dictionary 1"), "the templates are not shown");
});
