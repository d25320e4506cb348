// The editors in the designer's fields, in a real browser against the real
// service. Whatever the page's policy forbids fails the test.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { faults as faultsOf } from "./axe.mjs";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const reports = "/api/ui/ws/demo/reports";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const shop = { name: "shop", type: "json", settings: { content: { owner: "Ana & Co", orders: [{ article: "Chair", amount: 690 }, { article: "Table", amount: 1356 }] } } };

/** A report of some elements, open in the designer with the first one selected. */
async function openReport(t, elements, { colorScheme = "light", sources = [shop] } = {}) {
  const service = await startService(t);
  const made = await (await api(service, "POST", reports, { name: "Editors" })).json();
  const { definition, revision } = await (await api(service, "GET", `${reports}/${made.id}`)).json();
  definition.dataSources = sources;
  definition.parameters = [{ name: "year", label: "Year", type: "number", default: 2026 }];
  definition.pages[0].elements = elements;
  await api(service, "PUT", `${reports}/${made.id}`, definition, { "If-Match": `"${revision}"` });
  const context = await (await startBrowser(t)).newContext({ colorScheme, viewport: { width: 1440, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !/ERR_INTERNET/.test(m.text()) && faults.push(m.text()));
  await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`)));
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/reports/${made.id}/design`);
  await page.getByRole("region", { name: "Outline" }).getByRole("button").first().click();
  await page.getByRole("heading", { level: 2 }).waitFor();
  const stored = async () => (await (await api(service, "GET", `${reports}/${made.id}`)).json()).definition;
  const becomes = async (read, want) => {
    let got;
    await until(async () => JSON.stringify((got = read(await stored()))) === JSON.stringify(want), `stays otherwise`).catch(() => assert.deepEqual(got, want));
  };
  const canvas = page.frameLocator("iframe[title=Report]");
  const axeFaults = async () => {
    await page.evaluate(`${axe}; null`);
    const { violations } = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags, iframes: false }), tags);
    return violations.map((v) => `${v.id} (${v.help}) at ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`);
  };
  return { service, page, canvas, stored, becomes, faults, axeFaults };
}

/** The plain field becomes an editor when it is focused. */
async function focusEditor(page, label) {
  await page.getByLabel(label, { exact: true }).focus();
  const editor = page.locator(".cm-content:focus");
  await editor.waitFor();
  return editor;
}

const first = (name) => (report) => report.pages[0].elements[0].props?.[name];

test("a template is completed by keyboard", async (t) => {
  const { page, canvas, becomes, faults } = await openReport(t, [{ id: "a", type: "heading", props: { title: "For " } }]);
  await canvas.getByRole("heading", { name: "For" }).waitFor();
  await focusEditor(page, "Title");
  await page.keyboard.press("End");
  const options = page.getByRole("listbox");
  const accept = async (text, wanted, more = false) => {
    await page.keyboard.type(text);
    await options.getByRole("option", { name: wanted }).first().waitFor();
    await page.waitForTimeout(120); // Enter is not taken at once, lest it surprise
    await page.keyboard.press("Enter");
    if (more) await options.getByRole("option", { name: more }).first().waitFor();
    else await options.waitFor({ state: "detached" });
  };
  await accept("{", "$data", "shop");
  await accept("", "shop", "owner"); // its members are offered at once
  await accept(".ow", "owner");
  await accept(":upper", "uppercase");
  await becomes(first("title"), "For {$data.shop.owner:uppercase}");
  await canvas.getByRole("heading", { name: "For ANA & CO" }).waitFor();

  // Enter makes no line here, a dollar gets its braces, the editor undoes its own.
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" ");
  await accept("$par", "$params", "year");
  await accept(".", "year"); // the dot is there already
  await becomes(first("title"), "For {$data.shop.owner:uppercase} {$params.year}");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Backspace");
  await until(async () => (await page.locator(".cm-content:focus").innerText()).startsWith("For {$data.shop.owner"), "the undo of the editor");
  await page.getByRole("heading", { name: "Heading", level: 2 }).waitFor(); // Backspace has not deleted the element
  assert.deepEqual(faults, []);
});

test("Tab leaves the editor until Ctrl+M", async (t) => {
  const { page, becomes, faults } = await openReport(t, [{ id: "a", type: "advanced-chart", props: { options: "() => ({})" } }]);
  await page.getByText(/^Drawing/).waitFor({ state: "hidden", timeout: 60000 }); // from then on it knows the fields
  await focusEditor(page, "Options");
  const typed = first("options");
  const active = () => page.evaluate(() => document.activeElement.id);
  const back = async () => {
    await page.keyboard.press("Shift+Tab");
    assert.equal(await active(), "f-a.options");
  };
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Tab");
  assert.equal(await active(), "f-a.altText", "Tab leaves");
  await back();
  await page.keyboard.press("Control+m");
  await page.keyboard.press("Tab");
  await becomes(typed, "  () => ({})");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await active(), "f-a.altText", "Tab leaves after Escape");
  await back();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type("() => ({ title: { text: $data.shop.ow");
  await page.getByRole("option", { name: /owner/ }).waitFor();
  await page.waitForTimeout(120);
  await page.keyboard.press("Enter");
  await becomes(typed, "() => ({ title: { text: $data.shop.owner}})");
  assert.deepEqual(faults, []);
});

test("JSON is checked while it is written", async (t) => {
  const { page, becomes, faults, axeFaults } = await openReport(t, [{ id: "a", type: "text" }]);
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("region", { name: "Data", exact: true }).getByRole("button", { name: "shop" }).click();
  await focusEditor(page, "Content (JSON)");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{"owner": "Ben", }');
  await page.getByText("This is not JSON yet").waitFor();
  await page.locator(".cm-lint-marker-error").waitFor();
  assert.deepEqual(await axeFaults(), []);
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{"owner": "Ben"}');
  await becomes((report) => report.dataSources[0].settings.content, { owner: "Ben" });
  assert.deepEqual(faults, []);
});

for (const colorScheme of ["light", "dark"]) {
  test(`formatted text is written, in ${colorScheme}`, async (t) => {
    const { page, canvas, becomes, faults, axeFaults } = await openReport(t, [{ id: "a", type: "rich-text-editor", props: { content: "<p>Dear {$data.shop.owner}</p>" } }], { colorScheme });
    const text = page.getByRole("textbox", { name: "Content" });
    const tools = page.getByRole("toolbar", { name: "Formatting" });
    const tool = (name) => tools.getByRole("button", { name, exact: true });
    await tools.waitFor();
    await text.click();
    await page.waitForTimeout(100); // the editor takes the caret over
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("Thank you");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" & see us");
    await becomes(first("content"), "<p>Dear {$data.shop.owner}</p><p><strong>Thank you</strong> &amp; see us</p>");
    await canvas.getByText("Dear Ana & Co").waitFor();

    // The toolbar is one stop of Tab with arrows inside.
    for (let i = 0; i < 2; i++) await page.keyboard.press("Shift+ArrowLeft");
    await until(() => page.evaluate(() => String(getSelection()) === "us"), "the word is not selected");
    await page.waitForTimeout(50); // browsers tell of a selection a moment later
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("End");
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Redo");
    await page.keyboard.press("Home");
    for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Link");
    await page.keyboard.press("Enter");
    await page.keyboard.type("https://shop.example/?a=1&b=2");
    assert.deepEqual(await axeFaults(), []);
    await page.keyboard.press("Enter");
    await becomes(first("content"), '<p>Dear {$data.shop.owner}</p><p><strong>Thank you</strong> &amp; see <a href="https://shop.example/?a=1&amp;b=2">us</a></p>');
    await canvas.getByRole("link", { name: "us" }).waitFor();

    await tool("Footnote").click();
    await becomes(first("content"), '<p>Dear {$data.shop.owner}</p><p><strong>Thank you</strong> &amp; see <span class="footnote"><a href="https://shop.example/?a=1&amp;b=2">us</a></span></p>');
    await canvas.locator(".q-page-notes").getByText("1 us").waitFor();
    await tool("Footnote").click();

    await tool("Bullets").click();
    assert.equal(await tool("Bullets").getAttribute("aria-pressed"), "true");
    await tool("Align right").click();
    await becomes(first("content"), '<p>Dear {$data.shop.owner}</p><ul><li><p style="text-align:right"><strong>Thank you</strong> &amp; see <a href="https://shop.example/?a=1&amp;b=2">us</a></p></li></ul>');
    await tool("Undo").click();
    await tool("Undo").click();
    await tool("Heading 2, H2").click();
    await becomes(first("content"), '<p>Dear {$data.shop.owner}</p><h2><strong>Thank you</strong> &amp; see <a href="https://shop.example/?a=1&amp;b=2">us</a></h2>');
    assert.deepEqual(await axeFaults(), []);
    assert.deepEqual(faults, []);
  });
}

test("what is pasted is cleaned", async (t) => {
  const { page, becomes, faults } = await openReport(t, [{ id: "a", type: "rich-text-editor" }]);
  const text = page.getByRole("textbox", { name: "Content" });
  await page.getByRole("toolbar", { name: "Formatting" }).waitFor();
  await text.focus();
  const html = `<meta charset="utf-8"><style>p{color:red}</style><p class="MsoNormal" style="color:red;position:fixed" onclick="alert(1)">One <span style="font-weight:700">two</span><script>alert(1)</script></p><iframe src="https://x.example"></iframe><ul style="margin:0"><li><span style="color:red">three</span></li></ul>`;
  await page.evaluate((html) => {
    const data = new DataTransfer();
    data.setData("text/html", html);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, html);
  await becomes(first("content"), "<p>One <strong>two</strong></p><ul><li>three</li></ul>");
  assert.deepEqual(faults, []);
});

/** Every text of a rich-text-editor in a folder of report files. */
function* richTexts(folder) {
  const walk = function* (value) {
    if (value === null || typeof value !== "object") return;
    if (value.type === "rich-text-editor" && value.props?.content) yield value.props.content;
    for (const held of Object.values(value)) yield* walk(held);
  };
  for (const name of readdirSync(folder, { recursive: true })) {
    if (name.endsWith(".json")) yield* walk(JSON.parse(readFileSync(join(folder, name), "utf8")));
  }
}

test("texts keep their meaning", async (t) => {
  const { page, faults } = await openReport(t, [{ id: "a", type: "rich-text-editor" }]);
  await page.getByRole("toolbar", { name: "Formatting" }).waitFor();
  const root = join(import.meta.dirname, "..");
  const shipped = ["assets/demo", "examples/gallery"].flatMap((folder) => [...richTexts(join(root, folder))]);
  assert.ok(shipped.length >= 2, "the shipped reports have formatted text");
  const same = [
    ...shipped,
    "<p>a <b>b <i>c</i></b> <u>d</u><br>e</p>",
    "<ul><li>one</li><li>two<ul><li>three</li></ul></li></ul>",
    '<ol start="3"><li><p>one</p><p>two</p></li></ol>',
    '<h1 class="big" id="top" lang="de">x</h1><hr><blockquote><p>q</p></blockquote><pre>a\n  b</pre>',
    '<p style="color:var(--accent);text-align:center"><span style="color:red">r</span> <mark>m</mark> H<sub>2</sub>O <img src="{$data.x.logo}" alt="Logo"></p>',
    "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td colspan=\"2\">{$data.a:n;2}</td></tr></tbody></table>",
    "<p>{[{$record.amount} < 0 ? '<i>x</i>' : 'a & b']:p;1} &amp; {$x|none}</p>",
    '<div class="note"><p>n</p></div><figure><img src="a.png" alt=""><figcaption>c</figcaption></figure>',
    '<p><a href="{$data.url}" title="t"><b>x</b></a></p>',
  ];
  const alike = ["plain text", "<p> a\n b </p>\n\n<p>c</p>", "<b>x</b> y<p>z</p>", "<p onclick='x()'>a<script>b</script></p>", "<table><tr><td>a</table>", "<span>a</span>", "<p>a</p>&nbsp;"];
  const lost = ["<p><ruby>漢<rt>kan</rt></ruby></p>"];
  const { html, unequal, held } = await page.evaluate(
    async ([same, alike, lost]) => {
      const { roundTrip, holds } = await import(`${document.getElementById("designer").dataset.assets}/rich.js`);
      return { html: same.map(roundTrip), unequal: [...same, ...alike].filter((h) => !holds(h)), held: lost.filter(holds) };
    },
    [same, alike, lost],
  );
  assert.deepEqual(html, same);
  assert.deepEqual(unequal, []);
  assert.deepEqual(held, []);
  assert.deepEqual(faults, []);
});

test("what the editor does not know stays as it is, as HTML", async (t) => {
  const content = "<p>a</p><p><ruby>漢<rt>kan</rt></ruby></p>";
  const { page, stored, becomes, faults } = await openReport(t, [{ id: "a", type: "rich-text-editor", props: { content } }]);
  await page.getByText("edited as HTML").waitFor();
  assert.equal(first("content")(await stored()), content);
  await focusEditor(page, "Content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("<p>b</p>");
  await becomes(first("content"), "<p>b</p>");
  await page.getByRole("button", { name: "Edit as formatted text" }).click();
  await page.getByRole("toolbar", { name: "Formatting" }).waitFor();
  assert.deepEqual(faults, []);
});

test("without the editors, fields are plain and work", async (t) => {
  const { page, canvas, becomes } = await openReport(t, [{ id: "a", type: "heading", props: { title: "Old" } }]);
  await page.route(/\/editor\.js/, (route) => route.abort());
  await page.getByLabel("Title", { exact: true }).fill("New");
  await canvas.getByRole("heading", { name: "New" }).waitFor();
  await becomes(first("title"), "New");
  await page.unroute(/\/editor\.js/);
  await page.getByLabel("Title", { exact: true }).blur();
  await focusEditor(page, "Title"); // tried again
});

/** The library, open at a kind, with a way to save as another person does. */
async function openLibrary(t, kind, context = {}) {
  const service = await startService(t);
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 }, ...context })).newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("console", (m) => m.type() === "error" && !/Failed to load resource/.test(m.text()) && faults.push(m.text()));
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/library#${kind}`);
  const address = `/api/ui/ws/demo/${kind}`;
  const first = async () => (await (await api(service, "GET", address)).json())[0];
  const saveAs = async (change) => {
    const { id, revision, definition } = await first();
    await api(service, "PUT", `${address}/${id}`, change(definition), { "If-Match": `"${revision}"` });
  };
  return { service, page, faults, first, saveAs };
}

test("a name is saved although another theme is chosen at once", async (t) => {
  const { page, faults, first } = await openLibrary(t, "themes");
  const items = page.getByRole("region", { name: "Themes" });
  await page.getByLabel("Name", { exact: true }).first().fill("Halden in autumn");
  await items.getByRole("button").nth(1).click(); // well within the time that saving waits for more
  await page.getByRole("heading", { name: "Meridian", exact: false, level: 2 }).waitFor();
  await until(async () => (await first()).definition.name === "Halden in autumn", "the name was not saved");
  await page.reload();
  await items.getByRole("button", { name: "Halden in autumn" }).waitFor();
  assert.deepEqual(faults, []);
});

/** Holds the saves of a page until they are let go. */
async function holdSaves(page) {
  let go;
  const gate = new Promise((done) => (go = done));
  await page.route(/\/(themes|jobs)\/\d+$/, async (route) => {
    await gate;
    await route.continue();
  });
  return go;
}

test("two people edit a theme: both sides are seen, and one is chosen", async (t) => {
  const { page, faults, first, saveAs } = await openLibrary(t, "themes");
  const name = page.getByLabel("Name", { exact: true }).first();
  await name.waitFor();
  const go = await holdSaves(page);
  await name.fill("Mine");
  await saveAs((d) => ({ ...d, name: "Theirs", text: { ...d.text, h3: { ...d.text?.h3, color: "#aa0011" } } }));
  go();
  await page.getByRole("button", { name: "See both sides" }).click();
  const dialog = page.getByRole("dialog", { name: "Two people changed the same" });
  assert.deepEqual(await faultsOf(page, "both sides"), []);
  await dialog.getByRole("group", { name: "Name" }).locator("label", { hasText: "Theirs" }).first().click();
  await dialog.getByRole("button", { name: "Keep what is chosen" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.equal(await name.inputValue(), "Theirs");
  await name.fill("Mine after all"); // it goes on from there
  await until(async () => (await first()).definition.name === "Mine after all", "what came after the choice was not saved");
  assert.equal((await first()).definition.text.h3.color, "#aa0011", "the rest of theirs is kept");
  assert.deepEqual(faults, []);
});

test("two people edit a job: the later one decides, what is not in question stays", async (t) => {
  const { page, faults, first, saveAs } = await openLibrary(t, "jobs");
  const name = page.getByLabel("Name", { exact: true }).first();
  await name.waitFor();
  const go = await holdSaves(page);
  await name.fill("My invoices");
  await saveAs((d) => ({ ...d, name: "Their invoices", schedule: { ...d.schedule, cron: "0 6 2 * *" } }));
  go();
  await page.getByRole("button", { name: "See both sides" }).click();
  await page.getByRole("dialog", { name: "Two people changed the same" }).getByRole("button", { name: "Keep what is chosen" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  const { definition } = await first();
  assert.deepEqual([definition.name, definition.schedule.cron], ["My invoices", "0 6 2 * *"]);
  assert.deepEqual(faults, []);
});

test("a text refers to a heading by a button, in formatted text as in plain, and by keys", async (t) => {
  const elements = [
    { id: "text", type: "rich-text-editor", props: { content: "<p>See page:</p>" } },
    { id: "plain", type: "paragraph", props: { text: "Chapter " } },
    { id: "costs", type: "heading", props: { title: "What it costs", anchor: "costs" } },
  ];
  const { page, canvas, becomes, faults, axeFaults } = await openReport(t, elements);
  const chooser = page.getByRole("group", { name: "Refer to a page, heading or figure" });
  const at = (i, name) => (report) => report.pages[0].elements[i].props?.[name];
  const surface = page.getByRole("textbox", { name: "Content" });
  await surface.click();
  await page.keyboard.press("End");
  await page.keyboard.type(" ");
  await page.getByRole("button", { name: /^Refer to something in/ }).focus();
  await page.keyboard.press("Enter");
  await chooser.getByLabel("Refer to", { exact: true }).selectOption("What it costs");
  assert.deepEqual(await axeFaults(), []);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/refer.png` });
  await chooser.getByRole("button", { name: "Insert" }).click();
  await becomes(at(0, "content"), "<p>See page: {['costs']:pageOf}</p>");
  await canvas.getByText("See page: 1").waitFor();

  // By keys alone, in a plain text: with another print, and given up with Escape.
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /Chapter/ }).click();
  await focusEditor(page, "Text");
  await page.keyboard.press("Control+End");
  const button = page.getByRole("button", { name: "Refer to something in Text" });
  await button.focus();
  await page.keyboard.press("Enter");
  await chooser.waitFor();
  await page.keyboard.press("Escape");
  await chooser.waitFor({ state: "detached" });
  await page.locator(".cm-content:focus").waitFor();
  await button.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Words");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await becomes(at(1, "text"), "Chapter {['costs']:titleOf}");
  await page.locator(".cm-content:focus").waitFor();

  // Where nothing has a name, it says what would have one.
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /What it costs/ }).click();
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Delete");
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /Chapter/ }).click();
  await button.click();
  await chooser.getByText("Nothing here has a name yet.").waitFor();
  assert.deepEqual(faults, []);
});
