// Margins and padding by handles, rulers, and guides to which what is dragged snaps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { faults as axeFaults } from "./axe.mjs";
import { at, drag, openDesigner, place } from "./designing.mjs";
import { until } from "./service.mjs";

const box = (id, text, props = {}) => ({ id, type: "text", props: { text, background: "#eef", ...props } });
const MM = 96 / 25.4;

test("room is given by handles, along rulers and guides", async (t) => {
  const elements = [
    { id: "row", type: "flow", children: [box("c", "Number", { grow: true }), box("d", "Date", { grow: true })] },
    { id: "panel", type: "flow", props: { orientation: "vertical", padding: "4mm", background: "#f5f5f4" }, children: [box("a", "Sender", { margin: "0 0 5mm" }), box("b", "Receiver")] },
    box("f", "Terms", { pageBreakBefore: true }),
  ];
  const { page, canvas, stored, faults } = await openDesigner(t, { name: "Offer", definition: { version: 1, name: "Offer", pages: [{ id: 1, name: "One", elements }, { id: 2, name: "Two", elements: [box("e", "Elsewhere")] }] } });
  /** What is saved comes to be so; what is not set is null. */
  const becomes = async (what, wanted) => {
    let last;
    const seen = async () => (last = JSON.parse(JSON.stringify(what((await stored()).pages) ?? null)));
    await until(async () => isDeepStrictEqual(await seen(), wanted), "").catch(() => assert.deepEqual(last, wanted));
  };
  const props = (pages) => pages[0].elements[1].props;
  const inner = (pages) => pages[0].elements[1].children[0].props;
  const guides = (pages) => pages[0].design?.guides;
  const undo = () => page.getByRole("button", { name: "Undo", exact: true }).click();
  const handle = (name) => page.getByRole("slider", { name });
  const drawn = (text) => place(canvas.locator(".q-text", { hasText: text }));
  await canvas.getByText("Sender").waitFor();

  // The rulers begin at the corner of the paper.
  const sheet = await place(canvas.locator(".q-page").first());
  const scale = sheet.width / (210 * MM);
  const across = page.locator(".d-ruler-x");
  const near = (a, b, what) => assert.ok(Math.abs(a - b) < 1.5, `${what}: ${a}, not ${b}`);
  const paper = await place(across.locator(".d-ruler-paper"));
  near(paper.x, sheet.x, "the ruler begins");
  near(paper.width, sheet.width, "the ruler is long");
  near((await place(across.locator("text", { hasText: /^100$/ }))).x - 2, sheet.x + 100 * MM * scale, "100 mm are");

  await page.mouse.click(...Object.values(await at(canvas.getByText("Sender"), 0.3)));
  near((await place(across.locator(".d-ruler-selected"))).width, (await drawn("Sender")).width, "the selection is wide");
  // Five millimetres and eight more, in halves; one step of undo.
  const below = await at(handle("Margin, bottom"));
  await page.mouse.move(below.x, below.y);
  await page.mouse.down();
  await page.mouse.move(below.x, below.y + 8 * MM * scale, { steps: 4 });
  assert.equal(await page.locator(".d-shadow").innerText(), "13 mm");
  await page.mouse.up();
  await becomes((p) => inner(p).margin, "0 0 13mm");
  await undo();
  await becomes((p) => inner(p).margin, "0 0 5mm");
  await handle("Margin, bottom").focus();
  for (const key of ["ArrowDown", "Shift+ArrowDown", "Alt+ArrowDown"]) await page.keyboard.press(key);
  await becomes((p) => inner(p).margin, "7.5mm 0");
  await page.keyboard.press("Delete");
  await becomes((p) => inner(p).margin, "7.5mm 0 0");
  assert.deepEqual(await axeFaults(page, "spacing"), []);

  // What lies around has room inside: with Alt on both sides, with Shift in whole millimetres.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Flow", level: 2 }).waitFor();
  const left = await at(handle("Padding, left"));
  await drag(page, left, { x: left.x + 5.9 * MM * scale, y: left.y }, ["Alt", "Shift"]);
  await becomes((p) => props(p).padding, "4mm 10mm");
  await handle("Padding, left").dblclick();
  await becomes((p) => props(p).padding, "4mm 10mm 4mm 0");
  await undo();

  // A guide out of the ruler stands on both sheets of its page, and on no other's.
  const ruler = await at(page.locator(".d-ruler-y"), 0.5, 0.4);
  await drag(page, ruler, { x: sheet.x + 60 * MM * scale, y: ruler.y });
  await becomes(guides, [{ axis: "x", at: "60mm" }]);
  await page.getByRole("combobox", { name: "Zoom" }).selectOption("0.25");
  await until(async () => (await canvas.locator(".q-page").count()) === 3 && (await page.locator(".d-page-guide").count()) === 2, "the guide is not on two of three sheets");
  await page.getByRole("combobox", { name: "Zoom" }).selectOption("0");
  const line = page.getByRole("separator", { name: "Vertical guide" }).first();
  // The margin snaps to it and shows so.
  await page.mouse.click(...Object.values(await at(canvas.getByText("Sender"), 0.3)));
  const grip = await at(handle("Margin, left"));
  const guide = await at(line);
  const from = await drawn("Sender");
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + guide.x - from.x - 3, grip.y, { steps: 4 });
  await page.locator(".d-guide").waitFor();
  near((await drawn("Sender")).x, guide.x, "it begins");
  await page.mouse.up();
  await becomes((p) => inner(p).margin.split(" ").length, 4);
  // So does a splitter.
  await page.mouse.click(...Object.values(await at(canvas.getByText("Number"), 0.3, 0.5)));
  const splitter = page.getByRole("separator", { name: "Shares of Text and Text" });
  const middle = await at(splitter);
  await drag(page, middle, { x: (await at(line)).x + 3, y: middle.y });
  await until(async () => Math.abs((await at(splitter)).x - (await at(line)).x) < 1, "the splitter does not stand at the guide");

  // Moved with arrows, removed, brought back, dragged away.
  await line.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await becomes(guides, [{ axis: "x", at: "70mm" }]);
  await page.keyboard.press("Delete");
  await becomes(guides, null);
  await undo();
  await becomes(guides, [{ axis: "x", at: "70mm" }]);
  const held = await at(line, 0.5, 0.5);
  await drag(page, held, { x: ruler.x, y: held.y });
  await becomes(guides, null);
  await undo();
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menu", { name: "View" }).getByRole("menuitem", { name: "Clear the guides" }).click();
  await becomes(guides, null);

  await page.locator(".d-canvas").focus();
  await page.keyboard.press("Shift+R");
  await across.waitFor({ state: "detached" });
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.reload();
  await canvas.getByText("Sender").waitFor();
  assert.equal(await across.count(), 0, "this browser does not remember that rulers are hidden");
  assert.deepEqual(faults, []);
});
