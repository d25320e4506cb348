// What is around every page: the navigation, the switch of workspaces and the
// finder, by keys, on wide and narrow screens, light and dark.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { signIn, startBrowser, startService } from "./service.mjs";

test("everything is a few keys away", async (t) => {
  const service = await startService(t);
  const page = await (await startBrowser(t)).newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/members`);
  assert.equal(await page.getByRole("link", { name: "Members" }).getAttribute("aria-current"), "page");

  await page.keyboard.press("Control+k");
  const finder = page.getByRole("dialog", { name: "Go to" });
  await finder.getByRole("combobox").waitFor();
  assert.deepEqual(await faults(page), [], "the finder");
  await page.keyboard.type("sales");
  await finder.getByRole("option", { name: /Sales report.*Quire demo/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/reports\/\d+\/preview/);

  await page.goto(`${service.url}/ws/demo`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("price list");
  await page.keyboard.press("Enter"); // at once: it opens what was typed, not what was shown a moment ago
  await page.waitForURL(/\/reports\/\d+\/preview/);
  assert.match(await page.title(), /Price list/);

  await page.goto(`${service.url}/ws/demo`);
  await page.getByRole("button", { name: "Search or do" }).click();
  await page.keyboard.type("expo"); // an entry of the navigation, by its beginning
  await finder.getByRole("option", { name: "Exports" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/ws\/demo\/exports$/);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("wibble");
  await finder.getByText("Nothing is called so.").waitFor();
  await page.keyboard.press("Escape");
  await finder.waitFor({ state: "hidden" });

  await page.keyboard.press("Control+k");
  await page.keyboard.type("sign out"); // what a menu has can be done from here, too
  await finder.getByRole("option", { name: "Sign out" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Password").waitFor();
});

test("what a selection tells does not widen the designer", async (t) => {
  const service = await startService(t);
  const page = await (await startBrowser(t)).newPage({ viewport: { width: 1280, height: 800 } });
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/reports/6/design`);
  const text = page.frameLocator(".d-frame").getByText("Arc lounge chair").first();
  await text.waitFor(); // it is there before the pages are
  const cell = await text.boundingBox();
  await page.mouse.click(cell.x + 2, cell.y + 2);
  await page.getByRole("button", { name: /^from / }).waitFor(); // a long line below the page
  const { right, width } = await page.locator(".d-canvas").evaluate((el) => ({ right: document.querySelector(".d-right").getBoundingClientRect().left, width: el.getBoundingClientRect().right }));
  assert.ok(width <= right + 1, `the canvas ends at ${width}, the settings begin at ${right}`);
});

test("a narrow screen keeps all of the navigation", async (t) => {
  const service = await startService(t);
  for (const colorScheme of ["light", "dark"]) {
    const context = await (await startBrowser(t)).newContext({ viewport: { width: 390, height: 780 }, colorScheme });
    const page = await context.newPage();
    await signIn(page, service);
    await page.goto(`${service.url}/ws/demo`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, "nothing is wider than the screen");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.deepEqual(await faults(page), [], colorScheme);
    await page.locator(".switch summary").click();
    await page.getByRole("link", { name: "All workspaces" }).click();
    await page.getByRole("heading", { name: "Reports" }).waitFor();
  }
});
