// What matters most to people, in Firefox as in Chromium: one service, one
// browser, a journey each. The invoice is in firefox.test.mjs, the way back from
// a provider in sso.test.mjs.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { canvas, hands, inFirefox, middle, newPage, role, signIn, startFirefox } from "./firefox.mjs";
import { api, importWorkspace, startService, startShop, until } from "./service.mjs";

const reports = "/api/ui/ws/demo/reports";
const rows = [{ item: "Chair", region: "North", units: 2, price: 10.5 }, { item: "Lamp", region: "South", units: 1, price: 4 }, { item: "Table", region: "North", units: 3, price: 99 }];

const list = "() => [...Array(300).keys()].map((n) => ({ n, region: ['North', 'South'][n % 2], text: 'Line ' + n }))";
const readers = {
  "workspace.json": { name: "Readers", code: "readers", reportTypes: [{ name: "Lines", code: "lines", defaultReport: "lines" }] },
  "reports/lines.json": {
    version: 1, name: "Lines", type: "lines",
    parameters: [{ name: "paper", label: "Paper", type: "lookup", default: "a", required: true, lookup: [{ value: "a", label: "White" }, { value: "b", label: "Cream" }] }],
    dataSources: [{ name: "lines", type: "javascript", settings: { function: list } }],
    pages: [{ id: 1, name: "A", elements: [
      { type: "heading", props: { title: "Lines on {$params.paper}" } },
      { type: "data-table", props: { source: "$data.lines", breakAcrossPages: true, columns: [{ field: "n" }, { field: "region" }, { field: "text" }] } },
      { type: "heading", props: { title: "The end" } },
    ] }],
  },
};

test("the main journeys in Firefox", inFirefox, async (t) => {
  const service = await startService(t);
  const { browser, home, downloads } = await startFirefox(t);
  const signedIn = async (of) => {
    const opened = await newPage(of);
    await signIn(opened.page, service);
    return opened;
  };
  const { page, faults } = await signedIn(browser);
  const hand = hands(page);
  const made = async (name, definition) => (await (await api(service, "POST", reports, { name, definition })).json()).id;
  const stored = async (id) => (await (await api(service, "GET", `${reports}/${id}`)).json()).definition;
  const design = async (id, on = page) => {
    await on.goto(`${service.url}/ws/demo/reports/${id}/design`);
    await on.waitForSelector(role("region", "Components"));
    return canvas(on);
  };
  const journey = (name, does) => t.test(name, async () => {
    await does();
    assert.deepEqual(faults.splice(0), []);
  });

  await journey("a table is worked on where it stands", async () => {
    const table = { id: "t", type: "data-table", props: { source: "$data.rows", columns: [{ field: "item", title: "Item" }, { field: "units", title: "Units" }, { field: "price", title: "Price" }] } };
    const id = await made("Table", { version: 1, name: "Table", dataSources: [{ name: "rows", type: "json", settings: { content: rows } }], pages: [{ id: 1, name: "One", elements: [table] }] });
    const report = await design(id);
    const becomes = (holds, complaint) => until(async () => holds((await stored(id)).pages[0].elements[0].props), complaint);
    const at = async (selector, text) => middle(await report.place(selector, text));
    const click = async (selector, text, options) => {
      const { x, y } = await at(selector, text);
      await page.mouse.click(x, y, options);
    };
    await report.shows("Chair");
    await click("td", "99");
    await hand.find(role("toolbar", "Column Price"));
    await hand.choose("[aria-label='Column Price'] [aria-label=Format]", "Two decimals");
    await report.shows("10.50");
    await hand.choose("[aria-label='Column Price'] [aria-label=Total]", "Sum");
    await report.shows("113.50");
    await hand.click("[aria-label='Column Price'] [aria-label='Sort ascending']");
    await becomes((p) => JSON.stringify(p.transform) === '[{"type":"sort","by":[{"field":"price"}]}]', "it is not sorted");

    await click("th", "Units");
    await hand.find(role("toolbar", "Column Units"));
    await click("th", "Units", { count: 2 });
    await hand.find("[aria-label='Title of the column']");
    await page.keyboard.type("Pieces");
    await hand.keys("Enter");
    await report.shows("Pieces");
    const item = await report.place("th", "Item");
    const edge = { x: item.x + item.width, y: item.y + item.height / 2 };
    await hand.drag(edge, { x: edge.x + 60, y: edge.y });
    await becomes((p) => /^\d+px$/.test(p.columns[0].width ?? ""), "it has no width");
    await hand.drag(await at("th", "Price"), { x: item.x + 4, y: edge.y });
    await becomes((p) => p.columns.map((c) => c.title).join() === "Price,Item,Pieces", "the column did not move");
    await page.focus(".d-canvas");
    await hand.keys("Control+z", "Control+z");
    await becomes((p) => p.columns.map((c) => c.title + (c.width ?? "")).join() === "Item,Pieces,Price", "undo did not bring both back");
  });

  await journey("data come from a file, and their fields go onto the page", async () => {
    const id = await made("Data", { version: 1, name: "Data", pages: [{ id: 1, name: "One", elements: [{ id: "x", type: "text", props: { text: "Hello" } }] }] });
    const report = await design(id);
    const stock = join(home, "stock.csv");
    writeFileSync(stock, "number,item,price\n17,Chair,10.5\n18,Lamp,4\n");
    await hand.press("Data", "tab");
    await hand.choose("select[aria-label='Type of data source']", "CSV");
    await hand.press("Add data source");
    await (await hand.find("input[type=file]")).uploadFile(stock);
    const list = await hand.find("button[title^='Add a table of $data.']");
    await hand.press("Run");
    await hand.text("2 rows");
    const sheet = await report.place(".q-page");
    await hand.drag(middle(await list.boundingBox()), { x: sheet.x + 200, y: sheet.y + 200 });
    await report.shows("Lamp");

    // {num finds a number, on the page itself.
    await page.locator("[data-node=x]").click();
    await page.focus(".d-canvas");
    await hand.keys("F2", "End");
    await page.keyboard.type(" {num");
    await hand.find("[role=option]");
    await hand.keys("Enter", "Enter");
    await report.shows("Hello 1");
    await until(async () => (await stored(id)).pages[0].elements.map((e) => e.props.text ?? e.props.source).join() === "Hello {$page.number},$data.csvData", "it is not saved");
  });

  await journey("a customer's page shows reports, by a frame and by <quire-report>", async () => {
    const nonce = async (scope) => (await (await api(service, "POST", "/api/v1/nonce-tokens", scope)).json()).nonce;
    const [first, second] = [await nonce(), await nonce()];
    const preview = `${service.url}/ws/demo/reports/invoice/preview?lang=de`;
    const shop = await startShop(t, () => `<!doctype html><title>Shop</title><script src="${service.url}/embed/quire-report.js"></script>
      <script>window.told = []; addEventListener("message", (e) => told.push([e.data.type, e.data]));
        for (const name of ["ready", "page", "error", "parameters"]) addEventListener("quire-" + name, (e) => told.push([name, e.detail]));</script>
      <iframe id="frame" style="width:900px;height:400px" src="${preview}&nonce=${first}"></iframe>
      <quire-report id="report" workspace="demo" report="sales" nonce="${second}" toolbar="pages,search" params='{"currency": "CHF"}' style="width:900px;height:500px"></quire-report>`);
    await page.goto(shop);
    const told = (name, holds = "true") => until(() => page.evaluate(`told.findLast(([n, detail]) => n === "${name}" && ${holds})?.[1]`), `${name} is not told, ${holds}`);
    const asks = (does) => page.evaluate(`document.getElementById("report").${does}; 0`);
    await told("quire:ready", "detail.pages === 1");
    assert.equal((await told("ready", "detail.pages > 3")).params.currency, "CHF");
    // The nonce is used: the frame passes by its cookie.
    await page.evaluate((src) => { told = []; document.getElementById("frame").src = src; }, preview);
    await told("quire:ready", "detail.pages === 1");
    await asks("goTo(3)");
    await told("page", "detail.page === 3");
    await asks("zoomTo(0.5)");
    await told("page", "detail.percent === 50");
    const frame = page.frames().find((f) => f.url().includes("/sales/preview"));
    await asks('search("dining")');
    await until(() => frame.evaluate(() => /^\d+ of \d+$/.test(document.querySelector(".q-viewer").shadowRoot.querySelector(".found").textContent)), "nothing is found");
    await asks('download("exe")');
    await told("error", 'detail.message.includes("accepted: pdf")');
  });

  await journey("a job is made, run, and its entries are reviewed", async () => {
    await page.goto(`${service.url}/ws/demo/library#jobs`);
    await hand.press("New job");
    await hand.fill(role("textbox", "Name"), "Letters");
    const stored = async () => (await (await api(service, "GET", "/api/ui/ws/demo/jobs")).json()).find((job) => job.definition.name === "Letters");
    await hand.press("Active", "checkbox");
    await hand.press("Review required", "checkbox");
    const step = (name) => page.locator(`[role=tab]::-p-text(${name})`).click();
    await step("Data sources");
    await hand.press("Add data source");
    await hand.fill(role("textbox", "Name"), "people");
    await hand.write(role("textbox", "Content (JSON)"), JSON.stringify(["Ana", "Ben", "Zoë"].map((name) => ({ name }))));
    await hand.press("One entry for each row of people", "radio");
    await hand.press("Look at the data");
    await hand.text("A run makes 3 entries.");
    await step("Reports");
    await hand.press("Add report");
    await hand.choose(role("combobox", "Report"), "Letter");
    await hand.write(role("textbox", "File name"), "Letter to {$record.name}");
    await hand.text("Letter to Ana");
    const { id } = await until(async () => ((await stored())?.definition.reports?.[0].fileName === "Letter to {$record.name}") && stored(), "the job is not saved");

    await page.goto(`${service.url}/ws/demo/jobs/${id}`);
    await hand.press("Start a run");
    await hand.text("3 in review");
    const shown = (name) => hand.find(`iframe[title="Letter to ${name}.pdf"]`);
    await shown("Ana");
    await until(() => page.frames().some((f) => /\/documents\/1\?/.test(f.url())), "the document is not drawn"); // Firefox does so itself
    await page.focus("main li a");
    await hand.keys("j");
    await shown("Ben");
    await hand.press("Approve");
    await shown("Zoë");
    await hand.text("2 in review");
    await hand.press("Approve and deliver all in review");
    await hand.press("Approve 2 entries");
    await hand.text("3 completed");
  });

  await journey("the colours of a theme are made in the library", async () => {
    const kind = async (name) => (await (await api(service, "GET", `/api/ui/ws/demo/${name}`)).json()).map((d) => d.definition);
    await page.goto(`${service.url}/ws/demo/library#themes`);
    await hand.press("New theme");
    await hand.fill("[id='f-theme.name']", "House of Firefox");
    await hand.press("Add color");
    await hand.fill("[id='f-theme.colors.0.name']", "brand");
    await hand.fill("[id='f-theme.colors.0.value']", "#0b6e4f");
    await until(async () => (await kind("themes")).some((d) => JSON.stringify(d).includes("#0b6e4f")), "the colour is not saved");
    // The specimen beside the form comes to rest: its scroll bar does not make another size, which makes another bar.
    const rests = () => page.evaluate(() => new Promise((done) => {
      let changes = 0;
      const observer = new MutationObserver((list) => (changes += list.length));
      observer.observe(document.querySelector(".l-specimen"), { subtree: true, attributes: true });
      const frame = (left) => (left > 0 ? requestAnimationFrame(() => frame(left - 1)) : (observer.disconnect(), done(changes === 0)));
      frame(30);
    }));
    await until(rests, "the specimen is measured without an end");
  });

  await journey("two people in one report", async () => {
    const elements = ["one", "two"].map((id) => ({ id, type: "heading", props: { title: `Heading ${id}` } }));
    const id = await made("Together", { version: 1, name: "Together", pages: [{ id: 1, name: "One", elements }] });
    const other = await signedIn((await startFirefox(t)).browser); // of two tabs of one window, one is hidden
    const [ana, ben] = [await design(id), await design(id, other.page)];
    await ana.shows("Heading one");
    await ben.shows("Heading one");
    await other.page.locator("[data-node=two]").click();
    await hand.find(".d-theirs");
    await page.locator("[data-node=one]").click();
    await page.focus(".d-canvas");
    await hand.keys("F2");
    await hand.keys("Control+a");
    await page.keyboard.type("Ana was here");
    await hand.keys("Enter");
    await ben.shows("Ana was here");
    await other.page.focus(".d-canvas");
    await hands(other.page).keys("F2", "Control+a");
    await other.page.keyboard.type("Ben too");
    await hands(other.page).keys("Enter");
    await ana.shows("Ben too");
    await hand.keys("Control+z"); // takes back one's own
    await ben.shows("Heading one");
    await ana.shows("Ben too");
    assert.deepEqual(other.faults, []);
  });

  // The last one: what drives Firefox waits for a page forever that was left for a download.
  await journey("a reader goes, searches, chooses and fetches", async () => {
    importWorkspace(t, service, readers);
    await page.goto(`${service.url}/ws/readers/reports/lines/preview`);
    await page.waitForSelector(".q-desk > .q-page");
    const count = (await page.$$(".q-desk > .q-page")).length;
    const field = () => hand.find(">>> .bar .number");
    const at = (n) => until(async () => (await (await field()).evaluate((el) => el.value)) === String(n), `the reader is not on page ${n}`);
    await hand.click(">>> [aria-label='Next page']");
    await at(2);
    await hand.fill(">>> .bar .number", "4");
    await hand.keys("Enter");
    await at(4);
    await hand.click(">>> ::-p-text(Contents)");
    await page.locator(">>> ::-p-text(The end)").click();
    await at(count);
    await hand.keys("Home");
    await at(1);
    await hand.keys("/");
    await page.keyboard.type("north");
    const found = (text) => until(async () => (await (await hand.find(">>> .found")).evaluate((el) => el.textContent)) === text, `the search does not say ${text}`);
    await found("1 of 150");
    await hand.keys("Shift+Enter");
    await found("150 of 150");
    assert.equal(await page.evaluate(() => CSS.highlights.get("quire-hits").size), 150);
    await hand.keys("Escape");
    await hand.fill(">>> .bar .number", "3");
    await hand.keys("Enter");
    await at(3);
    await hand.click(">>> ::-p-text(Cream)");
    await page.waitForFunction(() => document.querySelector(".q-desk")?.textContent.includes("Lines on b"));
    await at(3);
    await hand.click(">>> [aria-label=More]");
    await hand.click(">>> .menu [aria-label='Download as HTML']");
    const file = await until(() => existsSync(downloads) && readdirSync(downloads).find((name) => name.endsWith(".html")), "nothing is downloaded");
    await until(() => readFileSync(join(downloads, file), "utf8").includes("</html>"), "the download is not whole");
    assert.equal((await page.$$(".q-desk > .q-page")).length, count);
  });
});

test("in Firefox a broken picture is a fault, and one that was on its way when the page was left is none", inFirefox, async (t) => {
  const png = readFileSync(join(import.meta.dirname, "..", "docs", "pictures", "viewer.png"));
  const server = createServer(({ url }, answer) => {
    const picture = { "/whole": png, "/words": Buffer.from("no picture"), "/slow": png.subarray(0, 20_000) }[url];
    answer.writeHead(picture || url.startsWith("/page") ? 200 : 404, { "Content-Type": picture ? "image/png" : "text/html" });
    if (url !== "/slow") answer.end(picture ?? `<!doctype html><title>Pictures</title>${url.split("/").slice(2).map((name) => `<img src="/${name}">`).join("")}`);
    else answer.write(picture); // the rest never comes
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  t.after(() => (server.closeAllConnections(), server.close()));
  const base = `http://127.0.0.1:${server.address().port}`;
  const { page, faults } = await newPage((await startFirefox(t)).browser);
  await page.goto(`${base}/page/whole/words/missing`);
  await until(() => faults.length === 2, "not both are told of");
  assert.deepEqual(faults.splice(0).sort(), [`a broken picture: ${base}/missing`, `a broken picture: ${base}/words`]);
  await page.goto(`${base}/page/slow`, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => document.images[0].naturalWidth > 0);
  await page.goto(`${base}/page/whole/missing`);
  await until(() => faults.length > 0, "a broken picture is not told of");
  assert.deepEqual(faults, [`a broken picture: ${base}/missing`]);
});
