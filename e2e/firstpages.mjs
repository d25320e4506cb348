// What it costs the browser's main thread until the first pages of a preview of 300
// pages stand, by its own metrics: processor time of all tasks, reading the document
// included, from the address to the painted pages; and what the rest costs then.
// Run by make bench.

import { api, script, signIn, startBrowser, startService } from "./service.mjs";

const MOST = 300;

const text = (id, value, more = {}) => ({ id, type: "text", props: { text: value, ...more } });
const rows = (count) => ({ name: "r", type: "javascript", settings: { function: `() => [...Array(${count}).keys()].map(i => ({id: i, region: ['North', 'South', 'East', 'West'][i % 4], amount: i}))` } });
const pages = (count, elements) => Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `Page ${i + 1}`, elements: elements(i) }));

const cases = [
  { name: "300 pages of 8 elements", pages: pages(300, (i) => Array.from({ length: 8 }, (_, k) => text(`p${i}-${k}`, `Value ${i}.${k}`))) },
  { name: "3,000 elements over 300 sheets", pages: pages(1, () => Array.from({ length: 3000 }, (_, i) => text(`f${i}`, `Value ${i}`, { height: "90px" }))) },
  { name: "one table of 10,000 rows", dataSources: [rows(10_000)], pages: pages(1, () => [{ id: "t", type: "data-table", props: { source: "$data.r", breakAcrossPages: true, groups: [{ field: "region" }] } }]) },
];

/** Holds up the making of the other pages until what the first ones cost is read. */
function waitForFirst() {
  let quire;
  Object.defineProperty(globalThis, "quire", {
    get: () => quire,
    set: (made) => {
      let calls = 0;
      const paginate = async (...given) => {
        if (++calls === 2) {
          const rest = document.querySelector(".q-source");
          rest.remove(); // else it is laid out while it waits
          await window.firstStand(document.querySelectorAll(".q-desk > .q-page").length);
          document.body.append(rest);
        }
        return made.paginate(...given);
      };
      quire = { ...made, paginate };
    },
  });
}

await script(async (t) => {
  const service = await startService(t);
  const browser = await startBrowser(t);
  for (const { name, ...rest } of cases) {
    const report = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name, definition: { version: 1, name, ...rest } })).json();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signIn(page, service);
    const cdp = await context.newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const metrics = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
    let first;
    let stand = 0;
    await page.exposeFunction("firstStand", async (count) => {
      stand = count;
      first = await metrics();
    });
    await page.addInitScript(waitForFirst);
    const before = await metrics();
    await page.goto(`${service.url}/ws/demo/reports/${report.id}/preview`);
    const counter = page.getByText(/^\/ \d+$/);
    await counter.waitFor({ timeout: 120_000 });
    const all = await metrics();
    const since = (now, metric) => ((now[metric] - before[metric]) * 1000).toFixed(0);
    console.log(`${name}, ${(await counter.textContent()).replace("/ ", "")} sheets: ${stand} stand after ${first ? since(first, "TaskDuration") : "-"} ms of main thread (at most ${MOST}): ${first ? since(first, "ScriptDuration") : "-"} script, ${first ? since(first, "LayoutDuration") : "-"} layout, ${first ? since(first, "RecalcStyleDuration") : "-"} style; all after ${since(all, "TaskDuration")} ms`);
    await context.close();
  }
});
