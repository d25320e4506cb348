// What people come for, from an empty page to the paper.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { add, addData, at, drag, openDesigner, place, reports, unfold, write } from "./designing.mjs";
import { api, signIn, startBrowser, until } from "./service.mjs";

const INVOICE = {
  number: "2026-10418",
  date: "2026-11-02",
  customer: { name: "Architekturbüro Lindner", street: "Torstraße 48", city: "10119 Berlin" },
  lines: [
    { article: "Chair Halden", quantity: 12, price: 115, amount: 1380 },
    { article: "Table Nord", quantity: 2, price: 678, amount: 1356 },
    { article: "Delivery", quantity: 1, price: 90, amount: 90 },
  ],
  net: 2826,
  tax: 536.94,
  total: 3362.94,
};

/** The text of a report's PDF. */
async function paper(service, report, options = "") {
  const pdf = Buffer.from(await (await api(service, "GET", `/api/v1/ws/demo/reports/${report.id}/pdf${options}`)).arrayBuffer());
  const file = join(tmpdir(), `quire-journey-${report.id}-${process.pid}.pdf`);
  writeFileSync(file, pdf);
  return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
}

test("the invoice, from an empty report", async (t) => {
  const { service, page, canvas, report, saved, faults } = await openDesigner(t, { name: "My invoice" });
  const begin = Date.now();
  const settings = page.getByRole("region", { name: "Report settings" });
  await settings.getByLabel("Theme").selectOption({ label: "Halden" });
  await settings.getByLabel("Template").selectOption({ label: "Halden letterhead" });
  const data = await addData(page, "invoice", INVOICE);
  await data.getByRole("button", { name: /number/ }).waitFor();

  await page.getByRole("tab", { name: "Add" }).click();
  await page.getByRole("button", { name: "Page 1" }).click(); // the trail: nothing is selected
  await add(page, "Heading");
  await page.getByLabel("Level").selectOption("H1");
  await write(page, "Title", "Invoice {$data.invoice.number}");
  await canvas.getByRole("heading", { name: "Invoice 2026-10418" }).waitFor();
  await add(page, "Text");
  await write(page, "Text", "{$data.invoice.customer.name}\n{$data.invoice.customer.street}\n{$data.invoice.customer.city}");
  await page.getByLabel("Whitespace").selectOption("preserve");
  await canvas.getByText("Torstraße 48").waitFor();

  // The lines are dragged under the address.
  await page.getByRole("tab", { name: "Data" }).click();
  const address = await at(canvas.getByText("Torstraße 48"), 0.3, 0.98);
  await drag(page, await at(data.getByRole("button", { name: "Table of 4 columns" })), { x: address.x, y: address.y + 30 });
  await canvas.getByRole("columnheader", { name: "Article" }).waitFor();
  await canvas.getByText("Chair Halden").waitFor();
  const columns = page.locator("fieldset", { has: page.locator("legend", { hasText: /^Columns$/ }) });
  const amount = columns.locator("details", { has: page.locator("summary", { hasText: "Amount" }) }).first();
  await amount.locator("summary").first().click();
  await amount.getByLabel("Format type", { exact: true }).selectOption("currency");
  await canvas.getByText("€1,380.00").waitFor();

  // The total, at the right.
  await page.getByRole("tab", { name: "Add" }).click();
  await add(page, "Text");
  await write(page, "Text", "Total {$data.invoice.total:currency}");
  await page.getByLabel("Text align").selectOption("right");
  await canvas.getByText("Total €3,362.94").waitFor();
  await saved();
  const took = (Date.now() - begin) / 1000;
  const text = await paper(service, report);
  for (const want of ["Invoice 2026-10418", "Torstraße 48", "Chair Halden", "€1,356.00", "Total €3,362.94"]) assert.ok(text.includes(want), `${want} is not on the paper:\n${text}`);
  assert.deepEqual(faults, []);
  t.diagnostic(`built in ${took.toFixed(1)} s of a machine's time`);
});

test("a grouped table from a dragged array, and where its numbers come from", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t);
  const sales = [
    { region: "North", article: "Chair", amount: 100 },
    { region: "South", article: "Table", amount: 300 },
    { region: "North", article: "Bench", amount: 50 },
  ];
  const data = await addData(page, "sales", sales);
  const sheet = await place(page.locator("iframe[title=Report]"));
  await drag(page, await at(data.getByRole("button", { name: "Table of 3 columns" })), { x: sheet.x + sheet.width / 2, y: sheet.y + 200 });
  await canvas.getByRole("columnheader", { name: "Region" }).waitFor();
  await page.getByRole("button", { name: "Add group" }).click();
  const groups = page.locator("fieldset", { has: page.locator("legend", { hasText: /^Groups$/ }) });
  await groups.getByRole("combobox", { name: "Field", exact: true }).fill("region");
  const caption = await unfold(page, "Caption");
  await caption.getByLabel("Enabled").check();
  await canvas.locator(".q-group-caption").first().waitFor();
  await saved();
  const table = (await stored()).pages[0].elements[0];
  assert.deepEqual([table.props.source, table.props.groups[0].field], ["$data.sales", "region"]);
  assert.deepEqual(await canvas.locator(".q-group-caption").allTextContents().then((l) => l.map((s) => s.trim())), ["North", "South"]);
  // A click on the bench's amount leads to its row.
  const cell = await at(canvas.getByText("50", { exact: true }));
  await page.mouse.click(cell.x, cell.y);
  await page.getByRole("button", { name: /from \$data\.sales\[2\]\.amount/ }).click();
  const dialog = page.getByRole("dialog", { name: "Where this comes from" });
  await dialog.locator(".d-this", { hasText: "50" }).waitFor();
  await dialog.getByRole("button", { name: "Open data source sales" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/3 rows in \d+ ms/).waitFor();
  assert.deepEqual(faults, []);
});

test("a chart", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t);
  await addData(page, "months", [{ month: "Jan", sum: 10 }, { month: "Feb", sum: 30 }, { month: "Mar", sum: 20 }]);
  await page.getByRole("tab", { name: "Add" }).click();
  await page.getByRole("button", { name: "Page 1" }).click();
  await page.getByRole("region", { name: "Components" }).getByRole("button", { name: "Chart", exact: true }).click();
  await page.getByLabel("Data source", { exact: true }).fill("$data.months");
  await page.getByRole("button", { name: "Add series" }).click();
  const series = page.locator("fieldset", { has: page.locator("legend", { hasText: /^Series$/ }) });
  await series.getByLabel("Chart type").selectOption("column");
  await series.getByLabel("X field").fill("month");
  await series.getByLabel("Y field", { exact: true }).fill("sum");
  await write(page, "Alt text", "Sums of three months");
  await canvas.locator("svg text", { hasText: "Feb" }).waitFor();
  await saved();
  assert.equal((await stored()).pages[0].elements[0].props.series[0].yField, "sum");
  assert.deepEqual(faults, []);
});

test("another theme changes the look, and a theme's colour every report that has it", async (t) => {
  const { service, page, canvas, saved, faults } = await openDesigner(t);
  await add(page, "Heading");
  const color = () => canvas.getByRole("heading", { name: "Heading" }).evaluate((el) => getComputedStyle(el).color);
  await canvas.getByRole("heading", { name: "Heading" }).waitFor();
  const before = await color();
  await page.getByRole("button", { name: "Page 1" }).click();
  const theme = page.getByRole("region", { name: "Report settings" }).getByLabel("Theme");
  await theme.selectOption({ label: "Meridian Bank" });
  await until(async () => (await color()) !== before, "the theme changes nothing");
  const first = await color();
  await theme.selectOption({ label: "Halden" });
  await until(async () => (await color()) !== first, "the theme changes nothing");
  await saved();
  const address = page.url();
  await page.goto(`${service.url}/ws/demo/library#themes`);
  await page.getByRole("region", { name: "Themes" }).getByRole("button", { name: /Halden/ }).click();
  await page.getByRole("tab", { name: "JSON" }).click();
  const json = page.getByLabel(/The theme as JSON/);
  const whole = JSON.parse(await json.inputValue());
  await json.fill('{"colors": [}');
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("alert").filter({ hasText: /Unexpected token|Line 1/ }).waitFor();
  await json.fill(JSON.stringify({ ...whole, text: { ...whole.text, wibble: 1 } }));
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("alert").filter({ hasText: "text.wibble" }).waitFor();
  await json.fill(JSON.stringify({ ...whole, text: { ...whole.text, h3: { ...whole.text?.h3, color: "#aa0011" } } }));
  const stored = page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.url().includes("/themes/") && answer.ok());
  await page.getByRole("button", { name: "Apply" }).click();
  await stored; // it says Saved until the service has checked the document
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.goto(address);
  await until(async () => (await color()) === "rgb(170, 0, 17)", `the heading is ${before} still`);
  assert.deepEqual(faults, []);
});

test("a second language", async (t) => {
  const { service, page, canvas, report, saved, faults } = await openDesigner(t);
  await page.goto(`${service.url}/ws/demo/library#dictionaries`);
  await page.getByLabel("Name of the new entry").fill("greeting");
  await page.getByRole("button", { name: "Add entry" }).click();
  await page.getByRole("textbox", { name: "greeting, en" }).fill("Dear customer");
  await page.getByRole("textbox", { name: "greeting, de" }).fill("Sehr geehrte Damen und Herren");
  await page.getByText("Saved", { exact: true }).waitFor();
  // In and out as CSV.
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
  const csv = await (await file.createReadStream()).toArray().then((parts) => Buffer.concat(parts).toString());
  assert.match(csv, /\r\ngreeting,Dear customer,Sehr geehrte Damen und Herren\r\n/);
  await page.setInputFiles("input[type=file]", { name: "more.csv", mimeType: "text/csv", buffer: Buffer.from('entry;en;de\nfarewell;"Yours; truly";Mit freundlichen Grüßen\n') });
  await page.getByText("1 entry was taken from more.csv.").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "farewell, en" }).inputValue(), "Yours; truly");
  await page.getByText("Saved", { exact: true }).waitFor();

  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  await add(page, "Text");
  await write(page, "Text", "{$dict.greeting} / {$dict.farewell}");
  await canvas.getByText("Dear customer / Yours; truly").waitFor();
  await saved();
  assert.match(await paper(service, report, "?lang=de"), /Sehr geehrte Damen und Herren \/ Mit freundlichen Grüßen/);
  assert.deepEqual(faults, []);
});

test("a subreport with a parameter", async (t) => {
  const { service, page, canvas, saved, stored, faults } = await openDesigner(t);
  const inner = { version: 1, name: "Inner", subreport: true, parameters: [{ name: "who", type: "text", label: "Who" }], pages: [{ id: 1, name: "Page", elements: [{ type: "text", props: { text: "Inside for {$params.who}" } }] }] };
  await api(service, "POST", reports, { name: "Inner", definition: inner });
  await add(page, "Subreport");
  await page.getByRole("complementary", { name: "Settings" }).getByLabel("Report", { exact: true }).selectOption({ label: "Inner" });
  await page.getByRole("button", { name: "Add parameter" }).click();
  const parameters = page.locator("fieldset", { has: page.locator("legend", { hasText: /^Parameters$/ }) });
  await parameters.getByRole("textbox", { name: "Name", exact: true }).fill("who");
  await parameters.getByRole("textbox", { name: "Value", exact: true }).click();
  await page.keyboard.insertText("Ana");
  await canvas.getByText("Inside for Ana").waitFor();
  await saved();
  assert.equal((await stored()).pages[0].elements[0].props.report, "inner");
  assert.deepEqual(faults, []);
});

test("a viewer sees and does not edit", async (t) => {
  const { service, page } = await openDesigner(t);
  const email = "viewer@example.com";
  await page.goto(`${service.url}/users`);
  await page.locator("summary", { hasText: /New user/ }).first().click().catch(() => {});
  await page.getByLabel(/e-?mail/i).first().fill(email);
  await page.getByLabel(/^name/i).first().fill("Vera Viewer");
  await page.getByLabel(/password/i).first().fill("viewer-pass-1");
  await page.getByRole("button", { name: /create/i }).first().click();
  await page.goto(`${service.url}/ws/demo/members`);
  await page.getByLabel(/e-?mail/i).first().fill(email);
  await page.getByLabel(/role/i).first().selectOption({ label: "Viewer" });
  await page.getByRole("button", { name: /add/i }).first().click();
  const other = await (await (await startBrowser(t)).newContext()).newPage();
  await other.goto(service.url);
  await other.getByLabel(/e-?mail/i).fill(email);
  await other.getByLabel(/password/i).fill("viewer-pass-1");
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.waitForURL((url) => !url.pathname.includes("sign-in"));
  await other.goto(`${service.url}/ws/demo`);
  await other.getByRole("link", { name: /Preview of Invoice/ }).waitFor();
  assert.equal(await other.getByRole("link", { name: /^Edit/ }).count(), 0);
  const refused = await other.goto(`${service.url}/ws/demo/reports/1/design`);
  assert.equal(refused.status(), 403);
  const written = await other.context().request.put(`${service.url}/api/ui/ws/demo/reports/1`, { headers: { "If-Match": '"1"' }, data: {} });
  assert.equal(written.status(), 403);
  const shown = await other.goto(`${service.url}/ws/demo/reports/1/preview`);
  assert.equal(shown.status(), 200);
  await other.getByRole("link", { name: "Download as PDF" }).first().waitFor();
});

test("the tour of the first visit, by keyboard", async (t) => {
  const { service, report } = await openDesigner(t);
  const page = await (await (await startBrowser(t, { toured: false })).newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  const tour = page.getByRole("dialog", { name: "Build" });
  await tour.waitFor();
  for (const next of ["Bind", "Look", "Refine", "Relax"]) {
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: next }).waitFor();
  }
  await page.keyboard.press("Enter");
  await page.locator(".d-tour").waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("region", { name: "Components" }).waitFor();
  assert.equal(await page.locator(".d-tour").count(), 0);
});

test("the canvas in another language and with values of parameters", async (t) => {
  const definition = {
    version: 1,
    name: "Asking",
    parameters: [{ name: "customer", type: "text", label: "Customer", required: true }],
    pages: [{ id: 1, name: "Page", elements: [{ type: "text", props: { text: "{$dict.invoice} for {$params.customer}" } }] }],
  };
  const { page, canvas, faults } = await openDesigner(t, { name: "Asking", definition });
  await canvas.getByText("Invoice for Customer").waitFor(); // a sample
  await page.getByRole("tab", { name: "Parameters" }).click();
  await page.getByRole("button", { name: /Customer/ }).click();
  await page.getByLabel("Value while designing").fill("Ana");
  await canvas.getByText("Invoice for Ana").waitFor();
  await page.getByLabel("Language").first().selectOption({ label: "Deutsch" });
  await canvas.getByText("Rechnung for Ana").waitFor();
  await page.reload();
  await canvas.getByText("Invoice for Ana").waitFor();
  assert.deepEqual(faults, []);
});

test("elements inside of a table's cell", async (t) => {
  const definition = { version: 1, name: "Cells", pages: [{ id: 1, name: "Page", elements: [{ id: "grid", type: "key-value-grid", props: { items: [{ key: "State", value: "open" }] } }] }] };
  const { page, canvas, stored, saved, faults } = await openDesigner(t, { name: "Cells", definition });
  await canvas.getByText("open").waitFor();
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /Key-value/i }).click();
  const items = page.locator("fieldset", { has: page.locator("> legend", { hasText: /^Items$/ }) });
  await items.locator("summary").first().click();
  await items.getByLabel("Add to elements").selectOption({ label: "Badge" });
  await items.locator("summary", { hasText: "Badge" }).click();
  await items.getByRole("textbox", { name: "Value", exact: true }).nth(1).click();
  await page.keyboard.insertText("paid");
  await canvas.getByText("paid").waitFor();
  await saved();
  assert.deepEqual((await stored()).pages[0].elements[0].props.items[0].elements, [{ type: "badge", props: { value: "paid" } }]);
  assert.deepEqual(faults, []);
});

test("a data source of the library is run before any report has it", async (t) => {
  const { service, page, faults } = await openDesigner(t);
  await page.goto(`${service.url}/ws/demo/library#dataSources`);
  await page.getByRole("button", { name: "New data source" }).click();
  await page.getByLabel("Type", { exact: true }).selectOption({ label: "JavaScript" });
  const code = page.getByRole("textbox", { name: "Function", exact: true });
  await code.click();
  await page.locator(".cm-content:focus").waitFor();
  await page.keyboard.insertText("() => [{n: 1}, {n: 2}]");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/2 rows in \d+ ms/).waitFor();
  await code.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("() => {\n  return nothing.x;\n}");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/Line 2, column \d+/).waitFor();
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.deepEqual(faults, []);
});
