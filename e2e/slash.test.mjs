// The slash: components by name, where one is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as axeFaults } from "./axe.mjs";
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

test("page number, date and logo are put there by one press, by a slash, and into a text that is written", async (t) => {
  const { page, canvas, stored, faults } = await openDesigner(t, { name: "Cover" });
  const becomes = async (wanted) => {
    let last = "";
    const seen = async () => (last = (await stored()).pages[0].elements.map((e) => e.props.text ?? e.props.dateFormat ?? e.props.imageUrl).join("; "));
    await until(async () => (await seen()) === wanted, "").catch(() => assert.equal(last, wanted));
  };
  const palette = page.getByRole("region", { name: "Components" });
  await palette.getByRole("heading", { name: "Header and footer" }).waitFor();
  await palette.getByRole("button", { name: "Page X / Y", exact: true }).click();
  await canvas.getByText("1 / 1").first().waitFor();
  await palette.getByRole("button", { name: "Today's date", exact: true }).click();
  await palette.getByRole("button", { name: "Logo halden-logo.svg", exact: true }).click(); // the demo has two
  await canvas.locator(".q-img img").waitFor();
  await becomes("{$page.number} / {$report.pageCount}; d; halden-logo.svg");
  const logo = await canvas.locator("figure.q-img").boundingBox();
  const { width } = await canvas.locator(".q-page").first().boundingBox();
  assert.ok(Math.abs((logo.height / width) * 210 - 12) < 0.3, `the logo is ${(logo.height / width) * 210} mm high`);
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes("{$page.number} / {$report.pageCount}; d");
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Add a component here" }).waitFor();
  await page.keyboard.type("page num");
  await page.keyboard.press("Enter");
  // It is a text, so it is written in at once.
  const inline = page.locator(".d-inline");
  await inline.waitFor();
  await page.keyboard.type("Sheet {page.n");
  await page.getByRole("option", { name: /^\$page\.number/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("/page x");
  await page.getByRole("option", { name: /^Page X/ }).waitFor();
  await page.keyboard.press("Enter");
  assert.equal(await inline.inputValue(), "Sheet {$page.number}\n{$page.number} / {$report.pageCount}");
  await page.keyboard.press("Enter");
  await becomes("{$page.number} / {$report.pageCount}; d; Sheet {$page.number}\n{$page.number} / {$report.pageCount}");
  await page.getByRole("button", { name: "Undo" }).click();
  await becomes("{$page.number} / {$report.pageCount}; d; {$page.number}");
  assert.deepEqual((await axeFaults(page, "page fields")), []);
  assert.deepEqual(faults, []);
});
