// How long an edit takes from one browser to another that has the same report
// open: from the last key to the save, and from there to the other's settings and
// canvas. Judge it on a machine that has nothing else to do.
// node echo.mjs [edits]

import { report, shared } from "./editing.mjs";
import { script, signIn, startBrowser, startService } from "./service.mjs";

const EDITS = Number(process.argv[2] ?? 40);

const percentile = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];

await script(async (t) => {
  const service = await startService(t);
  const browser = await startBrowser(t);
  const thing = await shared(service, report);
  const open = async () => {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.addInitScript(() => {
      const real = window.fetch;
      window.saves = [];
      window.fetch = (address, init) => {
        if (init?.method === "PUT" && /reports\/\d+$/.test(address)) window.saves.push(Date.now());
        return real(address, init);
      };
    });
    await signIn(page, service);
    await page.goto(thing.address);
    await page.frameLocator("iframe.d-frame").getByText("ana-9001").waitFor();
    return page;
  };
  const [ana, ben] = [await open(), await open()];
  await ana.getByRole("list", { name: "Also in this report" }).waitFor();
  for (const page of [ana, ben]) await page.locator('[data-node="ana-9001"]').click();
  await ana.locator('[id="f-ana-9001.title"]').click();
  await ana.locator(".cm-content:focus").waitFor();
  const told = { "from the last key to the save": [], "from the save to the other's outline": [], "from the save to the other's canvas": [] };
  for (let n = 0; n < EDITS; n++) {
    const text = `Title ${n} of many`;
    const seen = ben.evaluate(async (text) => {
      const found = {};
      const look = () => {
        if (!found.outline && document.querySelector('[data-node="ana-9001"]').innerText.includes(text)) found.outline = Date.now();
        if (!found.canvas && document.querySelector("iframe.d-frame").contentDocument.body.textContent.includes(text)) found.canvas = Date.now();
        return found.outline && found.canvas;
      };
      while (!look()) await new Promise((done) => setTimeout(done, 2));
      return found;
    }, text);
    await ana.keyboard.press("Control+a");
    await ana.keyboard.type(text);
    const typed = await ana.evaluate(() => Date.now());
    const { outline, canvas } = await seen;
    const saved = await ana.evaluate(() => window.saves.at(-1));
    told["from the last key to the save"].push(saved - typed);
    told["from the save to the other's outline"].push(outline - saved);
    told["from the save to the other's canvas"].push(canvas - saved);
  }
  for (const [what, list] of Object.entries(told)) console.log(`${what}: median ${percentile(list, 0.5)} ms, p95 ${percentile(list, 0.95)} ms`);
});
