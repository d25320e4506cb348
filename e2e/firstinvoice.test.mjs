// The first invoice of the findings on the screens, by real mouse and keys, and its
// actions counted as there: a press, a drag, a choice or a text is one. It has a
// logo, a grouped table, totals, a chart, a page number, a parameter and a preview.
// They were 92 with 6 dead ends. Moments of doubt are a person's, and not counted.
// The pictures of docs/designer.md are made on the way: `make pictures` keeps them.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { at, drag } from "./designing.mjs";
import { decode, shrink } from "./png.mjs";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const csv = ["item;group;quantity;amount", "Arc lounge chair;Seating;2;1380,00", "Tern stool;Seating;4;580,00", "Fjell dining table;Tables;1;1240,00", "Halo pendant;Lighting;2;538,00"].join("\n");

const kept = join(import.meta.dirname, "..", "docs", "pictures", "first-invoice");

/** Keeps a picture of a step, or sees that the one that is kept is of the same step, and as large. */
async function picture(page, step) {
  await page.evaluate(() => document.fonts.ready);
  const png = shrink(await page.screenshot({ animations: "disabled", caret: "hide" }));
  if (process.env.KEEP_PICTURES) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, `${step}.png`), png);
  }
  const [now, before] = [decode(png), decode(readFileSync(join(kept, `${step}.png`)))];
  assert.deepEqual([now.width, now.height], [before.width, before.height], step);
  return `${step}.png`;
}

test("a first invoice takes at most 35 actions", async (t) => {
  const service = await startService(t);
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo`);
  const began = Date.now();
  const done = [];
  const series = [];
  const shows = async (step, on = page) => series.push(await picture(on, `${series.length + 1}-${step}`));
  const does = async (what, action) => (await action, done.push(what));
  const press = async (what, locator, options) => {
    const where = await at(locator);
    await does(what, page.mouse.click(where.x, where.y, options));
  };
  const type = (what, text) => does(what, page.keyboard.type(text));

  await press("From my data", page.getByRole("link", { name: "From my data" }).first());
  await page.getByLabel("Data CSV or JSON").waitFor(); // it has the focus
  await does("paste", page.keyboard.insertText(csv));
  await press("Next", page.getByRole("button", { name: "Next" }));
  await press("name", page.getByLabel("Name of the report"));
  await type("its text", "Invoice 17");
  await does("group", page.getByLabel("Group the rows by").selectOption({ label: "Group" }));
  await shows("data");
  await press("Create", page.getByRole("button", { name: "Create report" }));
  const canvas = page.frameLocator("iframe[title=Report]");
  await canvas.getByText("3,738.00").last().waitFor(); // the total, below the chart and three groups
  await canvas.locator("svg text", { hasText: "Lighting" }).waitFor();

  await page.getByText("Saved", { exact: true }).waitFor();
  await shows("report");
  const image = page.getByRole("region", { name: "Components" }).getByRole("button", { name: "Image", exact: true });
  await image.scrollIntoViewIfNeeded();
  const heading = canvas.getByText("Invoice 17").first();
  await does("drag a picture above the title", drag(page, await at(image), await at(heading, 0.5, 0.1)));
  await page.getByLabel("Choose a picture").waitFor();
  await does("choose the logo", page.getByLabel("Choose a picture").selectOption("halden-logo.svg"));
  await until(() => canvas.locator("img").count(), "the logo is not shown");

  await page.getByText("Saved", { exact: true }).waitFor();
  await shows("logo");
  await press("Parameters", page.getByRole("tab", { name: "Parameters" }));
  await press("Add parameter", page.getByRole("button", { name: "Add parameter" }));
  await press("write in the title", canvas.getByText("Invoice 17").first(), { clickCount: 2 });
  await until(() => page.evaluate(() => document.activeElement.tagName === "TEXTAREA"), "the title is not written in place");
  await does("to its end", page.keyboard.press("End"));
  await type("look for the parameter", " {par");
  await page.getByRole("option", { name: /parameter1/ }).waitFor();
  await shows("parameter");
  await does("take it", page.keyboard.press("Enter"));
  await does("keep the title", page.keyboard.press("Enter"));

  await press("the amounts", canvas.locator("th", { hasText: "Amount" }));
  await press("its column", canvas.locator("th", { hasText: "Amount" }));
  const format = page.getByRole("toolbar", { name: "Column Amount" }).getByLabel("Format");
  await format.waitFor();
  await does("format", format.selectOption({ label: "Currency" }));
  await canvas.getByText(/[€$£]\s?3,738/).last().waitFor();
  await page.getByText("Saved", { exact: true }).waitFor();

  await shows("format");
  const opened = page.context().waitForEvent("page");
  await press("Preview", page.getByRole("link", { name: "Preview" }));
  const preview = await opened;
  await preview.getByText(/3,738/).last().waitFor();
  assert.ok(await preview.getByText(/1\s*(\/|of)\s*1/).count(), "the page has its number from the template");
  await preview.locator(".q-desk > .q-page").first().waitFor();
  await shows("preview", preview);
  assert.deepEqual(readdirSync(kept).sort(), series, "the pictures that are kept are those of these steps");
  const id = /reports\/(\d+)\//.exec(page.url())[1];
  const { definition } = await (await api(service, "GET", `/api/ui/ws/demo/reports/${id}`)).json();
  const kinds = definition.pages[0].elements.map((e) => e.type);
  assert.deepEqual([...kinds].sort(), ["data-table", "generic-chart", "heading", "heading", "img"]);
  assert.match(JSON.stringify(definition), /Invoice 17 \{\$params\.parameter1\}/);
  console.log(`# first invoice: ${done.length} actions (at most 35; they were 92), each of which led on (6 did not), ${Math.round((Date.now() - began) / 1000)} s by a machine`);
  console.log(`# ${done.join(", ")}`);
  assert.ok(done.length <= 35);
});
