import assert from "node:assert/strict";
import { test } from "node:test";
import { type Merge, mergeValues } from "./merge";
import type { Session } from "./session";
import { Browser, Service } from "./testing";
import { Refused } from "../service";

interface Theme {
  name: string;
  size?: number;
  colors?: { name: string; value: string }[];
}

const merge = mergeValues as Merge<Theme>;
const begin = async (tab = "a") => {
  const [service, browser] = [new Service<Theme>({ name: "Halden" }), new Browser()];
  return { service, browser, session: await browser.session(service, tab, merge) };
};
const set = (session: Session<Theme>, more: Partial<Theme>, key = "") => session.commit("Change", { ...session.value.value, ...more }, { key });

test("an edit is saved when nobody types any more, and several are one", async () => {
  const { service, browser, session } = await begin();
  for (const name of ["H", "Ha", "Hal"]) {
    set(session, { name }, "name");
    await browser.pass(200);
  }
  assert.equal(session.saving.value, "changed");
  assert.equal(service.saves, 0);
  await browser.pass(1000);
  assert.deepEqual([service.saves, service.value.name, session.saving.value, browser.storage.length], [1, "Hal", "saved", 0]);
  session.undo();
  assert.equal(session.value.value.name, "Halden", "typing is one step");
});

test("what was edited before another item is chosen is saved for its own", async () => {
  const browser = new Browser();
  const [a, b] = [new Service<Theme>({ name: "a" }), new Service<Theme>({ name: "b" })];
  const [first, second] = [await browser.session(a, "1", merge), await browser.session(b, "2", merge)];
  set(first, { name: "a2" });
  await browser.pass(200);
  void first.save();
  set(second, { size: 9 });
  await browser.pass(2000);
  assert.deepEqual([a.value, b.value], [{ name: "a2" }, { name: "b", size: 9 }]);
});

test("a lost connection is waited for", async () => {
  const { service, browser, session } = await begin();
  browser.network = () => "lost";
  set(session, { name: "Kept" });
  await browser.pass(1000);
  assert.equal(session.saving.value, "offline");
  set(session, { size: 3 });
  await browser.pass(1000);
  browser.network = () => "fine";
  await browser.pass(3000);
  assert.deepEqual([service.value, session.saving.value, session.message.value], [{ name: "Kept", size: 3 }, "saved", ""]);
});

test("an answer that is lost is no conflict", async () => {
  const { service, browser, session } = await begin();
  browser.network = () => "unanswered";
  set(session, { name: "Twice" });
  await browser.pass(1000);
  browser.network = () => "fine";
  set(session, { name: "Thrice" });
  await browser.pass(4000);
  assert.deepEqual([session.saving.value, service.value.name], ["saved", "Thrice"]);
});

test("what was added and saved without an answer is there once, though it is changed and others save", async () => {
  const { service, browser, session } = await begin();
  const all = mergeValues as Merge<Theme & { items?: object[] }>;
  const items = await browser.session(service as Service<Theme & { items?: object[] }>, "b", all);
  session.end();
  browser.network = () => "unanswered";
  items.commit("Add", { ...items.value.value, items: [{ x: 1 }] });
  await browser.pass(1000);
  service.put({ ...service.value, size: 12 }, 2);
  browser.network = () => "fine";
  items.commit("Change", { ...items.value.value, items: [{ x: 2 }] });
  await browser.pass(4000);
  assert.deepEqual([service.value, items.saving.value], [{ name: "Halden", size: 12, items: [{ x: 2 }] }, "saved"]);
});

test("an edit that was saved without an answer and taken back is taken back at the service", async () => {
  const { service, browser, session } = await begin();
  browser.network = () => "unanswered";
  set(session, { name: "Mine" });
  await browser.pass(1000);
  browser.network = () => "fine";
  session.undo();
  await browser.pass(4000);
  assert.deepEqual([service.value, session.value.value, session.saving.value, browser.storage.length], [{ name: "Halden" }, { name: "Halden" }, "saved", 0]);
});

test("different settings of two people are merged without a word", async () => {
  const { service, browser, session } = await begin();
  set(session, { name: "Mine" });
  service.put({ name: "Halden", size: 12 }, 1);
  await browser.pass(1000);
  assert.deepEqual([service.value, session.value.value, session.saving.value], [{ name: "Mine", size: 12 }, { name: "Mine", size: 12 }, "saved"]);
  session.undo();
  await browser.pass(1000);
  assert.deepEqual(service.value, { name: "Halden", size: 12 }, "undo takes back what was done here, and nothing of the others");
  session.redo();
  await browser.pass(1000);
  assert.deepEqual(service.value, { name: "Mine", size: 12 });
});

test("a conflict shows both sides, and either can be chosen", async () => {
  for (const side of ["mine", "theirs"] as const) {
    const { service, browser, session } = await begin();
    set(session, { name: "Mine", size: 4 });
    service.put({ name: "Theirs", colors: [{ name: "primary", value: "#fff" }] }, 1);
    await browser.pass(1000);
    assert.equal(session.saving.value, "conflict");
    assert.match(session.message.value, /^Ana has saved this meanwhile and changed the same as you/);
    const { clashes } = session.conflict.value!;
    assert.deepEqual(clashes.map((c) => [c.path, c.base, c.mine, c.theirs]), [[["name"], "Halden", "Mine", "Theirs"]]);
    set(session, { size: 5 }); // one goes on meanwhile
    await browser.pass(1000);
    await session.resolve(new Map(clashes.map((c) => [c.key, side])));
    assert.deepEqual([service.value, session.saving.value, session.conflict.value], [{ name: side === "mine" ? "Mine" : "Theirs", size: 5, colors: [{ name: "primary", value: "#fff" }] }, "saved", null]);
  }
});

test("a reload goes on with what was not saved", async () => {
  const { service, browser, session } = await begin();
  set(session, { name: "Kept" });
  session.end();
  const again = await browser.session(service, "a", merge);
  assert.deepEqual([again.value.value.name, again.offers.value.length, again.message.value], ["Kept", 0, "Edits that had not been saved are back."]);
  await browser.pass(1000);
  assert.equal(service.value.name, "Kept");
  assert.equal(browser.storage.length, 0);
  again.undo();
  assert.equal(again.value.value.name, "Halden");
});

test("a draft of an older revision is offered, and brought back beside what was saved meanwhile", async () => {
  const { service, browser, session } = await begin();
  set(session, { name: "Kept" });
  session.end();
  browser.open.clear();
  service.put({ name: "Halden", size: 12 }, 1);
  const again = await browser.session(service, "b", merge);
  assert.deepEqual([again.value.value, again.saving.value], [{ name: "Halden", size: 12 }, "saved"]);
  const [draft] = again.offers.value;
  assert.deepEqual([draft!.value, draft!.revision], [{ name: "Kept" }, 1]);
  set(again, { colors: [] }); // edits beside it take nothing of it
  await again.bring(draft!);
  assert.deepEqual([service.value, browser.storage.length, again.offers.value], [{ name: "Kept", size: 12, colors: [] }, 0, []]);
});

test("a draft that says otherwise than what is edited asks; put aside it stays", async () => {
  const { service, browser, session } = await begin();
  set(session, { name: "Kept" });
  session.end();
  browser.open.clear();
  service.put({ name: "Theirs" }, 1);
  const again = await browser.session(service, "b", merge);
  await again.bring(again.offers.value[0]!);
  assert.deepEqual(again.conflict.value!.clashes.map((c) => [c.mine, c.theirs]), [["Kept", "Theirs"]]);
  again.setAside();
  assert.deepEqual([again.conflict.value, again.offers.value.length, browser.storage.length], [null, 1, 1]);
  await again.bring(again.offers.value[0]!);
  await again.resolve(new Map(again.conflict.value!.clashes.map((c) => [c.key, "mine"])));
  assert.deepEqual([service.value, browser.storage.length], [{ name: "Kept" }, 0]);
});

test("a draft from before drafts had a base is offered", async () => {
  const [service, browser] = [new Service<Theme>({ name: "Halden", size: 2 }), new Browser()];
  browser.storage.setItem("draft-1", JSON.stringify({ revision: 0, report: { name: "Old", size: 2 } }));
  browser.storage.setItem("draft-12", JSON.stringify({ revision: 1, report: { name: "Another's" } }));
  const session = await browser.session(service, "a", merge);
  assert.equal(session.offers.value.length, 1);
  await session.bring(session.offers.value[0]!);
  assert.deepEqual(session.conflict.value!.clashes.map((c) => [c.mine, c.theirs]), [["Old", "Halden"]]);
  session.setAside();
  session.discard(session.offers.value[0]!);
  assert.deepEqual([...browser.storage.kept.keys()], ["draft-12"]);
});

test("two tabs keep their drafts apart, and none is offered that is being edited", async () => {
  const { service, browser, session } = await begin("a");
  browser.network = () => "lost";
  set(session, { name: "One" });
  await browser.pass(1000);
  browser.network = () => "fine";
  const other = await browser.session(service, "b", merge);
  assert.equal(other.offers.value.length, 0);
  browser.network = () => "lost";
  set(other, { size: 2 });
  await browser.pass(500);
  assert.equal(browser.storage.length, 2);
  browser.network = () => "fine";
  await browser.pass(4000);
  await browser.pass(4000);
  assert.deepEqual([service.value, browser.storage.length], [{ name: "One", size: 2 }, 0]);
});

test("what is refused stays in the form, with the fault at its place, until it is mended", async () => {
  const { service, browser, session } = await begin();
  const put = service.put.bind(service);
  service.put = (value, revision) => {
    if (value.size === 0) throw new Refused(400, "size: 0 is out of range", [{ path: "size", message: "0 is out of range" }]);
    return put(value, revision);
  };
  set(session, { size: 0, name: "Kept" });
  await browser.pass(1000);
  assert.deepEqual([session.saving.value, session.problems.value, browser.storage.length], ["refused", [{ path: "size", message: "0 is out of range" }], 1]);
  set(session, { size: 1 });
  await browser.pass(1000);
  assert.deepEqual([service.value, session.saving.value, session.problems.value], [{ name: "Kept", size: 1 }, "saved", []]);
});

test("a 409 that is no other save is a refusal", async () => {
  const { service, browser, session } = await begin();
  service.put = () => {
    throw new Refused(409, 'there is a theme "x" already', []);
  };
  set(session, { name: "x" });
  await browser.pass(1000);
  assert.deepEqual([session.saving.value, session.message.value], ["refused", 'Not saved yet: there is a theme "x" already']);
});

test("what was deleted by another can be brought back with the edits", async () => {
  const { service, browser, session } = await begin();
  service.deleted = true;
  set(session, { name: "Mine" });
  await browser.pass(1000);
  assert.equal(session.saving.value, "gone");
  set(session, { size: 1 });
  await session.revive();
  assert.deepEqual([service.value, session.saving.value], [{ name: "Mine", size: 1 }, "saved"]);
});

test("what somebody else has brought back already is saved to", async () => {
  const browser = new Browser();
  const service = new Service<Theme>({ name: "Halden" });
  const session = await browser.session(service, "a", merge);
  service.deleted = true;
  set(session, { size: 1 });
  await browser.pass(1000);
  assert.equal(session.saving.value, "gone");
  service.deleted = false;
  await session.revive();
  assert.deepEqual([service.value, session.saving.value, session.message.value], [{ name: "Halden", size: 1 }, "saved", ""]);
});

test("the form of the service is taken without losing what is typed meanwhile", async () => {
  const browser = new Browser();
  const service = new Service<Theme>({ name: "Halden" }, (v) => ({ ...v, colors: v.colors?.filter((c) => c.value) ?? [] }));
  const session = await browser.session(service, "a", merge);
  set(session, { colors: [{ name: "empty", value: "" }, { name: "x", value: "#fff" }] });
  const save = session.save(false);
  await Promise.resolve();
  set(session, { size: 7 });
  await save;
  await browser.pass(2000);
  assert.deepEqual([session.value.value, service.value], [{ name: "Halden", size: 7, colors: [{ name: "x", value: "#fff" }] }, session.value.value]);
  assert.equal(session.saving.value, "saved");
  session.undo();
  session.undo();
  assert.deepEqual(session.value.value, { name: "Halden" }, "undo finds its steps in the form of the service");
});

test("without room in the browser one is told, and the edit goes on", async () => {
  const { service, browser, session } = await begin();
  browser.storage.room = 5;
  set(session, { name: "Long" });
  assert.match(session.message.value, /no room/);
  await browser.pass(1000);
  assert.equal(service.value.name, "Long");
});

test("another's save is taken in when nothing is edited here", async () => {
  const { service, session } = await begin();
  service.put({ name: "Theirs" }, 1);
  await session.refresh();
  assert.deepEqual([session.value.value.name, session.undoLabel.value], ["Theirs", undefined]);
});

test("another's save is taken in as it is, whatever merging would make of it", async () => {
  const [service, browser] = [new Service<Theme>({ name: "Halden", colors: [] }), new Browser()];
  const session = await browser.session<Theme>(service, "a", (...sides) => ({ ...merge(...sides), value: { ...sides[2], colors: [] } }));
  service.put({ name: "Theirs" }, 1);
  await session.refresh();
  assert.deepEqual([session.value.value, session.saving.value, session.dirty, browser.storage.length], [{ name: "Theirs" }, "saved", false, 0]);
});

test("a conflict whose edits are taken back is none, and nothing older is taken in", async () => {
  const { service, browser, session } = await begin();
  set(session, { name: "Mine" });
  service.put({ name: "Theirs" }, 1);
  await browser.pass(1000);
  assert.equal(session.saving.value, "conflict");
  session.undo();
  await browser.pass(1000);
  assert.deepEqual([session.value.value, session.conflict.value, session.saving.value, session.message.value], [{ name: "Theirs" }, null, "saved", ""]);
});

test("what another saves is merged at once beside what is edited here", async () => {
  const { service, browser, session } = await begin();
  set(session, { size: 5 }, "size");
  service.put({ name: "Theirs" }, 1);
  await session.hear(2);
  assert.deepEqual([session.value.value, session.saving.value, session.stored.revision], [{ name: "Theirs", size: 5 }, "changed", 2]);
  set(session, { size: 56 }, "size"); // typing goes on
  await browser.pass(1000);
  assert.deepEqual([service.value, session.saving.value, service.saves], [{ name: "Theirs", size: 56 }, "saved", 2], "the save needs no second try");
  session.undo();
  session.undo();
  assert.deepEqual(session.value.value, { name: "Theirs" }, "undo takes back nothing of another, though typing went on across it");
  session.redo();
  assert.deepEqual(session.value.value, { name: "Theirs", size: 5 });
});

test("what both changed is asked as soon as it is heard of, and typing goes on", async () => {
  const { service, browser, session } = await begin();
  set(session, { name: "Mine" });
  service.put({ name: "Theirs" }, 1);
  await session.hear(2);
  assert.deepEqual([session.value.value.name, session.saving.value], ["Mine", "conflict"]);
  set(session, { name: "Mine too", size: 3 });
  const [clash] = session.conflict.value!.clashes;
  await session.resolve(new Map([[clash!.key, "mine"]]));
  await browser.pass(1000);
  assert.deepEqual([service.value, session.saving.value], [{ name: "Mine too", size: 3 }, "saved"]);
});

test("what is heard of while a save is under way is taken in behind it", async () => {
  const { service, browser, session } = await begin();
  const { remote } = session as unknown as { remote: { save: (value: Theme, revision: number) => Promise<unknown> } };
  const save = remote.save.bind(remote);
  remote.save = async (value, revision) => {
    const answer = await save(value, revision);
    service.put({ ...service.value, size: 7 }, service.revision);
    await session.hear(service.revision); // before the answer is there
    return answer;
  };
  set(session, { name: "Mine" });
  await browser.pass(1000);
  assert.deepEqual([session.value.value, session.saving.value, session.stored.revision], [{ name: "Mine", size: 7 }, "saved", 3]);
});

test("what cannot be read when it is heard of is read later", async () => {
  const { service, browser, session } = await begin();
  service.put({ name: "Theirs" }, 1);
  browser.network = () => "lost";
  await session.hear(2);
  assert.equal(session.value.value.name, "Halden");
  browser.network = () => "fine";
  await browser.pass(3000);
  assert.equal(session.value.value.name, "Theirs");
});

test("a conflict that is heard of names who saved", async () => {
  const { service, session } = await begin();
  set(session, { name: "Mine" });
  service.put({ name: "Theirs" }, 1);
  await session.hear(2, "Ana Lima");
  assert.equal(session.saving.value, "conflict");
  assert.match(session.message.value, /^Ana Lima has saved this meanwhile and changed the same as you\./);
  // What is read may be another's who saved after that.
  const other = await begin();
  set(other.session, { name: "Mine" });
  other.service.put({ name: "Theirs" }, 1);
  other.service.put({ name: "Another's" }, 2);
  await other.session.hear(2, "Ana Lima");
  assert.match(other.session.message.value, /^Somebody else has saved/);
});

test("what is in somebody's hands is not taken from under them, nor saved over what is stored", async () => {
  const { service, browser, session } = await begin();
  let writing = true;
  session.holds = (after) => writing && after.name !== "Halden";
  set(session, { size: 5 });
  service.put({ name: "Theirs" }, 1);
  await session.hear(2);
  await browser.pass(5000);
  assert.deepEqual([session.value.value, session.saving.value, service.value], [{ name: "Halden", size: 5 }, "changed", { name: "Theirs" }]);
  writing = false;
  await session.hear();
  await browser.pass(1000);
  assert.deepEqual([service.value, session.value.value], [{ name: "Theirs", size: 5 }, service.value]);
});

test("what another left alone is the very same afterwards", async () => {
  const { service, session } = await begin();
  const colors = [{ name: "x", value: "#fff" }];
  set(session, { colors });
  await session.save();
  service.put({ ...service.value, name: "Theirs" }, 2);
  await session.hear(3);
  assert.equal(session.value.value.name, "Theirs");
  assert.equal(session.value.value.colors, colors);
  assert.equal(session.dirty, false);
});

test("a session that has ended hears of nothing, and leaves the drafts of the next one alone", async () => {
  const { service, browser, session } = await begin();
  service.put({ name: "Theirs" }, 1);
  browser.network = () => "lost";
  await session.hear(2);
  session.end(); // as the page is loaded anew
  browser.network = () => "fine";
  const next = await browser.session(service, "a", merge);
  browser.network = () => "lost";
  set(next, { size: 5 });
  await session.hear(3);
  browser.network = () => "fine";
  await browser.pass(3000);
  assert.equal(session.value.value.name, "Halden");
  assert.deepEqual(service.value, { name: "Theirs", size: 5 });
});
