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

// The page and Quire are one site: same host, other port. intranet.test stands
// for a host that browsers do not trust without HTTPS, as they do localhost.
for (const host of ["localhost", "127.0.0.1", "intranet.test"]) {
  test(`on the same site over plain HTTP (${host}) the frame is loaded again, sent elsewhere, and follows links`, async (t) => {
    const service = await startService(t);
    const url = service.url.replace("localhost", host);
    const scope = { workspace: "demo", reports: ["invoice", "letter"] };
    const nonces = await Promise.all([0, 1].map(async () => (await (await api(service, "POST", "/api/v1/nonce-tokens", scope)).json()).nonce));
    const shop = await startShop(t, () => `<!doctype html><title>Intranet</title>${nonces.map((nonce, i) => `
      <iframe id="report${i}" style="width:900px;height:600px" src="${url}/ws/demo/reports/invoice/preview?nonce=${nonce}"></iframe>`).join("")}`);
    const browser = await startBrowser(t, { args: ["--host-resolver-rules=MAP intranet.test 127.0.0.1"] });
    const page = await browser.newPage();
    await page.goto(shop.replace("shop.localhost", host));
    for (const id of ["#report0", "#report1"]) {
      const frame = await (await page.locator(id).elementHandle()).contentFrame();
      await frame.locator(".q-page").first().waitFor(); // our script has run
      const follows = async (what, does, heading) => {
        const answer = page.waitForResponse((r) => r.frame() === frame && r.request().isNavigationRequest());
        await frame.evaluate(does);
        assert.equal((await answer).status(), 200, what);
        await frame.getByText(heading).first().waitFor();
      };
      await follows("loaded again", () => location.reload(), "Invoice 2026-10418");
      await follows("sent elsewhere", () => location.assign("preview?lang=de"), "Rechnung 2026-10418");
      await follows("a link", () => {
        const link = Object.assign(document.createElement("a"), { href: "/ws/demo/reports/letter/preview", textContent: "letter" });
        document.body.append(link);
        link.click();
      }, "Your mortgage offer");
      await follows("loaded again after a link", () => location.reload(), "Your mortgage offer");
    }
    const own = await page.context().cookies(url);
    assert.ok(own.every((c) => c.httpOnly), "scripts cannot read the cookies");
  });
}

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
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Quire demo" }).or(page.getByRole("link", { name: "Quire demo" })).first().waitFor();
  const response = await page.goto(`${service.url}/ws/demo/reports/letter/preview`);
  assert.equal(response.status(), 200);
  await page.getByText("Your mortgage offer").first().waitFor();
});
