// Two people edit one definition at random, with reloads, lost requests and
// answers, undo and conflicts. Every edit that was shown as made is there at the
// end, unless somebody replaced it who saw it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { equal, type Merge, mergeValues } from "./merge";
import type { Session } from "./session";
import { Browser, Service } from "./testing";

interface Thing {
  settings: Record<string, string>;
  items: { id: string; text?: string }[];
}

const merge = mergeValues as Merge<Thing>;

/** The settings by what they are called, those of items too. */
function cells(thing: Thing): Map<string, string> {
  return new Map([...Object.entries(thing.settings), ...thing.items.map((i): [string, string] => [`item ${i.id}`, i.text ?? ""])]);
}

class Person {
  readonly browser = new Browser();
  tab = 0;
  session!: Session<Thing>;

  constructor(
    readonly name: string,
    readonly service: Service<Thing>,
  ) {}

  async load(sameTab: boolean): Promise<void> {
    this.session?.end();
    if (!sameTab) this.browser.open.delete(`tab${this.tab++}`);
    this.browser.network = () => "fine"; // a page that does not load is loaded again
    this.session = await this.browser.session(this.service, `tab${this.tab}`, merge);
  }
}

async function play(seed: number, edits: number): Promise<void> {
  let state = seed;
  const random = (n: number) => (state = (state * 48271 + 11) % 2147483647) % n;
  const service = new Service<Thing>({ settings: { a: "0", b: "0" }, items: [{ id: "first", text: "0" }] });
  const people = [new Person("ana", service), new Person("ben", service)];
  for (const p of people) await p.load(true);
  /** Of each setting the values that nobody has replaced knowingly. */
  const alive = new Map<string, Set<string>>([...cells(service.value)].map(([k, v]) => [k, new Set([v])]));
  const replaced = (cell: string, old: string | undefined, now: string | undefined) => {
    const values = alive.get(cell) ?? new Set<string>();
    if (old !== undefined) values.delete(old);
    if (now !== undefined) values.add(now);
    alive.set(cell, values);
  };
  /** Undo shows what was there before, which somebody else may have replaced: it makes no edit that has to last. */
  const seen = (session: Session<Thing>, work: () => void, lasts = true) => {
    const before = cells(session.value.value);
    work();
    const after = cells(session.value.value);
    for (const cell of new Set([...before.keys(), ...after.keys()])) if (before.get(cell) !== after.get(cell)) replaced(cell, before.get(cell), lasts ? after.get(cell) : undefined);
  };
  const settle = async (session: Session<Thing>) => {
    while (session.conflict.value) {
      const { clashes } = session.conflict.value;
      const choices = new Map(clashes.map((c) => [c.key, random(2) ? ("mine" as const) : ("theirs" as const)]));
      for (const c of clashes) {
        const loser = choices.get(c.key) === "mine" ? c.theirs : c.mine;
        const cell = c.path[0] === "settings" ? c.path[1]! : `item ${c.path[1]!.slice(1)}`;
        const text = (v: unknown) => (v === undefined ? undefined : typeof v === "string" ? v : ((v as { text?: string }).text ?? ""));
        if (c.kind !== "order") replaced(cell, text(loser), undefined); // what stays is no new edit
      }
      await session.resolve(choices);
    }
  };
  for (let n = 0; n < edits; n++) {
    const person = people[random(2)]!;
    const fate = random(20);
    person.browser.network = () => (fate < 4 ? "lost" : fate < 6 ? "unanswered" : "fine");
    const { session } = person;
    const value = session.value.value;
    const told = `${person.name}${n}`;
    switch (random(12)) {
      case 0: await person.load(true); break;
      case 1: await person.load(random(3) > 0); break;
      case 2: seen(session, () => session.undo(), false); break;
      case 3: seen(session, () => session.redo(), false); break;
      case 4: seen(session, () => session.commit("Add", { ...value, items: [...value.items.slice(0, random(3)), { id: told, text: told }, ...value.items.slice(2).filter((i) => !value.items.slice(0, 2).includes(i))].filter((i, at, all) => all.findIndex((x) => x.id === i.id) === at) })); break;
      case 5: seen(session, () => session.commit("Remove", { ...value, items: value.items.filter((_, i) => i !== 1) })); break;
      case 6: seen(session, () => session.commit("Write", { ...value, items: value.items.map((i, at) => (at === 0 ? { ...i, text: told } : i)) })); break;
      default: {
        const cell = "abcdef"[random(6)]!;
        seen(session, () => session.commit("Set", { ...value, settings: { ...value.settings, [cell]: told } }));
      }
    }
    if (random(3) === 0) await person.browser.pass(random(2500));
    if (random(2) === 0) for (const p of people) await p.session.hear(service.revision); // as the event stream tells it, whatever they are doing
    if (random(4) === 0) await settle(person.session);
    for (const offer of person.session.offers.value) {
      if (random(2)) continue;
      await person.session.bring(offer);
      await settle(person.session);
    }
  }
  for (let round = 0; round < 12; round++) {
    for (const { browser, session } of people) {
      browser.network = () => "fine";
      while (session.offers.value[0]) {
        await session.bring(session.offers.value[0]);
        await settle(session);
      }
      await browser.pass(5000);
      await settle(session);
      await session.refresh();
    }
  }
  const told = `seed ${seed}, ${edits} edits`;
  for (const p of people) {
    assert.equal(p.session.saving.value, "saved", told);
    assert.ok(equal(p.session.value.value, service.value), told);
    assert.equal(p.browser.storage.length, 0, told);
  }
  const end = cells(service.value);
  for (const [cell, values] of alive) {
    const lost = [...values].filter((v) => v !== end.get(cell));
    assert.deepEqual(lost, [], `${cell} is ${end.get(cell)}: ${told}`);
  }
}

test("no accepted edit is missing at the end", async (t) => {
  const first = Number(globalThis.process?.env.SEED ?? Date.now() % 1e6);
  t.diagnostic(`seed ${first}`);
  for (let i = 0; i < 20; i++) await play(first + i, 120);
});
