// Every screen of the service but those about people (people.mjs), in any language: a
// walk that opens each and what opens on it. `node screens.mjs FOLDER [de]` makes pictures
// of them, light, dark, narrow and wide, to look at.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "./designing.mjs";
import { api, importWorkspace, script, signIn, startBrowser, startService } from "./service.mjs";

const size = { width: 1440, height: 900 };

const asking = {
  "workspace.json": { name: "Asking", code: "asking", reportTypes: [{ name: "Asking", code: "asking", defaultReport: "asking" }] },
  "reports/asking.json": {
    version: 1, name: "Asking", type: "asking", pages: [{ id: 1, name: "A" }],
    parameters: [
      { name: "year", label: "Year", type: "number", required: true, group: "Period" }, { name: "months", type: "month-range" }, { name: "on", type: "switch" },
      { name: "a", label: "Kind", type: "lookup", lookup: [{ value: 1, label: "One" }] },
      { name: "b", label: "Part", type: "lookup", lookupSource: { type: "json", dependencies: ["$params.a"], settings: { content: [] } } },
    ],
  },
};

const offer = {
  version: 1, name: "Offer", template: "plain",
  dataSources: [{ name: "rows", type: "json", settings: { content: [{ item: "Chair", units: 2, price: 10.5 }, { item: "Lamp", units: 1, price: 4 }] } }],
  pages: [{ id: 1, name: "One", elements: [
    { id: "title", type: "heading", props: { title: "Offer 2026" } },
    { id: "total", type: "text", props: { text: "4,200.00 EUR" } },
    { id: "table", type: "data-table", props: { source: "$data.rows", columns: [{ field: "item", title: "Item" }, { field: "units", title: "Units" }, { field: "price", title: "Price" }] } },
    { id: "chart", type: "generic-chart", props: { height: "160px", series: [] } },
  ] }],
};

/** What an English text of the interface is in a language. */
function dictionary(language) {
  if (language === "en") return (text) => text;
  const read = (file) => JSON.parse(readFileSync(join(import.meta.dirname, "..", file, "texts", `${language}.json`), "utf8"));
  const known = { ...read("assets/web"), ...read("api/ui") };
  return (text) => known[text] ?? text;
}

/** Starts a service, signs in, and goes through the screens; see is told of each by its name when it is there. */
export async function walk(t, { language = "en", colorScheme = "light", phone = false, only, see }) {
  const service = await startService(t);
  importWorkspace(t, service, asking);
  const context = await (await startBrowser(t)).newContext({ locale: language, colorScheme, ...(phone ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : { viewport: size }) });
  const page = await context.newPage();
  const w = dictionary(language);
  const button = (name, within = page) => within.getByRole("button", { name: w(name), exact: true });
  const go = (path) => page.goto(service.url + path);
  const look = async (name, path, ready = () => {}) => {
    await go(path);
    await ready();
    await see(page, name);
  };
  const has = (text) => page.getByText(w(text)).first().waitFor();

  await look("sign-in", "/sign-in");
  await page.locator("[name=email]").fill("root@localhost");
  await page.locator("[name=password]").fill(service.password);
  await page.locator("[name=password]").press("Enter");
  await page.waitForURL((url) => !url.pathname.includes("sign-in"));
  const parts = { lists, runs, administration, viewer, designer, library };
  for (const [name, part] of Object.entries(parts)) if (!only || only === name) await part({ page, service, go, look, see, w, has, button });
}

async function lists({ page, service, look, see }) {
  await look("home", "/");
  await page.keyboard.press("Control+k");
  await page.locator("dialog[open] input").fill("sales");
  await page.locator("dialog[open] [role=option]").first().waitFor();
  await see(page, "finder");
  await look("workspace", "/ws/demo");
  await look("menu of a report", "/ws/demo", () => page.locator("main details.menu summary").first().click());
  await look("nothing found", "/ws/demo?q=nothing");
  await look("starting points", "/ws/demo/reports/new", () => page.locator(".start label").first().click());
  await look("picture of a report", "/ws/demo/reports/2/picture");
  await look("page about sharing", "/ws/demo/reports/2/share");
  await look("access of a report", "/ws/demo/reports/2/access");
  await look("moving", "/ws/demo/reports/2/move");
  const [template] = await (await api(service, "GET", "/api/ui/ws/demo/templates")).json();
  await look("a template elsewhere", `/ws/demo/templates/${template.id}/transfer`);
  await look("pasted data", "/ws/demo/reports/from-data");
  await page.locator("textarea").first().fill("item;amount\nChair;1\nLamp;2;3");
  await page.locator("main form button:not([type=button])").first().click();
  await page.locator("th").first().waitFor();
  await see(page, "columns of pasted data");
  await look("error", "/ws/nowhere");
  await look("password", "/password");
}

async function runs({ page, service, look, see, w, button }) {
  await api(service, "DELETE", "/api/v1/ws/demo/jobs/monthly-invoices");
  await look("no jobs", "/ws/demo/jobs");
  const job = { name: "Letters", code: "letters", active: true, reviewRequired: true, repeat: "people", dataSources: [{ name: "people", type: "json", settings: { content: [{ name: "Ana" }, { name: "Ben" }] } }], reports: [{ report: "letter", fileName: "Letter to {$record.name}" }] };
  await api(service, "POST", "/api/ui/ws/demo/jobs", job);
  await look("jobs", "/ws/demo/jobs");
  await page.getByRole("link", { name: "Letters", exact: true }).click();
  await see(page, "job");
  await button("Start a run").click();
  await page.getByRole("link", { name: "Letter to Ana.pdf" }).first().waitFor();
  await see(page, "run");
  await button("Approve and deliver all in review").click();
  const approve = page.getByRole("button", { name: w("Approve {0} entries").replace("{0}", "2") });
  await approve.waitFor();
  await see(page, "many approved");
  await approve.click();
  await page.getByText(`2 ${w("completed")}`, { exact: true }).waitFor();
  await see(page, "a finished run");
  await look("no exports", "/ws/demo/exports");
  await api(service, "POST", "/api/v1/ws/demo/reports/letter/export", {});
  await look("exports", "/ws/demo/exports", () => page.getByText("Letter to").first().waitFor());
}

async function administration({ page, look, see, w, has, button }) {
  await look("new workspace", "/workspaces/new");
  await page.locator("#name").fill("Empty");
  await page.locator("#code").fill("empty");
  await button("Create workspace").click();
  await has("There are no reports here yet");
  await see(page, "an empty workspace");
  await look("settings", "/ws/empty/settings");
  await look("members", "/ws/demo/members");
  await look("audit log", "/audit", () => page.locator("main details summary").first().click());
  await look("audit log without a line", "/ws/empty/audit?q=nothing+fits");
  await look("usage", "/usage");
  await look("operation", "/operation");
  await look("mail server", "/mail", () => page.getByText(w("How to set it")).click());
  await look("no files", "/ws/empty/files");
  await page.locator("input[type=file]").first().setInputFiles([
    { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>') },
    { name: "terms.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") },
  ]);
  await button("Upload").click();
  await has("The files are stored.");
  await page.locator("details:has(form) summary").last().click();
  await see(page, "files");
  await look("no connections", "/ws/empty/connections");
  for (const type of ["email", "sftp", "s3", "webdav", "googleDrive", "webhook"]) await look(`new connection: ${type}`, `/ws/empty/connections/new?type=${type}`);
  await look("new connection: api", "/ws/empty/connections/new?type=api");
  await page.getByLabel(w("Name"), { exact: true }).fill("erp");
  await page.getByLabel(w("Address"), { exact: true }).fill("https://erp.example.com/");
  await button("Create connection").click();
  await has("The connection was made.");
  await see(page, "connections");
  await look("connection", "/ws/empty/connections/edit?name=erp");
}

async function viewer({ page, look, see }) {
  await look("parameters", "/ws/asking/reports/asking/preview");
  await look("viewer", "/ws/demo/reports/6/preview", () => page.locator(".q-desk > .q-page").first().waitFor());
  await page.keyboard.press("/");
  await page.keyboard.type("e");
  await page.locator(".found", { hasText: "1" }).waitFor();
  await see(page, "viewer: search");
  await page.keyboard.press("Escape");
  const button = (name) => page.getByRole("button", { name, exact: true }).first(); // in the language of the report
  for (const name of ["Contents", "Parameters", "More"]) {
    if (name === "Contents" && !(await button(name).isVisible())) await button("Pages and contents").click();
    await button(name).click();
    await see(page, `viewer: ${name}`);
  }
  const beside = page.frameLocator("iframe");
  await look("comments beside a report: none", "/ws/demo/reports/6/comments", () => beside.locator(".q-desk > .q-page").first().waitFor());
  await page.locator(".t-about option").nth(1).waitFor({ state: "attached" });
  await page.locator(".t-about select").selectOption({ index: 1 });
  await page.locator("#comment-new").fill("From where is this?");
  await page.keyboard.press("Control+Enter");
  await beside.locator(".q-pin").waitFor();
  await see(page, "comments beside a report");
}

/** The parts of the designer that open. */
async function designer({ page, service, go, see, w, button }) {
  const report = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name: "Offer", definition: offer })).json();
  const path = `/ws/demo/reports/${report.id}/design`;
  const canvas = page.frameLocator(`iframe[title="${w("Report")}"]`);
  const outline = page.getByRole("region", { name: w("Outline") });
  const part = (text) => outline.getByRole("button", { name: text });
  const open = async (path) => {
    await go(path);
    await page.getByRole("region", { name: w("Components") }).waitFor();
  };
  await open(path);
  await canvas.getByText("Chair").waitFor();
  await see(page, "designer");
  for (const [text, name] of [["Offer 2026", "a heading"], ["4,200", "a text"]]) {
    await part(new RegExp(text)).click();
    await see(page, `designer: ${name}`);
  }
  await page.getByRole("toolbar", { name: w("Look of the text") }).getByRole("button", { name: w("Colour of the text") }).click();
  await see(page, "designer: a colour");
  await page.keyboard.press("Escape");
  for (const [name, opener] of [["problems", ".d-problems > button"], ["view", ".d-status > .d-chip[aria-haspopup=menu]"]]) {
    await page.locator(opener).click();
    await see(page, `designer: ${name}`);
    await page.keyboard.press("Escape");
  }
  const { x, y } = await at(canvas.getByText("10.5"));
  await page.mouse.click(x, y);
  await page.getByRole("toolbar", { name: w("Column {0}").replace("{0}", "Price") }).waitFor();
  await see(page, "designer: a column");
  await page.getByRole("complementary", { name: w("Settings") }).getByRole("combobox", { name: w("Data source"), exact: true }).click();
  await page.getByRole("listbox").first().waitFor();
  await see(page, "designer: fields to choose from");
  await page.keyboard.press("Escape");
  await page.locator("[data-node=chart]").click();
  await see(page, "designer: a chart begins");
  await page.locator("[data-node=total]").click();
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: w("Add a component here") }).waitFor();
  await see(page, "designer: slash");
  await page.keyboard.press("Escape");
  await page.locator("[data-node=total]").click();
  await page.keyboard.press("Control+Alt+m");
  const comments = page.getByRole("region", { name: w("Comments") });
  await comments.getByRole("textbox").first().fill("Is this right?");
  await page.keyboard.press("Control+Enter");
  await comments.getByRole("article").first().waitFor();
  await see(page, "designer: comments");
  for (const tab of ["Data", "Pages", "Parameters"]) {
    await page.getByRole("tab", { name: w(tab), exact: true }).click();
    await see(page, `designer: ${tab}`);
  }
  await page.getByRole("tab", { name: w("Data"), exact: true }).click();
  await page.getByRole("region", { name: w("Data"), exact: true }).getByRole("button").first().click();
  await button("Run").click();
  await page.getByText(/2 .* \d+ ms/).first().waitFor();
  await see(page, "designer: a data source");
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Control+f");
  await see(page, "designer: find");
  await page.keyboard.press("Escape");
  for (const [name, ready] of [["Share", "dialog[open] table"], ["Versions", "dialog[open]"]]) {
    await button(name).click();
    await page.locator(ready).first().waitFor();
    await see(page, `designer: ${name}`);
    if (name === "Versions") {
      await button("Compare", page.locator("dialog[open]")).first().click();
      await see(page, "designer: compare");
    }
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("Control+k");
  await page.locator("dialog[open] input").waitFor();
  await see(page, "designer: commands");
  await page.locator("dialog[open] input").fill(w("Keyboard shortcuts"));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: w("Keyboard shortcuts") }).waitFor();
  await see(page, "designer: keyboard shortcuts");
  await page.keyboard.press("Escape");
  await page.locator(".d-band-header").getByRole("button").first().click();
  await page.locator("dialog[open]").waitFor();
  await see(page, "designer: header, footer and paper");
  await page.locator("dialog[open] button", { hasText: w("This report only") }).click();
  await page.getByRole("region", { name: w("Paper and margins") }).waitFor();
  await see(page, "designer: paper and margins");
  await open(path);
  await page.locator("[data-node=total]").click();
  await page.locator(".d-selected").first().click({ button: "right", force: true });
  await page.getByRole("menu").waitFor();
  await see(page, "designer: menu of an element");
  const empty = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name: "Nothing yet" })).json();
  await open(`/ws/demo/reports/${empty.id}/design`);
  await page.locator(".d-nothing").waitFor();
  await see(page, "designer: an empty page");
  await open("/ws/demo/reports/2/design");
  await see(page, "designer: a report of the demo");
}

async function library({ page, look, see, w, go }) {
  for (const kind of ["templates", "themes", "dataSources", "parameters", "dictionaries", "languages", "reportTypes", "pageTypes", "jobs"]) {
    await page.goto("about:blank");
    await look(`library: ${kind}`, `/ws/demo/library#${kind}`, async () => {
      await page.locator(".l-items").waitFor();
      const first = page.locator(".l-items li button").first();
      if (!["dataSources", "parameters"].includes(kind)) await first.click();
    });
  }
  for (const [kind, tabs] of [["themes", 3], ["jobs", 8]]) {
    await page.goto("about:blank");
    await go(`/ws/demo/library#${kind}`);
    await page.locator(".l-items li button").first().click();
    const all = page.locator("main [role=tab]");
    await all.first().waitFor();
    for (let i = 1; i < Math.min(tabs, await all.count()); i++) {
      await all.nth(i).click();
      await see(page, `library: ${kind}, ${i + 1}`);
    }
  }
  await page.goto("about:blank");
  await go("/ws/demo/library#templates");
  await page.locator(".l-items li button").first().click();
  await page.getByRole("link", { name: w("Design") }).click();
  await page.getByRole("region", { name: w("Components") }).waitFor();
  await see(page, "designer: a template");
}

/** Pictures of every screen into a folder. */
async function main(folder, language = "en", only = undefined) {
  mkdirSync(folder, { recursive: true });
  let n = 0;
  await script((t) => walk(t, { language, only, see: async (page, name) => {
    const file = `${folder}/${String(++n).padStart(2, "0")}-${name.replaceAll(/\W+/g, "-")}-${language}`;
    await page.screenshot({ path: `${file}-light.png` });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: `${file}-dark.png` });
    await page.emulateMedia({ colorScheme: "light" });
    for (const width of [1920, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 1080 });
      await page.screenshot({ path: `${file}-${width}.png` });
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    console.log(`${n} ${name}${wide > 0 ? `: ${wide} px wider than 390` : ""}`);
    await page.setViewportSize(size);
  } }));
}

if (process.argv[1] === import.meta.filename) await main(...process.argv.slice(2));
