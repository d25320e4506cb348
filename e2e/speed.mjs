// How long an edit takes until the canvas shows it, on a page of 300 elements,
// beside what the browser alone needs for that page. Run by make bench.

import { api, script, signIn, startBrowser, startService } from "./service.mjs";

const ROUNDS = 40;

/** 300 elements on one page: rows of texts in containers. */
function definition() {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: `row${i}`,
    type: "flow",
    props: { gap: "8px" },
    children: Array.from({ length: 4 }, (_, k) => ({ id: `t${i}-${k}`, type: "text", props: { text: `Value ${i}.${k}`, fontSize: "7pt", lineHeight: "1.3", grow: true } })),
  }));
  return { version: 1, name: "Speed", pages: [{ id: 1, name: "Page", elements: rows }] };
}

await script(async (t) => {
  const service = await startService(t);
  const report = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name: "Speed", definition: definition() })).json();
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  let html = "";
  page.on("response", async (r) => r.url().endsWith("/render") && (html = (await r.json().catch(() => ({ html }))).html));
  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  const canvas = page.frameLocator("iframe[title=Report]");
  await canvas.getByText("Value 0.0").waitFor();
  await canvas.getByText("Value 0.0").boundingBox().then((b) => page.mouse.click(b.x + 5, b.y + 5));
  const field = page.getByLabel("Text", { exact: true });
  await field.waitFor();
  const ours = [];
  const alone = [];
  for (let i = 0; i < ROUNDS; i++) {
    await page.evaluate(() => performance.clearMeasures());
    await field.fill(`Edit ${i}`);
    await page.waitForFunction(() => performance.getEntriesByName("quire-redraw").length > 0);
    ours.push(await page.evaluate(() => performance.getEntriesByName("quire-redraw").at(-1).duration));
    alone.push(await page.evaluate(browserAlone, html));
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const p95 = (list) => list.sort((a, b) => a - b)[Math.floor(list.length * 0.95)];
  console.log(`edit to canvas: median ${median(ours).toFixed(1)} ms, 95 % ${p95(ours).toFixed(1)} ms; browser alone: median ${median(alone).toFixed(1)} ms, 95 % ${p95(alone).toFixed(1)} ms; ${(median(ours) / median(alone)).toFixed(2)} times (at most 3)`);
});

/** Parses, lays out and paints the same page in a frame of its own. */
async function browserAlone(text) {
  const frame = (document.querySelector("#alone") ?? document.body.appendChild(Object.assign(document.createElement("iframe"), { id: "alone", src: "/ui/canvas" })));
  frame.style.cssText = "position:fixed;inset:0 auto auto 0;width:900px;height:1200px;z-index:99;background:#fff";
  if (frame.contentDocument?.title !== "Canvas") await new Promise((done) => frame.addEventListener("load", done, { once: true }));
  frame.contentDocument.body.replaceChildren();
  frame.contentDocument.body.offsetHeight;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const start = performance.now();
  const doc = frame.contentDocument;
  const parsed = new frame.contentWindow.DOMParser().parseFromString(text, "text/html");
  for (const script of parsed.querySelectorAll("script")) script.remove();
  doc.head.replaceChildren(...[...parsed.head.childNodes].map((n) => doc.adoptNode(n)), Object.assign(doc.createElement("title"), { textContent: "Canvas" }));
  doc.body.replaceWith(doc.adoptNode(parsed.body));
  doc.body.className = "q-doc";
  doc.body.offsetHeight;
  await doc.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const took = performance.now() - start;
  frame.remove();
  return took;
}
