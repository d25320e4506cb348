// On a phone: what fingers are to hit is at least 44 pixels high and wide, in the
// viewer and on the screens of the service, and nothing is wider than the window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { small } from "./looking.mjs";
import { walk } from "./screens.mjs";
import { signIn, startBrowser, startService } from "./service.mjs";

for (const only of ["lists", "runs", "administration", "viewer"]) {
  test(`fingers hit what they are to hit: ${only}`, { timeout: 300_000 }, async (t) => {
    const found = [];
    const see = async (page, name) => {
      for (const frame of page.frames()) found.push(...(await frame.evaluate(small)).map((one) => `${name}: ${one}`));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found.push(`${name}: ${wide} px wider than the window`);
    };
    await walk(t, { only, phone: true, see });
    assert.deepEqual(found, []);
  });
}

test("the bar below the canvas is on the screen as a whole", async (t) => {
  const service = await startService(t);
  const browser = await startBrowser(t);
  for (const language of ["en", "de"]) {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })).newPage();
    await signIn(page, service);
    await page.setExtraHTTPHeaders({ "Accept-Language": language });
    await page.goto(`${service.url}/ws/demo/reports/2/design`);
    await page.frameLocator(".d-frame").getByText("Arc lounge chair").first().waitFor();
    await page.touchscreen.tap(150, 300); // something is selected
    await page.locator(".d-trail [aria-current]").waitFor();
    const beyond = await page.locator(".d-status").evaluate((bar) => [...bar.querySelectorAll(":scope > *, :scope > .d-problems > button")].map((el) => [el.className, el.getBoundingClientRect()]).filter(([, { left, right, bottom }]) => left < 0 || right > innerWidth || bottom > innerHeight).map(([name]) => name));
    assert.deepEqual(beyond, [], language);
    await page.context().close();
  }
});
