// The main journey in Firefox: the invoice from an empty report, with the
// pointer and the editors, and no violation of the page's policy.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFirefox, newPage, signIn, startFirefox } from "./firefox.mjs";
import { api, binary, startService, until } from "./service.mjs";

const reports = "/api/ui/ws/demo/reports";

test("the invoice in Firefox", inFirefox, async (t) => {
  const service = await startService(t);
  const report = await (await api(service, "POST", reports, { name: "Invoice in Firefox" })).json();
  const { browser, home } = await startFirefox(t);
  const { page, faults } = await newPage(browser);
  await signIn(page, service);

  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  const click = (name) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  const canvas = () => page.frames().find((f) => f.url().endsWith("/ui/canvas"));
  const shows = (text) => until(async () => (await canvas()?.evaluate(() => document.querySelector(".q-page")?.textContent ?? ""))?.includes(text), `the canvas does not show ${text}`);
  const stored = async () => (await (await api(service, "GET", `${reports}/${report.id}`)).json()).definition;
  const write = async (label, text) => {
    await page.locator(`::-p-aria([name="${label}"][role="textbox"])`).click();
    await page.waitForSelector(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type(text);
  };

  // Data from a file.
  await page.locator('::-p-aria([name="Data"][role="tab"])').click();
  await page.select('select[aria-label="Type of data source"]', "json");
  await click("Add data source");
  const file = await page.waitForSelector("input[type=file]");
  const path = join(home, "invoice.json");
  writeFileSync(path, JSON.stringify({ number: "2026-1", lines: [{ article: "Chair", amount: 690 }, { article: "Table", amount: 1356 }] }));
  await file.uploadFile(path);
  await page.waitForSelector('button[title="Add a table of $data.jsonData.lines"]');

  // A heading with a binding, by the palette and the editor.
  await page.locator('::-p-aria([name="Add"][role="tab"])').click();
  await click("Heading");
  await shows("Heading");
  await write("Title", "Invoice {$data.jsonData.number}");
  await shows("Invoice 2026-1");

  // The lines are dragged below it.
  await page.locator('::-p-aria([name="Data"][role="tab"])').click();
  const from = await (await page.waitForSelector('button[title="Add a table of $data.jsonData.lines"]')).boundingBox();
  const frame = await (await page.waitForSelector("iframe[title=Report]")).boundingBox();
  await page.mouse.move(from.x + 20, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(frame.x + 300, frame.y + 250, { steps: 5 });
  await page.mouse.move(frame.x + 310, frame.y + 300, { steps: 5 });
  await page.waitForSelector(".d-insert");
  await page.mouse.up();
  await shows("1,356");

  // A text is written in place.
  await page.locator('::-p-aria([name="Add"][role="tab"])').click();
  await click("Text");
  await page.waitForSelector(".d-selected");
  await page.focus(".d-canvas");
  await page.keyboard.press("F2");
  await page.waitForSelector(".d-inline");
  await page.keyboard.type("Thank you");
  await page.keyboard.press("Enter");
  await shows("Thank you");
  await until(async () => (await stored()).pages[0].elements?.length === 3, "three elements are not saved");
  const elements = (await stored()).pages[0].elements;
  assert.deepEqual(elements.map((e) => e.type), ["heading", "data-table", "text"]);
  assert.equal(elements[0].props.title, "Invoice {$data.jsonData.number}");

  // Undone and done again.
  await page.focus(".d-canvas");
  await page.keyboard.down("Control");
  for (let i = 0; i < 3; i++) await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await until(async () => (await stored()).pages[0].elements?.length === 1, "undo is not saved");

  // Its reader searches and chooses in the viewer.
  await page.goto(`${service.url}/ws/demo/reports/6/preview`);
  await page.waitForSelector(".q-desk > .q-page");
  const viewer = (read) => page.evaluate(`(() => { const ui = document.querySelector(".q-viewer").shadowRoot; return ${read}; })()`);
  const tells = (read, wanted) => until(async () => (await viewer(read)) === wanted, `${read} is not ${wanted}`);
  await tells('ui.querySelector(".q-counter").textContent', "/ 6");
  await page.keyboard.press("End");
  await tells("ui.querySelector('.bar .number').value", "6");
  await page.keyboard.press("/");
  await page.keyboard.type("birk dining");
  await page.keyboard.press("Enter");
  await tells("/^[0-9]+ of [0-9]+$/.test(ui.querySelector('.found').textContent) && CSS.highlights.get('quire-hit').size", 1);
  await viewer("[...ui.querySelectorAll('.aside input')].pop().focus()");
  await page.keyboard.press("End");
  await page.keyboard.type("CHF");
  await page.keyboard.press("Enter");
  await until(() => page.url().includes("EURCHF"), "the report is not loaded anew");
  await tells("[...ui.querySelectorAll('.aside input')].pop().value + ui.querySelector('.q-counter').textContent", "EURCHF/ 6");
  assert.deepEqual(faults, []);
});

test("an exported document prints its pages and no more in Firefox", inFirefox, async (t) => {
  const { browser, home } = await startFirefox(t);
  const layout = (pageType, orientation) => ({ pageType, size: "A4", orientation, body: [{ type: "content-placeholder", props: {} }] });
  const page = (id, pageType) => ({ id, pageType, elements: [{ type: "paragraph", props: { text: `Page ${id}` } }] });
  for (const last of ["upright", "wide"]) {
    const definition = { version: 1, name: "Sheets", template: "t", pages: [page(1, "upright"), page(2, "upright"), page(3, last)] };
    definition.include = { templates: [{ code: "t", name: "T", layouts: [layout("upright", "portrait"), layout("wide", "landscape")] }] };
    const [source, html, pdf] = ["a.json", "a.html", "a.pdf"].map((name) => join(home, name));
    writeFileSync(source, JSON.stringify(definition));
    execFileSync(binary, ["render", source, "-o", html]);
    const tab = await browser.newPage();
    await tab.goto(`file://${html}`);
    await tab.waitForSelector(".q-desk .q-page");
    writeFileSync(pdf, await tab.pdf({ preferCSSPageSize: true }));
    assert.match(execFileSync("pdfinfo", [pdf], { encoding: "utf8" }), /Pages: +3\n/, `the last page is ${last}`);
  }
});
