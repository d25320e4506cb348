// What a key in a field of the panel costs the browser's main thread, by its own
// metrics: processor time of all tasks, from the first key until nothing is left to
// do, over the number of keys. Run by make bench.

import { api, script, signIn, startBrowser, startService } from "./service.mjs";

const KEYS = 20;
/** Between two keys, in milliseconds: as fast as people type. */
const APART = 120;

const text = (id, value, more = {}) => ({ id, type: "text", props: { text: value, fontSize: "7pt", lineHeight: "1.3", ...more } });
const row = (name) => ({ id: `row${name}`, type: "flow", props: { gap: "8px" }, children: Array.from({ length: 9 }, (_, k) => text(`t${name}-${k}`, `Value ${name}.${k}`, { grow: true })) });
const pages = (count, elements) => Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `Page ${i + 1}`, elements: elements(i) }));

const cases = [
  { name: "400 elements on one page", most: 25, first: "Value 0.0", pages: pages(1, () => Array.from({ length: 40 }, (_, i) => row(i))) },
  { name: "50 pages of 8 elements", most: 40, first: "Value 0.0", pages: pages(50, (i) => Array.from({ length: 8 }, (_, k) => text(`p${i}-${k}`, `Value ${i}.${k}`))) },
  { name: "400 elements over 44 sheets", most: 40, first: "Value 0", pages: pages(1, () => Array.from({ length: 400 }, (_, i) => text(`f${i}`, `Value ${i}`, { height: "90px" }))) },
];

await script(async (t) => {
  const service = await startService(t);
  const browser = await startBrowser(t);
  for (const { name, most, first, pages } of cases) {
    const report = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name, definition: { version: 1, name, pages } })).json();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signIn(page, service);
    await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
    const shown = page.frameLocator("iframe[title=Report]").getByText(first, { exact: true });
    await shown.first().waitFor({ timeout: 60_000 });
    const at = await shown.first().boundingBox();
    await page.mouse.click(at.x + 5, at.y + 5);
    const field = page.getByRole("complementary", { name: "Settings" }).getByRole("textbox", { name: "Text", exact: true }).first();
    await field.click();
    await page.locator(".cm-content:focus").waitFor();
    await page.keyboard.press("End");
    const cdp = await context.newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const metrics = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
    const quiet = () => page.waitForTimeout(1500);
    await page.keyboard.type("ab");
    await quiet();
    const before = await metrics();
    for (let i = 0; i < KEYS; i++) {
      await page.keyboard.press(i % 2 === 0 ? "x" : "Backspace");
      await page.waitForTimeout(APART);
    }
    await quiet();
    const now = await metrics();
    const each = (metric) => ((now[metric] - before[metric]) * 1000) / KEYS;
    console.log(`${name}: ${each("TaskDuration").toFixed(1)} ms of main thread a key (at most ${most}): ${each("ScriptDuration").toFixed(1)} script, ${each("LayoutDuration").toFixed(1)} layout, ${each("RecalcStyleDuration").toFixed(1)} style`);
    await context.close();
  }
});
