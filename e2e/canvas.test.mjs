// What the canvas shows is what the preview shows, pixel for pixel. Run with
// QUIRE_PAGES=all it looks at every page of the gallery, else at some of them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { api, binary, signIn, startBrowser, startService, until } from "./service.mjs";

const gallery = join(import.meta.dirname, "..", "examples", "gallery");
const all = process.env.QUIRE_PAGES === "all";

test("the canvas equals the preview", { timeout: 1_200_000 }, async (t) => {
  const service = await startService(t);
  execFileSync(binary, ["workspace", "import", "--data", service.data, gallery]);
  const workspaces = await (await api(service, "GET", "/api/v1/workspaces")).json();
  const code = workspaces.find((w) => w.code !== "demo").code;
  const reports = await (await api(service, "GET", `/api/ui/ws/${code}/reports`)).json();
  const browser = await startBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1900, height: 1300 } });
  context.setDefaultNavigationTimeout(120_000); // a busy machine is no fault
  const [page, other, copy] = [await context.newPage(), await context.newPage(), await context.newPage()];
  await signIn(page, service);
  const differing = [];
  let compared = 0;
  for (const report of all ? reports : reports.filter((_, i) => i % 9 === 0)) {
    await other.goto(`${service.url}/ws/${code}/reports/${report.id}/preview?toolbar=false`);
    await other.locator("body:not(.q-pending) .q-page").first().waitFor({ timeout: 60_000 });
    await page.goto(`${service.url}/ws/${code}/reports/${report.id}/design`);
    await page.getByLabel("Zoom").selectOption("1");
    const canvas = page.frameLocator("iframe[title=Report]");
    await canvas.locator(".q-page").first().waitFor({ timeout: 60_000 });
    // The frame's document is opened by itself: a frame on another layer of the
    // screen smooths curves a little differently.
    const html = await until(async () => canvas.locator("html").evaluate((el) => !el.querySelector(".q-pending") && `<!doctype html>${el.outerHTML}`), "the canvas is not drawn");
    await copy.route("**/canvas-copy", (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: html }));
    await copy.goto(`${service.url}/canvas-copy`);
    const there = other.locator(".q-page");
    const here = copy.locator(".q-page");
    await until(async () => (await here.count()) === (await there.count()), `${report.code}: ${await here.count()} pages on the canvas, ${await there.count()} in the preview`);
    await Promise.all([here, there].map((l) => l.first().evaluate((el) => el.ownerDocument.fonts.ready.then(() => true))));
    const count = await here.count();
    for (let i = 0; i < (all ? count : Math.min(count, 2)); i++) {
      const [a, b] = [await picture(here.nth(i)), await picture(there.nth(i))];
      compared++;
      if (a.equals(b)) continue;
      differing.push(`${report.code} page ${i + 1}`);
      mkdirSync("/tmp/quire-canvas", { recursive: true });
      writeFileSync(`/tmp/quire-canvas/${report.code}-${i + 1}-canvas.png`, a);
      writeFileSync(`/tmp/quire-canvas/${report.code}-${i + 1}-preview.png`, b);
    }
  }
  t.diagnostic(`${compared} pages compared`);
  assert.deepEqual(differing, []);
});

/** A page as a picture. It is put at a whole pixel, as paper has fractions of them and edges would be drawn softly. */
async function picture(page) {
  await page.evaluate((el) => {
    for (const other of el.ownerDocument.querySelectorAll(".q-page")) other.style.visibility = other === el ? "visible" : "hidden";
    Object.assign(el.style, { position: "absolute", left: "0px", top: "0px", margin: "0", contentVisibility: "visible", boxShadow: "none" });
    const desk = el.closest(".q-desk");
    if (desk) Object.assign(desk.style, { transform: "none" });
  });
  // The last pixel of a page that ends at a fraction is mixed with what is behind it.
  const { x, y, width, height } = await page.boundingBox();
  return page.page().screenshot({ animations: "disabled", caret: "hide", clip: { x, y, width: Math.floor(width) - 1, height: Math.floor(height) - 1 } });
}
