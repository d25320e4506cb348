import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component, Setting } from "./api";
import { type Asked, askedOf, chartTypes, guessOf, kindOfChart, KINDS, type Kind, withAsked, withKind } from "./charts";
import type { Node } from "./model";

const setting = (name: string, more: Partial<Setting> = {}): Setting => ({ name, shape: "string", ...more });
const component = (name: string, settings: Setting[]): Component => ({ name, label: name, category: "Charts", help: "", icon: "", settings });
const types = chartTypes([
  component("text", [setting("text")]),
  component("generic-chart", [setting("source"), setting("series", { shape: "array", item: setting("", { shape: "object", settings: [setting("xField"), setting("yField")] }) }), setting("height"), setting("legend")]),
  component("pie-chart", [setting("source"), setting("nameField"), setting("valueField"), setting("aggregate"), setting("innerPieRadius"), setting("height"), setting("legend")]),
])!;
const empty: Node = { id: "c", type: "generic-chart", props: { height: "80mm" } };
const asked: Asked = { source: "$data.sales", category: "region", value: "amount", aggregate: "sum", split: "" };

test("every kind of the gallery is known again, and keeps what the chart shows", () => {
  const start = withAsked(withKind(empty, "column", types), { source: "$data.sales", category: "region", value: "amount" }, types);
  assert.deepEqual(askedOf(start, types), asked, "repeated categories are added up without a warning");
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const made = withKind(start, kind, types);
    assert.equal(kindOfChart(made, types), kind);
    assert.deepEqual(askedOf(made, types), asked, kind);
    assert.equal(made.props!.height, "80mm");
    for (const back of Object.keys(KINDS) as Kind[]) assert.deepEqual(askedOf(withKind(made, back, types), types), asked, `${kind} to ${back}`);
  }
});

test("a pie has no settings of axes, and the other way round", () => {
  const chart = withKind({ ...empty, props: { legend: { position: "auto" } } }, "stacked", types);
  assert.deepEqual(chart.props!.series, [{ chartType: "column", stacked: true }]);
  assert.deepEqual(withKind(chart, "donut", types), { id: "c", type: "pie-chart", props: { innerPieRadius: 60 } });
  assert.equal(withKind(withKind(chart, "donut", types), "pie", types).props, undefined);
});

test("the boxes change all series, or the first", () => {
  const two: Node = { id: "c", type: "generic-chart", props: { source: "$data.a", series: [{ chartType: "line", xField: "m", yField: "a" }, { chartType: "column", xField: "m", yField: "b" }] } };
  assert.equal(kindOfChart(two, types), null, "one of several kinds");
  assert.deepEqual(withAsked(two, { category: "n", value: "c" }, types).props!.series, [
    { chartType: "line", xField: "n", yField: "c", aggregate: "sum" },
    { chartType: "column", xField: "n", yField: "b", aggregate: "sum" },
  ]);
  assert.deepEqual((withAsked(two, { split: "region" }, types).props!.series as object[])[0], { chartType: "line", xField: "m", yField: "a", aggregate: "sum", splitField: "region" });
  assert.deepEqual((withAsked(withAsked(two, { split: "region" }, types), { split: "", aggregate: "" }, types).props!.series as object[])[0], { chartType: "line", xField: "m", yField: "a" });
  const points = withAsked(withKind(empty, "scatter", types), { category: "x", value: "y" }, types);
  assert.deepEqual(points.props!.series, [{ chartType: "scatter", xField: "x", yField: "y" }], "points are rows, each of them");
});

test("what a chart most likely shows", () => {
  const field = (value: string, kind: "text" | "number" | "date") => ({ value, kind, sample: "" });
  assert.deepEqual(guessOf([field("orderId", "number"), field("day", "date"), field("region", "text"), field("amount", "number")]), { category: "region", value: "amount" });
  assert.deepEqual(guessOf([field("day", "date"), field("year", "number")]), { category: "day", value: "year" });
  assert.deepEqual(guessOf([field("name", "text")]), { category: "name" });
});
