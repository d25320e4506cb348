// Several people have one report open: what one does comes to the others as soon
// as it is saved, and is merged into what they are doing.
// QUIRE_OPERATIONS=2000 QUIRE_BROWSERS=3 plays a longer game; SEED=… another one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chance, eventually, marksIn, PEOPLE, pick, report, Screen, shared, ws } from "./editing.mjs";
import { api, signIn, startBrowser, startService } from "./service.mjs";

const OPERATIONS = Number(process.env.QUIRE_OPERATIONS ?? 60);
const BROWSERS = Number(process.env.QUIRE_BROWSERS ?? 2);
const SEED = Number(process.env.SEED ?? 1);

/** A report, and a page of each of some people that shows it. */
async function together(t, people) {
  const service = await startService(t);
  const browser = await startBrowser(t);
  const thing = await shared(service, report);
  const pages = {};
  for (const person of people) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    pages[person] = await context.newPage();
    await signIn(pages[person], service);
  }
  return { service, thing, pages };
}

const canvas = (page) => page.frameLocator("iframe.d-frame");
const node = (page, id) => page.locator(`[data-node="${id}"]`);
const field = (page, id, name) => page.locator(`[id="f-${id}.${name}"]`);

/** Selects an element and unfolds the group of one of its settings. */
async function openField(page, id, name) {
  await node(page, id).click();
  await field(page, id, name).waitFor({ state: "attached" });
  await field(page, id, name).evaluate((el) => {
    for (let around = el.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  });
  return field(page, id, name);
}

/** Holds the saves of a page until they are let go. */
async function holdSaves(page, of = /\/reports\/\d+$/) {
  const held = [];
  let holding = true;
  await page.route(of, (route) => (holding && route.request().method() === "PUT" ? void held.push(route) : route.continue()));
  return () => {
    holding = false;
    return Promise.all(held.map((route) => route.continue()));
  };
}

test("what one does comes to the other, who goes on with selection, caret, text and undo", async (t) => {
  const { thing, pages: { ana, ben } } = await together(t, ["ana", "ben"]);
  for (const page of [ana, ben]) {
    await page.goto(thing.address);
    await canvas(page).getByText("ana-9001").waitFor();
  }
  const [first, second, third] = ["ana-9001", "ana-9002", "ana-9003"];

  // Somebody who only looks sees it.
  await (await openField(ana, first, "class")).fill("from-ana");
  const looked = await openField(ben, first, "class");
  await eventually(async () => (await looked.inputValue()) === "from-ana", () => "ben does not hear of ana's edit");

  // Somebody who types goes on where he was.
  const release = await holdSaves(ben);
  const typed = await openField(ben, second, "class");
  await typed.fill("from-ben");
  await typed.evaluate((el) => el.setSelectionRange(4, 4));
  await (await openField(ana, second, "fontFamily")).fill("Inter");
  await eventually(async () => (await thing.stored()).pages[0].elements[1].props.fontFamily === "Inter", () => "ana's edit is not saved");
  await ben.keyboard.type("-big");
  await release();
  await eventually(async () => (await field(ben, second, "fontFamily").inputValue()) === "Inter", () => "ben does not hear of ana's second edit");
  assert.deepEqual(await typed.evaluate((el) => [el.value, el.selectionStart, document.activeElement === el]), ["from-big-ben", 8, true]);
  await eventually(async () => (await thing.stored()).pages[0].elements[1].props.class === "from-big-ben", () => "ben's edit is not saved");
  await eventually(async () => (await field(ana, second, "class").inputValue()) === "from-big-ben", () => "ana does not hear of ben's edit");

  // Undo takes back one's own, though another's came later.
  await ben.getByRole("button", { name: "Undo", exact: true }).click();
  await eventually(async () => !(await thing.stored()).pages[0].elements[1].props.class?.includes("big"), () => "ben's undo is not saved");
  assert.equal((await thing.stored()).pages[0].elements[1].props.fontFamily, "Inter");

  // What is written on the page stays while others change other elements, and is asked of when both wrote the same.
  await node(ben, third).click();
  await ben.locator(".d-canvas").focus();
  await ben.keyboard.press("Enter");
  const inline = ben.locator("textarea.d-inline");
  await inline.fill("Ben writes");
  await (await openField(ana, first, "class")).fill("again");
  await eventually(async () => (await thing.stored()).pages[0].elements[0].props.class === "again", () => "ana's third edit is not saved");
  assert.equal(await inline.inputValue(), "Ben writes");
  const title = field(ana, third, "title");
  await node(ana, third).click();
  await title.click();
  await ana.locator(".cm-content:focus").waitFor();
  await ana.keyboard.press("Control+a");
  await ana.keyboard.type("Ana writes");
  await eventually(async () => (await thing.stored()).pages[0].elements[2].props.title === "Ana writes", () => "ana's title is not saved");
  assert.equal(await inline.inputValue(), "Ben writes");
  await inline.press("Enter");
  await ben.getByRole("button", { name: "See both sides" }).click();
  const dialog = ben.getByRole("dialog", { name: "Two people changed the same" });
  await dialog.locator("label", { hasText: "Ben writes" }).click();
  await dialog.getByRole("button", { name: "Keep what is chosen" }).click();
  await canvas(ana).getByText("Ben writes").waitFor();
  const [one, , three] = (await thing.stored()).pages[0].elements;
  assert.deepEqual([one.props.class, three.props.title], ["again", "Ben writes"]);
});

test("who else is there is seen in the bar and around what they have selected, until they are gone", async (t) => {
  const { service, thing, pages: { ana, ben } } = await together(t, ["ana", "ben"]);
  await ana.goto(thing.address);
  await ana.getByRole("region", { name: "Components" }).waitFor();
  const others = ana.getByRole("list", { name: "Also in this report" });
  assert.equal(await others.count(), 0, "nobody is here but oneself");
  await ben.goto(thing.address);
  await others.getByText("Root (you, in another window)").waitFor({ state: "attached" });
  await ben.getByRole("list", { name: "Also in this report" }).waitFor();
  const frames = ana.locator(".d-theirs");
  await node(ben, "ana-9002").click();
  await frames.waitFor();
  const [frame, element] = await Promise.all([frames.boundingBox(), canvas(ana).getByText("ana-9002").boundingBox()]);
  assert.ok(Math.abs(frame.y - element.y) < 30 && frame.height > 10, `the frame is around what ben has selected: ${JSON.stringify([frame, element])}`);
  assert.equal(await frames.locator(".d-label").innerText(), "Root");
  if (process.env.PICTURES) await ana.screenshot({ path: `${process.env.PICTURES}/light.png` });

  // A connection that breaks is as good as a page that is closed; back again it is there as before.
  await ben.context().setOffline(true);
  await others.waitFor({ state: "detached" });
  assert.equal(await frames.count(), 0);
  await ben.context().setOffline(false);
  await frames.waitFor();
  await ben.goto(service.url);
  await others.waitFor({ state: "detached" });
});

test("in a template and in the library it is the same: who is there, what they do, and who changed the same", async (t) => {
  const { service, pages: { ana, ben } } = await together(t, ["ana", "ben"]);
  const make = async (kind, definition) => (await (await api(service, "POST", `${ws}/${kind}`, definition)).json()).id;
  const read = async (kind, id) => (await (await api(service, "GET", `${ws}/${kind}`)).json()).find((one) => one.id === id).definition;

  const template = await make("templates", { name: "Letter", code: "letter-of-two", layouts: [{ header: [{ id: "head", type: "text", props: { text: "Quire Ltd." } }], body: [{ id: "place", type: "content-placeholder" }] }] });
  for (const page of [ana, ben]) {
    await page.goto(`${service.url}/ws/demo/templates/${template}/design`);
    await canvas(page).getByText("Quire Ltd.").waitFor();
  }
  await ana.getByRole("list", { name: "Also in this template" }).getByText("Root (you, in another window)").waitFor({ state: "attached" });
  await node(ben, "head").click();
  await ana.locator(".d-theirs").waitFor();
  await (await openField(ana, "head", "class")).fill("from-ana");
  await eventually(async () => (await field(ben, "head", "class").inputValue()) === "from-ana", () => "ben does not hear of what ana did in the template");

  const theme = await make("themes", { name: "Of two", code: "of-two", colors: [{ name: "primary", value: "#111111" }, { name: "accent", value: "#222222" }] });
  for (const page of [ana, ben]) {
    await page.goto(`${service.url}/ws/demo/library#themes/${theme}`);
    await page.locator("[id='f-theme.name']").waitFor();
  }
  await ana.getByRole("list", { name: "Also here" }).getByText("Root (you, in another window)").waitFor({ state: "attached" });
  const release = await holdSaves(ben, /\/themes\/\d+$/);
  await ben.locator("[id='f-theme.code']").fill("bens");
  await ana.locator("[id='f-theme.name']").fill("Anas");
  await eventually(async () => (await read("themes", theme)).name === "Anas", () => "ana's name is not saved");
  await release();
  await eventually(async () => JSON.stringify(await read("themes", theme)).includes('"code":"bens"'), () => "ben's code is not saved");
  for (const page of [ana, ben]) await eventually(async () => `${await page.locator("[id='f-theme.name']").inputValue()} ${await page.locator("[id='f-theme.code']").inputValue()}` === "Anas bens", () => "the two do not see the same theme");
  if (process.env.PICTURES) await ana.screenshot({ path: `${process.env.PICTURES}/library.png` });
  // Who writes in an item of a list goes on in it, wherever another puts it.
  const color = (page, at, name) => page.locator(`[id="f-theme.colors.${at}.${name}"]`);
  const unfold = (field) => field.evaluate((el) => {
    for (let around = el.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  });
  await unfold(color(ben, 0, "value"));
  await color(ben, 0, "value").fill("#1111");
  await color(ben, 0, "value").focus();
  await unfold(color(ana, 1, "value"));
  await ana.locator("details", { has: color(ana, 1, "value") }).last().getByRole("button", { name: "Up" }).click();
  await eventually(async () => (await color(ben, 0, "name").inputValue()) === "accent", () => "ben does not hear of the other order");
  await ben.keyboard.type("aa");
  await eventually(async () => JSON.stringify((await read("themes", theme)).colors) === JSON.stringify([{ name: "accent", value: "#222222" }, { name: "primary", value: "#1111aa" }]), async () => `the colours are ${JSON.stringify((await read("themes", theme)).colors)}`);
  assert.deepEqual(await color(ben, 1, "value").evaluate((el) => [el === document.activeElement, el.checkVisibility()]), [true, true]);

  // Another definition is another place.
  await ben.locator(".l-items li button").first().click();
  await ana.getByRole("list", { name: "Also here" }).waitFor({ state: "detached" });
});

/** A screen that really loses its connection. */
class Live extends Screen {
  async turn() {
    this.online = !this.online;
    if (!this.online) this.ledger.told.offline++;
    await this.context.setOffline(!this.online);
  }

  async on() {
    this.online = this.calm = true;
    await this.context.setOffline(false);
  }

  async reload() {
    await this.on();
    await super.reload();
  }

  async again() {
    await this.on();
    await super.again();
  }

  async settle() {
    await this.on();
    await super.settle();
  }
}

test("several browsers edit one report at once: all end equal, and no accepted operation is lost", { timeout: 3_600_000 }, async (t) => {
  const people = PEOPLE.slice(0, BROWSERS);
  const { thing, pages } = await together(t, people);
  const [random, began] = [chance(SEED), Date.now()];
  const screens = people.map((person) => new Live(pages[person].context(), person, thing, random));
  for (const person of people) await pages[person].close();
  await Promise.all(screens.map((s) => s.open()));
  const { ledger } = thing;
  while (ledger.count < OPERATIONS) await pick(screens, random).step();
  for (let round = 0; round < 3; round++) for (const screen of screens) await screen.settle();
  for (const screen of screens) await screen.shows("at the end, without a reload");
  const there = marksIn(JSON.stringify(await thing.stored()));
  const missing = [...ledger.items].filter(([mark]) => !there.has(mark)).map(([mark, item]) => `${mark} of ${item}`);
  t.diagnostic(`seed ${SEED}: ${JSON.stringify({ browsers: BROWSERS, operations: ledger.count, lasting: ledger.items.size, ...ledger.told, seconds: Math.round((Date.now() - began) / 1000), missing })}`);
  assert.deepEqual(missing, [], `SEED=${SEED} QUIRE_OPERATIONS=${OPERATIONS} QUIRE_BROWSERS=${BROWSERS}`);
});
