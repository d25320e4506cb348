// A report open in the designer, for the journeys.

import { api, signIn, startBrowser, startService } from "./service.mjs";

export const reports = "/api/ui/ws/demo/reports";

/** A new report, open in the designer. */
export async function openDesigner(t, body = { name: "Offer" }, prepare = async () => {}) {
  const service = await startService(t);
  await prepare(service);
  const report = await (await api(service, "POST", reports, body)).json();
  const context = await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("console", (m) => m.type() === "error" && !/Failed to load resource|ERR_INTERNET/.test(m.text()) && faults.push(m.text()));
  await signIn(page, service);
  await page.goto(`${service.url}/ws/demo/reports/${report.id}/design`);
  await page.getByRole("region", { name: "Components" }).waitFor();
  const stored = async () => (await (await api(service, "GET", `${reports}/${report.id}`)).json()).definition;
  const saved = () => page.getByText("Saved", { exact: true }).waitFor();
  const canvas = page.frameLocator("iframe[title=Report]");
  return { service, context, page, report, stored, saved, canvas, faults };
}

export const add = (page, name) => page.getByRole("region", { name: "Components" }).getByRole("button", { name, exact: true }).click();

/** Drags from one point of the window to another, in steps as a hand does. */
export async function drag(page, from, to, keys = []) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(to.x + 1, to.y, { steps: 2 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
}

/** Where a locator's element is once it rests: the canvas may just be painted anew. */
export async function place(locator) {
  let box = null;
  for (let tries = 0; tries < 100; tries++) {
    const before = box;
    box = await locator.boundingBox();
    if (box && before && ["x", "y", "width", "height"].every((side) => box[side] === before[side])) return box;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${locator} has no place that rests: ${JSON.stringify(box)}`);
}

/** The middle of what a locator finds, or a place in it by shares of its size. */
export async function at(locator, x = 0.5, y = 0.5) {
  const box = await place(locator);
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

/** Writes into a field of the panel, whose editor may load with the first focus. */
export async function write(page, label, text, nth = 0) {
  const field = page.getByRole("complementary", { name: "Settings" }).getByRole("textbox", { name: label, exact: true }).nth(nth);
  await field.click();
  if (await field.evaluate((el) => el.closest(".d-code") !== null)) await page.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Opens the part of the panel with a summary. */
export async function unfold(page, summary, nth = 0) {
  const part = page.locator("details", { has: page.locator(":scope > summary", { hasText: summary }) }).nth(nth);
  if (!(await part.evaluate((el) => el.open))) await part.locator(":scope > summary").click();
  return part;
}

/** Adds a JSON data source with a content. */
export async function addData(page, name, content) {
  await page.getByRole("tab", { name: "Data" }).click();
  const data = page.getByRole("region", { name: "Data", exact: true });
  await data.getByLabel("Type of data source").selectOption({ label: "JSON" });
  await data.getByRole("button", { name: "Add data source" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.setInputFiles("input[type=file]", { name: `${name}.json`, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(content)) });
  return data;
}
