// Two people edit one report, one theme and one job at once, each in a browser of
// their own, on the screens that are for it: at random, with reloads, closed tabs,
// lost connections, lost answers and conflicts. At the end nothing that was edited
// is missing at the service, and every screen shows what is stored.
// QUIRE_EDITS=500 makes that many of each kind; SEED=… plays another game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chance, eventually, marksIn, pick, report, Screen, shared } from "./editing.mjs";
import { signIn, startBrowser, startService } from "./service.mjs";

const EDITS = Number(process.env.QUIRE_EDITS ?? 40);
const SEED = Number(process.env.SEED ?? 1);

/** A definition of the library on its screen, as the JSON that it shows. */
async function wholeJSON({ page }, back) {
  await page.getByRole("tab", { name: "JSON" }).click();
  const text = await page.locator("#whole-json").inputValue();
  await page.getByRole("tab", { name: back }).click();
  return JSON.parse(text);
}

const withoutName = ({ name: _, code: __, ...rest }) => rest;

const FONTS = ["page", "text.h1", "text.h2", "figure", "table.header"].map((at) => `f-theme.${at}.fontFamily`);

/** Adds an item to a list of a form and names it, changes one, moves one or removes one. */
async function editList(screen, { prefix, add, name, change }) {
  const { page, random } = screen;
  const named = page.locator(`[id^="${prefix}"][id$="${name}"]`);
  const count = await named.count();
  const what = random(7);
  if (count < 2 || what < 2) {
    await page.getByRole("button", { name: add }).click();
    await eventually(async () => (await named.count()) > count, () => `${add} adds nothing`);
    const id = await named.last().getAttribute("id");
    const mark = `${screen.person}-${screen.ledger.count}`;
    return screen.write(id, mark);
  }
  const field = named.nth(random(count));
  const item = field.locator("xpath=ancestor::details[1]");
  if (what === 2) return screen.giveUp(item.getByRole("button", { name: /^Remove/, includeHidden: true }), "click");
  const move = item.getByRole("button", { name: pick([/^Up/, /^Down/], random), includeHidden: true });
  if (what === 3) return void (await move.first().evaluate((b) => b.click(), undefined, { timeout: 5000 }), screen.ledger.count++);
  const id = await field.getAttribute("id", { timeout: 5000 });
  return screen.write(id.slice(0, -name.length) + change, undefined, { named: id });
}

const theme = {
  name: "themes",
  ready: "[id='f-theme.name']",
  made: () => ({ code: "shared" }),
  address: (id) => `/ws/demo/library#themes/${id}`,
  plain: (screen, how) => {
    const id = pick(FONTS, screen.random);
    return screen.write(id, id, how);
  },
  edit: (screen) => (screen.random(2) ? theme.plain(screen) : editList(screen, { prefix: "f-theme.colors.", add: "Add color", name: ".name", change: ".value" })),
  wanted: withoutName,
  shown: (screen) => wholeJSON(screen, "Form"),
};

const job = {
  name: "jobs",
  ready: "[id='f-description']",
  made: () => ({ code: "shared", active: false }),
  address: (id) => `/ws/demo/library#jobs/${id}`,
  step: ({ page }, name) => page.getByRole("tab", { name: new RegExp(`^${name}`) }).click(),
  async plain(screen, how) {
    await job.step(screen, "Configuration");
    const id = pick(["f-description", "f-timezone"], screen.random);
    return screen.write(id, id, how);
  },
  async edit(screen) {
    if (screen.random(3) === 0) return job.plain(screen);
    await job.step(screen, "Parameters");
    return editList(screen, { prefix: "f-parameters[", add: "Add parameter", name: "].name", change: pick(["].label", "].group"], screen.random) });
  },
  wanted: withoutName,
  shown: (screen) => wholeJSON(screen, /^Configuration/),
};

async function play(thing, contexts, seed) {
  const { ledger, kind } = thing;
  const [random, began] = [chance(seed), Date.now()];
  const screens = Object.entries(contexts).map(([person, context]) => new Screen(context, person, thing, random));
  await Promise.all(screens.map((s) => s.open()));
  while (ledger.count < EDITS) await pick(screens, random).step();
  // Who saves last sees all there is; the other one after a reload.
  for (const screen of [...screens, screens[0]]) {
    await screen.settle();
    await eventually(() => screen.tried(() => kind.plain(screen)), () => "the last edit cannot be made");
    await screen.settle();
    await screen.shows("after its save");
  }
  for (const screen of screens) {
    await screen.reload();
    await screen.settle();
    await screen.shows("after a reload");
  }
  const there = marksIn(JSON.stringify(await thing.stored()));
  const missing = [...ledger.items].filter(([mark]) => !there.has(mark)).map(([mark, item]) => `${mark} of ${item}`);
  const seconds = Math.round((Date.now() - began) / 1000);
  return { kind: kind.name, edits: ledger.count, lasting: ledger.items.size, ...ledger.told, seconds, missing };
}

test("two browsers edit one report, one theme and one job, and no accepted edit is missing", async (t) => {
  const service = await startService(t);
  const contexts = {};
  for (const person of ["ana", "ben"]) {
    contexts[person] = await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 } });
    const page = await contexts[person].newPage();
    await signIn(page, service);
    await page.close();
  }
  const things = await Promise.all([report, theme, job].map((kind) => shared(service, kind)));
  const outcomes = await Promise.all(things.map((thing, i) => play(thing, contexts, SEED * 3 + i)));
  for (const outcome of outcomes) t.diagnostic(`seed ${SEED}: ${JSON.stringify(outcome)}`);
  for (const [person, context] of Object.entries(contexts)) {
    const drafts = await context.pages()[0].evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("quire-draft") && !key.endsWith("-params")));
    assert.deepEqual(drafts, [], `${person}'s browser keeps drafts`);
  }
  for (const { kind, missing } of outcomes) assert.deepEqual(missing, [], `${kind}: SEED=${SEED} QUIRE_EDITS=${EDITS}`);
});
