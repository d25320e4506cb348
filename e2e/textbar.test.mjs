// A text is formatted where it stands: the bar above it, with mouse and keys.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { at, openDesigner } from "./designing.mjs";
import { until } from "./service.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const elements = [
  { id: "s", type: "spacer", props: { height: "30mm" } },
  { id: "h", type: "heading", props: { title: "Invoice", level: "H1" } },
  { id: "p", type: "paragraph", props: { text: "Total {$data.order.total} net" } },
  { id: "t", type: "text", props: { text: "Thank you" } },
];
const definition = { version: 1, name: "T", dataSources: [{ name: "order", type: "json", settings: { content: { total: 1234.5 } } }], pages: [{ id: 1, name: "One", elements }] };

async function openText(t) {
  const opened = await openDesigner(t, { name: "T", definition });
  const { page, canvas, stored } = opened;
  await canvas.getByText("Invoice").waitFor();
  const click = async (where, options) => page.mouse.click((await at(where, 0.1)).x, (await at(where, 0.1)).y, options);
  const props = async (i) => (await stored()).pages[0].elements[i].props;
  const becomes = (i, holds, complaint) => until(async () => holds(await props(i)), complaint);
  return { ...opened, click, props, becomes, bar: page.getByRole("toolbar", { name: "Look of the text" }) };
}

test("size, weight, italic, colour, side and format are a press away, each one step", async (t) => {
  const { page, canvas, click, becomes, bar, faults } = await openText(t);
  await click(canvas.getByText("Thank you"));
  await bar.getByRole("button", { name: "Bold" }).click();
  await becomes(3, (p) => p.fontWeight === "700", "it is not bold");
  await bar.getByRole("button", { name: "Bold" }).click();
  await becomes(3, (p) => p.fontWeight === undefined, "what the theme says needs no setting");
  await bar.getByRole("button", { name: "Italic" }).click();
  await bar.getByRole("button", { name: "Underline" }).click();
  await bar.getByLabel("Weight of the text").selectOption({ label: "Semibold" });
  await bar.getByLabel("Usual sizes").selectOption("14");
  await bar.getByRole("button", { name: "Align right" }).click();
  await bar.getByRole("button", { name: "Colour of the text" }).click();
  await page.evaluate(`${axe}; null`);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document.querySelector(".d-float"), { iframes: false }));
  assert.deepEqual(violations.map((v) => `${v.id} at ${v.nodes[0].target.join(" ")}`), []);
  await bar.getByRole("button", { name: "accent" }).click();
  await becomes(3, (p) => p.color === "var(--color-accent)", "it has no colour of the theme");
  await becomes(3, (p) => p.fontStyle === "italic" && p.textDecoration === "underline" && p.fontWeight === "600" && p.fontSize === "14pt" && p.textAlign === "right", "not all of it was set");
  await page.locator(".d-canvas").focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press("Control+z");
  await becomes(3, (p) => Object.keys(p).join() === "text", "six steps did not take six changes back");

  await click(canvas.getByText("Invoice"));
  const bold = bar.getByRole("button", { name: "Bold" });
  await until(async () => (await bar.getByLabel("Weight of the text").inputValue()) === "500", "the theme's weight is not seen");
  assert.equal(await bold.getAttribute("aria-pressed"), "false");
  await bar.getByLabel("Weight of the text").selectOption({ label: "Bold" });
  await until(async () => (await bold.getAttribute("aria-pressed")) === "true", "the heading's bold is not seen");
  await bold.click();
  await becomes(1, (p) => p.fontWeight === undefined, "a heading does not go back to its theme");

  await click(canvas.getByText("Total"));
  await bar.getByLabel("Format of the value").selectOption({ label: "Two decimals" });
  await canvas.getByText("Total 1,234.50 net").waitFor();
  await becomes(2, (p) => p.text === "Total {$data.order.total:n;2} net", "the template has no format");
  assert.deepEqual(faults, []);
});

test("by keyboard, and while the text is being written", async (t) => {
  const { page, canvas, click, becomes, bar, faults } = await openText(t);
  await click(canvas.getByText("Thank you"), { clickCount: 2 });
  const field = page.locator(".d-inline");
  await field.waitFor();
  await page.keyboard.type("Thanks");
  await page.keyboard.press("Control+b");
  await until(async () => (await field.evaluate((el) => getComputedStyle(el).fontWeight)) === "700", "what is written is not shown bold");
  // Tab leads into the bar without an end to the writing, Escape back.
  await page.keyboard.press("Tab");
  await until(() => page.evaluate(() => document.activeElement.closest(".d-float") !== null), "Tab does not reach the bar");
  for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement.ariaLabel?.startsWith("Italic"))); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await becomes(3, (p) => p.fontStyle === "italic", "Enter on the button does nothing");
  assert.equal(await field.inputValue(), "Thanks");
  await page.keyboard.press("Escape");
  assert.ok(await field.evaluate((el) => el === document.activeElement), "Escape does not lead back to the text");
  await page.keyboard.press("Enter");
  await becomes(3, (p) => p.text === "Thanks" && p.fontWeight === "700", "the text is lost");

  await click(canvas.getByText("Total"), { clickCount: 2 });
  await field.waitFor();
  await bar.getByLabel("Format of the value").selectOption({ label: "Currency" });
  assert.equal(await field.inputValue(), "Total {$data.order.total:currency} net");
  await field.focus();
  await page.keyboard.press("Escape");
  await becomes(2, (p) => p.text === "Total {$data.order.total} net", "what was not kept is there");
  // Several texts at once.
  await click(canvas.getByText("Invoice"));
  await page.keyboard.down("Shift");
  await click(canvas.getByText("Thanks"));
  await page.keyboard.up("Shift");
  await page.getByRole("heading", { name: "2 elements" }).waitFor();
  await page.keyboard.press("Control+i");
  await becomes(1, (p) => p.fontStyle === "italic", "both are not italic");
  assert.deepEqual(faults, []);
});
