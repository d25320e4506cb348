// A report begins with something: point 8 of the ten changes of the findings on
// the screens, and the starting points of the designer's plan.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const reports = "/api/ui/ws/demo/reports";

async function openList(t, options = {}) {
  const service = await startService(t);
  const context = await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(String(e)));
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo`);
  const stored = async () => {
    const id = /reports\/(\d+)\/design/.exec(page.url())[1];
    return (await (await api(service, "GET", `${reports}/${id}`)).json()).definition;
  };
  return { service, page, faults, stored, canvas: page.frameLocator("iframe[title=Report]") };
}

const csv = ["product;region;sold;units;amount", "Chair;North;02.11.2026;4;129,50", "Lamp;South;03.11.2026;2;48,00", "Table;North;05.11.2026;1;1.340,25", "Stool;East;09.11.2026;3;90,00"].join("\n");

test("pasted CSV becomes a report with its totals and a chart", async (t) => {
  const { page, faults, stored, canvas } = await openList(t);
  await page.getByRole("link", { name: "From my data" }).first().click();
  await page.getByLabel("Data CSV or JSON").fill(csv);
  await page.getByRole("button", { name: "Next" }).click();
  for (const [label, kind] of [["Product", "Text"], ["Sold", "Date"], ["Units", "Number"], ["Amount", "Number"]]) {
    await page.getByRole("columnheader", { name: `${label} ${kind}` }).waitFor();
  }
  await page.getByText("Rows: 4, fields: 5").waitFor();
  await page.getByRole("cell", { name: "1340.25" }).waitFor();
  assert.equal(await page.getByLabel("Chart of").inputValue(), "amount");
  assert.equal(await page.getByLabel("by", { exact: true }).inputValue(), "region", "a category whose values repeat");
  await page.getByLabel("Name of the report").fill("Sales of November");
  await page.getByLabel("Total: Units").uncheck();
  await page.getByLabel("Group the rows by").selectOption({ label: "Region" });
  await page.getByRole("button", { name: "Create report" }).click();
  await page.waitForURL(/\/reports\/\d+\/design/);
  await canvas.getByText("Amount by region").waitFor();
  await canvas.getByText("1,607.75").last().waitFor(); // of the whole table
  await canvas.getByText("1,469.75").last().waitFor(); // of the north
  await canvas.locator("svg text", { hasText: "South" }).waitFor();
  const definition = await stored();
  assert.equal(definition.name, "Sales of November");
  assert.deepEqual([definition.dataSources[0].name, definition.dataSources[0].type], ["sales_of_november", "csv"]);
  await page.getByRole("button", { name: "No problems" }).click();
  assert.deepEqual(await page.locator(".d-problems li").allInnerTexts(), [], "a first report has nothing to mend");
  assert.deepEqual(faults, []);
});

test("an uploaded JSON file shows its longest list of rows", async (t) => {
  const { page, stored, canvas } = await openList(t);
  await page.getByRole("link", { name: "From my data" }).first().click();
  await page.waitForLoadState(); // with the script that sends a file as soon as it is chosen
  const orders = { shop: { orders: [{ id: 1, customer: { name: "Ana" }, paid: true, total: 12.5 }, { id: 2, customer: { name: "Bo" }, paid: false, total: 7 }, { id: 3, customer: { name: "Cy" }, paid: true, total: 3 }] }, notes: [{ x: 1 }] };
  await page.getByLabel("or a file").setInputFiles({ name: "open_orders.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(orders)) });
  await page.getByText("Rows: 3, fields: 4, in shop.orders").waitFor(); // the file alone was enough
  assert.equal(await page.getByLabel("Name of the report").inputValue(), "Open orders");
  assert.equal(await page.getByLabel("Total: Id").isChecked(), false, "numbers of orders are not added up");
  await page.getByRole("button", { name: "Create report" }).click();
  await canvas.getByText("22.50").last().waitFor();
  assert.deepEqual((await stored()).pages[0].elements.at(-1).props.columns.map((c) => c.field), ["id", "customer.name", "paid", "total"]);
});

test("faults of the data name line and column, in German too", async (t) => {
  const { page } = await openList(t);
  await page.locator(".account > summary").click();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByRole("link", { name: "Aus meinen Daten" }).first().click();
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("alert").getByText("Fügen Sie die Daten ein oder wählen Sie eine Datei.").waitFor();
  await page.getByLabel(/^Daten/).fill('[\n  {"a": 1},\n  {"a": oops}\n]');
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("alert").getByText(/^Zeile 3, Spalte 9: /).waitFor();
  await page.getByLabel(/^Daten/).fill("[1, 2]");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("alert").getByText(/^Es sind keine Zeilen darin/).waitFor();
  await page.getByLabel(/^Daten/).fill("a;b\n1;2\n3\n4;5");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByText("Zeile 3, Spalte 2: ").waitFor();
  assert.equal(await page.getByText("Zeilen: 3, Felder: 2").count(), 1, "a row that is too short is only told of");
});

test("A5, B13: lists show stored pictures, made after a save, of a page or uploaded", async (t) => {
  const { service, page, faults } = await openList(t);
  const asked = [];
  page.on("request", (r) => asked.push(new URL(r.url()).pathname));
  const picture = (name) => page.locator(".report", { hasText: name }).locator("img");
  await until(async () => {
    await page.reload();
    return (await page.locator(".report img").count()) >= 6;
  }, "the reports of the demo have no pictures");
  asked.length = 0;
  await page.reload({ waitUntil: "networkidle" });
  assert.deepEqual(asked.filter((p) => p.endsWith("/preview")), [], "a list runs no report");
  const box = await picture("Invoice").first().evaluate(async (img) => { await img.decode(); return [img.naturalWidth, img.naturalHeight, (await (await fetch(img.src)).blob()).size]; });
  assert.ok(box[0] === 520 && box[1] > 700 && box[2] > 3000 && box[2] < 100_000, `the picture has ${box}`);

  const made = await (await api(service, "POST", reports, { name: "Two pages", definition: { version: 1, name: "Two pages", pages: [{ id: 1, elements: [{ type: "text", props: { text: "one" } }] }, { id: 2, elements: [{ type: "heading", props: { title: "two" } }] }] } })).json();
  await page.goto(`${service.url}/ws/demo`);
  await page.locator(".report", { hasText: "Two pages" }).locator(".no-picture").waitFor();
  const shown = async () => {
    await page.goto(`${service.url}/ws/demo`);
    const image = picture("Two pages");
    return (await image.count()) ? image.getAttribute("src") : null;
  };
  const first = await until(shown, "a new report gets no picture");
  const stored = await api(service, "GET", `${reports}/${made.id}`);
  const { definition, revision } = await stored.json();
  definition.pages[0].elements[0].props.text = "changed";
  await api(service, "PUT", `${reports}/${made.id}`, definition, { "If-Match": `"${revision}"` });
  const second = await until(async () => { const now = await shown(); return now !== first && now; }, "the picture stays when the report changes");

  const card = page.locator(".report", { hasText: "Two pages" });
  await card.locator("summary").click();
  await card.getByRole("link", { name: "Picture" }).click();
  await page.getByLabel("Page", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Make the picture" }).click();
  await page.getByText("Lists show this picture.").waitFor();
  const third = await page.locator(".paper img").getAttribute("src");
  assert.notEqual(third, second);
  const png = await page.locator(".paper").screenshot();
  await page.getByLabel("New picture").setInputFiles({ name: "own.png", mimeType: "image/png", buffer: png });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("Lists show your picture.").waitFor();
  assert.notEqual(await page.locator(".paper img").getAttribute("src"), third);
  assert.deepEqual(faults, []);
});

test("B7: a report begins with a layout or an example, chosen by its picture", async (t) => {
  const { page, faults, stored, canvas } = await openList(t);
  await page.getByRole("link", { name: "Starting points" }).click();
  await page.waitForLoadState();
  const cards = page.locator(".start:not([hidden]) img");
  assert.ok((await cards.count()) >= 34, "layouts and examples");
  const first = cards.first();
  await first.scrollIntoViewIfNeeded();
  assert.equal(await first.evaluate(async (img) => { await img.decode(); return img.naturalWidth; }), 520);
  await page.getByRole("searchbox").fill("price");
  await page.getByText("Price list").waitFor();
  assert.equal(await cards.count(), 1, "the search shows what fits while somebody types");
  await page.locator(".start:not([hidden]) label").click();
  await page.getByRole("textbox", { name: "Name of the report" }).fill("Our prices");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/reports\/\d+\/design/);
  await canvas.locator(".q-page table").first().waitFor();
  const definition = await stored();
  assert.deepEqual([definition.name, definition.include.templates[0].code], ["Our prices", "market"]);

  await page.goto(page.url().replace(/\/reports\/.*/, "/reports/new"));
  await page.getByRole("radio", { name: "Invoice" }).first().focus();
  await page.keyboard.press("Space"); // by the keyboard alone
  await page.getByRole("textbox", { name: "Name of the report" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/reports\/\d+\/design/);
  await canvas.getByText("Invoice 2026-1180").waitFor();
  await page.getByRole("button", { name: "No problems" }).waitFor();
  assert.deepEqual(faults, []);
});

test("B22: the list is filtered as soon as a choice is made, and leaves room for it on a phone", async (t) => {
  const { page } = await openList(t);
  await page.waitForLoadState();
  assert.equal(await page.getByRole("button", { name: "Apply" }).count(), 0);
  await page.getByLabel("Order").focus();
  await page.getByLabel("Order").selectOption({ label: "Last changed first" });
  await page.waitForURL(/sort=changed/);
  await page.waitForLoadState();
  await until(() => page.evaluate(() => document.activeElement.id === "sort"), "the focus is lost");
  await page.getByLabel("Search").fill("invoice");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=invoice/);
  assert.equal(await page.locator(".report").count(), 1);
  await page.setViewportSize({ width: 390, height: 844 });
  const filter = await page.locator(".list-filter").boundingBox();
  assert.ok(filter.height < 110, `the filter is ${filter.height} high`);
  assert.ok((await page.locator(".report").first().boundingBox()).y < 480, "the first report is on the first screen");
});

test("B18: a workspace goes out and in as a bundle", async (t) => {
  const { service, page } = await openList(t);
  await page.goto(`${service.url}/ws/demo/settings`);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  assert.equal(file.suggestedFilename(), "demo.zip");
  await page.goto(`${service.url}/workspaces/new`);
  await page.getByLabel("Bundle", { exact: false }).first().setInputFiles(await file.path());
  await page.locator("#as").fill("second");
  await page.getByRole("button", { name: "Import" }).click();
  await page.waitForURL(/\/ws\/second/);
  assert.equal(await page.locator(".report").count(), 6);
});
