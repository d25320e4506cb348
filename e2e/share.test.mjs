// Sharing a report: who may see it, the link, and the frame for a page of one's own,
// with the texts that the dialog and the page give to copy.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as axeFaults } from "./axe.mjs";
import { openDesigner } from "./designing.mjs";
import { api, signIn, startBrowser, startShop } from "./service.mjs";

const offer = { name: "Offer <1>", definition: { version: 1, name: "Offer <1>", pages: [{ id: 1, name: "One", elements: [{ id: "a", type: "heading", props: { title: "Oak table" } }] }] } };

/** Does what the request in the dialog says, with the token in its place. */
async function asked(request, token) {
  const [, body] = /-d '(.+)'/.exec(request);
  const [, url] = /\s(http\S+)$/.exec(request);
  const answer = await fetch(url, { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body });
  assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`);
  return (await answer.json()).nonce;
}

test("a report is shared from the designer: readers, link, and a frame that opens", async (t) => {
  const { service, context, page, canvas, report, faults } = await openDesigner(t, offer);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await canvas.getByText("Oak table").waitFor();
  const button = page.getByRole("button", { name: "Share", exact: true });
  const dialog = page.getByRole("dialog", { name: "Share Offer <1>" });
  const copied = async (label) => {
    await dialog.getByRole("button", { name: `Copy: ${label}` }).click();
    await dialog.locator(".d-line", { has: page.getByRole("textbox", { name: label, exact: true }) }).getByRole("status").getByText("Copied").waitFor({ state: "attached" });
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await button.click();
  await dialog.getByText("Everybody whose role reads the reports of the workspace may see this report.").waitFor();
  const row = (name) => dialog.getByRole("row", { name: new RegExp(`^${name}`) });
  assert.match(await row("Root").textContent(), /Everything, as its maker$/);
  assert.match(await row("Viewer").textContent(), /Run$/);
  assert.deepEqual(await axeFaults(page, "share"), []);

  const link = await copied("Link");
  assert.equal(link, `${service.url}/ws/demo/reports/${report.id}/preview`);
  const frame = await copied("Frame");
  const request = await copied("Request for a nonce");
  // A page elsewhere with that frame shows the report to who has no account, once.
  const nonce = await asked(request, service.token);
  const shop = await startShop(t, () => `<!doctype html><title>Shop</title>${frame.replace("NONCE", nonce)}`);
  const stranger = await (await startBrowser(t)).newPage();
  await stranger.goto(shop);
  await stranger.frameLocator("iframe[title='Offer <1>']").getByText("Oak table").first().waitFor();
  // The link alone opens nothing without an account, and the report with one.
  const reader = await (await startBrowser(t)).newPage();
  await reader.goto(link);
  await reader.waitForURL(/sign-in/);
  await signIn(reader, service);
  await reader.goto(link);
  await reader.getByText("Oak table").first().waitFor();

  // Only some from now on: the page for that is a step away, and the dialog knows.
  const opens = context.waitForEvent("page");
  await dialog.getByRole("link", { name: "Change who may see it" }).click();
  const access = await opens;
  await access.getByLabel("Only these roles, groups and people").check();
  await access.getByRole("radio", { name: "Operator: See" }).check();
  await access.getByRole("button", { name: "Save" }).click();
  await access.waitForURL((url) => !url.pathname.endsWith("/access"));
  await access.close();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await button.click();
  await dialog.getByText("Only some people of the workspace may see this report.").waitFor();
  assert.match(await row("Operator").textContent(), /See$/);
  assert.equal(await row("Viewer").count(), 0, "who is kept out is listed");

  // By keys alone: the focus comes into the dialog and back to the button.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await button.press("Enter");
  await dialog.waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.closest("dialog") !== null), "the focus is not in the dialog");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Share", "the focus does not come back");
  assert.deepEqual(faults, []);
});

test("the page about sharing tells a reader the link, and nothing of others", async (t) => {
  const { service, page, report } = await openDesigner(t, offer);
  const address = `/ws/demo/reports/${report.id}/share`;
  for (const colorScheme of ["light", "dark"]) {
    const german = await (await startBrowser(t)).newContext({ colorScheme, locale: "de", viewport: { width: 390, height: 900 } });
    const seen = await german.newPage();
    await seen.goto(`${service.url}/sign-in`);
    await seen.locator("[name=email]").fill("root@localhost");
    await seen.locator("[name=password]").fill(service.password);
    await seen.keyboard.press("Enter");
    await seen.waitForURL((url) => !url.pathname.includes("sign-in"));
    await seen.goto(service.url + address);
    await seen.getByRole("heading", { name: "Offer <1> teilen", level: 1 }).waitFor();
    await seen.getByRole("rowheader", { name: "Root" }).waitFor();
    assert.deepEqual(await axeFaults(seen, colorScheme), []);
    assert.equal(await seen.evaluate(() => document.documentElement.scrollWidth), 390, "it is wider than a phone");
    await german.close();
  }

  const email = "viewer@example.com";
  await page.goto(`${service.url}/users`);
  await page.locator("summary", { hasText: "New user" }).click();
  await page.getByLabel(/e-?mail/i).first().fill(email);
  await page.getByLabel(/^name/i).first().fill("Vera Viewer");
  await page.getByLabel(/password/i).first().fill("viewer-pass-1");
  await page.getByRole("button", { name: /create/i }).first().click();
  await page.goto(`${service.url}/ws/demo/members`);
  await page.getByLabel(/e-?mail/i).first().fill(email);
  await page.getByLabel(/role/i).first().selectOption({ label: "Viewer" });
  await page.getByRole("button", { name: /add/i }).first().click();

  const viewer = await (await (await startBrowser(t)).newContext({ permissions: ["clipboard-read", "clipboard-write"] })).newPage();
  await viewer.goto(service.url);
  await viewer.getByLabel(/e-?mail/i).fill(email);
  await viewer.getByLabel(/password/i).fill("viewer-pass-1");
  await viewer.getByRole("button", { name: "Sign in", exact: true }).click();
  await viewer.waitForURL((url) => !url.pathname.includes("sign-in"));
  await viewer.goto(service.url + address);
  await viewer.getByRole("button", { name: "Copy link" }).click();
  await viewer.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await viewer.evaluate(() => navigator.clipboard.readText()), `${service.url}/ws/demo/reports/${report.id}/preview`);
  assert.equal(await viewer.getByText("Root").count(), 0, "a reader is told who else reads");
  assert.equal(await viewer.getByRole("link", { name: "Change who may see it" }).count(), 0);
  // Kept out, they have no page about it, either.
  const rules = await api(service, "GET", `/api/ui/ws/demo/reports/${report.id}/access`).then((r) => r.json());
  await api(service, "PUT", `/api/ui/ws/demo/reports/${report.id}/access`, { ...rules, everybody: false, rules: [] });
  assert.equal((await viewer.goto(service.url + address)).status(), 404);
});
