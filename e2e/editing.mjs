// What journeys of several people in one definition have in common: the edits
// that have to be there at the end, and the definition on the screen of one.

import assert from "node:assert/strict";
import { api } from "./service.mjs";

export const ws = "/api/ui/ws/demo";
export const PEOPLE = ["ana", "ben", "cem", "dora", "emil"];
const MARK = new RegExp(`(?:${PEOPLE.join("|")})-\\d+`, "g");

export const marksIn = (text) => new Set(text.match(MARK) ?? []);
export const pick = (list, random) => list[random(list.length)];

/** Random numbers below n that a seed repeats. */
export function chance(seed) {
  let state = (seed * 7919 + 17) % 2147483647;
  return (n) => (state = (state * 48271 + 11) % 2147483647) % n;
}

/** Asks until it holds; a busy machine may take a minute. */
export async function eventually(holds, complaint) {
  const end = Date.now() + 60_000;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(await complaint());
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** The edits of one definition that have to be there at the end, each with what it is a setting of. */
export class Ledger {
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

/** What is to be edited went away between being found and being written. */
class Gone extends Error {}

/** One definition on the screen of one person. */
export class Screen {
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
      const name = document.getElementById(named);
      if (!field.isConnected || !name) return [];
      const seen = [field.value, name.value];
      field.focus();
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
      return seen;
    }, [mark, named], { timeout: 5000 });
    if (before === undefined) throw new Gone(`${id} was taken away by the other one`);
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
    else if (what < 4) await this.turn();
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
      if (e.name !== "TimeoutError" && !(e instanceof Gone)) throw e;
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

export const report = {
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

/** A definition that both may edit. */
export async function shared(service, kind) {
  const { id } = await (await api(service, "POST", `${ws}/${kind.name}`, { name: "Shared", ...kind.made() })).json();
  const stored = async () => {
    const answer = await (await api(service, "GET", kind === report ? `${ws}/reports/${id}` : `${ws}/${kind.name}`)).json();
    return (Array.isArray(answer) ? answer.find((d) => d.id === id) : answer).definition;
  };
  return { kind, id, stored, address: service.url + kind.address(id), ledger: new Ledger() };
}
