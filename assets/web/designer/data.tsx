// The data of a report: its sources with what they give, and the form of one.

import { useState } from "preact/hooks";
import type { Node, Report, Source } from "./model";
import { Field, humanise, Text } from "./panel";
import type { State } from "./state";

export function Data({ state }: { state: State }) {
  const sources = state.report.value.dataSources ?? [];
  const [type, choose] = useState("json");
  const add = () => {
    const name = freeName(sources, type);
    const made: Source = { name, type };
    state.commit("Add data source", { ...state.report.value, dataSources: [...sources, made] });
    state.source.value = name;
  };
  return (
    <section class="d-data" aria-label="Data">
      <h3>Data</h3>
      {sources.length === 0 && <p class="d-hint">No data yet. Add a source, then click its fields to put them on the page.</p>}
      <ul>
        {sources.map((s) => (
          <li key={s.name}>
            <button type="button" aria-pressed={state.source.value === s.name} onClick={() => (state.source.value = s.name)}>
              {s.name || s.reuse}
            </button>
            <Fields state={state} path={`$data.${s.name || s.reuse}`} value={state.sample.value[s.name || s.reuse || ""]} />
          </li>
        ))}
      </ul>
      <div class="d-buttons">
        <select aria-label="Type of data source" value={type} onChange={(e) => choose(e.currentTarget.value)}>
          {state.sourceTypes.value.map((t) => (
            <option key={t.name} value={t.name}>
              {t.label}
            </option>
          ))}
        </select>
        <button type="button" onClick={add}>
          Add data source
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

/** What a source gives: a click on a list makes a table, on a value a text. */
function Fields({ state, path, value }: { state: State; path: string; value: unknown }) {
  if (Array.isArray(value)) {
    const row = value.find((v) => v !== null && typeof v === "object");
    return (
      <ul>
        <li>
          <button type="button" title={`Add a table of ${path}`} onClick={() => addTable(state, path, row)}>
            Table of {row ? Object.keys(row).length : 0} columns
          </button>
        </li>
      </ul>
    );
  }
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
            <button type="button" title={`Add a text of {${path}.${name}}`} onClick={() => addText(state, `${path}.${name}`)}>
              <span>{name}</span> <small>{String(member ?? "")}</small>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function addText(state: State, path: string): void {
  state.source.value = null;
  state.add([{ id: "", type: "text", props: { text: `{${path}}` } }], "Add text");
}

function addTable(state: State, path: string, row: object | undefined): void {
  const columns = Object.entries(row ?? {})
    .filter(([, v]) => v === null || typeof v !== "object")
    .map(([field]) => ({ field, title: humanise(field) }));
  const node: Node = { id: "", type: "data-table", props: { source: path, breakAcrossPages: true, columns } };
  state.source.value = null;
  state.add([node], "Add data table");
}

/** The form of the data source that is being edited. */
export function SourceForm({ state }: { state: State }) {
  const report = state.report.value;
  const at = (report.dataSources ?? []).findIndex((s) => (s.name || s.reuse) === state.source.value);
  const source = report.dataSources?.[at];
  if (!source) return <p class="d-hint">The data source is gone.</p>;
  const type = state.sourceTypes.value.find((t) => t.name === source.type);
  const change = (label: string, changed: Source | null, key: string) => {
    const after: Report = { ...report, dataSources: report.dataSources!.flatMap((s, i) => (i !== at ? [s] : changed ? [changed] : [])) };
    state.commit(label, after, { key });
  };
  const rename = (name: string) => {
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return;
    change("Rename data source", { ...source, name }, `source ${at} name`);
    state.source.value = name;
  };
  const set = (name: string, value: unknown) => {
    const settings = { ...source.settings };
    if (value === undefined || value === "") delete settings[name];
    else settings[name] = value;
    change(`Change ${name}`, { ...source, settings }, `source ${at} ${name}`);
  };
  return (
    <form class="d-form" key={at} onSubmit={(e) => e.preventDefault()}>
      <h2>{type?.label ?? source.type ?? "Data source"}</h2>
      {type?.help && <p class="d-hint">{type.help}</p>}
      <Text id={`source-${at}-name`} label="Name" help={`{$data.${source.name}} in templates; letters, digits and _.`} value={source.name ?? ""} change={rename} />
      {type?.settings.map((s) => (
        <Field key={s.name} setting={s} value={source.settings?.[s.name]} change={(v) => set(s.name, v)} path={`source-${at}.${s.name}`} />
      ))}
      <div class="d-buttons">
        <button type="button" onClick={() => (change("Delete data source", null, ""), (state.source.value = null))}>
          Delete data source
        </button>
      </div>
    </form>
  );
}
