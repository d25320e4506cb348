// The canvas always shows a page, and problems say how bad they are and lead to
// their place: A1, A10, B15 and B21 of the findings on the screens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { add, openDesigner } from "./designing.mjs";
import { until } from "./service.mjs";

const text = (value) => ({ version: 1, name: "T", pages: [{ id: 1, name: "One", elements: [{ id: "x", type: "text", props: { text: value } }] }] });

test("A1: a required parameter keeps nobody from designing", async (t) => {
  const { service, page, canvas, stored, saved, faults } = await openDesigner(t, { name: "T", definition: text("for {$params.month}") });
  await page.getByRole("tab", { name: "Parameters" }).click();
  await page.getByRole("button", { name: "Add parameter" }).click();
  const form = page.getByRole("region", { name: "Parameters" });
  await form.getByLabel("Name", { exact: true }).fill("month");
  await form.getByLabel("Label", { exact: true }).fill("Invoice month");
  await form.getByLabel("Required", { exact: true }).check();
  await until(async () => (await stored()).parameters?.[0].required, "the parameter is not saved");
  await saved();
  await page.reload();
  await canvas.getByText("for Invoice month").waitFor();
  await page.getByRole("button", { name: "No problems" }).waitFor();
  const bar = page.getByRole("region", { name: "Drawn with" });
  await bar.getByLabel("Invoice month").fill("September");
  await canvas.getByText("for September").waitFor();
  assert.equal(JSON.stringify(await stored()).includes("September"), false, "a sample is no part of the report");
  await bar.getByLabel("Invoice month").fill("");
  await canvas.getByText("for Invoice month").waitFor();

  await page.goto(`${service.url}/ws/demo`);
  await page.frameLocator('iframe[title="Preview of T"]').getByText("for Invoice month").waitFor();
  assert.deepEqual(faults, []);
});

test("A10: what is left half done is drawn without it after a reload", async (t) => {
  const definition = {
    ...text("Here I stand"),
    dataSources: [{ name: "rows", type: "javascript", settings: { function: "() => { throw new Error('not today') }" } }],
  };
  const { page, canvas } = await openDesigner(t, { name: "T", definition });
  await canvas.getByText("Here I stand").waitFor();
  const told = page.getByRole("status").filter({ hasText: "The canvas shows what can be drawn" });
  await told.getByText("not today").waitFor();
  await page.getByRole("button", { name: "1 error" }).click();
  await page.getByRole("region", { name: "Problems" }).getByText("not today").click();
  await page.getByRole("heading", { name: "JavaScript" }).waitFor();
  await until(() => page.evaluate(() => document.activeElement.closest(".d-code") !== null), "the function is not asked for");
});

test("B15: what is not done yet is a hint, not red, and leads to its setting", async (t) => {
  const { page, canvas, faults } = await openDesigner(t, { name: "T", definition: { ...text("Hello"), dataSources: [{ name: "rows", type: "json", settings: { content: [{ a: 1 }] } }] } });
  await canvas.getByText("Hello").waitFor();
  await page.getByRole("button", { name: "1 hint" }).click();
  const list = page.getByRole("region", { name: "Problems" });
  await list.getByRole("button", { name: /Hint: nothing reads the data source "rows" yet/ }).click();
  await page.getByRole("heading", { name: "JSON" }).waitFor();
  await add(page, "Image");
  await list.getByRole("button", { name: /Image: people who do not see this image/ }).click();
  await until(() => page.evaluate(() => document.activeElement.id.endsWith(".altText")), "the setting is not asked for");
  await page.getByRole("button", { name: /hints?/ }).waitFor();
  assert.equal(await page.locator(".d-is-error").count(), 0, "nothing is red");
  await page.keyboard.press("Tab");
  await list.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
});
