import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, slashed } from "./slash";

test("a slash at the beginning of a line asks for a component, others are text", () => {
  for (const [text, caret, found] of [
    ["/", 1, ""],
    ["/data ta", 8, "data ta"],
    ["/heading", 4, "hea"],
    ["Total\n/ch", 9, "ch"],
    ["1/2", 3, null],
    ["km/h", 4, null],
    ["Total /chart", 12, null],
    ["/heading", 0, null],
    ["/a/b", 4, null],
  ] as const) assert.equal(slashed(text, caret), found, JSON.stringify([text, caret]));
});

test("components are found by what they are called, and by the names of their types", () => {
  const german = [
    { name: "heading", label: "Überschrift" },
    { name: "data-table", label: "Datentabelle" },
    { name: "table", label: "Tabelle" },
    { name: "qr-code", label: "QR-Code" },
  ];
  const found = (typed: string) => nearest(typed, german).map((c) => c.name);
  assert.deepEqual(found(""), ["heading", "data-table", "table", "qr-code"]);
  assert.equal(found("tab")[0], "table");
  assert.equal(found("übers")[0], "heading");
  assert.equal(found("head")[0], "heading");
  assert.equal(found("data ta")[0], "data-table");
  assert.equal(found("qrc")[0], "qr-code");
  assert.deepEqual(found("invoice"), []);
});
