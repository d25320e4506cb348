// A field of a list on its way to where it is wanted: a table gets a column, a
// chart an axis, a field of the settings its path; elsewhere it is a new table.

import { follow, type Gesture } from "./drag";
import { dropAt } from "./drop";
import { add, insertAt } from "./edit";
import { humanise } from "./labels";
import { type Node, update, withSetting } from "./model";
import { PICKED } from "./picker";
import type { Stage } from "./stage";
import type { State } from "./state";
import type { Pick } from "./values";
import { t } from "../words";

interface Taken {
  label: string;
  node: Node;
}

type Series = Record<string, unknown>;

/** An element with a field in it, where it can take one of the list: a column, an axis, a slice. */
function taking(state: State, node: Node, path: string, { value, kind }: Pick): Taken | null {
  const settings = state.settingsOf(node.type);
  const has = (name: string) => settings.find((s) => s.name === name);
  const own = node.props?.source;
  if (own !== undefined && own !== path) return null; // it shows another list
  const of = (changed: Node): Node => (has("source") ? withSetting(changed, "source", path) : changed);
  if (has("columns")?.editor === "columns") {
    const columns = Array.isArray(node.props?.columns) ? (node.props.columns as unknown[]) : [];
    return { label: t("Column {0}", value), node: of(withSetting(node, "columns", [...columns, { field: value, title: humanise(value.split(".").at(-1)!) }])) };
  }
  const axes = has("series")?.item?.settings?.map((s) => s.name) ?? [];
  if (axes.includes("xField") && axes.includes("yField")) {
    const series = Array.isArray(node.props?.series) ? (node.props.series as Series[]) : [];
    const [first = { chartType: "column" }, ...rest] = series;
    const axis = kind === "number" ? "yField" : "xField";
    // A second number is a series of its own beside the first.
    const made = axis === "yField" && first.yField ? [...series, { ...first, yField: value }] : [{ ...first, [axis]: value }, ...(axis === "xField" ? rest.map((s) => ({ ...s, xField: value })) : rest)];
    return { label: axis === "xField" ? t("Axis of {0}", value) : t("Values of {0}", value), node: of(withSetting(node, "series", made)) };
  }
  if (has("nameField") && has("valueField")) {
    const name = kind === "number" ? "valueField" : "nameField";
    return { label: name === "valueField" ? t("Values of {0}", value) : t("Slices of {0}", value), node: of(withSetting(node, name, value)) };
  }
  return null;
}

const tableOf = (path: string, { value }: Pick): Node => ({ id: "", type: "data-table", props: { source: path, breakAcrossPages: true, columns: [{ field: value, title: humanise(value.split(".").at(-1)!) }] } });

/** Puts a field into an element; where that takes none, into a new table. */
export function placeField(state: State, id: string | null, path: string, field: Pick): void {
  const node = id ? state.nodeOf(id) : null;
  const taken = node && taking(state, node, path, field);
  state.source.value = null;
  if (taken) state.commit(taken.label, update(state.report.value, taken.node.id, () => taken.node), { select: [taken.node.id] });
  else add(state, [tableOf(path, field)], t("Add data table"));
}

/** Drags a field. */
export function dragField(state: State, e: PointerEvent, path: string, field: Pick): void {
  const stage = state.stage;
  if (!stage || e.button !== 0) return;
  follow(stage, e, () => fieldGesture(state, stage, path, field));
}

function fieldGesture(state: State, stage: Stage, path: string, field: Pick): Gesture {
  let into: HTMLElement | null = null;
  let onto: Taken | null = null;
  const leave = () => into?.classList.remove("d-takes");
  return {
    move(e, at) {
      leave();
      const over = document.elementFromPoint(e.clientX, e.clientY);
      into = over?.closest(".d-pick")?.querySelector<HTMLElement>('[data-takes="field"]') ?? null;
      into?.classList.add("d-takes");
      const onCanvas = over?.closest(".d-canvas");
      const hit = onCanvas ? stage.nodeAt(at) : null;
      const around = hit ? [hit.id, ...state.ancestorsOf(hit.id).reverse()] : [];
      onto = around.map((id) => state.nodeOf(id)).reduce<Taken | null>((found, node) => found ?? (node && taking(state, node, path, field)), null);
      const box = onto && stage.boxes(onto.node.id)[0];
      state.drop.value = box ? { target: state.pageEnd, line: box, frame: box, whole: true } : onCanvas ? dropAt(state, stage, at, ["data-table"], []) : null;
      state.shadow.value = { x: e.clientX, y: e.clientY, label: onto?.label ?? state.drop.value?.refused ?? field.value };
    },
    done() {
      const drop = state.drop.value;
      if (into) into.dispatchEvent(new CustomEvent(PICKED, { detail: field.value }));
      else if (onto) placeField(state, onto.node.id, path, field);
      else if (drop && !drop.refused) insertAt(state, drop.target, [tableOf(path, field)], t("Add data table"), drop.beside);
    },
    ended() {
      leave();
      state.drop.value = null;
      state.shadow.value = null;
    },
  };
}
