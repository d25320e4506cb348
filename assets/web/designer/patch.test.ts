import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "./patch";

test("a document is its head and its sections", () => {
  const sheet = (page: number, text: string) => `<section class="q-sheet" data-page="${page}"><div class="q-body">${text}</div></section>\n`;
  const html = `<html><body class="q-doc q-pending">\n${sheet(1, "<section><p>one</p></section>")}${sheet(2, "two")}</body></html>`;
  const { head, sections } = sourceOf(html);
  assert.equal(head + sections.join(""), html);
  assert.deepEqual(sections.map((s) => /one|two/.exec(s)![0]), ["one", "two"]);
  assert.deepEqual(sourceOf("<p>nothing</p>"), { head: "<p>nothing</p>", sections: [] });
});
