// Every screen by axe: WCAG 2.2, levels A and AA, light and dark.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { importWorkspace, signIn, startBrowser, startService } from "./service.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What axe finds on a page; reports in frames are documents of their own. */
async function faults(page, name) {
  await page.evaluate(`${axe}; null`);
  const { violations } = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags, iframes: false }), tags);
  return violations.map((v) => `${name}: ${v.id} (${v.help}) at ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join(", ")}`);
}

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

for (const colorScheme of ["light", "dark"]) {
  test(`screens in ${colorScheme}`, async (t) => {
    const service = await startService(t);
    importWorkspace(t, service, asking);
    const context = await (await startBrowser(t)).newContext({ colorScheme, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const found = [];
    const look = async (name, path, ready) => {
      await page.goto(service.url + path);
      if (ready) await ready();
      found.push(...(await faults(page, name)));
    };
    await look("sign-in", "/sign-in");
    await signIn(page, service);
    await look("home", "/");
    await look("workspace", "/ws/demo");
    await look("tokens", "/tokens");
    await look("error", "/ws/nowhere");
    await look("parameters", "/ws/asking/reports/asking/preview");
    const components = () => page.getByRole("region", { name: "Components" }).waitFor();
    await look("designer", "/ws/demo/reports/2/design", async () => {
      await components();
      await page.getByRole("region", { name: "Outline" }).getByRole("button").nth(2).click();
      await page.getByRole("heading", { level: 2 }).waitFor();
    });
    await page.getByRole("region", { name: "Data", exact: true }).getByRole("button").first().click();
    found.push(...(await faults(page, "data source")));
    assert.deepEqual(found, []);
  });
}
