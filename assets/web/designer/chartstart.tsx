// How a chart begins: with a picture of its kind, and the fields that it shows.

import { askedOf, type Asked, chartTypes, type ChartTypes, guessOf, isChart, type Kind, KINDS, kindOfChart, withAsked, withKind } from "./charts";
import { factsOf } from "./complete";
import { lockOf } from "./locks";
import { update, type Node } from "./model";
import { PickField } from "./picker";
import type { State } from "./state";
import { picks } from "./values";
import { say, t } from "../words";

const types = (state: State): ChartTypes | null => chartTypes(state.components.value);

/** Gives a chart another kind; one that shows nothing yet begins with what there is. */
function choose(state: State, node: Node, kind: Kind, all: ChartTypes): void {
  const made = withKind(node, kind, all);
  const { source, category, value } = askedOf(made, all);
  state.commit(t(KINDS[kind]), update(state.report.value, node.id, () => (category || value ? made : begun(state, made, source, all))));
}

/** A chart with the first rows that there are, and the fields that it most likely shows. */
function begun(state: State, node: Node, source: string, all: ChartTypes): Node {
  const rows = source || picks(factsOf(state), "list", "")[0]?.value;
  if (!rows) return node;
  const placed = withAsked(node, { source: rows }, all);
  const facts = { ...factsOf(state), report: update(state.report.value, node.id, () => placed), element: node.id };
  return withAsked(placed, guessOf(picks(facts, "field", `f-${node.id}.`)), all);
}

export function Gallery({ state, node, all }: { state: State; node: Node; all: ChartTypes }) {
  const now = kindOfChart(node, all);
  return (
    <div class="d-gallery" role="group" aria-label={t("Kind of the chart")}>
      {(Object.keys(KINDS) as Kind[]).map((kind) => (
        <button key={kind} type="button" aria-pressed={kind === now} onClick={() => choose(state, node, kind, all)}>
          <Picture kind={kind} />
          <span>{t(KINDS[kind])}</span>
        </button>
      ))}
    </div>
  );
}

const AGGREGATES: Record<string, string> = { sum: say("Sum"), average: say("Average"), count: say("Count"), min: say("Smallest"), max: say("Largest"), each: say("Each row by itself") };

/** The kind of a chart and its fields, above all its other settings. */
export function ChartFields({ state, node }: { state: State; node: Node }) {
  const all = types(state);
  if (!isChart(node, all)) return null;
  const asked = askedOf(node, all);
  const slices = node.type === all.slices.name;
  const set = (changes: Partial<Asked>, label: string) => state.set(node.id, label, (n) => withAsked(n, changes, all), `chart ${node.id} ${Object.keys(changes).join()}`);
  const place = (name: string): string => `f-${node.id}.${slices ? "" : "series.0."}${name}#start`;
  return (
    <section class="d-chart" aria-label={t("Chart")}>
      <Gallery state={state} node={node} all={all} />
      <PickField id={`f-${node.id}.source#start`} label={t("Rows of")} value={asked.source} wanted="list" change={(source) => set({ source }, t("Rows of the chart"))} />
      <PickField id={place("xField")} label={slices ? t("Slices") : t("Category")} value={asked.category} wanted="field" change={(category) => set({ category }, t("Category of the chart"))} />
      <PickField id={place("yField")} label={t("Value")} value={asked.value} wanted="field" change={(value) => set({ value }, t("Value of the chart"))} />
      {kindOfChart(node, all) !== "scatter" && (
        <div class="d-field">
          <label for={`${node.id}-folds`}>{t("Rows of the same category")}</label>
          <select id={`${node.id}-folds`} value={asked.aggregate} onChange={(e) => set({ aggregate: e.currentTarget.value }, t("Rows of the same category"))}>
            {asked.aggregate === "" && <option value="">{t("Sum")}</option>}
            {Object.entries(AGGREGATES).map(([name, words]) => (
              <option key={name} value={name}>
                {t(words)}
              </option>
            ))}
          </select>
        </div>
      )}
      {!slices && <PickField id={place("splitField")} label={t("Series")} help={t("A line, area or column for each value of this field.")} value={asked.split} wanted="field" change={(split) => set({ split }, t("Series of the chart"))} />}
    </section>
  );
}

/** Whether an element is a chart that shows nothing yet: that is no fault, it is asked what it is to show. */
export function isUnbegun(state: State, node: Node): boolean {
  const all = types(state);
  if (!isChart(node, all)) return false;
  const { category, value } = askedOf(node, all);
  return !category && !value;
}

/** Above a chart on the page that shows nothing yet. */
export function ChartStart({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const node = state.node.value;
  const all = types(state);
  if (!node || !isChart(node, all) || !isUnbegun(state, node) || state.shadow.value || lockOf(state.report.value, node.id)) return null;
  const box = state.stage!.boxes(node.id)[0];
  if (!box) return null;
  // Half its height above the middle of the chart, and never beyond the edge.
  return (
    <div class="d-begin" style={{ left: `${(box.left + box.width / 2) * zoom}px`, top: `max(6px, calc(${(box.top + box.height / 2) * zoom}px - 6rem))` }} onPointerDown={(e) => e.stopPropagation()}>
      <Gallery state={state} node={node} all={all} />
    </div>
  );
}

/** A chart of each kind over the same four values, as it is to be recognised. */
function Picture({ kind }: { kind: Kind }) {
  return (
    <svg viewBox="0 0 48 32" aria-hidden="true" class="d-kind">
      {PICTURES[kind].map(([shape, tone]) => (
        <path key={shape} d={shape} class={`d-tone-${tone}`} />
      ))}
    </svg>
  );
}

type Tone = "one" | "two" | "three" | "line" | "axis";
const AXES: [string, Tone] = ["M4 2v27h42", "axis"];

const PICTURES: Record<Kind, [string, Tone][]> = {
  column: [AXES, ["M8 16h6v12H8z", "one"], ["M18 9h6v19h-6z", "one"], ["M28 13h6v15h-6z", "one"], ["M38 5h6v23h-6z", "one"]],
  stacked: [AXES, ["M8 20h6v8H8z", "one"], ["M8 13h6v6H8z", "two"], ["M18 16h6v12h-6z", "one"], ["M18 7h6v8h-6z", "two"], ["M28 19h6v9h-6z", "one"], ["M28 12h6v6h-6z", "two"], ["M38 13h6v15h-6z", "one"], ["M38 4h6v8h-6z", "two"]],
  bar: [AXES, ["M5 4h20v5H5z", "one"], ["M5 12h32v5H5z", "one"], ["M5 20h26v5H5z", "one"]],
  line: [AXES, ["M7 22 18 12l11 6L44 5", "line"]],
  area: [AXES, ["M5 28V20l12-9 12 7L45 6v22z", "two"], ["M5 20l12-9 12 7L45 6", "line"]],
  scatter: [AXES, ["M9 22a2 2 0 104 0 2 2 0 10-4 0M17 13a2 2 0 104 0 2 2 0 10-4 0M25 19a2 2 0 104 0 2 2 0 10-4 0M31 9a2 2 0 104 0 2 2 0 10-4 0M39 6a2 2 0 104 0 2 2 0 10-4 0", "one"]],
  pie: [["M24 16V3a13 13 0 0111.3 19.5z", "one"], ["M24 16l11.3 6.5a13 13 0 01-20.5 2.7z", "two"], ["M24 16l-9.2 9.2A13 13 0 0124 3z", "three"]],
  donut: [["M24 3a13 13 0 0111.3 19.5l-5.2-3A7 7 0 0024 9z", "one"], ["M35.3 22.5a13 13 0 01-20.5 2.7l4.2-4.3a7 7 0 0011.1-1.4z", "two"], ["M14.8 25.2A13 13 0 0124 3v6a7 7 0 00-5 11.9z", "three"]],
};
