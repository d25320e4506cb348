// A customer's page on another origin shows a report in a frame.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, startBrowser, startService, startShop } from "./service.mjs";

async function embedded(t, query = "") {
  const service = await startService(t);
  const { nonce } = await (await api(service, "POST", "/api/v1/nonce-tokens")).json();
  const preview = `${service.url}/ws/demo/reports/invoice/preview?lang=de${query}`;
  const shop = await startShop(t, () => `<!doctype html><title>Shop</title>
    <script>addEventListener("message", (e) => { (window.messages ??= []).push(e.data); });</script>
    <iframe id="report" style="width:900px;height:1200px" src="${preview}&nonce=${nonce}"></iframe>`);
  const page = await (await startBrowser(t)).newPage();
  await page.goto(shop);
  return { service, preview, page, frame: page.frameLocator("#report") };
}

test("the frame shows the pages, and later requests pass by cookie", async (t) => {
  const { page, frame, preview } = await embedded(t);
  await frame.getByText("Rechnung 2026-10418").first().waitFor();
  assert.equal(await frame.locator(".q-page").count(), 1);
  await page.waitForFunction(() => window.messages?.some((m) => m.type === "quire:ready" && m.pages === 1));

  const again = page.waitForResponse((r) => r.url() === preview);
  await page.evaluate((src) => { document.getElementById("report").src = src; }, preview);
  assert.equal((await again).status(), 200);
  await frame.getByText("Rechnung 2026-10418").first().waitFor();
});

test("a used nonce opens nothing", async (t) => {
  const { page } = await embedded(t);
  const source = await page.locator("#report").getAttribute("src");
  const stranger = await (await startBrowser(t)).newPage();
  const response = await stranger.goto(source);
  assert.equal(response.status(), 401);
});

test("the embedding page prints the frame and can hide the button", async (t) => {
  const { page, frame } = await embedded(t, "&hidePrintButton=true");
  await frame.locator(".q-page").waitFor();
  assert.equal(await frame.getByRole("button", { name: /drucken|print/i }).count(), 0);
  const inside = page.frames().find((f) => f.url().includes("/preview"));
  await inside.evaluate(() => { window.print = () => { window.printed = true; }; });
  await page.evaluate(() => document.getElementById("report").contentWindow.postMessage("print", "*"));
  await inside.waitForFunction(() => window.printed === true);
});

test("a person signs in, sees the reports and opens a preview", async (t) => {
  const service = await startService(t);
  const page = await (await startBrowser(t)).newPage();
  await page.goto(service.url);
  await page.getByLabel(/e-?mail/i).fill("root@localhost");
  await page.getByLabel(/password/i).fill(service.password);
  await page.getByRole("button", { name: /sign in/i }).click();
  await page.getByRole("heading", { name: "Quire demo" }).or(page.getByRole("link", { name: "Quire demo" })).first().waitFor();
  const response = await page.goto(`${service.url}/ws/demo/reports/letter/preview`);
  assert.equal(response.status(), 200);
  await page.getByText("Your mortgage offer").first().waitFor();
});
