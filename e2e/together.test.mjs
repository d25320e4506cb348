// Two people edit one report, one theme and one job at once, each in a browser of
// their own, on the screens that are for it: at random, with reloads, closed tabs,
// lost connections, lost answers and conflicts. At the end nothing that was edited
// is missing at the service, and every screen shows what is stored.
// QUIRE_EDITS=500 makes that many of each kind; SEED=… plays another game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, signIn, startBrowser, startService } from "./service.mjs";

const ws = "/api/ui/ws/demo";
const EDITS = Number(process.env.QUIRE_EDITS ?? 40);
const SEED = Number(process.env.SEED ?? 1);
const MARK = /(?:ana|ben)-\d+/g;

const marksIn = (text) => new Set(text.match(MARK) ?? []);
const pick = (list, random) => list[random(list.length)];

/** Random numbers below n that a seed repeats. */
function chance(seed) {
  let state = (seed * 7919 + 17) % 2147483647;
  return (n) => (state = (state * 48271 + 11) % 2147483647) % n;
}

/** Asks until it holds; a busy machine may take a minute. */
async function eventually(holds, complaint) {
  const end = Date.now() + 60_000;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(await complaint());
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** The edits of one definition that have to be there at the end, each with what it is a setting of. */
class Ledger {
  items = new Map();
  /** What every mark was written in, those too that are gone. */
  all = new Map();
  count = 0;
  told = { reloads: 0, closed: 0, offline: 0, lost: 0, unanswered: 0, conflicts: 0, clashes: 0, restored: 0, undone: 0 };

  mark = (person) => `${person}-${this.count++}`;

  /** A mark was written; what it took the place of was seen. */
  wrote(mark, item, before) {
    this.gone(before);
    this.items.set(mark, item);
    this.all.set(mark, item);
    if (item === mark) for (const [other, of] of this.all) if (of === before) this.all.set(other, mark); // named anew
  }

  gone(text) {
    for (const mark of marksIn(text)) this.items.delete(mark);
  }

  /** An item of which this is a mark was given up, with all that was changed in it. */
  goneWith(text, stored) {
    for (const mark of marksIn(text)) {
      const item = this.all.get(mark) ?? mark;
      for (const [other, of] of this.all) if (of === item) this.items.delete(other);
      for (const whole of holding(stored, mark)) this.gone(JSON.stringify(whole));
    }
    this.gone(text);
  }
}

/** The smallest objects in lists that hold a mark. */
function holding(value, mark) {
  if (value === null || typeof value !== "object" || !JSON.stringify(value).includes(`"${mark}"`)) return [];
  const inner = Object.values(value).flatMap((v) => holding(v, mark));
  if (inner.length > 0 || !Array.isArray(value)) return inner;
  return value.filter((v) => JSON.stringify(v).includes(`"${mark}"`));
}

/** One definition on the screen of one person. */
class Screen {
  online = true;
  calm = true;
  page = null;

  constructor(context, person, thing, random) {
    Object.assign(this, { context, person, thing, random });
  }

  get ledger() {
    return this.thing.ledger;
  }

  async open() {
    this.page = await this.context.newPage();
    await this.page.route(/\/api\/ui\//, (route) => this.request(route).catch(() => undefined)); // of a page that is gone
    await this.page.goto(this.thing.address);
    await this.ready();
  }

  ready() {
    return eventually(
      () => this.page.locator(this.thing.kind.ready).first().isVisible(),
      async () => `${this.person}'s ${this.thing.kind.name} does not open: ${await this.page.locator("body").innerText()}`,
    );
  }

  /** What becomes of a request. */
  async request(route) {
    const save = route.request().method() === "PUT" && !this.calm;
    const fate = save ? this.random(7) : -1;
    if (this.online && fate > 1) return route.continue();
    if (this.online && fate < 0) return route.continue();
    if (this.online && fate === 0) {
      this.ledger.told.unanswered++;
      await route.fetch();
    } else this.ledger.told.lost++;
    return route.abort("connectionfailed");
  }

  async saving() {
    return /d-saving d-(\w+)/.exec((await this.page.locator(".d-saving").first().getAttribute("class")) ?? "")?.[1];
  }

  /** Writes into a field and notes what was seen there: nothing happens between the two. Without an item, named is the field that names it. */
  async write(id, item, { lasts = true, named = id } = {}) {
    const mark = this.ledger.mark(this.person);
    const [before, name] = await this.page.locator(`[id="${id}"]`).first().evaluate((field, [text, named]) => {
      const seen = [field.value, document.getElementById(named).value];
      field.focus();
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
      return seen;
    }, [mark, named], { timeout: 5000 });
    if (lasts) this.ledger.wrote(mark, item ?? name, before);
    else this.ledger.gone(`${before} ${mark}`);
  }

  /** Does something to an item and tells what was seen of it, at one moment. */
  async giveUp(locator, how, item) {
    const seen = await locator.first().evaluate((el, how) => {
      const around = how === "key" ? document.querySelector("[aria-label=Settings]") : el.closest("details");
      const text = [...around.querySelectorAll("input, textarea, .cm-content")].map((f) => f.value ?? f.innerText).join("\n");
      if (how === "key") el.dispatchEvent(new KeyboardEvent("keydown", { key: "Delete", bubbles: true, cancelable: true }));
      else el.click();
      return text;
    }, how, { timeout: 5000 });
    this.ledger.gone(`${seen} ${item ?? ""}`);
    this.ledger.count++;
  }

  async step() {
    const { random } = this;
    if (await this.page.locator("dialog.d-sides[open]").count()) await this.answer(); // nothing else can be done then
    this.calm = false;
    const what = random(26);
    if (what === 0) await this.reload();
    else if (what === 1) await this.again();
    else if (what < 4) this.turn();
    else if (what < 6) await this.undone();
    else await this.tried(() => this.thing.kind.edit(this));
    if (random(3) === 0) await this.page.keyboard.press("Control+s");
    if (random(4) === 0) await eventually(async () => (await this.saving()) !== "saving", () => "the saving does not end");
    if (random(3) === 0) await this.answer();
  }

  /** Whether an edit was made: what it is of may just have been taken away by the other one, or lie below a question. */
  async tried(edit) {
    try {
      await edit();
      return true;
    } catch (e) {
      if (e.name !== "TimeoutError") throw e;
      return false;
    }
  }

  turn() {
    this.online = !this.online;
    if (!this.online) this.ledger.told.offline++;
  }

  async reload() {
    this.online = this.calm = true;
    this.ledger.told.reloads++;
    await this.page.reload();
    await this.ready();
  }

  /** The tab is closed, and another one opened. */
  async again() {
    this.online = this.calm = true;
    this.ledger.told.closed++;
    await this.page.close();
    await this.open();
  }

  async undone() {
    if (!(await this.tried(() => this.thing.kind.plain(this, { lasts: false })))) return;
    this.ledger.told.undone++;
    await this.page.getByRole("button", { name: "Undo", exact: true, includeHidden: true }).evaluate((button) => button.click());
  }

  /** Answers what is asked, until nothing is. */
  async answer() {
    for (;;) {
      const asked = await this.page.evaluate(async () => {
        if (document.querySelector("dialog.d-sides[open]")) return "sides";
        const button = (words) => [...document.querySelectorAll(".d-message button")].find((b) => b.innerText === words && !b.disabled);
        const [words] = ["See both sides", "Bring it back", "Restore"].filter(button);
        if (words) button(words).click();
        for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame); // what it opens is drawn
        return words;
      });
      if (!asked) return;
      if (asked === "Restore") this.ledger.told.restored++;
      if (asked === "sides") await this.choose();
    }
  }

  /** Chooses a side of each setting; what the other side had is given up. */
  async choose() {
    const bits = Array.from({ length: 60 }, () => this.random(2));
    const stored = await this.thing.stored();
    const chosen = await this.page.evaluate((bits) => {
      const dialog = document.querySelector("dialog.d-sides[open]");
      const sets = [...dialog.querySelectorAll("fieldset")].map((set, i) => {
        const labels = [...set.querySelectorAll("label")];
        const [kept, left] = bits[i % bits.length] ? labels : [...labels].reverse();
        kept.querySelector("input").click();
        const said = (label) => label.querySelector(".d-value").innerText;
        return { where: set.querySelector("legend").innerText, kept: said(kept), left: said(left) };
      });
      dialog.querySelector(".d-end .d-primary").click();
      return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(sets))));
    }, bits);
    this.ledger.told.conflicts++;
    for (const { kept, left } of chosen) {
      this.ledger.told.clashes++;
      if (kept === "Removed") this.ledger.goneWith(left, stored);
      const stays = marksIn(kept);
      for (const mark of marksIn(left)) if (!stays.has(mark)) this.ledger.items.delete(mark);
    }
  }

  /** Until all is saved and nothing is asked. */
  async settle() {
    this.online = this.calm = true;
    await eventually(
      async () => {
        await this.answer();
        return (await this.saving()) === "saved" && (await this.page.locator(".d-offer").count()) === 0;
      },
      async () => `${this.person}'s ${this.thing.kind.name} is not saved: ${await this.page.locator(".d-saving, .d-message").allInnerTexts()}`,
    );
  }

  async shows(when) {
    const stored = await this.thing.stored();
    let shown;
    await eventually(
      async () => same((shown = await this.thing.kind.shown(this, stored)), this.thing.kind.wanted(stored)),
      () => assert.deepEqual(shown, this.thing.kind.wanted(stored), `${this.person}'s ${this.thing.kind.name} ${when}`),
    );
  }
}

function same(a, b) {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

/** A definition of the library on its screen, as the JSON that it shows. */
async function wholeJSON({ page }, back) {
  await page.getByRole("tab", { name: "JSON" }).click();
  const text = await page.locator("#whole-json").inputValue();
  await page.getByRole("tab", { name: back }).click();
  return JSON.parse(text);
}

const withoutName = ({ name: _, code: __, ...rest }) => rest;

const report = {
  name: "reports",
  ready: ".d-panel, [aria-label=Settings]",
  made: () => ({ definition: { version: 1, name: "Shared", pages: [{ id: 1, name: "One", elements: [1, 2, 3].map((n) => ({ id: `ana-900${n}`, type: "heading", props: { title: `ana-900${n}` } })) }] } }),
  address: (id) => `/ws/demo/reports/${id}/design`,

  headings: (page) => page.locator("[data-node]").evaluateAll((all) => all.map((b) => b.dataset.node)),

  async plain(screen, how) {
    const { page, random } = screen;
    if (random(4) === 0) {
      await page.locator(".d-canvas").focus();
      await page.keyboard.press("Escape");
      const id = pick(["f-report.description", "f-page.1.name"], random);
      return screen.write(id, id, how);
    }
    const id = pick(await report.headings(page), random);
    await page.locator(`[data-node="${id}"]`).click({ timeout: 5000 });
    return screen.write(`f-${id}.${pick(["class", "fontFamily"], random)}`, id, how);
  },

  async edit(screen) {
    const { page, random } = screen;
    const headings = await report.headings(page);
    const what = random(9);
    if (headings.length < 3 || what === 0) {
      await page.getByRole("region", { name: "Components" }).getByRole("button", { name: "Heading", exact: true }).click();
      return report.title(screen);
    }
    if (what > 4) return report.plain(screen);
    const id = pick(headings, random);
    const node = page.locator(`[data-node="${id}"]`);
    await node.click({ timeout: 5000 });
    await page.locator(`[id="f-${id}.class"]`).waitFor({ state: "attached", timeout: 5000 }); // the panel shows another one until then
    if (what === 1) return screen.giveUp(node, "key");
    if (what === 2) return void (await page.keyboard.press(pick(["Alt+ArrowUp", "Alt+ArrowDown"], random)), screen.ledger.count++);
    return report.title(screen);
  },

  /** Writes the title of the chosen heading in the editor that the field becomes. */
  async title({ page, ledger, person }) {
    await page.locator("[id$='.title'][id^='f-']:not([id^='f-report'])").first().click({ timeout: 5000 });
    await page.locator(".cm-content:focus").waitFor({ timeout: 5000 });
    const mark = ledger.mark(person);
    const [before, id] = await page.locator(".cm-content:focus").evaluate((editor, text) => {
      const before = editor.innerText;
      document.execCommand("selectAll");
      document.execCommand("insertText", false, text);
      return [before, editor.id];
    }, mark, { timeout: 5000 });
    ledger.wrote(mark, id.slice(2, -".title".length), before);
  },

  wanted({ description = "", pages: [page] }) {
    return { description, page: page.name, headings: (page.elements ?? []).map(({ id, props }) => [id, props.title, props.class ?? "", props.fontFamily ?? ""]) };
  },

  async shown({ page }) {
    const value = (id) => page.locator(`[id="${id}"]`).first().inputValue({ timeout: 5000 });
    await page.locator(".d-canvas").focus();
    await page.keyboard.press("Escape");
    const found = { description: await value("f-report.description"), page: await value("f-page.1.name"), headings: [] };
    for (const id of await report.headings(page)) {
      const node = page.locator(`[data-node="${id}"]`);
      await node.click();
      found.headings.push([id, await node.locator("small").innerText(), await value(`f-${id}.class`), await value(`f-${id}.fontFamily`)]);
    }
    return found;
  },
};

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

/** A definition that both may edit. */
async function shared(service, kind) {
  const { id } = await (await api(service, "POST", `${ws}/${kind.name}`, { name: "Shared", ...kind.made() })).json();
  const stored = async () => {
    const answer = await (await api(service, "GET", kind === report ? `${ws}/reports/${id}` : `${ws}/${kind.name}`)).json();
    return (Array.isArray(answer) ? answer.find((d) => d.id === id) : answer).definition;
  };
  return { kind, id, stored, address: service.url + kind.address(id), ledger: new Ledger() };
}

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
