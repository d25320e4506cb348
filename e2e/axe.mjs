// Pages by axe: WCAG 2.2, levels A and AA.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What axe finds on a page; reports in frames are documents of their own. */
export async function faults(page, name) {
  await page.evaluate(`if (!globalThis.axe) { ${axe} } null`);
  // Telling of what is right would take it longer than finding what is wrong.
  const options = { runOnly: tags, iframes: false, resultTypes: ["violations"] };
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), options);
  return violations.map((v) => `${name}: ${v.id} (${v.help}) at ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join(", ")}`);
}
