// Elements side by side: a drop beside another makes a row, splitters set its shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as axeFaults } from "./axe.mjs";
import { at, drag, openDesigner, place } from "./designing.mjs";
import { api, until } from "./service.mjs";

const text = (id, value, props = {}) => ({ id, type: "paragraph", props: { text: value, height: "24mm", background: "#eef", ...props } });
const offer = (language, elements) => ({ name: "Offer", definition: { version: 1, name: "Offer", ...(language ? { language } : {}), pages: [{ id: 1, name: "One", elements }] } });

async function openOffer(t, ...elements) {
  return openIn(t, "", elements);
}

async function openIn(t, language, elements) {
  const opened = await openDesigner(t, offer(language, elements));
  const { canvas, page, stored } = opened;
  await canvas.getByText("Sender").waitFor();
  const box = (name) => canvas.locator(".q-paragraph", { hasText: name });
  const click = async (where) => page.mouse.click(...Object.values(await at(where)));
  /** What stands where: a row in brackets, what grows with a plus, a width behind a colon. */
  const drawn = (nodes) => nodes.map((n) => `${n.children ? `[${drawn(n.children)}]` : (n.props.text ?? n.type)}${n.props?.grow ? "+" : ""}${n.props?.width ? `:${n.props.width}` : ""}`).join(" ");
  const seen = async () => drawn((await stored()).pages[0].elements);
  const becomes = async (wanted) => {
    let last = "";
    await until(async () => (last = await seen()) === wanted, `it is not ${wanted}`).catch((e) => assert.equal(last, wanted, e.message));
  };
  const undo = () => page.getByRole("button", { name: "Undo", exact: true }).click();
  const share = async (name) => (await place(box(name))).width / (await place(canvas.locator(".q-flow"))).width;
  return { ...opened, box, click, seen, becomes, undo, share };
}

test("what is dropped beside an element makes a row, and what is dropped into it joins it", async (t) => {
  const { page, box, becomes, undo, faults } = await openOffer(t, text("a", "Sender"), text("b", "Receiver"), text("c", "Date"));
  const from = await at(box("Date"));
  const to = await at(box("Sender"), 0.9);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  const [line, element] = [await place(page.locator(".d-insert")), await place(box("Sender"))];
  assert.ok(line.width <= 4 && Math.abs(line.height - element.height) < 2 && Math.abs(line.x - element.x - element.width) < 4, `the line is no vertical one at its right: ${JSON.stringify({ line, element })}`);
  await page.mouse.up();
  await becomes("[Sender+ Date+] Receiver");
  await undo();
  await becomes("Sender Receiver Date");
  await page.getByRole("button", { name: "Redo" }).click();
  await becomes("[Sender+ Date+] Receiver");
  const [left, right] = [await place(box("Sender")), await place(box("Date"))];
  assert.ok(left.y === right.y && Math.abs(left.width - right.width) < 1 && right.x > left.x + left.width, "they do not stand side by side");

  await drag(page, await at(box("Receiver"), 0.5), await at(box("Date"), 0.1));
  await becomes("[Sender+ Receiver+ Date+]");
  await drag(page, await at(box("Sender"), 0.5), await at(box("Date"), 0.97));
  await becomes("[Receiver+ Date+ Sender+]");
  for (let i = 0; i < 3; i++) await undo();
  await becomes("Sender Receiver Date");
  // A new component, at the left.
  await drag(page, await at(page.getByRole("region", { name: "Components" }).getByRole("button", { name: "Separator", exact: true })), await at(box("Receiver"), 0.1));
  await becomes("Sender [separator+ Receiver+] Date");
  assert.deepEqual(faults, []);
});

test("near the upper and lower edge is above and below, and the last one left needs no row", async (t) => {
  const { page, canvas, box, click, becomes, undo, faults } = await openOffer(t, text("a", "Sender"), text("b", "Receiver"), text("c", "Date"));
  await drag(page, await at(box("Date"), 0.5), await at(box("Sender"), 0.1, 0.1));
  await becomes("Date Sender Receiver");
  await drag(page, await at(box("Date"), 0.5), await at(box("Sender"), 0.1));
  await becomes("[Date+ Sender+] Receiver");
  await drag(page, await at(box("Date"), 0.5), await at(box("Receiver"), 0.5, 0.9));
  await becomes("Sender Receiver Date");
  assert.equal(await canvas.locator(".q-flow").count(), 0);
  await undo();
  await click(box("Date"));
  await page.keyboard.press("Delete");
  await becomes("Sender Receiver");
  await undo();
  await becomes("[Date+ Sender+] Receiver");
  // Without a drag: the menu puts the selected ones side by side.
  await page.mouse.click(...Object.values(await at(box("Receiver"))), { button: "right" });
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await becomes("[Date+ Sender+] Receiver Receiver");
  await page.mouse.click(...Object.values(await at(box("Receiver").nth(1))), { button: "right" });
  await page.getByRole("menuitem", { name: "Put side by side" }).click();
  await becomes("[Date+ Sender+] [Receiver+ Receiver+]");
  assert.deepEqual(faults, []);
});

test("a splitter sets the shares with the mouse and with keys", async (t) => {
  const { page, box, click, becomes, undo, share, faults } = await openOffer(t, { id: "row", type: "flow", props: { gap: "16px" }, children: [text("a", "Sender", { grow: true }), text("b", "Receiver", { grow: true })] });
  const splitter = page.getByRole("separator", { name: "Shares of Paragraph and Paragraph" });
  assert.equal(await splitter.count(), 0, "a splitter stands where nothing is selected");
  await click(box("Sender"));
  await splitter.waitFor();
  assert.equal(await splitter.getAttribute("aria-orientation"), "vertical");
  assert.equal(await page.locator(".d-right-edge").count(), 0, "an edge of its own stands beside the splitter");
  const [grip, width] = [await at(splitter), (await place(box("Sender"))).width];
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + 90, grip.y, { steps: 6 });
  await until(async () => Math.abs((await place(box("Sender"))).width - width - 90) < 6, "the page does not follow the pointer");
  await page.locator(".d-shadow", { hasText: /^\d+% · \d+%$/ }).waitFor();
  await page.mouse.move(grip.x + 60, grip.y, { steps: 3 });
  await page.mouse.up();
  await until(async () => Number(await splitter.getAttribute("aria-valuenow")) > 50, "the splitter does not say so");
  const set = Number(await splitter.getAttribute("aria-valuenow"));
  await becomes(`[Sender:${set}% Receiver+]`);
  await until(async () => Math.abs((await share("Sender")) - set / 100) < 0.005, "it is not drawn as it is set");
  // Escape while it is dragged leaves all as it is.
  const again = await at(splitter);
  await page.mouse.move(again.x, again.y);
  await page.mouse.down();
  await page.mouse.move(again.x - 100, again.y, { steps: 4 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await becomes(`[Sender:${set}% Receiver+]`);
  assert.ok(Math.abs((await share("Sender")) - set / 100) < 0.005, "what was shown while it was dragged is still there");

  await splitter.focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "Shift+ArrowRight"]) await page.keyboard.press(key);
  await becomes(`[Sender:${set + 11}% Receiver+]`);
  assert.deepEqual((await axeFaults(page, "row")).filter((f) => /splitter/.test(f)), []);
  await undo();
  await becomes(`[Sender:${set}% Receiver+]`);
  await undo();
  await becomes("[Sender+ Receiver+]");
  await page.keyboard.press("Control+y");
  await becomes(`[Sender:${set}% Receiver+]`);
  await splitter.dblclick();
  await becomes("[Sender+ Receiver+]");
  await undo();
  await splitter.focus();
  await page.keyboard.press("Enter");
  await becomes("[Sender+ Receiver+]");
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".d-canvas")), "Escape does not lead back to the page");
  assert.deepEqual(faults, []);
});

test("of three neighbours two share, and a width keeps its unit", async (t) => {
  const { page, box, click, seen, faults } = await openOffer(t, { id: "row", type: "flow", children: [text("a", "Sender", { width: "50mm" }), text("b", "Receiver", { grow: true }), text("c", "Date", { width: "25%" })] });
  await click(box("Receiver"));
  const splitters = page.getByRole("separator", { name: /^Shares of/ });
  await until(async () => (await splitters.count()) === 2, "there is no splitter at each side");
  const [first, last] = [await at(splitters.nth(0)), await at(splitters.nth(1))];
  await drag(page, first, { x: first.x - 1 + 96 / 2.54, y: first.y });
  await until(async () => (await place(box("Sender"))).width > 0 && Math.abs((await at(splitters.nth(0))).x - first.x - 96 / 2.54) < 3, "the splitter is not where it was drawn to");
  assert.ok(Math.abs((await at(splitters.nth(1))).x - last.x) < 1, "the border of the third moved");
  await until(async () => /^\[Sender:(59|60)(\.\d)?mm Receiver\+ Date:25%\]$/.test(await seen()), `it is ${await seen()}`);
  assert.deepEqual(faults, []);
});

test("in a report that is read from the right, rows are filled and shared from the right", async (t) => {
  const { page, canvas, box, click, becomes, undo, share, faults } = await openIn(t, "ar", [text("a", "Sender"), text("b", "Receiver"), text("c", "Date")]);
  assert.equal(await canvas.locator("html").getAttribute("dir"), "rtl");
  // At the right of an element is before it.
  await drag(page, await at(box("Date")), await at(box("Sender"), 0.9));
  await becomes("[Date+ Sender+] Receiver");
  assert.ok((await place(box("Date"))).x > (await place(box("Sender"))).x, "the first does not stand at the right");
  await undo();
  await drag(page, await at(box("Date")), await at(box("Sender"), 0.1));
  await becomes("[Sender+ Date+] Receiver");
  // Into the gap of the row, by the middle of an element: what is left of it comes after it.
  const [from, to] = [await at(box("Receiver")), await at(box("Date"), 0.4)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  const line = await place(page.locator(".d-insert"));
  assert.ok(line.x < (await place(box("Date"))).x, "the line is not at the left of the last");
  await page.mouse.up();
  await becomes("[Sender+ Date+ Receiver+]");
  await undo();
  await drag(page, await at(box("Receiver")), await at(box("Date"), 0.6));
  await becomes("[Sender+ Receiver+ Date+]");
  await undo();
  await becomes("[Sender+ Date+] Receiver");

  await page.mouse.click(...Object.values(await at(box("Sender"), 0.5, 0.1))); // its middle is below the bar of what was selected before
  const splitter = page.getByRole("separator", { name: "Shares of Paragraph and Paragraph" });
  const grip = await at(splitter);
  await drag(page, grip, { x: grip.x - 91, y: grip.y });
  await until(async () => Number(await splitter.getAttribute("aria-valuenow")) > 50, "what is dragged to the left does not widen the first");
  const set = Number(await splitter.getAttribute("aria-valuenow"));
  await becomes(`[Sender:${set}% Date+] Receiver`);
  await until(async () => Math.abs((await share("Sender")) - set / 100) < 0.005, "it is not drawn as it is set");
  await splitter.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await becomes(`[Sender:${set - 10}% Date+] Receiver`);
  assert.deepEqual(faults, []);
});

test("a row is made beside everything: in a container, beside a table and a chart, in the header of a template", async (t) => {
  const rows = [{ item: "Oak", price: 3 }, { item: "Ash", price: 4 }];
  const elements = [
    { id: "panel", type: "flow", props: { orientation: "vertical", padding: "6mm", background: "#f5f5f4" }, children: [text("a", "Sender"), text("b", "Receiver")] },
    { id: "t", type: "data-table", props: { source: "$data.rows", columns: [{ field: "item" }, { field: "price" }] } },
    { id: "c", type: "generic-chart", props: { source: "$data.rows", height: "140px", altText: "Prices", series: [{ chartType: "column", xField: "item", yField: "price" }] } },
  ];
  const definition = { version: 1, name: "Offer", template: "plain", dataSources: [{ name: "rows", type: "json", settings: { content: rows } }], pages: [{ id: 1, name: "One", elements }] };
  const { service, page, canvas, stored, faults } = await openDesigner(t, { name: "Offer", definition });
  await canvas.getByText("Sender").waitFor();
  const component = (name) => at(page.getByRole("region", { name: "Components" }).getByRole("button", { name, exact: true }));
  const drawn = (nodes) => nodes.map((n) => (n.children ? `${n.props?.orientation === "vertical" ? "v" : ""}[${drawn(n.children)}]` : `${n.props?.text ?? n.type}${n.props?.grow ? "+" : ""}`)).join(" ");
  const becomes = async (wanted) => {
    let last = "";
    await until(async () => (last = drawn((await stored()).pages[0].elements)) === wanted, `it is not ${wanted}`).catch((e) => assert.equal(last, wanted, e.message));
  };
  await drag(page, await component("Separator"), await at(canvas.locator(".q-paragraph", { hasText: "Receiver" }), 0.9));
  await becomes("v[Sender [Receiver+ separator+]] data-table generic-chart");
  await drag(page, await component("Separator"), await at(canvas.locator("[data-id=t]").first(), 0.9));
  await becomes("v[Sender [Receiver+ separator+]] [data-table+ separator+] generic-chart");
  await drag(page, await component("Separator"), await at(canvas.locator("[data-id=c]").first(), 0.1));
  await becomes("v[Sender [Receiver+ separator+]] [data-table+ separator+] [separator+ generic-chart+]");
  // A list of the data, too.
  await page.getByRole("tab", { name: "Data" }).click();
  await drag(page, await at(page.getByRole("region", { name: "Data", exact: true }).getByRole("button", { name: "Table of 2 columns" })), await at(canvas.locator(".q-paragraph", { hasText: "Sender" }), 0.1));
  await becomes("v[[data-table+ Sender+] [Receiver+ separator+]] [data-table+ separator+] [separator+ generic-chart+]");
  assert.deepEqual(faults, []);

  const templates = async () => (await api(service, "GET", "/api/ui/ws/demo/templates")).json();
  const [plain] = (await templates()).filter((r) => r.definition.code === "plain");
  await page.goto(`${service.url}/ws/demo/templates/${plain.id}/design`);
  await page.getByRole("group", { name: "Header: begin with" }).getByRole("button", { name: "Page number" }).click();
  const number = canvas.locator(".q-page-header [data-id]").first();
  await number.waitFor();
  await page.keyboard.press("Escape");
  await drag(page, await component("Separator"), await at(number, 0.9));
  const header = async () => drawn((await templates()).find((r) => r.id === plain.id).definition.layouts[0].header ?? []);
  await until(async () => /^\[\{\$page\.number\}\+ separator\+\]$/.test(await header()), "the header of the template has no row").catch(async (e) => assert.equal(await header(), "", e.message));
  assert.deepEqual(faults, []);
});
