// Every screen about people by axe, in both languages and without sideways
// scrolling; and what people do on them by the keyboard alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { startBrowser } from "./service.mjs";
import { startCompany, tour } from "./people.mjs";

/** What a page says, in all places where it does; parts in another language or in code, and what people entered, are no words of it. */
const words = () => {
  const said = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("script, style, pre, code, [lang]")) said.add(walker.currentNode.textContent);
  }
  for (const name of ["aria-label", "placeholder", "title", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) said.add(element.getAttribute(name));
  }
  return [...said].map((text) => text.replace(/\s+/g, " ").replace(/\d+/g, "0").trim()).filter((text) => /\p{L}{2}/u.test(text));
};

test("every screen, light and English, dark and German", { timeout: 300_000 }, async (t) => {
  const browser = await startBrowser(t);
  const found = [];
  const look = async (options) => {
    const service = await startCompany(t);
    const page = await (await browser.newContext(options)).newPage();
    const said = new Map();
    page.on("pageerror", (error) => found.push(`${options.locale}: ${page.url()}: ${error.message}`));
    await tour(page, service, async (name) => {
      found.push(...(await faults(page, `${options.locale}: ${name}`)));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found.push(`${options.locale}: ${name} is ${wide} px wider than the screen`);
      said.set(name, await page.evaluate(words));
      if (process.env.E2E_PICTURES) {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: join(process.env.E2E_PICTURES, `${String(said.size).padStart(2, "0")}-${name.replaceAll(" ", "-")}-${width}-${options.locale}-${options.colorScheme}.png`), fullPage: true });
        }
        await page.setViewportSize(options.viewport);
      }
    });
    return said;
  };
  const english = await look({ colorScheme: "light", locale: "en", viewport: { width: 1440, height: 900 } });
  const german = await look({ colorScheme: "dark", locale: "de", viewport: { width: 390, height: 900 } });

  const known = JSON.parse(readFileSync(join(import.meta.dirname, "../api/ui/texts/de.json"), "utf8"));
  const same = /^(root@|UTC$|Quire|Example|Empty|Ana |Zoe |Vesna |Ben |Sales|Buyers|Night|Billing|Careful|Administrator – |Entra ID|\S+@\S+$)/;
  for (const [name, texts] of german) {
    for (const text of texts) {
      if (english.get(name).includes(text) && known[text] !== text && !same.test(text)) found.push(`de: ${name} says in English: ${text}`);
    }
  }
  assert.deepEqual(found, []);
});
