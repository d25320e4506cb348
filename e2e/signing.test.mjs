// Somebody puts a key into a connection, signs a file with it where the report is
// read, and lets a job sign. E2E_PICTURES=FOLDER keeps pictures of it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { api, startBrowser, startService, until } from "./service.mjs";

const pictures = process.env.E2E_PICTURES;

/** A key with a certificate that nobody trusts, as one PEM file. */
function key(t) {
  const folder = mkdtempSync(join(tmpdir(), "quire-key-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", "/CN=Seal of the house", "-addext", "keyUsage=critical,digitalSignature", "-keyout", at("key.pem"), "-out", at("cert.pem")], { stdio: "ignore" });
  return Buffer.concat([readFileSync(at("key.pem")), readFileSync(at("cert.pem"))]);
}

/** The words of the journey in both languages. */
const languages = {
  en: { type: "Signature", file: "File: Key and certificates", name: "Name", test: "Test the connection", found: /Seal of the house signs with ECDSA, P-256, until/, create: "Create connection", more: "More", signed: "PDF, signed with seal", xml: "Invoice as XML", reports: "Reports", field: "Signature", none: "There is none of this kind yet.", make: /^Make one/, again: "Look for new ones", look: "Look, language and protection" },
  de: { type: "Signatur", file: "Datei: Schlüssel und Zertifikate", name: "Name", test: "Verbindung testen", found: /Seal of the house signiert mit ECDSA, P-256, bis/, create: "Verbindung anlegen", more: "Mehr", signed: "PDF, signiert mit seal", xml: "Rechnung als XML", reports: "Berichte", field: "Signatur", none: "Es gibt noch keine dieser Art.", make: /^Eine anlegen/, again: "Nach neuen suchen", look: "Aussehen, Sprache und Schutz" },
};

for (const [language, words] of Object.entries(languages)) {
  test(`a file and a job are signed with a key (${language})`, { timeout: 180_000 }, async (t) => {
    const service = await startService(t);
    const context = await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 }, locale: language });
    const page = await context.newPage();
    await page.goto(service.url);
    await page.locator("input[type=email]").fill("root@localhost");
    await page.locator("input[type=password]").fill(service.password);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.includes("sign-in"));
    const shoot = async (name) => {
      for (const colorScheme of pictures ? ["light", "dark"] : []) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(pictures, `${name}-${language}-${colorScheme}.png`) });
      }
    };
    const [job] = await (await api(service, "GET", "/api/ui/ws/demo/jobs")).json();

    // The job has nothing to choose yet, and a way to make it.
    await page.goto(`${service.url}/ws/demo/library#jobs/${job.id}`);
    const openReports = async () => {
      await page.getByRole("tab", { name: new RegExp(`^${words.reports}`) }).click();
      const group = page.locator("details", { has: page.locator("summary", { hasText: words.look }) }).last();
      if (!(await group.evaluate((d) => d.open))) await group.locator("summary").last().click();
      await page.getByLabel(words.field, { exact: true }).first().scrollIntoViewIfNeeded();
    };
    await openReports();
    const chooser = page.getByLabel(words.field, { exact: true }).first();
    assert.equal(await chooser.evaluate((el) => el.tagName), "SELECT");
    await page.getByText(words.none).first().waitFor();
    await shoot("job-none");
    const [form] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: words.make }).first().click()]);

    // The key is read from its file, tried, and kept.
    await form.getByLabel(words.name, { exact: true }).fill("seal");
    await form.getByLabel(words.file).setInputFiles({ name: "seal.pem", mimeType: "application/x-pem-file", buffer: key(t) });
    await until(() => form.locator("textarea[name='field.key']").inputValue(), "the key was not read");
    await form.getByRole("button", { name: words.test }).click();
    await form.getByText(words.found).waitFor();
    await form.getByRole("button", { name: words.create }).click();
    await form.waitForURL(/connections(\?|$)/);
    await form.close();

    // Back in the job it can be chosen, by the keyboard.
    await page.getByRole("button", { name: words.again }).first().click();
    await until(async () => (await chooser.locator("option").allInnerTexts()).includes("seal"), "the new connection is not offered");
    await chooser.focus();
    await page.keyboard.type("seal");
    await page.keyboard.press("Tab");
    await until(async () => (await (await api(service, "GET", "/api/ui/ws/demo/jobs")).json())[0].definition.reports[0].signature === "seal", "the job does not sign");
    await shoot("job-signs");
    assert.deepEqual(await faults(page), []);

    // Where the report is read, it is one of the files.
    const invoice = (await (await api(service, "GET", "/api/v1/ws/demo/reports")).json()).find((r) => /invoice/i.test(r.name));
    await page.goto(`${service.url}/ws/demo/reports/${invoice.id}/preview?lang=${language}`);
    await page.locator(".q-page").first().waitFor();
    const more = page.getByRole("button", { name: words.more, exact: true });
    await more.focus();
    await page.keyboard.press("Enter");
    const link = page.getByRole("link", { name: words.signed });
    await link.waitFor();
    await shoot("viewer");
    const address = await link.getAttribute("href");
    const made = await page.request.get(address);
    assert.equal(made.status(), 200, await made.text());
    assert.match((await made.body()).toString("latin1"), /\/ByteRange ?\[0 \d+ \d+ \d+\]/);

    // What keeps it from being signed is told in words.
    const refused = await page.request.get(address.replace("signature=seal", "signature=none"), { headers: { "Accept-Language": language } });
    assert.equal(refused.status(), 400);
    assert.match(await refused.text(), language === "de" ? /es gibt in diesem Arbeitsbereich keine Verbindung/i : /there is no connection/i);
  });
}
