// A job is made from nothing in its editor, tried out, saved and run.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const jobs = "/api/ui/ws/demo/jobs";

async function open(t, context = {}) {
  const folder = mkdtempSync(join(tmpdir(), "quire-delivered-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startService(t, { Deliveries__Folders: folder });
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 }, ...context })).newPage();
  const errors = [];
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => m.type() === "error" && !/Failed to load resource/.test(m.text()) && errors.push(m.text()));
  await signIn(page, service);
  return { service, page, folder, errors };
}

/** Opens a step by its name, which a number of problems may follow. */
const step = (page, name) => page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();

/** Writes into a field whose editor loads with the first focus. */
async function write(page, field, text) {
  await field.click();
  await page.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete"); // else the browser would keep the colour of what it replaces, in a style that the page's policy forbids
  await page.keyboard.insertText(text);
}

const customers = [{ name: "Ana Čarnojević", mail: "ana@example.com" }, { name: "Ben", mail: "" }, { name: "Zoë", mail: "zoe@example.com" }];

test("a job is made in its editor, tried out and run", async (t) => {
  const { service, page, folder, errors } = await open(t);
  const stored = async () => (await (await api(service, "GET", jobs)).json()).find((job) => job.definition.code !== "monthly-invoices");
  const saved = (has) => until(async () => has((await stored()).definition), "the job was not saved");

  // From the list of jobs, and back to it: the library has none of them.
  await page.goto(`${service.url}/ws/demo/jobs`);
  await page.getByRole("link", { name: "Make or change a job" }).click();
  await page.getByRole("heading", { name: "Make and change jobs" }).waitFor();
  assert.equal(await page.locator("#designer").getByRole("link", { name: "Jobs", exact: true }).getAttribute("href"), "/ws/demo/jobs");
  const marked = page.getByRole("navigation", { name: "Workspace" }).locator("[aria-current]");
  assert.equal(await marked.innerText(), "Jobs", "the editor is within the navigation, at its place");
  assert.equal(await page.getByRole("navigation", { name: "Kinds" }).count(), 0);
  await page.getByRole("button", { name: "New job" }).click();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Letters to customers");
  await page.getByLabel("Time zone").fill("Europe/Belgrade");
  await page.getByLabel("Active").check();
  const tab = (step) => page.getByRole("tab", { name: new RegExp(`^${step}`) });
  await tab("Reports").getByText("1 problem").waitFor(); // an active job needs one

  // Three rows make three entries.
  await step(page, "Data sources");
  await page.getByRole("button", { name: "Add data source" }).click();
  await name.fill("customers");
  await write(page, page.getByRole("textbox", { name: "Content (JSON)" }), JSON.stringify(customers));
  await page.getByLabel("One entry for each row of customers").check();
  await page.getByRole("button", { name: "Look at the data" }).click();
  await page.getByText("A run makes 3 entries.").waitFor();
  await page.getByRole("cell", { name: "{$record.mail}" }).waitFor();
  await page.getByLabel("Entry", { exact: true }).fill("3");
  await page.getByRole("cell", { name: "Zoë", exact: true }).waitFor();
  await page.getByLabel("Entry", { exact: true }).fill("1");

  // A report, with what its templates give for the entry.
  await step(page, "Reports");
  await page.getByRole("button", { name: "Add report" }).click();
  await page.getByLabel("Report", { exact: true }).selectOption("letter");
  const fileName = page.getByRole("textbox", { name: "File name" });
  await write(page, fileName, "Letter to {$record.nme}");
  await page.getByText("Entry 1: {$record.nme} leads to no value", { exact: true }).waitFor();
  await tab("Reports").getByText("1 problem").waitFor();
  await write(page, fileName, "Letter to {$record.name}");
  await page.getByText("Letter to Ana Čarnojević", { exact: true }).waitFor();

  // The schedule shows its dates, and what is wrong at its field.
  await step(page, "Schedule");
  await page.getByLabel("When").selectOption("As set below");
  await page.getByLabel("Cron text").fill("61 * * * *");
  await tab("Schedule").getByText("1 problem").waitFor();
  await page.locator("[data-path='schedule.cron']").getByText("cannot be read").waitFor();
  await page.getByText("Saved", { exact: true }).waitFor(); // what is half made is stored
  await page.getByRole("list", { name: "Problems of this step" }).getByRole("button").click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "f-schedule.cron");
  await page.getByLabel("When").selectOption("The first of the month");
  const dates = page.getByRole("region", { name: "The next dates" }).getByRole("listitem");
  await until(async () => (await dates.count()) === 10, "there are no ten dates");
  for (const text of await dates.allTextContents()) assert.match(text, / 1, \d{4} at 7:00 AM UTC\+0[12]:00$/);
  await page.getByLabel("When").selectOption("The last Friday of the month");
  await dates.first().getByText("Friday").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await saved((job) => job.schedule?.day === 1 && job.schedule.kind === "monthly");

  // A delivery, tried with the second entry.
  await step(page, "Delivery");
  await page.getByLabel("Type of delivery").selectOption("Local volume");
  await page.getByRole("button", { name: "Add delivery" }).click();
  await write(page, page.getByRole("textbox", { name: "Folder", exact: true }), "letters/{$record.name}");
  await page.getByText("letters/Ana Čarnojević", { exact: true }).waitFor();
  await write(page, page.getByRole("textbox", { name: "Condition" }), "{$record.name} != 'Zoë'");
  await page.getByText("Holds for entry 1.").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Pack name" }).count(), 0); // nothing is packed
  const trial = page.getByRole("region", { name: "Test delivery" });
  await trial.getByLabel("Entry").fill("3");
  await trial.getByRole("button", { name: "Deliver a test" }).click();
  await trial.getByText("The condition does not hold for this entry: nothing was delivered.").waitFor();
  await trial.getByLabel("Entry").fill("2");
  await trial.getByRole("button", { name: "Deliver a test" }).click();
  const tried = join(folder, "letters", "Ben", "Test Letter to Ben.pdf");
  await trial.getByText(tried).waitFor();
  assert.equal(readFileSync(tried, "latin1").slice(0, 5), "%PDF-");
  assert.deepEqual(readdirSync(join(folder, "letters")), ["Ben"]);
  await write(page, page.getByRole("textbox", { name: "Condition" }), "true");

  // The whole as JSON; what is no job is refused.
  await step(page, "JSON");
  const json = page.getByLabel(/The job as JSON/);
  const whole = JSON.parse(await json.inputValue());
  await json.fill(JSON.stringify({ ...whole, wibble: 1 }));
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("alert").filter({ hasText: "wibble" }).waitFor();
  await json.fill(JSON.stringify({ ...whole, description: "One for each customer" }));
  await page.getByRole("button", { name: "Apply" }).click();
  await saved((job) => job.description === "One for each customer" && job.deliveries[0].condition === "true");

  // It runs from its page, which leads back to the editor.
  const { id } = await stored();
  await page.getByRole("tab", { name: /Delivery/ }).click();
  await page.getByRole("link", { name: "To the runs" }).click();
  await page.getByRole("button", { name: "Start a run" }).waitFor();
  await page.goto(`${service.url}/ws/demo/jobs`);
  assert.match(await page.getByRole("link", { name: "Edit Letters to customers" }).getAttribute("href"), new RegExp(`/library#jobs/${id}$`));
  await page.getByRole("link", { name: "Letters to customers", exact: true }).click();
  await page.getByRole("button", { name: "Start a run" }).click();
  await page.waitForURL(/\/runs\/\d+$/);
  const run = `/api/v1/ws/demo/jobs/${id}/runs/${page.url().split("/").at(-1)}/status`;
  await until(async () => (await (await api(service, "GET", run)).json()).status.completed === 3, "the run did not complete");
  for (const { name } of customers) assert.ok(existsSync(join(folder, "letters", name, `Letter to ${name}.pdf`)), `no letter to ${name}`);
  await page.goto(`${service.url}/ws/demo/jobs/${id}`);
  await page.getByRole("link", { name: /^Edit/ }).click();
  await page.getByRole("tab", { name: "Configuration" }).waitFor();
  assert.equal(await page.getByLabel("Description").inputValue(), "One for each customer");
  assert.deepEqual(errors, []);
});

const long = "Statements of account for customers in the western region, with review by accounting";

/** A job with something of everything, and with faults. */
const full = {
  name: long, code: "statements-of-account-for-customers-in-the-western-region", active: true, repeat: "customers",
  parameters: [{ name: "month", label: long, type: "date", required: true, default: "2026-10-01" }, { name: "vip", type: "switch" }],
  dataSources: [{ name: "customers", type: "json", settings: { content: customers } }, { reuse: "nowhere", name: "gone" }],
  reports: [{ report: "letter", fileName: "{$record.nothing}", condition: "{$record.mail} != ''" }, { report: "sales", data: { sales: "{$record}" } }],
  schedule: { kind: "weekly", start: "2026-01-01T07:00", weekdays: ["monday"], until: "2028-12-31" },
  deliveries: [{ name: long, type: "email", condition: "{$record.mail} != ''", settings: { to: "{$record.mail}", subject: long } }, { type: "local" }],
};

for (const colorScheme of ["light", "dark"]) {
  test(`the editor of jobs by axe, ${colorScheme}`, async (t) => {
    const { service, page, errors } = await open(t, { colorScheme });
    const { id } = await (await api(service, "POST", jobs, full)).json();
    const found = [];
    await page.goto(`${service.url}/ws/demo/library#jobs/${id}`);
    for (const name of ["Configuration", "Parameters", "Data sources", "Reports", "Schedule", "Delivery", "JSON"]) {
      await step(page, name);
      await page.getByRole("tab", { name: new RegExp(`^${name}`), selected: true }).waitFor();
      await page.locator(".j-card").evaluateAll((cards) => cards.forEach((c) => (c.open = true)));
      await page.locator(".j-card details").evaluateAll((parts) => parts.forEach((p) => (p.open = true)));
      await page.waitForLoadState("networkidle");
      found.push(...(await faults(page, name)));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(errors, []);
  });
}
