// The pictures of the documentation: how each is made, and at which size. Screens are
// those of a service with the demo workspace, pages are printed by quire render.
// `make pictures` writes them into docs/pictures.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shrink } from "./png.mjs";
import { api, binary, signIn, startBrowser, startService } from "./service.mjs";

const root = join(import.meta.dirname, "..");

/** Where the documentation keeps them. */
export const kept = join(root, "docs", "pictures");

const screen = { width: 1440, height: 900 };
const paper = { width: 496, height: 702 }; // A4 at 60 dots an inch
const margin = 14;

/** By file: the size of the window, and what is done until it shows what is to be seen. */
export const pictures = {
  "demo.png": sheets(4, "assets/demo/reports", ["invoice", 1], ["bank-statement", 1], ["sales-report", 1], ["product-sheet", 1]),
  "gallery.png": sheets(3, "examples/gallery/reports", ["catalogue", 1], ["energy-report", 1], ["portfolio", 2], ["lab-report", 1], ["quotation-ja", 1], ["tax-form", 1]),
  "designer.png": { size: screen, show: showDesigner },
  "viewer.png": { size: screen, show: showViewer },
};

/** A report in the designer, with its table selected. */
async function showDesigner(page, service) {
  const reports = await (await api(service, "GET", "/api/ui/ws/demo/reports")).json();
  const report = reports.find((r) => r.name === "Sales report");
  if (!report) throw new Error(`the demo workspace has no "Sales report", but ${reports.map((r) => r.name).join(", ")}`);
  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  await page.frameLocator("iframe[title=Report]").getByRole("cell", { name: "Arc lounge chair" }).first().waitFor();
  await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /^Data table/ }).click();
  await page.getByRole("heading", { name: "Data table", level: 2 }).waitFor();
  await page.getByText(/^Drawing/).waitFor({ state: "hidden" });
}

/** A report in the viewer, with a search in it. */
async function showViewer(page, service) {
  await page.goto(`${service.url}/ws/demo/reports/sales/preview`);
  await page.locator(".q-desk > .q-page").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("dining");
  await page.locator(".found", { hasText: /^1 of/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".found", { hasText: /^2 of/ }).waitFor();
}

/** Printed pages beside each other: in so many columns, of the reports of a folder, each a name and the number of a page. */
function sheets(columns, folder, ...pages) {
  const size = { width: columns * (paper.width + 2 * margin), height: Math.ceil(pages.length / columns) * (paper.height + 2 * margin) };
  const show = async (page) => {
    const images = pages.map(([name, number]) => `<img src="data:image/png;base64,${printed(join(root, folder, `${name}.json`), number).toString("base64")}">`);
    await page.goto("about:blank"); // the pages of the service take no styles from elsewhere
    await page.setContent(`<!doctype html><style>
      body { margin: 0; display: flex; flex-wrap: wrap; background: #e6e8ec }
      img { width: ${paper.width}px; height: ${paper.height}px; margin: ${margin}px }
    </style>${images.join("")}`);
  };
  return { size, show };
}

/** A page of a report's PDF, twice as large as it is shown. */
function printed(report, number) {
  const folder = mkdtempSync(join(tmpdir(), "quire-pages-"));
  try {
    const [pdf, picture] = [join(folder, "report.pdf"), join(folder, "page")];
    execFileSync(binary, ["render", report, "-o", pdf], { stdio: ["ignore", "ignore", "pipe"] });
    execFileSync("pdftoppm", ["-png", "-singlefile", "-f", `${number}`, "-scale-to-x", `${2 * paper.width}`, "-scale-to-y", `${2 * paper.height}`, pdf, picture]);
    return readFileSync(`${picture}.png`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What makes a picture by its name, with one service and one browser for all of them; both end with t. */
export async function studio(t) {
  const service = await startService(t);
  const browser = await startBrowser(t);
  return async (name) => {
    const { size, show } = pictures[name];
    const context = await browser.newContext({ viewport: size, colorScheme: "light", reducedMotion: "reduce" });
    const page = await context.newPage();
    await signIn(page, service);
    await show(page, service);
    await page.mouse.move(0, 0); // nothing looks as if it were pointed at
    const png = await page.screenshot({ animations: "disabled" });
    await context.close();
    return shrink(png);
  };
}

/** Writes all pictures to where the documentation keeps them. */
async function main() {
  const ends = [];
  try {
    const make = await studio({ after: (end) => ends.unshift(end) });
    for (const name of Object.keys(pictures)) {
      const png = await make(name);
      writeFileSync(join(kept, name), png);
      console.log(`· docs/pictures/${name}: ${Math.ceil(png.length / 1024)} KB`);
    }
  } finally {
    for (const end of ends) await end();
  }
}

if (process.argv[1] === import.meta.filename) await main();
