// What readers do with a report on the screen: go, search, choose, fetch; with
// the pointer, by keys and with fingers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { importWorkspace, signIn, startBrowser, startService, until } from "./service.mjs";

const list = "({$params}) => [...Array(300).keys()].map((n) => ({n, region: ['North', 'South'][n % 2], text: 'Line ' + n + ' of ' + $params.year}))";
const staff = {
  "workspace.json": { name: "Readers", code: "readers", reportTypes: [{ name: "Lines", code: "lines", defaultReport: "lines" }] },
  "reports/lines.json": {
    version: 1, name: "Lines", type: "lines",
    parameters: [
      { name: "year", label: "Year", type: "number", required: true, default: 2026 },
      { name: "paper", label: "Paper", type: "lookup", default: "a", required: true, lookup: [{ value: "a", label: "White" }, { value: "b", label: "Cream" }] },
    ],
    dataSources: [{ name: "lines", type: "javascript", dependencies: ["$params.year"], settings: { function: list } }],
    pages: [{ id: 1, name: "A", elements: [
      { type: "heading", props: { title: "Lines of {$params.year} on {$params.paper}" } },
      { type: "data-table", props: { source: "$data.lines", breakAcrossPages: true, columns: [{ field: "n" }, { field: "region" }, { field: "text" }] } },
      { type: "heading", props: { title: "The end" } },
      { type: "html", props: { html: '<p><a href="https://example.com/terms">Terms</a></p>' } },
    ] }],
  },
};

async function open(t, options = {}, files = staff) {
  const service = await startService(t);
  importWorkspace(t, service, files);
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 }, ...options })).newPage();
  await signIn(page, service);
  await page.goto(`${service.url}/ws/readers/reports/lines/preview`);
  await page.locator(".q-desk > .q-page").first().waitFor();
  const field = page.getByRole("textbox", { name: /^Page \d+ of \d+$/ });
  const at = (n) => until(async () => (await field.inputValue()) === String(n), `the reader is not on page ${n}`);
  const count = await page.locator(".q-desk > .q-page").count();
  return { service, page, field, at, count };
}

test("A12, B14: a reader goes, searches, chooses and fetches, in one tab", async (t) => {
  const { page, field, at, count } = await open(t);
  assert.ok(count > 5);
  await page.getByText(`/ ${count}`, { exact: true }).waitFor();

  await page.getByRole("button", { name: "Next page" }).click();
  await at(2);
  await field.fill("4");
  await field.press("Enter");
  await at(4);
  await page.getByRole("button", { name: `Page 3 of ${count}`, exact: true }).click();
  await at(3);
  await page.getByRole("button", { name: "Contents", exact: true }).click();
  await page.getByRole("button", { name: /^The end/ }).click();
  await at(count);
  await page.keyboard.press("Home");
  await at(1);
  await page.keyboard.press("End");
  await at(count);

  const found = (text) => until(async () => (await page.locator(".found").textContent()) === text, `the search does not say "${text}"`);
  await page.keyboard.press("/");
  await page.keyboard.type("line 15 of");
  await found("1 of 1");
  await at(1);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("NORTH");
  await found("1 of 150");
  await page.keyboard.press("Shift+Enter");
  await found("150 of 150");
  assert.equal(await page.evaluate(() => CSS.highlights.get("quire-hits").size), 150);
  await page.keyboard.press("Escape");
  await found("");

  // Another value loads the report in its place: page and zoom stay.
  await page.getByLabel("Zoom").selectOption("0.75");
  await field.fill("3");
  await field.press("Enter");
  await page.getByLabel("Year").fill("2025");
  await page.getByLabel("Year").press("Enter");
  await page.getByText("Line 0 of 2025", { exact: true }).first().waitFor({ state: "attached" });
  await at(3);
  assert.equal(await page.getByLabel("Zoom").inputValue(), "0.75");
  await page.getByRole("radio", { name: "Cream" }).click();
  await page.getByText("Lines of 2025 on b", { exact: true }).first().waitFor({ state: "attached" });
  await at(3);
  // The same values load it anew, too: data may be other ones meanwhile.
  const again = page.waitForResponse((r) => r.request().isNavigationRequest());
  await page.getByRole("button", { name: "Apply" }).click();
  assert.equal((await again).status(), 200);
  await at(3);
  assert.equal(page.context().pages().length, 1);
  assert.deepEqual(await faults(page, "viewer"), []);

  await page.getByRole("button", { name: "More" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download as HTML" }).click()]);
  assert.match(file.suggestedFilename(), /\.html$/);
  assert.equal(await page.locator(".q-desk > .q-page").count(), count);

  // What is missing is asked for where the others are.
  await page.getByLabel("Year").fill("");
  const asked = await page.goto(page.url().replace(/%22year%22%3A%222025%22/, "%22year%22%3A%22soon%22"));
  assert.equal(asked.status(), 400);
  await page.getByText("Choose the values, and the report appears here.").waitFor();
  await page.getByLabel(/^Year/).fill("2024");
  await page.getByRole("button", { name: "Show report" }).click();
  await page.getByText("Line 0 of 2024", { exact: true }).first().waitFor({ state: "attached" });

  await page.getByRole("link", { name: "Back to the reports" }).click();
  await page.waitForURL(/\/ws\/readers$/);
});

test("B12: the first pages of a long report are there while the others are made", async (t) => {
  const service = await startService(t);
  const pages = Array.from({ length: 90 }, (_, i) => ({ id: i + 1, name: `Part ${i + 1}`, elements: [
    { type: "heading", props: { title: `Part ${i + 1}` } },
    { type: "paragraph", props: { text: "Oak and ash. ".repeat(40) } },
  ] }));
  importWorkspace(t, service, { "workspace.json": { name: "Books", code: "books", reportTypes: [{ name: "Book", code: "book", defaultReport: "book" }] }, "reports/book.json": { version: 1, name: "Book", type: "book", pages } });
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  // What is to be seen each time when pages are laid onto the desk, and what is not made then.
  await page.addInitScript(() => {
    window.laid = [];
    new MutationObserver(() => {
      const sheets = [...document.querySelectorAll(".q-desk > .q-page")];
      const look = { count: sheets.length, texts: sheets.slice(0, 3).map((s) => s.textContent.replace(/\s+/g, " ").trim()), tops: sheets.slice(0, 3).map((s) => s.offsetTop) };
      if (look.count > 0 && window.laid.at(-1)?.count !== look.count) window.laid.push(look);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${service.url}/ws/books/reports/book/preview`);
  await page.getByText("/ 90", { exact: true }).waitFor();
  const laid = await page.evaluate(() => window.laid);
  const [first, last] = [laid[0], laid.at(-1)];
  assert.deepEqual(laid.map((l) => l.count), [3, 90]);
  assert.match(first.texts[1], /^Part 2 .* 2 \/ …$/, "what nobody knows yet is not left open");
  assert.match(last.texts[1], /^Part 2 .* 2 \/ 90$/);
  assert.deepEqual(first.tops, last.tops, "the first pages move when the others come");
  assert.deepEqual(first.texts.map((text) => text.replace("…", "90")), last.texts);
  // From the middle on nothing is shown before: who comes back to a page waits for it.
  await page.evaluate(() => (window.laid.length = 0));
  await page.goto(`${service.url}/ws/books/reports/book/preview?page=60`);
  await page.getByText("/ 90", { exact: true }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.laid.map((l) => l.count)), [90]);
  await until(async () => (await page.getByRole("textbox", { name: /^Page \d+ of 90$/ }).inputValue()) === "60", "it does not open at page 60");
});

test("B12: the first pages of one long table stand as they will stay", async (t) => {
  const service = await startService(t);
  // The widest texts come late, and decide how wide the columns are from the first row on.
  const rows = "() => [...Array(4000).keys()].map(i => ({ region: ['North', 'South'][i % 2], place: i === 3500 ? 'Llanfairpwllgwyngyll by the sea' : `Place ${i % 90}`, amount: i === 3900 ? 123456789012 : i }))";
  const table = { id: "t", type: "data-table", props: { source: "$data.r", breakAcrossPages: true, groups: [{ field: "region" }], footer: { enabled: true }, columns: [{ field: "place" }, { field: "amount", footer: { enabled: true, aggregate: "sum" } }] } };
  const report = { version: 1, name: "List", type: "list", dataSources: [{ name: "r", type: "javascript", settings: { function: rows } }], pages: [{ id: 1, elements: [{ type: "heading", props: { title: "All places" } }, table] }] };
  importWorkspace(t, service, { "workspace.json": { name: "Lists", code: "lists", reportTypes: [{ name: "List", code: "list", defaultReport: "list" }] }, "reports/list.json": report });
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  await page.addInitScript(() => {
    window.laid = [];
    new MutationObserver(() => {
      const sheets = [...document.querySelectorAll(".q-desk > .q-page")];
      const cells = (s) => [...s.querySelectorAll("th, td")].map((c) => [c.textContent, c.offsetLeft, c.offsetTop, c.offsetWidth, c.offsetHeight].join());
      const look = { count: sheets.length, cells: sheets.slice(0, 2).map((s) => cells(s).join("\n")) };
      if (look.count > 0 && window.laid.at(-1)?.count !== look.count) window.laid.push(look);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${service.url}/ws/lists/reports/list/preview`);
  await page.getByText(/^\/ \d+$/).waitFor();
  const [first, last] = await page.evaluate(() => [window.laid[0], window.laid.at(-1)]);
  assert.ok(first.count >= 2 && first.count < last.count / 4, `${first.count} pages of ${last.count} stand first`);
  assert.ok(first.cells[1].split("\n").length > 40);
  assert.deepEqual(first.cells, last.cells, "cells move when the other pages come");
});

test("A9: what the bar does stays in its tab, and links of the report leave it", async (t) => {
  const { page } = await open(t);
  const tabs = () => page.context().pages().length;
  for (const year of ["2025", "2024", "2023"]) {
    await page.getByLabel("Year").fill(year);
    await page.getByLabel("Year").press("Enter");
    await page.getByText(`Line 0 of ${year}`, { exact: true }).first().waitFor({ state: "attached" });
  }
  await page.getByRole("button", { name: "Parameters" }).click();
  await page.getByRole("button", { name: "Parameters" }).click();
  await page.getByRole("button", { name: "More" }).click();
  assert.equal(await page.locator(".bar a[target]").count(), 0, "a link of the bar opens a tab");
  await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download as HTML" }).click()]);
  assert.equal(tabs(), 1);
  await page.context().route("https://example.com/**", (route) => route.fulfill({ body: "terms" }));
  const [terms] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Terms" }).click()]);
  assert.equal(terms.url(), "https://example.com/terms");
  assert.equal(tabs(), 2);
});

test("with fingers, on a small screen, in the dark", async (t) => {
  const { page, at, count } = await open(t, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: "dark", reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Next page" }).tap();
  await at(2);
  for (const button of await page.locator(".bar button:visible, .bar a:visible").all()) {
    const box = await button.boundingBox();
    assert.ok(box.width >= 44 && box.height >= 44 && box.x >= 0 && box.x + box.width <= 390, `${await button.getAttribute("aria-label")}: ${JSON.stringify(box)}`);
  }
  await page.getByRole("button", { name: "Pages and contents" }).tap();
  await page.getByRole("button", { name: `Page 3 of ${count}`, exact: true }).tap();
  await at(3);
  assert.equal(await page.getByRole("button", { name: `Page 3 of ${count}`, exact: true }).count(), 0, "the pane has made room");
  await page.getByRole("button", { name: "Parameters" }).tap();
  await page.getByLabel("Year").waitFor();
  assert.deepEqual(await faults(page, "small viewer"), []);
  await page.getByRole("complementary").getByRole("button", { name: "Close" }).tap();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await at(count);
  const [last, bar] = [await page.locator(".q-desk > .q-page").last().boundingBox(), await page.locator(".bar").boundingBox()];
  assert.ok(last.y + last.height <= bar.y, "the bar covers the last lines");
  assert.equal(await page.locator(".q-desk > .q-page").first().evaluate((el) => getComputedStyle(el).backgroundColor), "rgb(255, 255, 255)");
});

test("from right to left the viewer is mirrored, and keys go the way that is seen", async (t) => {
  const arabic = { ...staff["reports/lines.json"], name: "Arabic", language: "ar" };
  const { page, at, count } = await open(t, {}, { ...staff, "reports/lines.json": arabic });
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  assert.deepEqual(await faults(page, "right to left"), []);
  const middle = async (locator) => locator.boundingBox().then(({ x, width }) => x + width / 2);
  const [side, desk, aside] = [await middle(page.getByRole("button", { name: `Page 1 of ${count}`, exact: true })), await middle(page.locator(".q-desk > .q-page").first()), await middle(page.getByRole("complementary"))];
  assert.ok(side > desk && desk > aside, `pages at ${side}, report at ${desk}, parameters at ${aside}`);
  await page.locator("body").press("ArrowLeft");
  await at(2);
  await page.locator("body").press("ArrowRight");
  await at(1);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "it is wider than the window");
  // Words of a language that goes the other way keep their order.
  await page.keyboard.press("/");
  await page.keyboard.type("North");
  await page.locator(".found", { hasText: "1 of" }).waitFor();
  const places = await page.locator(".found").evaluate((el) => [0, 2].map((at) => {
    const letter = new Range();
    letter.setStart(el.firstChild, at);
    letter.setEnd(el.firstChild, at + 1);
    return letter.getBoundingClientRect().x;
  }));
  assert.ok(places[0] < places[1], "“1 of n” is told as “of n 1”");
  await page.keyboard.press("Escape");
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await faults(page, "right to left, dark"), []);
});
