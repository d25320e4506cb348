// A chart begins with a picture of its kind and the fields that it shows: B1, B4 and B7 of the findings on the screens.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { add, openDesigner } from "./designing.mjs";
import { until } from "./service.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const content = [["Hardware", "North", 100], ["Software", "North", 50], ["Hardware", "South", 30]].map(([category, region, amount], id) => ({ id, category, region, amount }));
const definition = { version: 1, name: "T", dataSources: [{ name: "sales", type: "json", settings: { content } }], pages: [{ id: 1, name: "One", elements: [] }] };

test("one press makes a chart of what there is, three boxes change it", async (t) => {
  const { page, canvas, stored, faults } = await openDesigner(t, { name: "T", definition });
  const chart = async () => (await stored()).pages[0].elements[0];
  let last = null;
  const becomes = (holds, complaint) => until(async () => holds((last = await chart())), complaint).catch((e) => { throw new Error(`${e.message}: ${JSON.stringify(last)}`); });
  await canvas.locator(".q-page").first().waitFor();
  await add(page, "Chart");
  const onPage = page.locator(".d-begin");
  await onPage.waitFor();
  await page.getByText("1 warning").waitFor();
  assert.equal(await page.getByText("the chart has no series").count(), 0, "what was not asked yet is told as a fault");
  await page.evaluate(`${axe}; null`);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document.querySelector(".d-begin"), { iframes: false }));
  assert.deepEqual(violations.map((v) => `${v.id} at ${v.nodes[0].target.join(" ")}`), []);
  await onPage.getByRole("button", { name: "Columns", exact: true }).click();
  await becomes((c) => isDeepStrictEqual(c.props, { source: "$data.sales", series: [{ chartType: "column", xField: "category", yField: "amount", aggregate: "sum" }] }), "the chart does not begin with what there is");
  await canvas.locator("figure svg").getByText("Hardware").waitFor();
  await until(async () => (await onPage.count()) === 0, "the pictures stay on the page");
  assert.equal(await page.getByText(/\d+ (warning|error)/).count(), 0, "added up without a warning");

  const boxes = page.getByRole("region", { name: "Chart" });
  await boxes.getByLabel("Series").fill("region");
  await page.keyboard.press("Enter");
  await canvas.locator("figure svg").getByText("South").waitFor(); // the legend
  await becomes((c) => c.props.series[0].splitField === "region", "it is not split");
  await boxes.getByRole("button", { name: "Stacked columns" }).click();
  await becomes((c) => c.props.series[0].stacked === true, "it is not stacked");
  await boxes.getByRole("button", { name: "Donut" }).click();
  await becomes((c) => c.type === "pie-chart" && c.props.nameField === "category" && c.props.valueField === "amount" && c.props.innerPieRadius > 0, "it is no donut of the same");
  await boxes.getByLabel("Slices").fill("region");
  await page.keyboard.press("Enter");
  await canvas.locator("figure svg").getByText("North").first().waitFor();
  await boxes.getByRole("button", { name: "Lines" }).click();
  await becomes((c) => c.type === "generic-chart" && c.props.series[0].xField === "region", "it is no line of the same");
  await boxes.getByLabel("Rows of the same category").selectOption({ label: "Average" });
  await becomes((c) => c.props.series[0].aggregate === "average", "it is no average");
  assert.deepEqual(faults, []);
});
