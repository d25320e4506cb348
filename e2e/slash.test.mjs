// The slash: components by name, where one is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, openDesigner } from "./designing.mjs";
import { until } from "./service.mjs";

test("an invoice's head is written without a mouse, by slashes", async (t) => {
  const { page, canvas, stored, faults } = await openDesigner(t);
  const types = async () => (await stored()).pages[0].elements.map((e) => `${e.type} ${e.props?.title ?? e.props?.text ?? ""}`.trim()).join("; ");
  let last = "";
  const becomes = (wanted) => until(async () => (last = await types()) === wanted, "").catch(() => { throw new Error(`not ${wanted} but ${last}`); });
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Add a component here" });
  await field.waitFor();
  await page.keyboard.type("headi");
  await page.keyboard.press("Enter");
  const inline = page.locator(".d-inline");
  await inline.waitFor(); // what holds text is written at once
  await page.keyboard.type("Invoice");
  await page.keyboard.press("Enter");
  await becomes("heading Invoice");
  await page.keyboard.press("/");
  await field.waitFor();
  await page.keyboard.type("parag");
  await page.keyboard.press("Enter");
  await inline.waitFor();
  // A slash at the beginning of a line, in the text itself.
  await page.keyboard.type("Dear customer,");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("/separ");
  await page.getByRole("option", { name: /^Separator/ }).waitFor();
  await page.keyboard.press("Enter");
  await becomes("heading Invoice; paragraph Dear customer,; separator");
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes("heading Invoice; paragraph Paragraph");
  // In an empty text the component takes its place.
  await page.mouse.click(...Object.values(await at(canvas.getByText("Paragraph"), 0.1)), { clickCount: 2 });
  await inline.waitFor();
  await page.keyboard.type("/qr");
  await page.getByRole("option", { name: /^QR code/ }).click();
  await becomes("heading Invoice; qr-code QR code");
  // A slash inside of a text is one.
  await page.mouse.click(...Object.values(await at(canvas.getByText("Invoice"), 0.1)), { clickCount: 2 });
  await inline.waitFor();
  await page.keyboard.type("Invoice 1/2");
  assert.equal(await page.locator("#slash-list").count(), 0);
  await page.keyboard.press("Enter");
  await canvas.getByText("Invoice 1/2").waitFor();
  await page.keyboard.press("/");
  await field.waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await field.count(), 0);
  assert.deepEqual(faults, []);
});
