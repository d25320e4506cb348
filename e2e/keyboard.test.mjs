// The whole first invoice of firstinvoice.test.mjs by the keyboard alone, from the
// list of reports to the file: no pointer is used, the focus is never lost, and it
// can be seen at each stop.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const csv = ["item;group;quantity;amount", "Arc lounge chair;Seating;2;1380,00", "Tern stool;Seating;4;580,00", "Fjell dining table;Tables;1;1240,00", "Halo pendant;Lighting;2;538,00"].join("\n");

/** What has the focus, in shadow trees too: what it is called, and whether that it has the focus can be seen. */
const focused = () => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  const box = at.getBoundingClientRect();
  const name = at.getAttribute("aria-label") || document.getElementById(at.getAttribute("aria-labelledby"))?.innerText || [...(at.labels ?? [])].map((l) => l.innerText).join(" ") || at.innerText || at.title || at.id || at.tagName;
  const lined = (s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1.5;
  const look = (el) => {
    return [getComputedStyle(el), getComputedStyle(el, "::after")].some((s) => lined(s) || s.boxShadow !== "none" || s.backgroundImage.includes("gradient"));
  };
  // Code is a field in a field; the search of the viewer is a field with its buttons.
  const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && (look(at) || lined(getComputedStyle(at.closest(".cm-editor") ?? at.parentElement)));
  return { name: name.replace(/\u00ad/g, "").replace(/\s+/g, " ").trim(), seen: Boolean(seen), tag: `${at.tagName}.${at.className}`, value: at.value };
};

test("a first invoice is made by the keyboard alone", { timeout: 300_000 }, async (t) => {
  const service = await startService(t);
  const context = await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } });
  // Presses that no pointer made have no place and no pointer.
  await context.addInitScript(() => {
    globalThis.pointed = [];
    for (const kind of ["pointerdown", "mousedown", "pointermove", "touchstart", "wheel"]) addEventListener(kind, (e) => globalThis.pointed.push(`${kind} on ${e.target.tagName}`), { capture: true, passive: true });
  });
  const page = await context.newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo`);
  let on = page;
  const keys = { presses: 0, tabs: 0 };
  const unseen = [];
  const at = () => on.evaluate(focused);
  const lost = [];
  const document = () => on.evaluate(() => performance.timeOrigin).catch(() => NaN); // it is being left
  const press = async (...all) => {
    for (const key of all) {
      const [before, was] = [await at(), await document()];
      await on.keyboard.press(key);
      keys.presses++;
      if (before && (await document()) === was && !(await at().catch(() => before))) lost.push(`${key} on ${before.name}`);
    }
  };
  const type = async (text) => (await on.keyboard.type(text), keys.presses++);
  /** Goes by Tab to what is called so. */
  const to = async (name, key = "Tab", most = 70) => {
    const passed = [];
    for (let n = 0; n <= most; n++) {
      const now = await at();
      if (now && !now.seen && !(await until(async () => (await at())?.seen, "").catch(() => false))) unseen.push(`${now.name} ${now.tag}`);
      if (now && (name instanceof RegExp ? name.test(now.name) : now.name === name)) return now;
      passed.push(now?.name?.slice(0, 30) ?? "nothing");
      await press(key);
      keys.tabs++;
    }
    throw new Error(`${key} does not reach ${name}: ${passed.join(" | ")}`);
  };
  /** Goes from part to part of the window. */
  const part = async (name, key = "F6") => {
    for (let n = 0; n < 5; n++) {
      await press(key);
      if ((await at())?.name === name) return;
    }
    throw new Error(`${key} does not lead to ${name}, but to ${(await at())?.name}`);
  };
  /** Waits until what is called so has the focus, without a key. */
  const has = (name) => until(async () => (name instanceof RegExp ? name.test((await at())?.name) : (await at())?.name === name), `the focus is not on ${name}`).catch(async (e) => { throw new Error(`${e.message}, but on ${JSON.stringify(await at())}`); });

  // A report from pasted rows.
  await to("From my data");
  await Promise.all([page.waitForEvent("load"), press("Enter")]);
  await has(/CSV or JSON/);
  await page.keyboard.insertText(csv);
  await to("Next");
  await press("Enter");
  await page.getByLabel("Name of the report").waitFor();
  await to(/^Name of the report/);
  await type("Invoice 17");
  await to(/^Group the rows by/);
  await type("Group"); // a list takes the first letters
  await to("Create report");
  await press("Enter");
  const canvas = page.frameLocator("iframe[title=Report]");
  await canvas.getByText("3,738.00").last().waitFor();
  const id = /reports\/(\d+)\//.exec(page.url())[1];
  const stored = async () => (await (await api(service, "GET", `/api/ui/ws/demo/reports/${id}`)).json()).definition;

  // The title is selected, and a picture comes above it.
  await to("Skip to the page");
  await press("Enter");
  await has("Canvas");
  await press("Control+ArrowRight");
  await until(() => page.locator("[data-node][aria-pressed=true]").count(), "nothing is selected by a key");
  const chosen = () => page.locator("[data-node][aria-pressed=true]").innerText();
  assert.match(await chosen(), /Invoice 17/);
  await press("/");
  await type("image");
  await page.getByRole("option", { name: /^Image/ }).first().waitFor();
  await press("Enter");
  await page.getByLabel("Choose a picture").waitFor();
  await part("Find a setting");
  await to("Choose a picture");
  await type("halden-logo");
  await until(() => canvas.locator("img").count(), "the logo is not shown");
  await part("Canvas", "Shift+F6");
  await press("Alt+ArrowUp"); // the picture is what is selected
  const kinds = async () => (await stored()).pages[0].elements.map((e) => e.type);
  await until(async () => (await kinds())[0] === "img", "the picture does not stand first");

  // A parameter, and the title prints it.
  await part("Add", "Shift+F6");
  for (let n = 0; n < 6 && (await at()).name !== "Parameters"; n++) await press("ArrowDown");
  await to("Add parameter");
  await press("Enter");
  await has(/^Name/);
  await part("Canvas");
  await press("Control+ArrowDown", "F2");
  await until(() => page.evaluate(() => document.activeElement.tagName === "TEXTAREA"), "the title is not written in place");
  await press("End");
  await type(" {par");
  await page.getByRole("option", { name: /parameter1/ }).waitFor();
  await press("Enter", "Enter");
  await has("Canvas");

  // The table's column of amounts is money.
  for (let n = 0; n < 6 && !/Table/.test(await chosen()); n++) await press("Control+ArrowDown");
  await press("Enter");
  const bar = page.getByRole("toolbar", { name: /^Column / });
  await bar.waitFor();
  for (let n = 0; n < 6 && (await bar.getAttribute("aria-label")) !== "Column Amount"; n++) await press("ArrowRight");
  await to("Format");
  await type("Currency");
  await canvas.getByText(/[€$£]\s?3,738/).last().waitFor();
  await press("Escape");
  await has("Canvas");
  await page.getByText("Saved", { exact: true }).waitFor();

  // The preview, and the file.
  const [preview] = await Promise.all([context.waitForEvent("page"), press("Control+p")]);
  on = preview;
  await preview.getByText(/3,738/).last().waitFor();
  await to("Download as PDF");
  const [file] = await Promise.all([preview.waitForEvent("download"), press("Enter")]);
  assert.match((await readFile(await file.path())).subarray(0, 5).toString(), /^%PDF-/);
  assert.deepEqual([...(await kinds())].sort(), ["data-table", "generic-chart", "heading", "heading", "img"]);
  assert.match(JSON.stringify(await stored()), /Invoice 17 \{\$params\.parameter1\}/);
  assert.deepEqual([...(await page.evaluate(() => globalThis.pointed)), ...(await preview.evaluate(() => globalThis.pointed))], []);
  assert.deepEqual(unseen, [], "the focus cannot be seen there");
  assert.deepEqual(lost, [], "the focus is lost by that");
  console.log(`# first invoice by keys: ${keys.presses} presses, ${keys.tabs} of them Tab; texts count as one`);
});
