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

test("the element <quire-report> shows a report, tells what happens and does what it is asked", async (t) => {
  const service = await startService(t);
  const { nonce } = await (await api(service, "POST", "/api/v1/nonce-tokens", { workspace: "demo", reports: "sales" })).json();
  const shop = await startShop(t, () => `<!doctype html><title>Shop</title><script src="${service.url}/embed/quire-report.js"></script>
    <script>for (const name of ["ready", "page", "parameters", "link", "error"]) addEventListener("quire-" + name, (e) => { (window.told ??= []).push([name, e.detail]); });</script>
    <h1>Sales</h1><quire-report id="report" workspace="demo" report="sales" nonce="${nonce}" toolbar="pages,search" params='{"currency": "CHF"}' style="width:900px;height:700px"></quire-report>`);
  const page = await (await startBrowser(t)).newPage();
  await page.goto(shop);
  const told = (name, holds) => page.waitForFunction(([name, source]) => window.told?.findLast(([n, detail]) => n === name && new Function("detail", `return ${source}`)(detail))?.[1], [name, holds]);
  const asks = (does) => page.evaluate(`document.getElementById("report").${does}`);
  const ready = await (await told("ready", "detail.pages > 3")).jsonValue();
  assert.equal(ready.params.currency, "CHF");
  assert.ok(ready.formats.includes("pdf"));
  const frame = page.frames().find((f) => f.url().includes("/preview"));
  assert.deepEqual(await frame.locator(".bar").getByRole("button").evaluateAll((all) => all.filter((b) => b.checkVisibility()).map((b) => b.getAttribute("aria-label"))), ["Previous page", "Next page"]);

  await asks("goTo(3)");
  await told("page", "detail.page === 3");
  await asks("zoomTo(0.5)");
  await told("page", "detail.percent === 50");
  await asks('search("dining")');
  await frame.locator(".found").getByText(/^\d+ of \d+$/).waitFor();
  await asks('download("exe")');
  await told("error", 'detail.message === `format is "exe"; accepted: pdf, html, docx, xlsx, pptx`');
  const [file] = await Promise.all([page.waitForEvent("download"), asks('download("html")')]);
  assert.match(file.suggestedFilename(), /\.html$/);

  // Other parameters come into the same place; the nonce is used, its cookie is not.
  const again = page.waitForResponse((r) => r.frame() === frame && r.request().isNavigationRequest());
  await page.evaluate(() => { window.told = []; document.getElementById("report").setAttribute("params", '{"currency": "SEK"}'); });
  assert.equal((await again).status(), 200);
  assert.equal((await (await told("parameters", "true")).jsonValue()).params.currency, "SEK");
  const anew = await (await told("ready", "true")).jsonValue();
  assert.deepEqual([anew.page, anew.params.currency], [(await (await told("page", "true")).jsonValue()).page, "SEK"]);

  // Another page that has the window of the frame is not heard.
  await page.evaluate(() => { window.told = []; document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<script>parent.frames[0].postMessage({type: 'quire:zoom', zoom: 2}, '*')</" + "script>" })); });
  await asks("zoomTo(0.67)");
  await told("page", "detail.percent === 67");
  assert.equal(await page.evaluate(() => window.told.some(([, detail]) => detail.percent === 200)), false);

  // Its height follows the report where it is to.
  await asks('style.height = ""');
  await asks('setAttribute("size", "content")');
  await page.waitForFunction(() => document.getElementById("report").offsetHeight > 2500);

  await page.evaluate(() => document.body.append(document.createElement("quire-report")));
  await told("error", 'detail.message === "workspace is missing; accepted: a code or an ID"');
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
