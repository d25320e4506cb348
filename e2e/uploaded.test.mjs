// A report that was brought in by the command, twice, and never saved in the designer
// has its versions there, each with a picture. Issue 18, point 7.

import { test } from "node:test";
import { api, importWorkspace, signIn, startBrowser, startService, until } from "./service.mjs";

const bundle = (title) => ({
  "workspace.json": { version: 1, name: "Branch", code: "branch" },
  "reports/offer.json": { version: 1, name: "Offer", pages: [{ id: 1, name: "One", elements: [{ id: "title", type: "heading", props: { title } }] }] },
});

test("versions that were uploaded have pictures, the first as well", async (t) => {
  const service = await startService(t);
  importWorkspace(t, service, bundle("Offer 2025"));
  const page = await (await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, service);
  const all = await (await api(service, "GET", "/api/ui/ws/branch/reports")).json();
  const versions = async () => (await api(service, "GET", `/api/ui/ws/branch/reports/${all[0].id}/versions`)).json();
  const pictured = (n) => until(async () => (await versions()).filter((v) => v.pictured).length === n, `not ${n} versions with a picture`, 120_000);
  await pictured(1);
  importWorkspace(t, service, bundle("Offer 2026"));
  await pictured(2);
  await page.goto(`${service.url}/ws/branch/reports/${all[0].id}/design`);
  await page.getByRole("button", { name: "Versions" }).click();
  const pictures = page.getByRole("dialog", { name: "Versions" }).locator("li .d-version-picture img");
  await until(async () => (await pictures.evaluateAll((list) => list.filter((img) => img.naturalWidth > 100).length)) === 2, "the pictures do not show");
  await page.getByRole("button", { name: "Restore" }).click();
  await page.frameLocator("iframe").getByText("Offer 2025").first().waitFor();
  await until(async () => (await versions()).length === 3, "what was restored is no version");
});
