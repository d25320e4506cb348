// HTML files as people open them from a mail: small, a column on a phone and without
// scripts, pages on a desk.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { binary, startBrowser } from "./service.mjs";

const repository = join(import.meta.dirname, "..");
const PHONE = { width: 390, height: 844 };

/** A report of demo or gallery as an HTML file. */
function file(folder, name) {
  const out = join(mkdtempSync(join(tmpdir(), "quire-file-")), `${name}.html`);
  execFileSync(binary, ["render", join(repository, folder, "reports", `${name}.json`), "-o", out], { stdio: "ignore" });
  return out;
}

const DEMO = "assets/demo";
const GALLERY = "examples/gallery";

test("an HTML file is a column on a phone, and its pages when somebody asks", async (t) => {
  const page = await (await (await startBrowser(t)).newContext({ viewport: PHONE, colorScheme: "dark" })).newPage();
  const invoice = file(DEMO, "invoice");
  assert.ok(statSync(invoice).size <= 120_000, `${statSync(invoice).size} bytes`);
  const thrown = [];
  page.on("pageerror", (e) => thrown.push(e.message));
  await page.goto(`file://${invoice}`);
  const ask = page.getByRole("button", { name: "Pages" });
  await ask.waitFor();
  assert.equal(await page.locator(".q-page").count(), 0);
  assert.ok(await page.getByText("Arc lounge chair").isVisible());
  assert.ok(!(await page.getByText("Page", { exact: false }).filter({ hasText: /^Page\s+of/ }).first().isVisible()), "numbers of pages that are not there");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".q-sheet")).color), "rgb(32, 37, 31)", "dark without being asked");
  assert.deepEqual(await faults(page, "column"), []);
  await ask.focus();
  await page.keyboard.press("Enter");
  await page.locator(".q-desk .q-page").first().waitFor();
  assert.equal(await page.locator(".q-page").count(), 1);
  assert.equal(await page.locator(".q-offer").count(), 0);
  assert.deepEqual(thrown, []);
});

test("no report is wider than a phone, with scripts and without", async (t) => {
  const browser = await startBrowser(t);
  for (const [folder, name] of [[DEMO, "sales-report"], [DEMO, "bank-statement"], [GALLERY, "charts"], [GALLERY, "school-report-ar"], [GALLERY, "timetable"], [GALLERY, "annual-report"], [GALLERY, "newsletter"]]) {
    const address = `file://${file(folder, name)}`;
    for (const javaScriptEnabled of [true, false]) {
      const page = await (await browser.newContext({ viewport: PHONE, javaScriptEnabled })).newPage();
      await page.goto(address);
      if (javaScriptEnabled) {
        await page.locator(".q-offer").waitFor();
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width, `${name} is wider than the phone`);
        const lost = await page.evaluate(() => {
          const out = [];
          for (const el of document.querySelectorAll(".q-sheet p, .q-sheet h1, .q-sheet h2, .q-sheet .q-text")) {
            const box = el.getBoundingClientRect();
            const inside = el.closest("table, .q-el:has(> .q-c)");
            if (!inside && box.width > 0 && (box.left < -1 || box.right > innerWidth + 1)) out.push(el.textContent.trim().slice(0, 40));
          }
          return out;
        });
        assert.deepEqual(lost, [], `${name}: text beside the phone`);
      }
      assert.ok((await page.locator(".q-sheet").first().boundingBox()).height > 100, `${name}: nothing is shown`);
      await page.context().close();
    }
  }
});

test("on a desk an HTML file is its pages, in a light colour scheme and a dark one", async (t) => {
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "dark" })).newPage();
  await page.goto(`file://${file(DEMO, "letter")}`);
  await page.locator(".q-desk .q-page").first().waitFor();
  assert.equal(await page.locator(".q-offer").count(), 0);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".q-page")).backgroundColor), "rgb(255, 255, 255)");
});
