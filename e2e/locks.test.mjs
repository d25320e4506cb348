// Elements that are locked, and those that the canvas leaves out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as axeFaults } from "./axe.mjs";
import { at, drag, openDesigner, place, write } from "./designing.mjs";
import { api, until } from "./service.mjs";

const text = (id, value, props = {}) => ({ id, type: "paragraph", props: { text: value, height: "24mm", background: "#eef", ...props } });
const offer = () => ({ name: "Offer", definition: { version: 1, name: "Offer", pages: [{ id: 1, name: "One", elements: [text("a", "Sender"), text("b", "Receiver"), text("c", "Date")] }] } });

async function openOffer(t) {
  const opened = await openDesigner(t, offer());
  const { canvas, page, stored } = opened;
  await canvas.getByText("Sender").waitFor();
  const box = (name) => canvas.locator(".q-paragraph", { hasText: name });
  const click = async (where, options) => page.mouse.click(...Object.values(await at(where)), options);
  const elements = async () => (await stored()).pages[0].elements;
  const texts = async () => (await elements()).map((e) => e.props.text).join(" ");
  const becomes = async (wanted) => {
    let last = "";
    await until(async () => (last = await texts()) === wanted, "").catch(() => assert.equal(last, wanted));
  };
  const told = page.getByRole("status").filter({ hasText: "is locked" });
  const outline = page.getByRole("region", { name: "Outline" });
  const line = (name) => outline.locator(".d-line-of", { has: page.getByRole("button", { name }) });
  return { ...opened, box, click, elements, texts, becomes, told, outline, line };
}

test("a locked element is not moved, resized, written in or deleted, and the panel unlocks it", async (t) => {
  const { page, box, click, elements, becomes, told, saved, line, faults } = await openOffer(t);
  await click(box("Receiver"));
  await page.locator(".d-bottom-edge").waitFor();
  await page.keyboard.press("Control+Shift+L");
  await until(async () => (await elements())[1].design?.locked === true, "it is not stored that it is locked");
  const panel = page.getByRole("complementary", { name: "Settings" });
  await panel.getByText("Locked: it is not moved").waitFor();
  assert.equal(await page.locator(".d-handle").count(), 0, "a locked element has edges to drag");
  assert.equal(await page.getByRole("toolbar", { name: "Look of the text" }).count(), 0);
  assert.equal(await panel.locator(".d-form[inert]").count(), 1, "its settings can be changed");
  assert.deepEqual(await axeFaults(page, "locked"), []);

  await drag(page, await at(box("Receiver")), await at(box("Date"), 0.5, 0.9));
  await told.waitFor();
  await page.keyboard.press("Delete");
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Control+B");
  await page.mouse.dblclick(...Object.values(await at(box("Receiver"))));
  assert.equal(await page.locator(".d-inline").count(), 0, "a locked text is written in");
  await page.keyboard.press("Control+G");
  await told.waitFor();
  // Others move past it.
  await drag(page, await at(box("Date"), 0.5), await at(box("Sender"), 0.5, 0.05));
  await becomes("Date Sender Receiver");
  assert.deepEqual((await elements())[2].props, text("b", "Receiver").props);

  await line("Receiver").getByRole("button", { name: "Receiver" }).click();
  await panel.getByRole("button", { name: "Unlock" }).click();
  await page.locator(".d-bottom-edge").waitFor();
  await page.getByRole("region", { name: "Canvas" }).focus();
  await page.keyboard.press("Delete");
  await becomes("Date Sender");
  for (let i = 0; i < 2; i++) await page.keyboard.press("Control+z");
  await until(async () => (await elements())[2]?.design?.locked === true, "undo does not lock it again");
  assert.deepEqual(faults, []);
});

test("an element is locked and hidden from its line in the outline and from the menu", async (t) => {
  const { page, box, click, elements, line, faults } = await openOffer(t);
  const first = line("Sender");
  await first.hover();
  await first.getByRole("button", { name: "Lock", exact: true }).click();
  await until(async () => (await elements())[0].design?.locked === true, "the outline does not lock");
  await page.mouse.move(700, 20);
  await first.getByRole("button", { name: "Unlock" }).waitFor(); // a lock is seen always
  assert.equal(await line("Date").getByRole("button", { name: "Lock", exact: true }).count(), 0);
  await click(box("Sender"), { button: "right" });
  assert.equal(await page.getByRole("menuitem", { name: "Lock", exact: true }).count(), 0);
  await page.getByRole("menuitem", { name: "Unlock" }).click();
  await until(async () => (await elements())[0].design === undefined, "the menu does not unlock");
  await click(box("Date"), { button: "right" });
  await page.getByRole("menuitem", { name: "Hide while designing" }).click();
  await until(async () => (await elements())[2].design?.hidden === true, "the menu does not hide");
  await line("Date").getByRole("button", { name: "Show while designing" }).click();
  await until(async () => (await elements())[2].design === undefined, "the outline does not show");
  assert.deepEqual(faults, []);
});

test("a hidden element keeps its place on the canvas, cannot be hit, and is printed all the same", async (t) => {
  const { page, service, report, canvas, box, click, elements, becomes, faults } = await openOffer(t);
  const before = await place(box("Date"));
  await click(box("Receiver"));
  await page.keyboard.press("Control+Shift+H");
  await until(async () => (await box("Receiver").evaluate((el) => el.ownerDocument.defaultView.getComputedStyle(el).visibility)) === "hidden", "it is still drawn");
  assert.deepEqual(await place(box("Date")), before, "what follows has moved");
  await until(async () => (await elements())[1].design?.hidden === true, "it is not stored");
  const panel = page.getByRole("complementary", { name: "Settings" });
  await panel.getByText("printed all the same").waitFor();
  assert.deepEqual(await axeFaults(page, "hidden"), []);
  // Its place is marked, where the element is.
  const mark = page.locator(".d-unseen");
  const marked = await mark.evaluate((el) => ({ hatch: getComputedStyle(el).backgroundImage, on: getComputedStyle(el).zIndex }));
  assert.match(marked.hatch, /^repeating-linear-gradient/, "nothing marks its place");
  assert.equal(marked.on, "auto", "the mark lies below the page");
  const icon = await place(mark.locator(".i"));
  assert.deepEqual([icon.width, icon.height], [16, 16], "the mark has no icon");
  const [there, kept] = [await place(mark), await place(box("Receiver"))];
  for (const side of ["x", "y", "width", "height"]) assert.ok(Math.abs(there[side] - kept[side]) < 1.5, `the mark is not at the element: ${side} ${there[side]}, ${kept[side]}`);
  // A press on its place means the page, and another drawing leaves it out as well.
  await click(box("Receiver"));
  await page.getByRole("heading", { name: "Page", exact: true }).waitFor();
  await click(box("Sender"));
  await write(page, "Text", "Sent by");
  await canvas.getByText("Sent by").waitFor();
  await becomes("Sent by Receiver Date");
  assert.equal(await box("Receiver").evaluate((el) => el.ownerDocument.defaultView.getComputedStyle(el).visibility), "hidden");
  const html = await (await api(service, "GET", `/ws/demo/reports/${report.id}/preview`)).text();
  assert.match(html, /Receiver/);
  assert.doesNotMatch(html, /data-id="b"[^>]*(visibility|display:none)|id="d-hidden"/);

  await page.getByRole("button", { name: "1 hidden" }).click();
  await until(async () => (await elements())[1].design === undefined, "it is not shown again");
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "1 hidden" }).waitFor();
  assert.deepEqual(faults, []);
});
