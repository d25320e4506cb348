// Every screen by axe: WCAG 2.2, levels A and AA, light and dark, in both languages,
// none is wider than a phone or than the window at 200 %, and no words are cut that
// cannot be read elsewhere, and nothing moves for who wants less motion. Those about people are in people.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { walk } from "./screens.mjs";
import { cutWords, moving } from "./looking.mjs";
import { signIn, startBrowser, startService, until } from "./service.mjs";

for (const language of ["en", "de"]) {
  test(`every screen, ${language}`, { timeout: 900_000 }, async (t) => {
    const found = [];
    const look = async (page, name) => {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await faults(page, `${name}, ${colorScheme}`)));
      }
      found.push(...(await page.evaluate(cutWords)).map((words) => `${name} cuts ${words}`));
      await page.emulateMedia({ reducedMotion: "reduce" });
      found.push(...(await page.evaluate(moving)).map((what) => `${name} moves ${what}`));
      await page.emulateMedia({ reducedMotion: null });
      const size = page.viewportSize();
      for (const [width, height, what] of [[size.width / 2, size.height / 2, "the window at 200 %"], [390, 844, "a phone"]]) {
        await page.setViewportSize({ width, height });
        const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        // The window is narrow a frame before its page is told of it.
        await until(async () => (await wider()) <= 0, "", 5_000).catch(async () => found.push(`${name} is ${await wider()} px wider than ${what}`));
      }
      await page.setViewportSize(size);
    };
    await walk(t, { language, see: look }).finally(() => found.forEach((fault) => t.diagnostic(fault)));
    assert.deepEqual(found, []);
  });
}

test("the rules of a password are ticked as they are kept", async (t) => {
  const service = await startService(t);
  const page = await (await startBrowser(t)).newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/password`);
  await page.getByLabel("Current password").fill("guess");
  await page.getByLabel("New password", { exact: true }).fill("short");
  assert.deepEqual(await page.locator("[data-rule].kept").allTextContents(), ["a letter"]);
  await page.getByLabel("New password", { exact: true }).fill("Correct-horse-7");
  assert.equal(await page.locator("[data-rule].kept").count(), 4);
  await page.getByLabel("New password again").fill("Correct-horse-8");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("alert").getByText("not the same").waitFor();
  assert.deepEqual(await faults(page, "password refused"), []);
});
