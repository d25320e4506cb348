// Header, footer and paper, on the page itself.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { faults as axeFaults } from "./axe.mjs";
import { at, openDesigner, place } from "./designing.mjs";
import { api, until } from "./service.mjs";

const MM = 96 / 25.4;
const letter = { name: "Letter", definition: { version: 1, name: "Letter", template: "plain", pages: [{ id: 1, name: "One", elements: [{ id: "hello", type: "paragraph", props: { text: "Dear customer" } }] }, { id: 2, name: "Two", elements: [] }] } };
const templates = async (service) => (await api(service, "GET", "/api/ui/ws/demo/templates")).json();

async function openLetter(t) {
  const opened = await openDesigner(t, letter);
  const { page, canvas, stored } = opened;
  await canvas.getByText("Dear customer").waitFor();
  const own = async () => (await stored()).include?.templates?.[0]?.layouts[0];
  const becomes = async (holds, what) => {
    let last;
    await until(async () => holds((last = await own())), "").catch(() => { throw new Error(`${what}: ${JSON.stringify(last)}`); });
  };
  const undo = () => page.getByRole("button", { name: "Undo", exact: true }).click();
  return { ...opened, own, becomes, undo };
}

test("the header of one report is written on its page, and other reports keep theirs", async (t) => {
  const { service, page, canvas, becomes, stored, undo, faults } = await openLetter(t);
  const before = { templates: await templates(service), pages: (await stored()).pages };
  await page.locator(".d-band-header").getByRole("button", { name: "Header" }).click();
  const question = page.getByRole("dialog", { name: "Header, footer and paper" });
  await question.getByText("Plain pages").waitFor();
  assert.match(await question.getByRole("link", { name: /All reports/ }).getAttribute("href"), /\/templates\/\d+\/design$/);
  assert.deepEqual(await axeFaults(page, "question"), []);
  await question.getByRole("button", { name: /This report only/ }).click();
  const bar = page.getByRole("region", { name: "Paper and margins" });
  await bar.waitFor();
  const begin = page.getByRole("group", { name: "Header: begin with" });
  await begin.getByRole("button", { name: "Text" }).waitFor();
  assert.equal(await page.getByRole("group", { name: "Footer: begin with" }).count(), 0, "the footer has its page number");
  assert.deepEqual(await axeFaults(page, "framing"), []);
  await begin.getByRole("button", { name: "Logo halden-logo.svg" }).click();
  await canvas.locator(".q-page-header img").first().waitFor();
  assert.equal(await canvas.locator(".q-page-header img").count(), 2, "it is not on both pages");
  await becomes((l) => l?.header?.[0]?.type === "img" && l.footer.length === 1, "the logo is not in the header");
  // What the palette adds now comes behind it; the content is not touched.
  await page.getByRole("region", { name: "Components" }).getByRole("button", { name: "Today's date", exact: true }).click();
  await becomes((l) => l?.header?.map((e) => e.type).join() === "img,date-time", "the date is not behind the logo");
  await undo();
  await becomes((l) => l?.header?.length === 1, "undo does not take the date away");
  // A double click on the content leads back to it.
  const away = await at(canvas.locator(".q-page-body").first(), 0.5, 0.4);
  await page.mouse.dblclick(away.x, away.y);
  await bar.waitFor({ state: "hidden" });
  await page.mouse.click(...Object.values(await at(canvas.getByText("Dear customer"), 0.1)));
  await page.getByRole("heading", { name: "Paragraph", level: 2 }).waitFor();
  assert.deepEqual((await stored()).pages, before.pages);
  assert.deepEqual(await templates(service), before.templates);
  // And by a double click into the header again, without a question.
  const head = await at(canvas.locator(".q-page-header").first(), 0.8, 0.5);
  await page.mouse.dblclick(head.x, head.y);
  await bar.getByRole("button", { name: "Use the shared template again" }).click();
  await until(async () => (await stored()).include === undefined, "the copy is still there");
  await undo();
  await becomes((l) => l?.header?.length === 1, "undo does not bring the copy back");
  assert.deepEqual(faults, []);
});

test("paper and margins are changed on the page, by mouse and by keys", async (t) => {
  const { service, page, canvas, report, own, becomes, undo, faults } = await openLetter(t);
  await page.getByRole("button", { name: "A4 portrait" }).click();
  await page.getByRole("dialog", { name: "Header, footer and paper" }).getByRole("button", { name: /This report only/ }).click();
  const left = page.getByRole("separator", { name: "Margin at the left" });
  await left.waitFor();
  assert.equal(await left.getAttribute("aria-valuetext"), "20 mm");
  const sheet = await place(canvas.locator(".q-page").first());
  const scale = sheet.width / (210 * MM);
  const grip = await at(left);
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + 10.3 * MM * scale, grip.y, { steps: 5 });
  await page.locator(".d-shadow", { hasText: "30 mm" }).waitFor();
  await page.mouse.up();
  await becomes((l) => l?.margin.left === "30mm", "the margin is not 30 mm");
  await until(async () => Math.abs((await place(canvas.locator(".q-page-body").first())).x - sheet.x - 30 * MM * scale) < 1, "the body does not begin there");
  await left.focus();
  for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowLeft"]) await page.keyboard.press(key);
  await becomes((l) => l?.margin.left === "22mm", "keys do not move it");
  await undo();
  await becomes((l) => l?.margin.left === "30mm", "keys are not one step");
  const bar = page.getByRole("region", { name: "Paper and margins" });
  await bar.getByLabel("Margins").selectOption({ label: "Narrow" });
  await becomes((l) => Object.values(l?.margin ?? {}).join() === "10mm,10mm,10mm,10mm", "margins are not narrow");
  await bar.getByRole("combobox", { name: "Paper", exact: true }).selectOption("A5");
  await bar.getByRole("button", { name: "Landscape" }).click();
  await page.getByRole("button", { name: "A5 landscape" }).waitFor();
  await until(async () => (await own())?.orientation === "landscape", "it is not saved");
  const file = join(tmpdir(), `quire-paper-${process.pid}.pdf`);
  writeFileSync(file, Buffer.from(await (await api(service, "GET", `/api/v1/ws/demo/reports/${report.id}/pdf`)).arrayBuffer()));
  assert.match(execFileSync("pdfinfo", [file], { encoding: "utf8" }), /Page size: +59[45][.\d]* x (419|420)/);
  await page.getByRole("button", { name: "Back to the content" }).click();
  assert.equal(await left.count(), 0);
  assert.deepEqual(faults, []);
});

test("the template designer has the same bands, margins and paper", async (t) => {
  const { service, page, canvas, faults } = await openDesigner(t);
  const [plain] = (await templates(service)).filter((r) => r.definition.code === "plain");
  await page.goto(`${service.url}/ws/demo/templates/${plain.id}/design`);
  await page.getByRole("group", { name: "Header: begin with" }).getByRole("button", { name: "Page number" }).click();
  await canvas.locator(".q-page-header").getByText("1", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("separator", { name: "Margin at the top" }).focus();
  await page.keyboard.press("ArrowDown");
  const stored = async () => (await templates(service)).find((r) => r.id === plain.id).definition.layouts[0];
  await until(async () => (await stored()).margin.top === "19mm" && (await stored()).header[0].props.text === "{$page.number}", "it is not saved");
  assert.deepEqual(await axeFaults(page, "template"), []);
  assert.deepEqual(faults, []);
});
