import assert from "node:assert/strict";
import { test } from "node:test";
import { frameAddress } from "./address";

const of = (attributes: Record<string, string>) => (name: string) => attributes[name] ?? null;

test("the attributes make the address", () => {
  const all = { workspace: "acme", report: "invoice", nonce: "n-1", "temp-data-id": "7", lang: "de", toolbar: "pages,zoom", size: "content" };
  assert.equal(
    frameAddress("https://reports.example.com/base", of(all), { year: 2026 }),
    "https://reports.example.com/base/ws/acme/reports/invoice/preview?tempDataId=7&lang=de&toolbar=pages%2Czoom&size=content&params=%7B%22year%22%3A2026%7D&ask=beside&nonce=n-1",
  );
  assert.equal(frameAddress("https://reports.example.com/", of({ workspace: "a", report: "../x", lang: "" }), {}), "https://reports.example.com/ws/a/reports/..%2Fx/preview?ask=beside");
});

test("what is missing is said", () => {
  assert.throws(() => frameAddress("https://a.example", of({ report: "x" }), {}), /workspace is missing/);
  assert.throws(() => frameAddress("https://a.example", of({ workspace: "x" }), {}), /report is missing/);
});
