// The interface in another language: pages, designer and library of a user
// whose browser asks for German.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { api, startBrowser, startService } from "./service.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function clean(page, name) {
  await page.evaluate(`${axe}; null`);
  const { violations } = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags, iframes: false }), tags);
  assert.deepEqual(violations.map((v) => `${name}: ${v.id} at ${v.nodes[0].target.join(" ")}`), []);
}

test("a browser that asks for German gets German", async (t) => {
  const service = await startService(t);
  const report = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name: "Angebot" })).json();
  const context = await (await startBrowser(t)).newContext({ locale: "de-DE", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(String(e)));

  await page.goto(service.url);
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  await clean(page, "sign-in");
  await page.getByLabel("E-Mail-Adresse").fill("root@localhost");
  await page.getByLabel("Passwort").fill(service.password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await page.getByRole("link", { name: "Benutzer" }).waitFor();
  await clean(page, "home");

  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  const palette = page.getByRole("region", { name: "Komponenten" });
  await palette.getByRole("button", { name: "Überschrift", exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Einstellungen" });
  await panel.getByText("Name, Sichtbarkeit, Wiederholung").waitFor();
  await panel.getByText("Eine Überschrift; nur Überschriften kommen in die Gliederung.").waitFor();
  await panel.locator("summary", { hasText: "Schrift" }).first().waitFor();
  await page.getByRole("button", { name: "Rückgängig" }).and(page.locator("[title*='Überschrift hinzufügen']")).waitFor();
  await page.getByText("Gespeichert", { exact: true }).waitFor();
  assert.deepEqual(await page.locator(".d-side, .d-bar, .d-tabs [role=tablist]").evaluateAll((all) => all.filter((el) => el.scrollWidth > el.clientWidth + 1).map((el) => el.className)), [], "long words widen the designer");
  // Names stand beside their fields, whole: a word takes one line.
  await panel.locator("details").evaluateAll((all) => all.forEach((d) => (d.open = true)));
  const names = await panel.locator(".d-field > label:has(+ :is(input, select, .d-line))").evaluateAll((all) => all.filter((el) => el.checkVisibility()).map((el) => {
    const [name, field] = [el.getBoundingClientRect(), el.nextElementSibling.getBoundingClientRect()];
    const text = document.createRange();
    text.selectNodeContents(el);
    const rows = new Set([...text.getClientRects()].map((r) => Math.round(r.top))).size;
    return { name: el.textContent, beside: name.right <= field.left && name.top < field.bottom && field.top < name.bottom, whole: rows <= el.textContent.trim().split(/[ -]/).length };
  }));
  assert.ok(names.length > 15, `${names.length} names`);
  assert.deepEqual(names.filter((n) => !n.beside || !n.whole), []);
  await clean(page, "designer");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Befehl suchen" }).fill("tabelle");
  await page.getByRole("option", { name: "Datentabelle hinzufügen" }).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(`${service.url}/ws/demo/library`);
  await page.getByRole("link", { name: "Wörterbücher" }).click();
  await page.getByRole("button", { name: "Neu: Wörterbuch" }).waitFor();
  await clean(page, "library");
  await page.goto(`${service.url}/ws/demo/jobs`);
  await page.getByRole("link", { name: "Job anlegen oder ändern" }).click();
  await page.getByRole("button", { name: "Neu: Job" }).click();
  await page.getByRole("tab", { name: "Zeitplan" }).click();
  await page.getByLabel("Wann").selectOption("Am Ersten des Monats");
  await page.getByRole("region", { name: "Die nächsten Termine" }).getByText(/1\. \S+ \d{4} um 07:00/).first().waitFor();
  await clean(page, "job");
  assert.deepEqual(faults, []);
});

test("a user's choice of language wins over the browser's, and English loads no texts", async (t) => {
  const service = await startService(t);
  const report = await (await api(service, "POST", "/api/ui/ws/demo/reports", { name: "Offer" })).json();
  const context = await (await startBrowser(t)).newContext({ locale: "de-DE" });
  const page = await context.newPage();
  const fetched = [];
  page.on("request", (r) => fetched.push(new URL(r.url()).pathname));
  await page.goto(service.url);
  await page.getByLabel("E-Mail-Adresse").fill("root@localhost");
  await page.getByLabel("Passwort").fill(service.password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await page.locator(".account summary").click();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("link", { name: "Users" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  await page.getByRole("region", { name: "Components" }).waitFor();
  assert.deepEqual(fetched.filter((path) => path.endsWith(".json")), []);

  await page.goto(service.url);
  await page.locator(".account summary").click();
  await page.getByRole("button", { name: "Language of the browser" }).click();
  await page.getByRole("link", { name: "Benutzer" }).waitFor();
});
