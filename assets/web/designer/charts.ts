// Charts as people ask for them: a kind, what stands along, what is measured, and
// what it is split by. The settings of both chart components come from that.

import type { Component } from "./api";
import { type Node, withSetting } from "./model";
import type { Pick } from "./values";
import { say } from "../words";

export type Kind = "column" | "stacked" | "bar" | "line" | "area" | "scatter" | "pie" | "donut";

export const KINDS: Record<Kind, string> = { column: say("Columns | kind of chart"), stacked: say("Stacked columns"), bar: say("Bars"), line: say("Lines"), area: say("Areas"), scatter: say("Points"), pie: say("Pie"), donut: say("Donut") };

/** The components that draw charts, by what they are made of. */
export interface ChartTypes {
  axes: Component;
  slices: Component;
}

export function chartTypes(components: readonly Component[]): ChartTypes | null {
  const has = (c: Component, ...names: string[]): boolean => names.every((name) => c.settings.some((s) => s.name === name));
  const axes = components.find((c) => c.settings.some((s) => s.name === "series" && ["xField", "yField"].every((name) => s.item?.settings?.some((i) => i.name === name))));
  const slices = components.find((c) => has(c, "nameField", "valueField", "innerPieRadius"));
  return axes && slices ? { axes, slices } : null;
}

type Series = Record<string, unknown>;

/** What a chart is asked to show. */
export interface Asked {
  source: string;
  category: string;
  value: string;
  aggregate: string;
  split: string;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const seriesOf = (node: Node): Series[] => (Array.isArray(node.props?.series) ? (node.props.series as Series[]) : []);

export const isChart = (node: Node, types: ChartTypes | null): types is ChartTypes => types !== null && (node.type === types.axes.name || node.type === types.slices.name);

export function askedOf(node: Node, { slices }: ChartTypes): Asked {
  const props = node.props ?? {};
  if (node.type === slices.name) return { source: text(props.source), category: text(props.nameField), value: text(props.valueField), aggregate: text(props.aggregate), split: "" };
  const [first = {}] = seriesOf(node);
  return { source: text(props.source) || text(first.source), category: text(first.xField), value: text(first.yField), aggregate: text(first.aggregate), split: text(first.splitField) };
}

/** The kind of a chart; null while it has none, or one of several kinds. */
export function kindOfChart(node: Node, { slices }: ChartTypes): Kind | null {
  if (node.type === slices.name) return Number(node.props?.innerPieRadius ?? 0) > 0 ? "donut" : "pie";
  const kinds = new Set(seriesOf(node).map((s) => (s.chartType === "column" && s.stacked === true ? "stacked" : text(s.chartType) || "line")));
  const [kind] = kinds;
  return kinds.size === 1 && kind! in KINDS ? (kind as Kind) : null;
}

const HOLE = 60;
/** Which kinds make one value of the rows of a category. */
const FOLDS: readonly Kind[] = ["column", "stacked", "bar", "line", "area", "pie", "donut"];

function seriesLike(kind: Kind, { stacked: _, stack: __, ...series }: Series): Series {
  return { ...series, chartType: kind === "stacked" ? "column" : kind, ...(kind === "stacked" ? { stacked: true } : {}) };
}

/** A chart of another kind that shows the same. */
export function withKind(node: Node, kind: Kind, types: ChartTypes): Node {
  const asked = askedOf(node, types);
  const round = kind === "pie" || kind === "donut";
  const type = round ? types.slices : types.axes;
  const same = node.type === type.name;
  const kept = Object.fromEntries(Object.entries(node.props ?? {}).filter(([name]) => same || (name !== "series" && type.settings.some((s) => s.name === name) && !OWN.includes(name))));
  const bare: Node = { ...node, type: type.name, props: kept };
  const set = (n: Node, values: Record<string, unknown>): Node => Object.entries(values).reduce((all, [name, value]) => withSetting(all, name, value), n);
  if (round) return set(bare, { innerPieRadius: kind === "donut" ? HOLE : undefined, ...(same ? {} : { source: asked.source, nameField: asked.category, valueField: asked.value, aggregate: asked.aggregate }) });
  const series = same ? seriesOf(node) : [{ ...(asked.category ? { xField: asked.category } : {}), ...(asked.value ? { yField: asked.value } : {}), ...(asked.aggregate ? { aggregate: asked.aggregate } : {}) }];
  return set(bare, { ...(same ? {} : { source: asked.source }), series: (series.length > 0 ? series : [{}]).map((s) => seriesLike(kind, s)) });
}

/** Settings that both components have and mean differently. */
const OWN = ["aggregate", "legend"];

/** A chart that is asked to show something else. */
export function withAsked(node: Node, changes: Partial<Asked>, types: ChartTypes): Node {
  const kind = kindOfChart(node, types);
  const folds = kind === null || FOLDS.includes(kind);
  // What rows of the same category become is said from the beginning.
  const asked = { ...askedOf(node, types), ...changes };
  const whole = folds && asked.category && asked.value && !asked.aggregate && !("aggregate" in changes) ? { ...changes, aggregate: "sum" } : changes;
  if (node.type === types.slices.name) {
    const names: Record<string, string> = { source: "source", category: "nameField", value: "valueField", aggregate: "aggregate" };
    return Object.entries(whole).reduce((n, [name, value]) => (names[name] ? withSetting(n, names[name], value) : n), node);
  }
  const { source, ...fields } = whole;
  const names: Record<string, string> = { category: "xField", value: "yField", aggregate: "aggregate", split: "splitField" };
  const series = (seriesOf(node).length > 0 ? seriesOf(node) : [{ chartType: "column" }]).map((s, i) =>
    Object.entries(fields).reduce<Series>((all, [name, value]) => {
      if (i > 0 && name !== "category" && name !== "aggregate") return all;
      const { [names[name]!]: _, ...rest } = all;
      return value ? { ...rest, [names[name]!]: value } : rest;
    }, s),
  );
  const placed = source === undefined ? node : withSetting(node, "source", source);
  return Object.keys(fields).length > 0 ? withSetting(placed, "series", series) : placed;
}

/** What a chart of some rows most likely shows: the first text or date along, the first number measured. */
export function guessOf(fields: readonly Pick[]): Partial<Asked> {
  const category = fields.find((f) => f.kind === "text") ?? fields.find((f) => f.kind === "date");
  const numbers = fields.filter((f) => f.kind === "number");
  const value = numbers.find((f) => !/(^|\.|[a-z])(id|no|number|year)$/i.test(f.value)) ?? numbers[0];
  return { ...(category ? { category: category.value } : {}), ...(value ? { value: value.value } : {}) };
}
