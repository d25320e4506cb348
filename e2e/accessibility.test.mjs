// Every screen by axe: WCAG 2.2, levels A and AA, light and dark, in both languages,
// and none is wider than a phone. Those about people are in people.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { walk } from "./screens.mjs";
import { signIn, startBrowser, startService, until } from "./service.mjs";

for (const language of ["en", "de"]) {
  test(`every screen, ${language}`, { timeout: 900_000 }, async (t) => {
    const found = [];
    const look = async (page, name) => {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await faults(page, `${name}, ${colorScheme}`)));
      }
      const size = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      // The window is narrow a frame before its page is told of it.
      await until(async () => (await wider()) <= 0, "", 5_000).catch(async () => found.push(`${name} is ${await wider()} px wider than a phone`));
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
