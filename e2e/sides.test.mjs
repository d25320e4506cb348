// The panels beside the canvas and the fields for code: B8 of the findings on the screens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, drag, openDesigner } from "./designing.mjs";
import { until } from "./service.mjs";

test("B8: panels are resized and hidden, and stay so; the canvas has room at 200 %", async (t) => {
  const { page, canvas, faults } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", pages: [{ id: 1, elements: [{ type: "text", props: { text: "Hello" } }] }] } });
  await canvas.getByText("Hello").waitFor();
  const width = (selector) => page.evaluate((s) => Math.round(document.querySelector(s).getBoundingClientRect().width), selector);
  const border = page.getByRole("separator", { name: "Width of the panel at the right" });
  const was = { right: await width(".d-right"), canvas: await width("#canvas") };
  const box = await border.boundingBox();
  await drag(page, { x: box.x + 4, y: 400 }, { x: box.x - 196, y: 400 });
  const now = await width(".d-right");
  assert.ok(Math.abs(now - was.right - 200) < 8, `${was.right} became ${now}`);
  assert.ok((await width("#canvas")) < was.canvas - 190);
  assert.equal(await page.evaluate(() => String(getSelection())), "", "dragging selects text");
  await border.press("ArrowRight");
  assert.equal(await width(".d-right"), now - 16);
  await page.reload();
  await canvas.getByText("Hello").waitFor();
  assert.equal(await width(".d-right"), now - 16, "the width is not remembered");
  await border.dblclick();
  assert.equal(await width(".d-right"), was.right);

  await page.keyboard.press("Control+\\");
  await page.getByRole("complementary", { name: "Settings" }).waitFor({ state: "hidden" });
  assert.ok((await width("#canvas")) > 1400, "the canvas does not take the room");
  await page.getByRole("button", { name: "Panel at the left" }).click();
  await page.getByRole("region", { name: "Components" }).waitFor();
  await page.setViewportSize({ width: 720, height: 450 });
  await until(async () => (await width("#canvas")) === 720, "the page does not have the window at 200 %");
  assert.ok((await page.locator(".d-bar").boundingBox()).height < 60, "the buttons take a second row");
  await page.getByRole("button", { name: "Panel at the left" }).click();
  await page.getByRole("region", { name: "Components" }).waitFor();
  assert.equal(await page.evaluate(() => document.querySelector(".d-main").scrollWidth), 720, "a panel is beside the window");
  assert.deepEqual(faults, []);
});

test("B8: code is written in a large window", async (t) => {
  const { page, stored, faults } = await openDesigner(t);
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("button", { name: "Add data source" }).click();
  await page.getByRole("button", { name: /^Write Content.* in a large window$/ }).click();
  const large = page.getByRole("dialog", { name: /^Content/ });
  const box = await large.boundingBox();
  assert.ok(box.width > 1000 && box.height > 700, JSON.stringify(box));
  const field = large.getByRole("textbox");
  // Chromium gives text that takes the place of coloured text a style of its own, which the policy of the page refuses: what is there goes first.
  await field.press("Control+a");
  await field.press("Delete");
  await field.fill('[{"amount": 3}]');
  assert.ok((await field.boundingBox()).height > 500, "the field does not fill the window");
  await page.keyboard.press("Control+e");
  await large.waitFor({ state: "hidden" });
  await page.keyboard.press("Control+e");
  await large.waitFor();
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "hidden" });
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.deepEqual((await stored()).dataSources[0].settings.content, [{ amount: 3 }]);
  assert.deepEqual(faults, []);
});

test("pictures of pages wait for their frame", async (t) => {
  const { page, faults } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", pages: [{ id: 1, elements: [{ type: "text", props: { text: "Hello" } }] }] } });
  let come;
  const held = new Promise((done) => (come = done));
  await page.route("**/ui/canvas", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("tab", { name: "Pages" }).click();
  await page.waitForTimeout(400); // longer than the pictures wait for the canvas to be still
  come();
  await page.frameLocator("iframe[title='Pictures of the pages']").getByText("Hello").waitFor({ state: "attached" });
  assert.deepEqual(faults, []);
});

test("on a phone bars, their parts and lists are whole, and two rows of buttons are enough", async (t) => {
  const elements = [{ id: "a", type: "text", props: { text: "Hello" } }, { id: "c", type: "generic-chart", props: { height: "80px", series: [] } }];
  const { page, canvas, faults } = await openDesigner(t, { name: "T", definition: { version: 1, name: "T", pages: [{ id: 1, elements }] } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await canvas.getByText("Hello").waitFor();
  const whole = async (locator, what) => {
    await locator.waitFor();
    await until(async () => {
      const seen = await locator.evaluate((el) => {
        const box = el.getBoundingClientRect();
        const at = (x, y) => el.contains(document.elementFromPoint(x, y));
        return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight && at(box.left + 8, box.top + 8) && at(box.right - 8, box.bottom - 8);
      });
      return seen;
    }, `${what} is cut`, 5_000);
  };
  const text = await at(canvas.getByText("Hello"), 0.1);
  await page.mouse.click(text.x, text.y);
  const bar = page.getByRole("toolbar", { name: "Look of the text" });
  await whole(bar, "the bar of a text");
  assert.ok((await bar.boundingBox()).height < 80, "the parts of the bar stand below each other");
  await bar.getByRole("button", { name: "Colour of the text" }).click();
  await whole(page.locator(".d-inks"), "the colours");
  await page.keyboard.press("Escape");
  await page.locator(".d-problems > button").click();
  await whole(page.getByRole("region", { name: "Problems" }), "the list of problems");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "View" }).click();
  await whole(page.getByRole("menu", { name: "View" }), "the menu of the view");
  await page.keyboard.press("Escape");
  assert.ok((await page.locator(".d-bar").boundingBox()).height < 110, "the buttons take a third row");
  assert.deepEqual(faults, []);
});
