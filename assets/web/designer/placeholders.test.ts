import assert from "node:assert/strict";
import { test } from "node:test";
import { formatIn, nameOfFormat, placeholderAt, placeholdersOf, VALUE_FORMATS, withFormat } from "./placeholders";

const written = (source: string) => placeholdersOf(source).map((p) => source.slice(p.from, p.to));

test("placeholders are found where the service finds them", () => {
  for (const [source, found] of [
    ["Invoice {$data.invoice.number}", ["{$data.invoice.number}"]],
    ["{$record.rate}%{$record.name}", ["{$record.rate}", "{$record.name}"]],
    ["%{ $record.a + 1 } and {total}", ["{total}"]],
    ["{[ $record.a * 2 ]:n;2} pieces", ["{[ $record.a * 2 ]:n;2}"]],
    ["{$data.when:d;{yy}Q{q}|never}", ["{$data.when:d;{yy}Q{q}|never}"]],
    ["body { color: red; } {{$data.x}} {open", []],
    ["{$data.rows[0].n}", ["{$data.rows[0].n}"]],
  ] as const) assert.deepEqual(written(source), found, source);
});

test("a format is exchanged, and what stands around it stays", () => {
  for (const [source, format, after] of [
    ["{$data.total}", "n;2", "{$data.total:n;2}"],
    ["Total {$data.total:currency;EUR;2} net", "n;0", "Total {$data.total:n;0} net"],
    ["{$data.weight:n;1:suffix; kg|none}", "n;0", "{$data.weight:n;0:suffix; kg|none}"],
    ["{$data.at:dt;dd.MM.yyyy HH:mm:suffix; Uhr}", "d", "{$data.at:d:suffix; Uhr}"],
    ["{$data.at:t;HH:s}", "n;2", "{$data.at:n;2:s}"],
    ["{$data.name:uppercase}", "d", "{$data.name:d:uppercase}"],
    ["{$data.total:p;1|-}", "", "{$data.total|-}"],
    ["{[ $data.a / 3 ]}", "p", "{[ $data.a / 3 ]:p}"],
  ] as const) assert.equal(withFormat(source, placeholdersOf(source)[0]!, format), after);
});

test("the bar knows its formats again", () => {
  for (const [name, format] of Object.entries(VALUE_FORMATS)) {
    const source = withFormat("{$data.x}", placeholdersOf("{$data.x}")[0]!, format);
    assert.equal(nameOfFormat(formatIn(source, placeholdersOf(source)[0]!)), name);
  }
  assert.equal(nameOfFormat("n;3"), "own");
});

test("the one that the caret is in is meant, or else the only one", () => {
  const two = "{$data.a} of {$data.b}";
  assert.equal(placeholderAt(two), undefined);
  assert.equal(placeholderAt(two, 15)!.from, 13);
  assert.equal(placeholderAt(two, 11), undefined);
  assert.equal(placeholderAt("No. {$data.a}", 0)!.from, 4);
  assert.equal(placeholderAt("plain", 2), undefined);
});
