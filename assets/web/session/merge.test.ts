import assert from "node:assert/strict";
import { test } from "node:test";
import { type Choices, equal, mergeValues, sharing } from "./merge";

const merged = (base: object, mine: object, theirs: object, choices?: Choices) => mergeValues(base, mine, theirs, choices);

/** The merge of what leaves nothing to choose. */
function both(base: object, mine: object, theirs: object): object {
  const { value, clashes } = merged(base, mine, theirs);
  assert.deepEqual(clashes, []);
  return value;
}

test("different settings of one theme are both kept", () => {
  const base = { name: "Halden", colors: [{ name: "primary", value: "#111" }, { name: "accent", value: "#222" }], font: { size: 10, family: "Inter" } };
  const mine = { ...base, name: "Halden 2", font: { size: 11, family: "Inter" } };
  const theirs = { ...base, colors: [{ name: "primary", value: "#111" }, { name: "accent", value: "#333" }], font: { size: 10, family: "Lora" } };
  assert.deepEqual(both(base, mine, theirs), { name: "Halden 2", colors: theirs.colors, font: { size: 11, family: "Lora" } });
});

test("the same setting is asked for, and each answer holds", () => {
  const [base, mine, theirs] = [{ name: "a", x: 1 }, { name: "mine", x: 2 }, { name: "theirs", x: 1 }];
  const { clashes } = merged(base, mine, theirs);
  assert.deepEqual(clashes.map(({ path, kind, base, mine, theirs }) => ({ path, kind, base, mine, theirs })), [{ path: ["name"], kind: "value", base: "a", mine: "mine", theirs: "theirs" }]);
  const key = clashes[0]!.key;
  assert.deepEqual(merged(base, mine, theirs, new Map([[key, "mine"]])), { value: { name: "mine", x: 2 }, clashes: [] });
  assert.deepEqual(merged(base, mine, theirs, new Map([[key, "theirs"]])), { value: { name: "theirs", x: 2 }, clashes: [] });
});

test("the same change on both sides is one", () => {
  assert.deepEqual(both({ a: 1, l: [1] }, { a: 2, l: [1, 2] }, { a: 2, l: [1, 2] }), { a: 2, l: [1, 2] });
});

test("what was emptied on both sides is empty, however that is written", () => {
  assert.deepEqual(both({ a: "x" }, { a: "" }, {}), {});
});

test("a removed setting goes, unless the other side changed it", () => {
  assert.deepEqual(both({ a: 1, b: 2 }, { b: 2 }, { a: 1, b: 3 }), { b: 3 });
  assert.equal(merged({ a: 1 }, {}, { a: 2 }).clashes.length, 1);
});

test("items that both sides add are both there, each in its place", () => {
  const item = (name: string, more = {}) => ({ name, ...more });
  const base = { dataSources: [item("a"), item("b")] };
  const mine = { dataSources: [item("a"), item("m"), item("b")] };
  const theirs = { dataSources: [item("t"), item("a"), item("b", { q: 1 })] };
  assert.deepEqual(both(base, mine, theirs), { dataSources: [item("t"), item("a"), item("m"), item("b", { q: 1 })] });
});

test("items without names are followed by what they hold", () => {
  const base = { columns: [{ field: "a" }, { field: "b" }, { field: "c" }] };
  const mine = { columns: [{ field: "a" }, { field: "b", width: 3 }, { field: "c" }] };
  const theirs = { columns: [{ field: "new" }, { field: "a" }, { field: "b" }, { field: "c" }] };
  assert.deepEqual(both(base, mine, theirs), { columns: [{ field: "new" }, { field: "a" }, { field: "b", width: 3 }, { field: "c" }] });
  const added = { columns: [...base.columns, { field: "d" }] };
  assert.deepEqual(both(base, added, theirs), { columns: [{ field: "new" }, ...base.columns, { field: "d" }] });
  const same = { columns: [...base.columns, { field: "d" }] };
  assert.equal((both(base, { columns: [...added.columns, {}] }, same) as { columns: unknown[] }).columns.length, 6, "two were added here, one there");
});

test("an item that one moves and the other changes is there once, changed and in its new place", () => {
  const [a, b, c] = [{ report: "1", fileName: "a" }, { report: "1", fileName: "b" }, { report: "2", fileName: "c" }];
  const moved = [b, c, a];
  const changed = { ...a, params: { year: 2026 } };
  assert.deepEqual(both({ reports: [a, b, c] }, { reports: moved }, { reports: [changed, b, c] }), { reports: [b, c, changed] });
  assert.deepEqual(both({ reports: [a, b, c] }, { reports: [changed, b, c] }, { reports: moved }), { reports: [b, c, changed] });
  assert.deepEqual(both({ reports: [a, b, c] }, { reports: moved }, { reports: moved }), { reports: moved });
  assert.deepEqual(both({ reports: [a, b, c] }, { reports: [b, a, c] }, { reports: [{ ...a, format: "xlsx" }, b, { ...c, format: "docx" }] }), { reports: [b, { ...a, format: "xlsx" }, { ...c, format: "docx" }] });
});

test("an item that one moves and changes is still the one that the other changes or removes", () => {
  const [a, b, c] = [{ field: "a", title: "A", width: 1 }, { field: "b", title: "B", width: 1 }, { field: "c", title: "C", width: 1 }];
  const mine = { columns: [b, c, { ...a, width: 2 }] };
  assert.deepEqual(both({ columns: [a, b, c] }, mine, { columns: [{ ...a, title: "Article" }, b, c] }), { columns: [b, c, { field: "a", title: "Article", width: 2 }] });
  const { value, clashes } = merged({ columns: [a, b, c] }, mine, { columns: [b, c] });
  assert.deepEqual([clashes.map((k) => [k.kind, k.mine, k.theirs]), value], [[["removed", { ...a, width: 2 }, undefined]], mine]);
  assert.deepEqual(both({ columns: [a, b, c] }, { columns: [b, c, a] }, { columns: [b, c] }), { columns: [b, c] }, "what was only moved goes");
});

test("both move the same item: it is asked where it goes, and it is there once", () => {
  const of = (...letters: string[]) => ({ columns: letters.map((field) => ({ field, width: 1 })) });
  const { value, clashes } = merged(of("a", "b", "c", "d"), of("b", "c", "d", "a"), of("b", "a", "c", "d"));
  assert.deepEqual([clashes.map((k) => k.kind), value], [["order"], of("b", "c", "d", "a")]);
});

test("swapped items keep what each of them says", () => {
  const [a, b] = [{ field: "a", title: "A", width: 1 }, { field: "b", title: "B", width: 1 }];
  const mine = { columns: [{ ...b, width: 2 }, { ...a, width: 3 }] };
  assert.deepEqual(both({ columns: [a, b] }, mine, { columns: [{ ...a, title: "Article" }, b] }), { columns: [{ ...b, width: 2 }, { ...a, title: "Article", width: 3 }] });
});

test("an item that is renamed and moved is still the same, and a new one before it is another", () => {
  const [orders, shop] = [{ name: "orders", type: "sql", settings: { query: "select 1" } }, { name: "shop", type: "json", settings: { content: 1 } }];
  const sales = { ...orders, name: "sales" };
  const theirs = { dataSources: [{ ...orders, connection: "db" }, shop] };
  assert.deepEqual(both({ dataSources: [orders, shop] }, { dataSources: [shop, sales] }, theirs), { dataSources: [shop, { ...sales, connection: "db" }] });
  const fresh = { name: "rates", type: "csv", settings: { content: "a;b" } };
  assert.deepEqual(both({ dataSources: [orders, shop] }, { dataSources: [fresh, sales, shop] }, theirs), { dataSources: [fresh, { ...sales, connection: "db" }, shop] });
});

test("a list of words takes a word once", () => {
  assert.deepEqual(both({ d: ["mo"] }, { d: ["mo", "tu"] }, { d: ["mo", "tu", "we"] }), { d: ["mo", "tu", "we"] });
});

test("an item that was renamed is still the same", () => {
  const base = { dataSources: [{ name: "orders", settings: { q: 1 } }, { name: "shop" }] };
  const mine = { dataSources: [{ name: "sales", settings: { q: 1 } }, { name: "shop" }] };
  const theirs = { dataSources: [{ name: "orders", settings: { q: 2 } }, { name: "shop" }] };
  assert.deepEqual(both(base, mine, theirs), { dataSources: [{ name: "sales", settings: { q: 2 } }, { name: "shop" }] });
});

test("removing what the other side changed is asked for", () => {
  const base = { l: [{ id: 1, x: 1 }, { id: 2 }] };
  const { clashes } = merged(base, { l: [{ id: 2 }] }, { l: [{ id: 1, x: 2 }, { id: 2 }] });
  assert.deepEqual(clashes.map((c) => [c.kind, c.path, c.mine, c.theirs]), [["removed", ["l", "=1"], undefined, { id: 1, x: 2 }]]);
  assert.deepEqual(merged(base, { l: [{ id: 2 }] }, { l: [{ id: 1, x: 2 }, { id: 2 }] }, new Map([[clashes[0]!.key, "theirs"]])).value, { l: [{ id: 1, x: 2 }, { id: 2 }] });
});

test("an order changed on one side holds, on both it is asked for", () => {
  const of = (...ids: number[]) => ({ l: ids.map((id) => ({ id })) });
  assert.deepEqual(both(of(1, 2, 3), of(3, 1, 2), of(1, 2, 3, 4)), of(3, 4, 1, 2));
  assert.deepEqual(merged(of(1, 2, 3), of(3, 1, 2), of(2, 1, 3)).clashes.map((c) => c.kind), ["order"]);
});

test("a long list is merged or asked for, and never takes for ever", () => {
  const rows = (n: number) => ({ content: Array.from({ length: 20_000 }, (_, i) => ({ v: i === 9 ? n : i })) });
  assert.equal(merged(rows(9), rows(-1), rows(9)).clashes.length, 0);
  const mixed = { content: rows(9).content.map((r) => ({ v: -r.v })) };
  assert.equal(merged(rows(9), mixed, rows(-1)).clashes.length, 1);
});

test("random edits of different settings all arrive", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  const change = (value: Record<string, unknown>, names: string[], to: string): Record<string, unknown> => {
    const [name, ...rest] = names as [string, ...string[]];
    if (rest.length === 0) return { ...value, [name]: to };
    return { ...value, [name]: change((value[name] as Record<string, unknown>) ?? {}, rest, to) };
  };
  for (let round = 0; round < 300; round++) {
    const base = { a: { x: "0", y: "0" }, b: "0", c: { d: { e: "0" } } };
    const places = [["a", "x"], ["a", "y"], ["b"], ["c", "d", "e"], ["c", "f"], ["g", "h"]];
    let [mine, theirs, wanted]: Record<string, unknown>[] = [base, base, base];
    for (const place of places) {
      const who = random(3);
      if (who === 0) mine = change(mine!, place, "m");
      if (who === 1) theirs = change(theirs!, place, "t");
      if (who < 2) wanted = change(wanted!, place, who === 0 ? "m" : "t");
    }
    assert.ok(equal(both(base, mine!, theirs!), wanted), JSON.stringify({ mine, theirs }));
  }
});

test("what is as it was before is the very same, and the rest as it is now", () => {
  const before = { name: "A", items: [{ id: "x", n: [1] }, { id: "y", n: [2] }], gone: 1 };
  const after = { name: "B", items: [{ id: "y", n: [2] }, { id: "x", n: [3] }] };
  const shared = sharing(before, structuredClone(after));
  assert.deepEqual(shared, after);
  assert.equal(shared.items[0], before.items[1], "it is known by its id");
  assert.equal(sharing(before, structuredClone(before)), before);
  for (const [a, b] of [[[1], { 0: 1 }], [{ 0: 1 }, [1]], [null, {}], [{ a: undefined }, {}], [[1, 2], [1]], [[1], [1, 2]]]) assert.ok(equal(sharing(a, structuredClone(b)), b), JSON.stringify([a, b]));
});
