import assert from "node:assert/strict";
import { test } from "node:test";
import { commentsAddress, fileAddress, listAddress, readView, signedAddress, withParameters, writeView } from "./address";
import { pageAt } from "./desk";
import { PARTS, readOptions } from "./options";
import * as more from "./more";
import { LANGUAGES, wordsFor } from "./words";

test("options of the bar", () => {
  assert.deepEqual([...readOptions("").parts], [...PARTS]);
  assert.equal(readOptions("?toolbar=false").parts.size, 0);
  assert.equal(readOptions("?thumbnail=true").parts.size, 0);
  assert.deepEqual([...readOptions("?toolbar=pages,%20search").parts], ["pages", "search"]);
  assert.equal(readOptions("?hidePrintButton=true").parts.has("print"), false);
  assert.equal(readOptions("?size=content").parts.has("panes"), false);
  const { page, zoom, faults } = readOptions("?page=4&zoom=1.5");
  assert.deepEqual([page, zoom, faults], [4, 1.5, []]);
});

test("what an option does not take is told with what it takes", () => {
  const { page, zoom, faults } = readOptions("?toolbar=pages,printer&page=x&zoom=99&size=huge");
  assert.deepEqual([page, zoom], [1, "auto"]);
  assert.equal(faults.length, 4);
  assert.match(faults.join(), /toolbar names "printer"; accepted: .*fullscreen.*size is "huge"; accepted: content.*page is "x".*zoom is "99"; accepted: auto/);
});

test("addresses of the same report", () => {
  const here = "https://q.example/base/ws/acme/reports/invoice/preview?params[year]=2025&lang=de&toolbar=pages&nonce=n#top";
  assert.equal(commentsAddress(here, "/base/ws/3/reports/7/comments"), "https://q.example/base/ws/3/reports/7/comments?params%5Byear%5D=2025&lang=de&nonce=n");
  assert.equal(fileAddress(here, "xlsx"), "https://q.example/base/api/v1/ws/acme/reports/invoice/pdf?params%5Byear%5D=2025&lang=de&nonce=n&format=xlsx");
  assert.equal(signedAddress(here, "Seal & Co"), "https://q.example/base/ws/acme/reports/invoice/pdf?params%5Byear%5D=2025&lang=de&nonce=n&signature=Seal+%26+Co");
  assert.equal(listAddress(here), "https://q.example/base/ws/acme");
  const view = { page: 3, zoom: "1.25", side: "pages", parameters: true, focus: "year" };
  const there = new URL(withParameters(here, { year: "2026" }, writeView(view)));
  assert.equal(there.search, "?lang=de&toolbar=pages&nonce=n&params=%7B%22year%22%3A%222026%22%7D&ask=beside");
  assert.deepEqual(readView(there.hash), view);
  assert.equal(readView("#heading-1"), null);
});

test("A12: the page at a height", () => {
  const tops = [20, 120, 220];
  assert.deepEqual([0, 20, 119, 120, 219, 220, 9999].map((y) => pageAt(tops, y)), [1, 1, 1, 2, 2, 3, 3]);
});

test("every language has every word", () => {
  for (const language of LANGUAGES) for (const [name, word] of Object.entries(wordsFor(language))) {
    const said = typeof word === "function" ? (word as (a: string, b: string) => string)("1", "2") : word;
    assert.ok(said && !said.includes("#") && !said.includes("undefined"), `${language}: ${name} is ${said}`);
  }
  assert.deepEqual(more.LANGUAGES, LANGUAGES);
  assert.equal(wordsFor("de-AT").print, "Drucken");
  assert.equal(wordsFor("xx").page(1, 2), "Page 1 of 2");
});
