// The data of a report: its sources with what they give, and the form of one.

import { useState } from "preact/hooks";
import { type Attached, Shelf } from "./attach";
import { dragField, placeField } from "./dragfield";
import { dragNew } from "./drag";
import { add } from "./edit";
import type { Node, Source } from "./model";
import { columnsOf } from "./panel";
import { useShared } from "./references";
import { KindIcon } from "./picker";
import { newSource } from "./source";
import { below, kindOf, rowOf, shortly } from "./values";
import type { State } from "./state";
import { say, t } from "../words";

export function Data({ state }: { state: State }) {
  const sources = state.report.value.dataSources ?? [];
  const [type, choose] = useState("json");
  const create = () => {
    const name = freeName(sources, type);
    const made = newSource(name, type);
    state.commit(t("Add data source"), { ...state.report.value, dataSources: [...sources, made] });
    state.source.value = name;
  };
  const attach = (made: Attached) => {
    state.commit(t("Add data source"), { ...state.report.value, dataSources: [...sources, made] });
    state.source.value = made.name;
  };
  const given = state.sample.value;
  const forAll = useShared(state, "dataSources").filter((d) => d.scope === "global" && d.name in given && !sources.some((s) => (s.name || s.reuse) === d.name));
  return (
    <section class="d-data" aria-label={t("Data")}>
      {sources.length === 0 && <p class="d-hint">{t("No data yet. Add a source, then click its fields to put them on the page.")}</p>}
      <Shelf state={state} kind="dataSources" used={sources} called={(type) => state.sourceTypes.value.find((k) => k.name === type)?.label ?? type} attach={attach} />
      <ul>
        {sources.map((s) => (
          <li key={s.name}>
            <button type="button" aria-pressed={state.source.value === s.name} onClick={() => (state.source.value = s.name)}>
              {s.name || s.reuse}
            </button>
            <Fields state={state} path={`$data.${s.name || s.reuse}`} value={state.sample.value[s.name || s.reuse || ""]} />
          </li>
        ))}
        {forAll.map((d) => (
          <li key={`all ${d.name}`}>
            <p class="d-hint">{t("{0}, for all reports", d.displayName || d.name)}</p>
            <Fields state={state} path={`$data.${d.name}`} value={given[d.name]} />
          </li>
        ))}
      </ul>
      <div class="d-buttons">
        <select aria-label={t("Type of data source")} value={type} onChange={(e) => choose(e.currentTarget.value)}>
          {state.sourceTypes.value.map((t) => (
            <option key={t.name} value={t.name}>
              {t.label}
            </option>
          ))}
        </select>
        <button type="button" onClick={create}>
          {t("Add data source")}
        </button>
      </div>
    </section>
  );
}

function freeName(sources: Source[], type: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${type}Data` : `${type}Data${n}`;
    if (!sources.some((s) => s.name === name)) return name;
  }
}

/** What a source gives: a click on a list makes a table, on a value a text; the fields of a list are dragged to where they are wanted. */
function Fields({ state, path, value }: { state: State; path: string; value: unknown }) {
  if (Array.isArray(value)) return <List state={state} path={path} rows={value} />;
  if (value === null || typeof value !== "object") return null;
  return (
    <ul>
      {Object.entries(value).map(([name, member]) => (
        <li key={name}>
          {member !== null && typeof member === "object" ? (
            <>
              <span class="d-hint">{name}</span>
              <Fields state={state} path={`${path}.${name}`} value={member} />
            </>
          ) : (
            <button type="button" title={t("Add a text of {0}", `{${path}.${name}}`)} onPointerDown={(e) => dragNew(state, e, t("Text"), () => [textOf(`${path}.${name}`)])} onClick={() => put(state, textOf(`${path}.${name}`), t("Add text"))}>
              <KindIcon kind={kindOf(member)} /> <span>{name}</span> <small title={shortly(member)}>{shortly(member)}</small>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A list: all of it as a table, and each of its fields. */
function List({ state, path, rows }: { state: State; path: string; rows: unknown[] }) {
  if (rows.length === 0) return <p class="d-hint">{t("An empty list")}</p>;
  const row = rowOf(rows);
  return (
    <ul>
      <li>
        <button type="button" title={t("Add a table of {0}", path)} onPointerDown={(e) => dragNew(state, e, t("Data table"), () => [tableOf(path, row)])} onClick={() => put(state, tableOf(path, row), t("Add data table"))}>
          <KindIcon kind="list" /> {t(Object.keys(row).length === 1 ? say("Table of 1 column") : say("Table of {0} columns"), Object.keys(row).length)}
        </button>
      </li>
      {below(row)
        .filter((p) => p.kind !== "object")
        .map((p) => (
          <li key={p.value}>
            <button type="button" title={t("Drag it onto a table, a chart or a field; a click adds it to what is selected.")} onPointerDown={(e) => dragField(state, e, path, p)} onClick={() => placeField(state, state.node.value?.id ?? null, path, p)}>
              <KindIcon kind={p.kind} /> <span>{p.value}</span> <small title={p.sample}>{p.sample}</small>
            </button>
          </li>
        ))}
    </ul>
  );
}

function put(state: State, node: Node, label: string): void {
  state.source.value = null;
  add(state, [node], label);
}

function textOf(path: string): Node {
  return { id: "", type: "text", props: { text: `{${path}}` } };
}

/** A table with a column for each plain value of a row; numbers stand at the right by themselves. */
function tableOf(path: string, row: object | undefined): Node {
  return { id: "", type: "data-table", props: { source: path, breakAcrossPages: true, columns: columnsOf(row ?? {}) } };
}
