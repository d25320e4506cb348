// Every screen by axe: WCAG 2.2, levels A and AA, light and dark.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { api, importWorkspace, signIn, startBrowser, startService } from "./service.mjs";

const asking = {
  "workspace.json": { name: "Asking", code: "asking", reportTypes: [{ name: "Asking", code: "asking", defaultReport: "asking" }] },
  "reports/asking.json": {
    version: 1, name: "Asking", type: "asking", pages: [{ id: 1, name: "A" }],
    parameters: [
      { name: "year", label: "Year", type: "number", required: true, group: "Period" }, { name: "months", type: "month-range" }, { name: "on", type: "switch" },
      { name: "a", label: "Kind", type: "lookup", lookup: [{ value: 1, label: "One" }] },
      { name: "b", label: "Part", type: "lookup", lookupSource: { type: "json", dependencies: ["$params.a"], settings: { content: [] } } },
    ],
  },
};

/** Walks through the screens that administer workspaces; those about people are in people.test.mjs. */
async function administration(page, service, look, check) {
  await look("new workspace", "/workspaces/new");
  await page.getByLabel("Name").fill("Empty");
  await page.getByLabel("Code").fill("empty");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByText("There are no reports here yet").waitFor();
  await check("an empty workspace");
  await look("settings", "/ws/empty/settings");
  await look("audit log", "/audit", () => page.getByText("Workspace made empty").click());
  await look("audit log of a workspace", "/ws/empty/audit?q=nothing+fits");
  await look("moving", "/ws/demo/reports/2/move");
  await look("no files", "/ws/empty/files");
  await page.getByLabel("Files").setInputFiles([
    { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>') },
    { name: "terms.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") },
  ]);
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("The files are stored.").waitFor();
  await page.getByText("Delete terms.pdf").click();
  await check("files");
  await look("no connections", "/ws/empty/connections");
  await page.getByLabel("New connection").selectOption("api");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name", { exact: true }).fill("erp");
  await page.getByLabel("Address").fill("https://erp.example.com/");
  await check("new connection");
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByText("The connection was made.").waitFor();
  await check("connections");
  await look("connection", "/ws/empty/connections/edit?name=erp");
  for (const type of ["email", "sftp", "s3", "webdav", "googleDrive", "webhook"]) await look(`new connection: ${type}`, `/ws/empty/connections/new?type=${type}`);
}

/** The parts of the designer that open. */
async function designer(page, check) {
  for (const tab of ["Data", "Pages", "Parameters"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.waitForTimeout(300);
    await check(`designer: ${tab}`);
  }
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("region", { name: "Data", exact: true }).getByRole("button").first().click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/rows? in \d+ ms/).waitFor();
  await check("data source");
  await page.getByRole("button", { name: "Versions" }).click();
  await check("versions");
  await page.keyboard.press("Escape");
  for (const [command, dialog] of [["keyboard", "Keyboard shortcuts"], ["tour", "Build"]]) {
    await page.getByRole("button", { name: "Commands" }).click();
    await page.getByRole("combobox", { name: "Find a command" }).fill(command);
    await check("commands");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").filter({ hasText: dialog }).waitFor();
    await check(dialog);
    await page.keyboard.press("Escape");
  }
  const outline = page.getByRole("region", { name: "Outline" }).getByRole("button").nth(2);
  await outline.click({ button: "left" });
  await page.locator(".d-selected").first().click({ button: "right", force: true });
  await page.getByRole("menu").waitFor();
  await check("menu of an element");
  await page.keyboard.press("Escape");
}

for (const colorScheme of ["light", "dark"]) {
  test(`screens in ${colorScheme}`, async (t) => {
    const service = await startService(t);
    importWorkspace(t, service, asking);
    const context = await (await startBrowser(t)).newContext({ colorScheme, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const found = [];
    const look = async (name, path, ready) => {
      await page.goto(service.url + path);
      if (ready) await ready();
      found.push(...(await faults(page, name)));
    };
    await look("sign-in", "/sign-in");
    await signIn(page, service);
    await look("home", "/");
    await look("workspace", "/ws/demo");
    await look("menu", "/ws/demo", () => page.locator("summary[title=More]").first().click());
    await look("nothing found", "/ws/demo?q=nothing");
    await look("starting points", "/ws/demo/reports/new", () => page.locator(".start label").first().click());
    await look("picture of a report", "/ws/demo/reports/2/picture");
    await look("pasted data", "/ws/demo/reports/from-data", async () => {
      await page.getByLabel("Data CSV or JSON").fill("item;amount\nChair;1\nLamp;2;3");
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByRole("columnheader", { name: "Amount Number" }).waitFor();
    });
    await look("mail server", "/mail", () => page.getByText("How to set it").click());
    await look("password", "/password");
    await page.getByLabel("Current password").fill("guess");
    await page.getByLabel("New password", { exact: true }).fill("short");
    assert.deepEqual(await page.locator("[data-rule].kept").allTextContents(), ["a letter"]);
    await page.getByLabel("New password", { exact: true }).fill("Correct-horse-7");
    assert.equal(await page.locator("[data-rule].kept").count(), 4);
    await page.getByLabel("New password again").fill("Correct-horse-8");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("alert").getByText("not the same").waitFor();
    found.push(...(await faults(page, "password refused")));
    await administration(page, service, look, async (name) => found.push(...(await faults(page, name))));
    await api(service, "DELETE", "/api/v1/ws/demo/jobs/monthly-invoices");
    await look("no jobs", "/ws/demo/jobs");
    const job = { name: "Letters", code: "letters", active: true, reviewRequired: true, repeat: "people", dataSources: [{ name: "people", type: "json", settings: { content: [{ name: "Ana" }, { name: "Ben" }] } }], reports: [{ report: "letter", fileName: "Letter to {$record.name}" }] };
    await api(service, "POST", "/api/ui/ws/demo/jobs", job);
    await look("jobs", "/ws/demo/jobs");
    await page.getByRole("link", { name: "Letters", exact: true }).click();
    found.push(...(await faults(page, "job")));
    await page.getByRole("button", { name: "Start a run" }).click();
    await page.getByText("Made; waiting for review").waitFor();
    await page.getByRole("link", { name: "Letter to Ana.pdf" }).first().waitFor();
    found.push(...(await faults(page, "run")));
    await page.getByRole("button", { name: "Approve and deliver all in review" }).click();
    await page.getByRole("button", { name: "Approve 2 entries" }).waitFor();
    found.push(...(await faults(page, "many approved")));
    await page.getByRole("button", { name: "Approve 2 entries" }).click();
    await page.getByText("2 completed", { exact: true }).waitFor();
    await look("no exports", "/ws/demo/exports");
    await api(service, "POST", "/api/v1/ws/demo/reports/letter/export", {});
    await look("exports", "/ws/demo/exports", () => page.getByText("Letter to").first().waitFor());
    await look("error", "/ws/nowhere");
    await look("parameters", "/ws/asking/reports/asking/preview");
    const components = () => page.getByRole("region", { name: "Components" }).waitFor();
    await look("designer", "/ws/demo/reports/2/design", async () => {
      await components();
      await page.getByRole("region", { name: "Outline" }).getByRole("button").nth(2).click();
      await page.getByRole("heading", { level: 2 }).waitFor();
    });
    await designer(page, async (name) => found.push(...(await faults(page, name))));
    for (const kind of ["templates", "themes", "dataSources", "parameters", "dictionaries", "languages", "reportTypes", "pageTypes", "jobs"]) {
      await page.goto("about:blank");
      await look(`library: ${kind}`, `/ws/demo/library#${kind}`, async () => {
        const first = page.locator(".l-items li button").first();
        if (!["dataSources", "parameters"].includes(kind)) await first.click();
        await page.getByRole("button", { name: /^New / }).waitFor();
      });
    }
    await look("template", "/ws/demo/library#templates", async () => {
      await page.reload();
      await page.locator(".l-items li button").first().click();
      await page.getByRole("link", { name: "Design" }).click();
      await components();
    });
    await look("preview", "/ws/demo/reports/6/preview", () => page.getByRole("link", { name: "Download as PDF" }).first().waitFor());
    assert.deepEqual(found, []);
  });
}
