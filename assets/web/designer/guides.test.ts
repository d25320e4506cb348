import assert from "node:assert/strict";
import { test } from "node:test";
import { type Guide, guideAt, guided, guidesOf, placeOfGuide, withGuide, withGuides } from "./guides";
import { layoutOf, pageOf } from "./layouts";
import type { Page, Report } from "./model";
import { nearest } from "./snap";

const MM = 96 / 25.4;
const x = (at: string): Guide => ({ axis: "x", at });
const y = (at: string): Guide => ({ axis: "y", at });
const page: Page = { id: 1, name: "One", elements: [] };

test("guides of a page come and go without a trace", () => {
  const two = withGuides(page, [x("40mm"), y("25mm")]);
  assert.deepEqual(two.design, { guides: [x("40mm"), y("25mm")] });
  assert.deepEqual(guidesOf(two), [x("40mm"), y("25mm")]);
  assert.deepEqual(withGuides(two, []), page);
  assert.deepEqual(guidesOf(page), []);
  const report: Report = { name: "R", pages: [page, { ...page, id: 2 }] };
  assert.deepEqual(guided(report, 1, [x("1mm")]).pages.map((p) => guidesOf(p).length), [0, 1]);
});

test("a layout that is edited as a page keeps its guides", () => {
  const layout = { pageType: "portrait", design: { guides: [x("40mm")] } };
  assert.deepEqual(layoutOf(pageOf(layout, 0)).design, layout.design);
});

test("guides stand at whole millimetres, or tenths of an inch, or as finely as lengths are", () => {
  assert.equal(guideAt(40.4 * MM, false), "40mm");
  assert.equal(guideAt(40.4 * MM, false, true), "40.4mm");
  assert.equal(guideAt(1.52 * 96, true), "1.5in");
  assert.ok(Math.abs(placeOfGuide(x("40mm")) - 40 * MM) < 1e-9);
});

test("a guide is moved in its place, added, taken away, and never there twice", () => {
  const all = [x("10mm"), y("20mm"), x("30mm")];
  assert.deepEqual(withGuide(all, 1, y("25mm")), [x("10mm"), y("25mm"), x("30mm")]);
  assert.deepEqual(withGuide(all, null, x("50mm")), [...all, x("50mm")]);
  assert.deepEqual(withGuide(all, 0, null), [y("20mm"), x("30mm")]);
  assert.deepEqual(withGuide(all, 0, x("30mm")), [x("30mm"), y("20mm")]);
  assert.deepEqual(withGuide(all, null, y("10mm")).length, 4);
});

test("what is dragged snaps to the nearest line within reach", () => {
  assert.equal(nearest(100, [94, 103, 200], 5), 103);
  assert.equal(nearest(100, [94, 106], 5), null);
  assert.equal(nearest(100, [], 5), null);
});
