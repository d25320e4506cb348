import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component } from "./api";
import type { Report } from "./model";
import { references } from "./values";

const components = [
  { name: "heading", settings: [{ name: "title", shape: "string", means: "text" }, { name: "level", shape: "string", means: "level" }, { name: "anchor", shape: "string" }] },
  { name: "figure-caption", settings: [{ name: "title", shape: "string", means: "text" }, { name: "anchor", shape: "string" }] },
  { name: "text", settings: [{ name: "text", shape: "string", means: "text" }] },
] as unknown as Component[];

const report = (...props: Record<string, unknown>[]) => ({ name: "T", pages: [{ id: 1, name: "", elements: [{ id: "t", type: "text", props: { text: "Costs" } }, ...props.map((p, i) => ({ id: `h${i}`, type: "heading", props: p }))] }] }) as unknown as Report;

test("headings are named by their anchors, else by their words", () => {
  const values = references(report({ title: "What it costs" }, { title: "Übersicht", anchor: "overview" }), components).map((p) => [p.value, p.sample]);
  assert.deepEqual(values, [
    ["['h-What it costs']:pageOf", "page of What it costs"],
    ["['overview']:pageOf", "page of Übersicht"],
    ["['h-What it costs']:titleOf", "words of What it costs"],
    ["['overview']:titleOf", "words of Übersicht"],
    ["['h-What it costs']:numberOf", "number of What it costs"],
    ["['overview']:numberOf", "number of Übersicht"],
  ]);
});

test("captions have the names that they are given", () => {
  const caption = (props: Record<string, unknown>) => ({ ...report(), pages: [{ id: 1, name: "", elements: [{ id: "c", type: "figure-caption", props }] }] }) as unknown as Report;
  assert.deepEqual(references(caption({ title: "Sales" }), components), []);
  assert.deepEqual(references(caption({ title: "Sales", anchor: "sales" }), components).map((p) => p.value), ["['sales']:pageOf", "['sales']:titleOf", "['sales']:numberOf"]);
});

test("what has no name that can be written, or one that is taken, is not offered", () => {
  const offered = (...props: Record<string, unknown>[]) => references(report(...props), components).length / 3;
  assert.equal(offered({ title: "Costs of {$data.year}" }), 0);
  assert.equal(offered({ title: "Costs of {$data.year}", anchor: "costs" }), 1);
  assert.equal(offered({ title: "It's" }, { title: "" }, {}), 0);
  assert.equal(offered({ title: "Costs" }, { title: "Costs" }), 1);
});
