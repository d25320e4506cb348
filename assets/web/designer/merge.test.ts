import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeReports } from "./merge";
import { find, fresh, insert, move, type Node, remove, type Report, update, walk, withSetting } from "./model";

const element = (id: string, children?: Node[]): Node => ({ id, type: children ? "flow" : "text", props: { text: id }, ...(children ? { children } : {}) });

const offer = (): Report => ({
  name: "Offer",
  pages: [
    { id: 1, name: "One", elements: [element("a"), element("box", [element("b"), element("inner", [element("c")])]), element("d")] },
    { id: 2, name: "Two", placeholders: { side: [element("e")] } },
  ],
});

const ids = (report: Report): string[] => {
  const found: string[] = [];
  for (const page of report.pages) walk(page, (n) => found.push(n.id));
  return found;
};

const set = (report: Report, id: string, text: string) => update(report, id, (n) => withSetting(n, "text", text));
const inBox = (report: Report, id: string, parent: string | null, index = 0) => move(report, [id], { page: 0, slot: "elements", parent, index });

function both(mine: Report, theirs: Report, base = offer()): Report {
  const { value, clashes } = mergeReports(base, mine, theirs);
  assert.deepEqual(clashes, []);
  return value;
}

test("two headings that two people edit are both kept", () => {
  const value = both(set(offer(), "a", "mine"), set(set(offer(), "c", "theirs"), "e", "too"));
  assert.deepEqual([find(value, "a")!.node.props, find(value, "c")!.node.props, find(value, "e")!.node.props], [{ text: "mine" }, { text: "theirs" }, { text: "too" }]);
  assert.deepEqual(ids(value), ids(offer()));
});

test("an element is moved by one and written by the other", () => {
  const value = both(inBox(offer(), "a", "inner"), set(offer(), "a", "theirs"));
  assert.deepEqual(ids(value), ["box", "b", "inner", "a", "c", "d", "e"]);
  assert.equal(find(value, "a")!.node.props!.text, "theirs");
});

test("elements added on both sides both stay", () => {
  const add = (id: string, index: number) => insert(offer(), { page: 0, slot: "elements", parent: "box", index }, [element(id)]);
  assert.deepEqual(ids(both(add("m", 0), add("t", 2))), ["a", "box", "m", "b", "inner", "c", "t", "d", "e"]);
  const drop = () => fresh(offer(), [element("new")])[0]!.id;
  assert.notEqual(drop(), drop(), "two browsers name new elements differently");
});

test("pages added on both sides both stay, and each has its number", () => {
  const add = (name: string) => ({ ...offer(), pages: [...offer().pages, { id: 3, name, elements: [element(name)] }] });
  const { value, rename } = mergeReports(offer(), add("m"), add("t"));
  assert.deepEqual(value.pages.map((p) => [p.id, p.name]).sort(), [[1, "One"], [2, "Two"], [3, "t"], [4, "m"]]);
  assert.deepEqual(rename!(add("m")).pages.map((p) => p.id), [1, 2, 4], "undo knows the page by its new number");
});

test("removing a container that the other works in is asked for", () => {
  const [mine, theirs] = [remove(offer(), ["box"]), set(offer(), "c", "theirs")];
  const { clashes } = mergeReports(offer(), mine, theirs);
  assert.deepEqual(clashes.map((c) => [c.kind, c.path]), [["removed", ["#box"]]]);
  const key = clashes[0]!.key;
  assert.deepEqual(ids(mergeReports(offer(), mine, theirs, new Map([[key, "mine"]])).value), ["a", "d", "e"]);
  assert.deepEqual(ids(mergeReports(offer(), mine, theirs, new Map([[key, "theirs"]])).value), ids(offer()));
  const added = insert(offer(), { page: 0, slot: "elements", parent: "inner", index: 1 }, [element("t")]);
  assert.deepEqual(mergeReports(offer(), mine, added).clashes.map((c) => c.kind), ["removed"]);
  assert.deepEqual(mergeReports(offer(), mine, offer()).clashes, [], "what nobody else touched goes");
  const out = mergeReports(offer(), mine, inBox(offer(), "c", null, 0));
  assert.deepEqual(out.clashes.map((c) => [c.kind, c.path]), [["removed", ["#c"]]], "only what was moved out is in question");
});

test("a page that one removes and the other fills is asked for", () => {
  const mine = { ...offer(), pages: offer().pages.slice(0, 1) };
  const theirs = set(offer(), "e", "theirs");
  const { clashes } = mergeReports(offer(), mine, theirs);
  assert.deepEqual(clashes.map((c) => [c.kind, c.path]), [["removed", ["pages", "=2"]]]);
  assert.deepEqual(ids(mergeReports(offer(), mine, theirs, new Map([[clashes[0]!.key, "theirs"]])).value), ids(offer()));
  assert.deepEqual(ids(mergeReports(offer(), mine, theirs, new Map([[clashes[0]!.key, "mine"]])).value), ["a", "box", "b", "inner", "c", "d"]);
});

test("two boxes moved into each other do not vanish", () => {
  const base: Report = { name: "", pages: [{ id: 1, name: "", elements: [element("x", []), element("y", [])] }] };
  const mine = move(base, ["x"], { page: 0, slot: "elements", parent: "y", index: 0 });
  const theirs = move(base, ["y"], { page: 0, slot: "elements", parent: "x", index: 0 });
  const { clashes } = mergeReports(base, mine, theirs);
  assert.ok(clashes.length > 0);
  for (const side of ["mine", "theirs"] as const) {
    const { value } = mergeReports(base, mine, theirs, new Map(clashes.map((c) => [c.key, side])));
    assert.deepEqual(ids(value).sort(), ["x", "y"], side);
  }
});

test("a list that one side emptied is as that side has it", () => {
  const stored: Report = { ...offer(), pages: [{ id: 1, name: "One" }, { id: 2, name: "Two", placeholders: { side: [] } }] };
  assert.deepEqual(both(offer(), stored), stored, "the service leaves empty lists out");
  const box = (report: Report) => find(report, "box")!.node;
  const { children: _, ...bare } = box(offer());
  assert.deepEqual(box(both(offer(), update(offer(), "box", () => bare))), bare);
  assert.deepEqual(both({ ...offer(), pages: [{ id: 1, name: "One", elements: [] }, offer().pages[1]!] }, offer()).pages[0], { id: 1, name: "One", elements: [] });
});

test("parts of a template's layout are merged like pages", () => {
  const layout = (over: object): Report => ({ name: "T", pages: [{ id: 1, name: "", margin: { top: 1 }, header: [], firstHeader: [], body: [element("p")], footer: [], ...over }] }) as Report;
  const value = both(layout({ header: [element("h")] }), layout({ footer: [element("f")], margin: { top: 2 } }), layout({}));
  assert.deepEqual(value, layout({ header: [element("h")], footer: [element("f")], margin: { top: 2 } }));
});

test("whatever two people do, every element stands once, and what nobody removed is there", () => {
  let seed = Date.now() % 1e9;
  const first = seed;
  const random = (n: number) => (seed = (seed * 48271 + 11) % 2147483647) % n;
  const edit = (report: Report, who: string, n: number): { report: Report; removed: string[] } => {
    const all = ids(report);
    const id = all[random(all.length)] ?? "";
    const place = find(report, id);
    const page = random(report.pages.length);
    const target = place?.node.children && random(2) ? { page: place.page, slot: place.slot, parent: id, index: 0 } : { page, slot: page === 0 ? "elements" : "placeholders.side", parent: null, index: 0 };
    switch (random(4)) {
      case 0: return { report: id ? set(report, id, `${who}${n}`) : report, removed: [] };
      case 1: return { report: insert(report, target, [element(`${who}${n}`, random(2) ? [] : undefined)]), removed: [] };
      case 2: return { report: move(report, [all[random(all.length)] ?? ""], target), removed: [] };
      default: return random(3) || !place ? { report, removed: [] } : { report: remove(report, [id]), removed: ids({ ...report, pages: [{ id: 1, name: "", elements: [place.node] }] }) };
    }
  };
  for (let round = 0; round < 2000; round++) {
    const made = ["m", "t"].map((who) => {
      let report = offer();
      const removed: string[] = [];
      for (let n = 0; n < 6; n++) {
        const next = edit(report, who, n);
        report = next.report;
        removed.push(...next.removed);
      }
      return { report, removed };
    });
    const [mine, theirs] = [made[0]!, made[1]!];
    const clashes = mergeReports(offer(), mine.report, theirs.report).clashes;
    const side = random(2) ? "mine" : "theirs";
    const value = mergeReports(offer(), mine.report, theirs.report, new Map(clashes.map((c) => [c.key, side])), side).value;
    const found = ids(value);
    assert.deepEqual(mergeReports(offer(), offer(), theirs.report).value, theirs.report);
    assert.deepEqual(mergeReports(offer(), mine.report, offer()).value, mine.report);
    const told = `seed ${first}, round ${round}\n${JSON.stringify(mine.report)}\n${JSON.stringify(theirs.report)}\n${JSON.stringify(value)}`;
    assert.equal(new Set(found).size, found.length, told);
    const gone = new Set([...mine.removed, ...theirs.removed]);
    for (const c of clashes) if (c.kind === "removed") for (const id of JSON.stringify([c.mine, c.theirs]).matchAll(/"id":"([^"]+)"/g)) gone.add(id[1]!);
    for (const id of [...ids(mine.report), ...ids(theirs.report)]) if (!gone.has(id)) assert.ok(found.includes(id), `${id} is missing: ${told}`);
  }
});

test("whatever two do at once comes out the same on both sides, and nothing of either is missing", () => {
  let state = 1;
  const random = (n: number) => (state = (state * 48271 + 11) % 2147483647) % n;
  const anything = (report: Report, who: string, n: number): Report => {
    const all = ids(report);
    const id = all[random(all.length)]!;
    const parent = [null, "box", "inner"].filter((p) => p === null || all.includes(p))[random(3)] ?? null;
    switch (random(4)) {
      case 0: return insert(report, { page: 0, slot: "elements", parent, index: 0 }, [element(`${who}${n}`)]);
      case 1: return remove(report, [id]);
      case 2: return inBox(report, id, parent);
      default: return update(report, id, (node) => withSetting(node, ["text", "size", "color"][random(3)]!, `${who}${n}`));
    }
  };
  const told = (report: Report) => new Map(ids(report).map((id) => [id, find(report, id)!.node.props!]));
  let [merged, asked] = [0, 0];
  for (let game = 0; game < 3000; game++) {
    const sides = ["mine", "theirs"].map((who) => Array.from({ length: 1 + random(3) }).reduce<Report>((report, _, n) => anything(report, who, n), offer()));
    const [mine, theirs] = sides as [Report, Report];
    const [one, other] = [mergeReports(offer(), mine, theirs), mergeReports(offer(), theirs, mine)];
    assert.equal(one.clashes.length > 0, other.clashes.length > 0, `game ${game}`);
    if (one.clashes.length > 0) {
      asked++;
      continue;
    }
    merged++;
    const there = told(one.value);
    assert.deepEqual(Object.fromEntries([...there].sort()), Object.fromEntries([...told(other.value)].sort()), `game ${game}`);
    assert.equal(new Set(ids(one.value)).size, ids(one.value).length, `game ${game}: an element is there twice`);
    const was = told(offer());
    for (const [side, against] of [[told(mine), told(theirs)], [told(theirs), told(mine)]] as const) {
      for (const [id, props] of side) {
        if (!against.has(id) && was.has(id)) continue; // the other one removed it, untouched
        for (const [name, value] of Object.entries(props)) if (value !== was.get(id)?.[name]) assert.equal(there.get(id)?.[name], value, `game ${game}: ${name} of ${id}`);
      }
    }
  }
  assert.ok(merged > 1000 && asked > 100, `${merged} merged, ${asked} asked`);
});
