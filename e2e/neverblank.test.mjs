// The canvas always shows a page, and problems say how bad they are and lead to
// their place: A1, A2, A10, A11, A13 and B15 of the findings on the screens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { add, openDesigner, reports } from "./designing.mjs";
import { api, until } from "./service.mjs";

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

  await until(async () => {
    await page.goto(`${service.url}/ws/demo`);
    return (await page.locator(".report", { hasText: /^\s*T\b/ }).locator("img").count()) === 1;
  }, "the list has no picture of it");
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
  await list.getByRole("button", { name: /Hint: Nothing reads the data source "rows" yet/ }).click();
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

test("A2: a template always has its placeholder", async (t) => {
  const { service, page, canvas, faults } = await openDesigner(t);
  const all = "/api/ui/ws/demo/templates";
  const made = await (await api(service, "POST", all, { name: "Mine", code: "mine", layouts: [{}] })).json();
  await page.goto(`${service.url}/ws/demo/templates/${made.id}/design`);
  await canvas.getByText("What a report brings stands here").waitFor();
  await add(page, "Text");
  await canvas.getByText("Text", { exact: true }).waitFor();
  await canvas.getByText("What a report brings stands here").waitFor();
  const body = async () => (await (await api(service, "GET", all)).json()).find((r) => r.id === made.id).definition.layouts[0].body.map((n) => n.type);
  await until(async () => (await body()).length === 2, "the placeholder is not stored beside the text");
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /^Content placeholder/ }).click();
  await page.keyboard.press("Delete");
  await page.getByRole("status").filter({ hasText: "a layout keeps it" }).waitFor();
  await canvas.getByText("What a report brings stands here").waitFor();
  assert.deepEqual(await body(), ["content-placeholder", "text"]);
  assert.deepEqual(faults, []);
});

test("A11: the canvas has one scroll bar, and the page stands in its middle", async (t) => {
  const elements = Array.from({ length: 120 }, (_, i) => ({ id: `t${i}`, type: "text", props: { text: `Line ${i}` } }));
  const { page, canvas } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", pages: [{ id: 1, name: "One", elements }] } });
  await canvas.getByText("Line 119").waitFor();
  const frame = page.locator("iframe[title=Report]");
  assert.deepEqual(await frame.evaluate((el) => [el.contentDocument.documentElement.clientWidth, el.contentDocument.documentElement.clientHeight]), await frame.evaluate((el) => [el.clientWidth, el.clientHeight]));
  const [left, right] = await frame.evaluate((el) => {
    const sheet = el.contentDocument.querySelector(".q-page").getBoundingClientRect();
    return [sheet.left, el.clientWidth - sheet.right];
  });
  assert.ok(Math.abs(left - right) <= 1, `the page is off centre: ${left} and ${right}`);
});

test("A13: options and problems are words of the language of the page", async (t) => {
  const { page, context, canvas } = await openDesigner(t, { name: "T", definition: { ...text("Row {$data.row}"), dataSources: [{ name: "rows", type: "json", settings: { content: [1] } }] } });
  await canvas.getByText("Row").waitFor();
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /^Text/ }).click();
  const settings = page.getByRole("complementary", { name: "Settings" });
  await settings.getByRole("option", { name: "Line through" }).waitFor({ state: "attached" });
  await context.setExtraHTTPHeaders({ "Accept-Language": "de" });
  await page.reload();
  await page.getByRole("region", { name: "Gliederung" }).getByRole("button", { name: /^Text/ }).click();
  const german = page.getByRole("complementary", { name: "Einstellungen" });
  for (const name of ["Durchgestrichen", "Links", "Großbuchstaben"]) await german.getByRole("option", { name, exact: true }).first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Ansicht", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: /^Lineale\s*Umschalt\+R$/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /Warnung/ }).click();
  await page.getByRole("region", { name: "Probleme" }).getByText("es gibt keine Datenquelle „row“").waitFor();
});

test("what a typographer would say is mended by one press", async (t) => {
  const lines = (n) => Array.from({ length: n }, (_, i) => ({ id: `l${i}`, type: "text", props: { text: `Line ${i + 1}`, height: "12mm" } }));
  const definition = {
    version: 1, name: "T",
    dataSources: [{ name: "sales", type: "json", settings: { content: [{ n: "A", v: 1 }, { n: "B", v: 2 }] } }],
    pages: [{ id: 1, name: "One", elements: [
      { id: "h", type: "heading", props: { level: "H1", title: "Sales" } },
      { id: "s", type: "text", props: { text: "A note", fontSize: "5pt" } },
      ...lines(16),
      { id: "lead", type: "text", props: { text: "By town:" } },
      { id: "c", type: "generic-chart", props: { altText: "Sales by town", source: "$data.sales", height: "60mm", series: [{ chartType: "column", xField: "n", yField: "v" }] } },
    ] }],
  };
  const { page, canvas, stored } = await openDesigner(t, { name: "T", definition });
  await canvas.locator(".q-page").nth(1).waitFor();
  await page.getByRole("button", { name: /hint/ }).click();
  const list = page.getByRole("region", { name: "Problems" });
  await list.getByText(/Page 2 is filled to \d+ %/).waitFor();
  await list.getByRole("button", { name: "Keep it with what follows" }).click();
  await list.getByRole("button", { name: "Set it in 6.5 pt" }).click();
  const settings = async (id) => (await stored()).pages[0].elements.find((e) => e.id === id).props;
  await until(async () => (await settings("s")).fontSize === "6.5pt" && (await settings("lead")).keepWithNext === true, "it is not mended");
  await canvas.locator(".q-page").nth(1).getByText("By town:").waitFor();
  await list.getByRole("button", { name: "Set it in 6.5 pt" }).waitFor({ state: "detached" });
  await list.getByRole("button", { name: "Keep it with what follows" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await until(async () => (await settings("s")).fontSize === "5pt" && (await settings("lead")).keepWithNext === true, "one undo does not take one repair back");
});

test("B21: the reports of the demo open without a problem", async (t) => {
  const { service, page, canvas } = await openDesigner(t);
  const list = await (await api(service, "GET", reports)).json();
  const told = {};
  for (const { id, name } of list) {
    if (name === "Offer") continue; // the empty one of this test
    await page.goto(`${service.url}/ws/demo/reports/${id}/design`);
    await canvas.locator(".q-page").first().waitFor();
    await until(async () => (await page.locator(".d-problems > .d-chip").innerText()) !== "" && (await page.getByText("Saved", { exact: true }).count()) > 0, "it is not drawn");
    await page.locator(".d-problems > .d-chip").click();
    told[name] = await page.locator(".d-list-of-problems li").allInnerTexts();
  }
  assert.equal(Object.keys(told).length, 6);
  assert.deepEqual(Object.values(told).flat(), [], JSON.stringify(told));
});

test("B20: few stops lead from the address bar to the page, and one key skips them", async (t) => {
  const elements = Array.from({ length: 12 }, (_, i) => ({ id: `t${i}`, type: "text", props: { text: `Line ${i}` } }));
  const { page, canvas } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", pages: [{ id: 1, name: "One", elements }] } });
  await canvas.getByText("Line 11").waitFor();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to the page");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "canvas");
  await page.evaluate(() => document.activeElement.blur());
  await page.reload();
  await canvas.getByText("Line 11").waitFor();
  let stops = 1;
  for (await page.keyboard.press("Tab"); (await focused()) !== "canvas"; stops++) {
    assert.ok(stops < 30, "the page is not reached");
    await page.keyboard.press("Tab");
  }
  console.log(`# B20: ${stops} stops to the page; they were 58`);
  assert.ok(stops <= 18, `${stops} stops`);
  const palette = page.getByRole("region", { name: "Components" });
  await palette.getByRole("button", { name: "Text", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await focused(), /^Paragraph/);
  await page.keyboard.press("Home");
  assert.match(await focused(), /^Text/);
  const outline = page.getByRole("region", { name: "Outline" });
  await outline.getByRole("button", { name: "Text Line 3", exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /Line 4/);
});
