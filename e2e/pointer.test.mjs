// The designer with a mouse: drag, drop, resize, write in place, select.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as axeFaults } from "./axe.mjs";
import { add, at, drag, openDesigner } from "./designing.mjs";
import { until } from "./service.mjs";

const text = (id, value) => ({ id, type: "text", props: { text: value } });
const definition = (elements) => ({ version: 1, name: "Offer", pages: [{ id: 1, name: "Page", elements }] });

test("components and elements are dragged to a place", async (t) => {
  const start = definition([text("a", "First"), { id: "box", type: "flow", props: { orientation: "vertical", padding: "20px" }, children: [text("b", "Inside")] }, text("c", "Last")]);
  const { page, canvas, stored, saved, faults } = await openDesigner(t, { name: "Offer", definition: start });
  await canvas.getByText("Last").waitFor();
  const order = async () => {
    await saved();
    return JSON.stringify((await stored()).pages[0].elements, (k, v) => (Array.isArray(v) ? v.map((n) => ({ t: n.props.text ?? n.type, c: n.children })) : v)).replaceAll(/[{}"]|"?[tc]"?:/g, "");
  };
  const palette = page.getByRole("region", { name: "Components" });
  // Between the first and the container.
  const first = await at(canvas.getByText("First"), 0.2, 0.9);
  await drag(page, await at(palette.getByRole("button", { name: "Heading", exact: true })), first);
  await canvas.getByRole("heading", { name: "Heading" }).waitFor();
  assert.equal(await order(), "[First,heading,flow,[Inside],Last]");
  // The last one into the container, before what is inside.
  await drag(page, await at(canvas.getByText("Last"), 0.05), await at(canvas.getByText("Inside"), 0.05, 0.2));
  assert.equal(await order(), "[First,heading,flow,[Last,Inside]]");
  // A copy with Alt.
  await drag(page, await at(canvas.getByText("First"), 0.05), await at(canvas.getByText("Inside"), 0.05, 0.9), ["Alt"]);
  assert.equal(await order(), "[First,heading,flow,[Last,Inside,First]]");
  // Escape leaves everything as it is; so does a drop into itself.
  const box = page.locator(".d-canvas");
  const from = await at(canvas.getByText("First").first(), 0.05);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 90, { steps: 5 });
  await page.locator(".d-insert").waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await page.locator(".d-insert").count(), 0);
  assert.equal(await order(), "[First,heading,flow,[Last,Inside,First]]");
  await box.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
  assert.equal(await order(), "[First,flow,[Inside],Last]");
  assert.deepEqual(faults, []);
});

test("an edge is dragged and snaps to its neighbours; a text is written in place", async (t) => {
  const start = definition([{ id: "row", type: "flow", children: [{ id: "l", type: "text", props: { text: "Left", width: "50mm", height: "20mm", background: "#eee" } }, text("r", "Right")] }]);
  const { page, canvas, stored, saved, faults } = await openDesigner(t, { name: "Offer", definition: start });
  await page.mouse.click(...Object.values(await at(canvas.getByText("Left"), 0.5, 0.2)));
  const handle = page.locator(".d-corner");
  const from = await at(handle);
  await drag(page, from, { x: from.x + 60, y: from.y + 40 });
  await saved();
  const { width, height } = (await stored()).pages[0].elements[0].children[0].props;
  assert.match(width, /^(5[5-9]|6\d|7\d)(\.\d)?mm$/, width);
  assert.match(height, /^(2[5-9]|3\d)(\.\d)?mm$/, height);
  await page.mouse.dblclick(...Object.values(await at(canvas.getByText("Right"), 0.3)));
  const field = page.locator(".d-inline");
  await field.fill("Written in place");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("and below");
  await page.keyboard.press("Enter");
  await canvas.getByText("Written in place").waitFor();
  await saved();
  assert.equal((await stored()).pages[0].elements[0].children[1].props.text, "Written in place\nand below");
  await page.keyboard.press("F2");
  await field.fill("forgotten");
  await page.keyboard.press("Escape");
  assert.equal(await field.count(), 0);
  await saved();
  assert.equal((await stored()).pages[0].elements[0].children[1].props.text, "Written in place\nand below");
  assert.deepEqual(faults, []);
});

test("several elements are selected, changed together and put into a container", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t, { name: "Offer", definition: definition([text("a", "One"), text("b", "Two"), text("c", "Three")]) });
  const one = await at(canvas.getByText("One"), 0, 0);
  const two = await at(canvas.getByText("Two"), 0.3, 0.5);
  const margin = { x: one.x - 20, y: one.y - 15 };
  await drag(page, margin, two);
  await page.getByRole("heading", { name: "2 elements" }).waitFor();
  await page.locator("summary", { hasText: "Type" }).click();
  await page.getByLabel("Font weight").selectOption("700");
  await saved();
  assert.deepEqual((await stored()).pages[0].elements.map((e) => e.props.fontWeight), ["700", "700", undefined]);
  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Control+g");
  await saved();
  assert.deepEqual((await stored()).pages[0].elements.map((e) => e.type), ["flow", "text"]);
  await page.keyboard.press("Control+Shift+g");
  await saved();
  assert.deepEqual((await stored()).pages[0].elements.map((e) => e.props.text), ["One", "Two", "Three"]);
  // The context menu has what the keyboard has.
  await page.mouse.click(...Object.values(await at(canvas.getByText("Three"), 0.2)), { button: "right" });
  await page.getByRole("menuitem", { name: /Duplicate/ }).click();
  await saved();
  assert.equal((await stored()).pages[0].elements.length, 4);
  // So has the outline; what is in the clipboard is put there.
  const outline = page.getByRole("region", { name: "Outline" });
  const said = async () => (await saved(), (await stored()).pages[0].elements.map((e) => e.props.text).join(" "));
  for (const what of [/Copy Ctrl/, /Paste Ctrl/]) {
    await outline.getByRole("button", { name: "One" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: what }).click();
  }
  await until(async () => (await said()) === "One One Two Three Three", "nothing was pasted"); // reading the clipboard takes its time
  // Words are found, walked to and replaced, in one step for all of them.
  await page.keyboard.press("Control+f");
  const find = page.getByRole("search", { name: "Find and replace" });
  await page.keyboard.type("three");
  await find.getByText("Found 2 times").waitFor();
  assert.deepEqual(await axeFaults(page, "find"), []);
  await page.keyboard.press("Shift+Enter");
  await find.getByText("2 of 2Text › Text").waitFor();
  assert.equal(await outline.locator("[aria-pressed=true]").innerText(), "Text\nThree");
  await find.getByRole("textbox", { name: "Replace by" }).fill("Four");
  await page.keyboard.press("Enter");
  assert.equal(await said(), "One One Two Three Four");
  await find.getByRole("searchbox").fill("o");
  await find.getByRole("button", { name: "Replace all" }).click();
  await find.getByText("4 replaced").waitFor();
  assert.equal(await said(), "Fourne Fourne TwFour Three FFourur");
  await page.keyboard.press("Escape");
  // The selection as large as there is room, and the whole page.
  await page.keyboard.press("Shift+Digit2");
  const zoom = page.getByLabel("Zoom");
  const shown = async () => Number(await zoom.inputValue());
  await until(async () => (await shown()) > 0.8, "the selection does not fill the room there is");
  await page.keyboard.press("Shift+Digit1");
  await until(async () => (await shown()) > 0 && (await shown()) < 0.8, "the page is not seen as a whole");
  await page.keyboard.press("Control+z");
  assert.equal(await said(), "One One Two Three Four");
  assert.deepEqual(faults, []);
});

test("an element is renamed in the outline", async (t) => {
  const { page, stored, saved, faults } = await openDesigner(t, { name: "Offer", definition: definition([text("a", "One"), text("b", "Two"), text("c", "Three")]) });
  const outline = page.getByRole("region", { name: "Outline" });
  await outline.getByRole("button", { name: "Two" }).dblclick();
  await page.keyboard.type("Receiver");
  await page.keyboard.press("Enter");
  await outline.getByRole("button", { name: "Receiver" }).waitFor();
  assert.ok(await outline.getByRole("button", { name: "Receiver" }).evaluate((el) => el === document.activeElement), "the outline lost the focus");
  await page.keyboard.press("F2");
  await page.keyboard.type("forgotten");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("F2");
  await page.keyboard.type("Note");
  await outline.getByRole("button", { name: "Receiver" }).click();
  await outline.getByRole("button", { name: "Note" }).waitFor();
  await saved();
  assert.deepEqual((await stored()).pages[0].elements.map((e) => e.name), [undefined, "Receiver", "Note"]);
  assert.deepEqual(faults, []);
});

test("a long outline is drawn as far as it is in sight, and walked as before", async (t) => {
  const row = (i) => ({ id: `row${i}`, type: "flow", children: Array.from({ length: 9 }, (_, k) => ({ id: `t${i}-${k}`, type: "text", props: { text: `Value ${i}.${k}`, fontSize: "6pt" } })) });
  const { page, faults } = await openDesigner(t, { name: "Long", definition: { version: 1, name: "Long", pages: [{ id: 1, name: "One", elements: Array.from({ length: 40 }, (_, i) => row(i)) }] } });
  const outline = page.getByRole("region", { name: "Outline" });
  const lines = outline.locator("[data-node]");
  await lines.last().waitFor({ state: "attached" });
  assert.equal(await lines.count(), 400);
  const seen = (line) => line.evaluate((el) => el.checkVisibility({ contentVisibilityAuto: true }));
  await until(async () => (await seen(lines.first())) && !(await seen(lines.last())), "all lines are drawn");
  // It is as high as if all of them were, within a line.
  const heights = await outline.evaluate((el) => {
    const before = el.scrollHeight;
    for (const li of el.querySelectorAll("li")) li.style.contentVisibility = "visible";
    const all = el.scrollHeight;
    for (const li of el.querySelectorAll("li")) li.style.contentVisibility = "";
    return { before, all };
  });
  assert.ok(Math.abs(heights.before - heights.all) < 30, JSON.stringify(heights));
  await lines.first().focus();
  await page.keyboard.press("End");
  await until(() => seen(lines.last()), "the last line is not drawn where the focus is");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.node), "t39-8");
  await page.keyboard.press("Enter");
  const text = page.getByRole("complementary", { name: "Settings" }).getByRole("textbox", { name: "Text", exact: true }).first();
  await until(async () => (await text.inputValue()) === "Value 39.8", "it is not selected");
  assert.deepEqual(faults, []);
});

test("the look of an element is taken over to others", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t, { name: "Offer", definition: definition([{ id: "a", type: "text", props: { text: "One", color: "#aa0000", fontWeight: "700", width: "40mm" } }, text("b", "Two"), text("c", "Three")]) });
  await page.mouse.click(...Object.values(await at(canvas.getByText("One"), 0.1)));
  await page.keyboard.press("Control+Alt+c");
  await page.mouse.click(...Object.values(await at(canvas.getByText("Two"), 0.1)));
  await page.keyboard.down("Shift");
  await page.mouse.click(...Object.values(await at(canvas.getByText("Three"), 0.1)));
  await page.keyboard.up("Shift");
  await page.keyboard.press("Control+Alt+v");
  await saved();
  assert.deepEqual((await stored()).pages[0].elements.slice(1).map((e) => e.props), ["Two", "Three"].map((text) => ({ text, fontWeight: "700", color: "#aa0000" })));
  await page.keyboard.press("Control+z");
  await saved();
  assert.deepEqual((await stored()).pages[0].elements[1].props, { text: "Two" });
  assert.deepEqual(faults, []);
});

test("all of it by keyboard, without a pointer", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t);
  await page.locator(".d-canvas").focus();
  const command = async (name) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find a command" }).fill(name);
    await page.keyboard.press("Enter");
    await page.locator(".d-canvas").focus();
  };
  await command("add heading");
  await canvas.getByRole("heading", { name: "Heading" }).waitFor();
  await page.keyboard.press("F2");
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await canvas.getByRole("heading", { name: "By keyboard" }).waitFor();
  await command("add paragraph");
  await page.keyboard.press("ArrowUp"); // the paragraph before the heading
  await page.keyboard.press("Control+ArrowDown"); // select the heading
  await page.keyboard.press("Control+d");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+a");
  await page.getByRole("heading", { name: "2 elements" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await saved();
  assert.deepEqual((await stored()).pages[0].elements.map((e) => e.type), ["paragraph", "heading"]);
  assert.deepEqual(faults, []);
});

test("fifty steps are undone to the same JSON and done again", async (t) => {
  const { page, canvas, stored, saved, faults } = await openDesigner(t);
  await add(page, "Text");
  await saved();
  const before = JSON.stringify(await stored());
  const box = page.locator(".d-canvas");
  await box.focus();
  const keys = ["Control+d", "Control+d", "ArrowUp", "Control+g", "Control+ArrowRight", "Control+d", "Escape", "Control+d", "Control+Shift+g", "Delete"];
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press(keys[i % keys.length]);
    if (i % 10 === 3) await page.waitForTimeout(710); // moves by arrows shortly after each other are one step
  }
  await saved();
  const after = JSON.stringify(await stored());
  assert.notEqual(after, before);
  let undone = 0;
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  while (undone < 200 && !/Undo: Add text/.test((await undo.getAttribute("title")) ?? "")) {
    await page.keyboard.press("Control+z");
    undone++;
  }
  assert.ok(undone >= 50, `${undone} steps`);
  await saved();
  assert.equal(JSON.stringify(await stored()), before);
  for (let i = 0; i < undone; i++) await page.keyboard.press("Control+y");
  await saved();
  assert.equal(JSON.stringify(await stored()), after);
  await canvas.getByText("Text").first().waitFor();
  assert.deepEqual(faults, []);
});

test("pages are added, moved, set and deleted", async (t) => {
  const { page, stored, saved, faults } = await openDesigner(t, { name: "Offer", definition: definition([text("a", "Page one")]) });
  await page.getByRole("tab", { name: "Pages" }).click();
  await page.getByRole("button", { name: "Add page" }).click();
  await page.getByRole("region", { name: "Page settings" }).getByLabel("Name", { exact: true }).fill("Annex");
  await page.getByRole("region", { name: "Page settings" }).getByLabel("Visible").fill("{$params.annex}");
  await page.getByRole("button", { name: "Duplicate page" }).click();
  await page.getByRole("region", { name: "Pages", exact: true }).getByRole("button", { name: "Annex (copy)" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await saved();
  assert.deepEqual((await stored()).pages.map((p) => [p.id, p.name]), [[1, "Page"], [3, "Annex (copy)"], [2, "Annex"]]);
  assert.equal((await stored()).pages[2].visible, "{$params.annex}");
  await page.getByRole("button", { name: "Delete page" }).click();
  await saved();
  assert.deepEqual((await stored()).pages.map((p) => p.id), [1, 2]);
  assert.deepEqual(faults, []);
});
