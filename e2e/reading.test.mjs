// Somebody who only reads a report talks about it beside its pages: pins, threads,
// answers, what is settled; with a session alone, and by keys. Issue 18.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as flaws } from "./axe.mjs";
import { reports } from "./designing.mjs";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const definition = {
  version: 1,
  name: "Offer",
  pages: [{ id: 1, name: "One", elements: [
    { id: "title", type: "heading", props: { title: "Offer 2026" } },
    { id: "total", type: "text", name: "Sum", props: { text: "4,200.00 EUR" } },
    { id: "terms", type: "text", props: { text: "Payable within 30 days." } },
  ] }],
};

/** Makes somebody who may only read the workspace, and signs them in. */
async function reader(service, browser, root, options = {}) {
  await root.goto(`${service.url}/users`);
  await root.locator("details.fold summary").click();
  await root.locator("form[action$='/users']:not([role]) [name=email]").fill("ana@example.com");
  await root.locator("form[action$='/users']:not([role]) [name=name]").fill("Ana Jović");
  await Promise.all([root.waitForEvent("load"), root.locator("form[action$='/users']:not([role]) button:not([type=button])").click()]);
  const password = await root.locator("input.token, input[readonly]").first().inputValue();
  await root.goto(`${service.url}/ws/demo/members`);
  const adding = root.locator("form[action$='/members']").first();
  await adding.locator("[name=email]").fill("ana@example.com");
  await adding.locator("select[name=role]").selectOption({ label: "Viewer" });
  await Promise.all([root.waitForEvent("load"), adding.locator("button:not([type=button])").first().click()]);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })).newPage();
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel(/e-?mail/i).fill("ana@example.com");
  await page.getByLabel(/password/i).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.includes("sign-in"));
  return page;
}

test("who reads a report talks about it beside its pages", async (t) => {
  const service = await startService(t);
  const { id } = await (await api(service, "POST", reports, { name: "Offer", definition })).json();
  const browser = await startBrowser(t);
  const root = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(root, service);
  const ana = await reader(service, browser, root);
  const faults = [];
  for (const page of [root, ana]) {
    page.on("pageerror", (e) => faults.push(String(e)));
    page.on("console", (m) => /Quire:|Content Security/.test(m.text()) && faults.push(m.text()));
  }
  const asked = [];
  ana.on("request", (r) => /threads|people|events/.test(r.url()) && asked.push(new URL(r.url()).pathname));

  // The viewer alone asks for no comments; its button leads to them, with the page's options.
  await ana.goto(`${service.url}/ws/demo/reports/${id}/preview?lang=en`);
  await ana.locator(".q-desk > .q-page").first().waitFor();
  assert.deepEqual(asked, []);
  await ana.getByRole("link", { name: "Comments", exact: true }).click();
  await ana.waitForURL(/\/comments\?lang=en$/);
  const talk = (page) => page.getByRole("region", { name: "Comments" });
  const pages = ana.frameLocator("iframe[title=Report]");
  await pages.locator(".q-desk > .q-page").first().waitFor();
  await talk(ana).getByText("Nothing is open.").waitFor();

  // By keys: the element is chosen in a list, and what is written is sent. Who only reads is offered nobody.
  const about = ana.getByLabel("About");
  await until(async () => (await about.locator("option").allInnerTexts()).join() === "Report,Heading: Offer 2026,Sum: 4,200.00 EUR,Text: Payable within 30 days.", "the elements are not offered");
  await about.focus();
  await ana.keyboard.press("ArrowDown");
  await ana.keyboard.press("ArrowDown");
  await pages.locator(".q-about").waitFor();
  await ana.keyboard.press("Tab");
  const field = talk(ana).getByRole("textbox", { name: "Comment on: Sum: 4,200.00 EUR" });
  await until(() => field.evaluate((el) => el === document.activeElement), "Tab does not lead to the comment");
  await ana.keyboard.type("Is this with VAT, @ro");
  assert.equal(await talk(ana).getByRole("option").count(), 0);
  await ana.keyboard.press("Control+Enter");
  await talk(ana).getByRole("article", { name: "Comments on Sum: 4,200.00 EUR" }).waitFor();
  const pin = pages.getByRole("button", { name: "Comments on Sum: 4,200.00 EUR: 1" });
  await pin.waitFor();
  assert.ok(!asked.some((path) => path.endsWith("/people")), "who may not name people asks for them");
  assert.deepEqual(await flaws(ana, "comments of a reader"), []);

  // Whoever edits the report answers in the designer, and the reader sees it.
  await root.goto(`${service.url}/ws/demo/reports/${id}/design`);
  await root.getByRole("button", { name: "Comments on Sum: 1" }).click();
  await talk(root).getByRole("textbox", { name: "Reply" }).fill("No, without");
  await talk(root).getByRole("button", { name: "Reply" }).click();
  await talk(ana).getByText("No, without").waitFor();
  assert.equal(await talk(ana).getByRole("button", { name: "Edit" }).count(), 1, "only one's own is changed");

  // A press on an element chooses it, one on a pin its thread; what is settled has none.
  await pages.getByText("Payable within").click();
  await talk(ana).getByRole("textbox", { name: "Comment on: Text: Payable within 30 days." }).waitFor();
  await pin.click();
  await ana.locator(".d-chosen").getByText("Is this with VAT").waitFor();
  const beside = await pin.boundingBox();
  const element = await pages.locator('.q-desk [data-id="total"]').boundingBox();
  assert.ok(Math.abs(beside.x - (element.x + element.width)) < 20 && Math.abs(beside.y + beside.height - element.y) < 20, "the pin is elsewhere");
  if (process.env.PICTURES) await pictures(ana, pages, process.env.PICTURES);
  await talk(ana).getByRole("button", { name: "Resolve" }).click();
  await pin.waitFor({ state: "detached" });
  await talk(root).getByText("Resolved by").waitFor();
  await talk(ana).getByRole("button", { name: "Reopen" }).click();
  await pin.waitFor();

  // The button tells how much is open, and printed pages have no pins.
  await ana.getByRole("link", { name: "Without comments" }).click();
  await ana.getByRole("link", { name: "Comments: 1" }).waitFor();
  assert.equal(await ana.locator(".q-pins").count(), 0);

  // By a nonce there is nothing of it, and nothing is asked for.
  const { nonce } = await (await api(service, "POST", "/api/v1/nonce-tokens", { workspace: "demo", reports: id })).json();
  const stranger = await (await browser.newContext()).newPage();
  const heard = [];
  stranger.on("request", (r) => heard.push(new URL(r.url()).pathname));
  await stranger.goto(`${service.url}/ws/demo/reports/${id}/preview?nonce=${nonce}`);
  await stranger.locator(".q-desk > .q-page").first().waitFor();
  assert.equal(await stranger.getByRole("link", { name: /Comments/ }).count(), 0);
  assert.deepEqual(heard.filter((path) => /threads|people|events|comments/.test(path)), []);
  assert.match((await stranger.goto(`${service.url}/ws/demo/reports/${id}/comments`)).url(), /sign-in/);
  assert.deepEqual(faults, []);
});

async function pictures(page, pages, folder) {
  await page.screenshot({ path: `${folder}/comments-light.png` });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: `${folder}/comments-dark.png` });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setExtraHTTPHeaders({ "Accept-Language": "de" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.frameLocator("iframe").locator(".q-pin").first().waitFor();
  await page.screenshot({ path: `${folder}/comments-de-390.png` });
  await page.setExtraHTTPHeaders({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await pages.locator(".q-pin").first().waitFor();
}

test("what a subreport and the template bring is commented on with the report that is read", async (t) => {
  const service = await startService(t);
  const make = async (body) => (await api(service, "POST", reports, body)).json();
  const text = (id, words) => ({ id, type: "text", props: { text: words } });
  await make({ name: "Lines", code: "lines", definition: { version: 1, name: "Lines", subreport: true, pages: [{ id: 1, name: "One", elements: [text("total", "Sum of the lines"), text(undefined, "Without an ID")] }] } });
  const layout = { pageType: "", header: [text("total", "Letterhead")], body: [{ id: "content", type: "content-placeholder", props: {} }], footer: [text("foot", "Bank details")] };
  const { id } = await make({ name: "Outer", definition: { version: 1, name: "Outer", template: "own", include: { templates: [{ code: "own", name: "Own", layouts: [layout] }] }, pages: [{ id: 1, name: "One", elements: [text("total", "Sum of all"), { id: "sub", type: "subreport", props: { report: "lines" } }] }] } });
  // Said before keys had owners, when header and footer were edited with the report.
  const before = await (await api(service, "POST", `${reports}/${id}/threads`, { element: "foot", text: "Which bank?", mentions: [] })).json();
  const bank = "Text: Bank details (of the template)";
  const browser = await startBrowser(t);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(String(e)));
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/reports/${id}/comments#thread-${before.id}`);
  const pages = page.frameLocator("iframe[title=Report]");
  const talk = page.getByRole("region", { name: "Comments" });
  await talk.getByRole("textbox", { name: `Comment on: ${bank}` }).waitFor(); // the link of a mail leads to it
  await talk.getByRole("article", { name: `Comments on ${bank}` }).getByText("Which bank?").waitFor();
  const near = async (pin, words) => {
    const [at, of] = [await pin.boundingBox(), await pages.getByText(words, { exact: true }).boundingBox()];
    assert.ok(Math.abs(at.y + at.height - of.y) < 20, `the pin of ${words} is elsewhere`);
  };
  await near(pages.getByRole("button", { name: `Comments on ${bank}: 1` }), "Bank details");
  const about = page.getByLabel("About");
  const offered = async () => (await about.locator("option").allInnerTexts()).join("|");
  // Three elements have the same ID; each is offered by whose it is.
  await until(async () => (await offered()) === "Report|Text: Letterhead (of the template)|Text: Sum of all|Subreport: Sum of the lines Without an ID|Text: Sum of the lines (of the subreport lines)|Text: Bank details (of the template)", "not all of them are offered");
  const say = async (press, name) => {
    await pages.getByText(press, { exact: true }).click();
    await talk.getByRole("textbox", { name: `Comment on: ${name}` }).fill(`About ${press}`);
    await talk.getByRole("button", { name: "Comment" }).click();
    const pin = pages.getByRole("button", { name: `Comments on ${name}: 1` });
    await pin.waitFor();
    await near(pin, press);
  };
  await say("Letterhead", "Text: Letterhead (of the template)");
  await say("Sum of all", "Text: Sum of all");
  await say("Sum of the lines", "Text: Sum of the lines (of the subreport lines)");
  // What has no ID is commented on by what is around it.
  await pages.getByText("Without an ID").click();
  await talk.getByRole("textbox", { name: "Comment on: Subreport: Sum of the lines Without an ID" }).waitFor();
  assert.deepEqual(await flaws(page, "comments on what others bring"), []);
  assert.deepEqual((await (await api(service, "GET", `${reports}/${id}/threads`)).json()).map((one) => one.element), ["foot", "*/total", "total", "lines/total"]);

  // The designer has the same pins, and begins a comment on what was pressed.
  await page.evaluate(() => localStorage.setItem("quire-toured", "yes"));
  await page.goto(`${service.url}/ws/demo/reports/${id}/design`);
  for (const name of [bank, "Text: Letterhead (of the template)", "Text", "Text: Sum of the lines (of the subreport lines)"]) await page.getByRole("button", { name: `Comments on ${name}: 1`, exact: true }).waitFor();
  const canvas = page.frameLocator(".d-frame");
  const press = async (words) => {
    const box = await canvas.getByText(words, { exact: true }).boundingBox();
    await page.mouse.click(box.x + 20, box.y + box.height / 2);
  };
  await press("Sum of the lines");
  await page.keyboard.press("Control+Alt+m");
  await talk.getByRole("textbox", { name: "Comment on: Text: Sum of the lines (of the subreport lines)" }).waitFor();
  await page.getByText("The comment stays with this report.").waitFor();
  assert.equal(await page.locator(".d-selected").count(), 1, "the subreport is not selected");
  assert.deepEqual(await flaws(page, "a comment on what a subreport brings"), []);
  await press("Letterhead");
  await talk.getByRole("textbox", { name: "Comment on: Text: Letterhead (of the template)" }).waitFor();
  await press("Sum of all");
  await talk.getByRole("textbox", { name: "Comment on: Text", exact: true }).waitFor();
  if (process.env.PICTURES) {
    await press("Sum of the lines");
    await page.screenshot({ path: `${process.env.PICTURES}/foreign.png` });
  }
  assert.deepEqual(faults, []);
});
