// The set-parameters window: what is missing is asked for, and lookups follow
// the values that they depend on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { importWorkspace, signIn, startBrowser, startService } from "./service.mjs";

const people = "({$params}) => [['Ana', 1, 'it'], ['Bo', 2, 'hr'], ['Cy', 3, 'it']].filter(p => p[2] === $params.department).map(([name, id]) => ({id, name}))";

const staff = {
  "workspace.json": { name: "Staff", code: "staff", reportTypes: [{ name: "Staff", code: "staff", defaultReport: "staff" }] },
  "reports/staff.json": {
    version: 1, name: "Staff list", type: "staff",
    parameters: [
      { name: "department", label: "Department", type: "lookup", required: true, lookupSource: { type: "json", settings: { content: [{ code: "it", name: "Computing" }, { code: "hr", name: "People" }] } } },
      { name: "person", label: "Person", type: "lookup", required: true, lookupSource: { type: "javascript", dependencies: ["$params.department"], settings: { function: people } } },
    ],
    pages: [{ id: 1, name: "A", elements: [{ type: "text", props: { text: "Person {$params.person} of {$params.department}" } }] }],
  },
};

async function openForm(t, options = {}) {
  const service = await startService(t);
  importWorkspace(t, service, staff);
  const page = await (await startBrowser(t)).newPage(options);
  await signIn(page, service);
  const response = await page.goto(`${service.url}/ws/staff/reports/staff/preview`);
  assert.equal(response.status(), 400);
  await page.getByText("First choose Department.").waitFor();
  assert.equal(await page.getByLabel("Person").isDisabled(), true);
  return page;
}

async function chooseCy(page) {
  assert.deepEqual(await page.getByLabel("Person").locator("option").allTextContents(), ["–", "Ana", "Cy"]);
  assert.equal(await page.getByLabel("Department").inputValue(), "it");
  await page.getByLabel("Person").selectOption({ label: "Cy" });
  const shown = page.waitForResponse((r) => r.url().includes("person"));
  await page.getByRole("button", { name: "Show report" }).click();
  assert.equal((await shown).status(), 200);
}

test("a lookup follows what it depends on", async (t) => {
  const page = await openForm(t);
  await page.getByLabel("Department").focus();
  await page.getByLabel("Department").selectOption({ label: "Computing" });
  await page.getByLabel("Person").locator("option", { hasText: "Ana" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => document.activeElement.labels?.[0]?.textContent.startsWith("Department")), true);
  await chooseCy(page);
  await page.getByText("Person 3 of it").first().waitFor();
});

test("a lookup follows without scripts, by a button", async (t) => {
  const page = await openForm(t, { javaScriptEnabled: false });
  await page.getByLabel("Department").selectOption({ label: "Computing" });
  await page.getByRole("button", { name: "Update choices" }).click();
  await page.getByLabel("Person").locator("option", { hasText: "Ana" }).waitFor({ state: "attached" });
  await chooseCy(page);
});
