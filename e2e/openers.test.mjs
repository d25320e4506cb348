// Lists tell who has open what they list, while they are looked at: the list of
// reports, and that of templates and report types in the library. Issue 18, point 7.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as flaws } from "./axe.mjs";
import { reports } from "./designing.mjs";
import { api, startBrowser, startService, until } from "./service.mjs";

const definition = { version: 1, name: "Offer", pages: [{ id: 1, name: "One", elements: [{ id: "title", type: "heading", props: { title: "Offer" } }] }] };

test("lists tell who has what open, and no longer when that is over", async (t) => {
  const service = await startService(t);
  const { id } = await (await api(service, "POST", reports, { name: "Offer", definition })).json();
  const type = (await (await api(service, "POST", "/api/ui/ws/demo/reportTypes", { name: "Letters", code: "letters" })).json()).id;
  const browser = await startBrowser(t);
  const faults = [];
  const opened = async (options = {}) => {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })).newPage();
    page.on("pageerror", (e) => faults.push(String(e)));
    await page.goto(`${service.url}/sign-in`);
    await page.locator("[name=email]").fill("root@localhost");
    await page.locator("[name=password]").fill(service.password);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.includes("sign-in"));
    return page;
  };
  const [list, other] = [await opened({ locale: "de", colorScheme: "dark" }), await opened()];
  await list.goto(`${service.url}/ws/demo`);
  const there = list.getByRole("list", { name: "Jetzt geöffnet: Offer" });
  assert.equal(await there.count(), 0, "nobody has it open");
  const tall = () => list.locator(".cards").evaluate((el) => el.getBoundingClientRect().height);
  const before = await tall();
  await other.goto(`${service.url}/ws/demo/reports/${id}/design`);
  await there.waitFor();
  assert.deepEqual(await there.getByRole("listitem").allTextContents().then((all) => all.length), 1);
  const name = await there.getByRole("listitem").getAttribute("title");
  assert.ok(name && (await there.getByRole("listitem").textContent()).endsWith(name), "the face says nothing");
  assert.equal(await list.locator(".openers:visible").count(), 1, "others are open, too");
  assert.equal(await tall(), before, "who comes moves the list");
  assert.deepEqual(await flaws(list, "list with openers"), []);
  await list.setViewportSize({ width: 390, height: 844 });
  assert.ok((await list.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "wider than the screen");
  if (process.env.E2E_PICTURES) await there.locator("xpath=ancestor::li[1]").screenshot({ path: `${process.env.E2E_PICTURES}/openers-390.png` });

  // Two people in one report type hear of each other and of what is saved.
  await other.goto(`${service.url}/ws/demo/library#reportTypes/${type}`);
  await there.waitFor({ state: "hidden" });
  await list.setViewportSize({ width: 1440, height: 900 });
  await list.goto(`${service.url}/ws/demo/library#reportTypes/${type}`);
  await list.getByRole("list", { name: "Auch hier" }).waitFor();
  await other.getByRole("textbox", { name: "Description" }).fill("To customers");
  await until(async () => (await list.getByRole("textbox", { name: "Beschreibung" }).inputValue()) === "To customers", "what is saved there is not heard of");
  assert.deepEqual(await flaws(list, "report type with others"), []);
  assert.deepEqual(faults, []);
});
