// The form of one data source: its settings, what it depends on, and a run that
// shows its rows.

import { useState } from "preact/hooks";
import { reason, type Run, type Setting } from "./api";
import type { Report, Source } from "./model";
import { Faulty, type FormContext, Text } from "./fields";
import { Field } from "./panel";
import { Reference } from "./references";
import { Rows } from "./rows";
import type { State } from "./state";
import { say, t } from "../words";

export function SourceForm({ state }: { state: State }) {
  const report = state.report.value;
  const at = (report.dataSources ?? []).findIndex((s) => (s.name || s.reuse) === state.source.value);
  const source = report.dataSources?.[at];
  if (!source) return <p class="d-hint">{t("The data source is gone.")}</p>;
  const type = state.sourceTypes.value.find((t) => t.name === source.type);
  const change = (label: string, changed: Source | null, key: string) => {
    const after: Report = { ...report, dataSources: report.dataSources!.flatMap((s, i) => (i !== at ? [s] : changed ? [changed] : [])) };
    state.commit(label, after, { key });
  };
  const rename = (name: string) => {
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return;
    change(t("Rename data source"), { ...source, name }, `source ${at} name`);
    state.source.value = name;
  };
  const set = (name: string, value: unknown) => {
    const settings = { ...source.settings };
    if (value === undefined || value === "") delete settings[name];
    else settings[name] = value;
    change(t("Change {0}", name), { ...source, settings }, `source ${at} ${name}`);
  };
  const depend = (dependencies: string[]) => {
    const { dependencies: _, ...rest } = source;
    change(t("Change dependencies"), dependencies.length > 0 ? { ...rest, dependencies } : rest, "");
  };
  return (
    <form class="d-form" key={at} onSubmit={(e) => e.preventDefault()}>
      <h2>{source.reuse ? t("Reusable data source") : (type?.label ?? source.type ?? t("Data source"))}</h2>
      {type?.help && <p class="d-hint">{type.help}</p>}
      <Faulty id={`f-source-${at}`} />
      <Text id={`source-${at}-name`} label={t("Name")} help={t("{0} in templates; letters, digits and _.", `{$data.${source.name || source.reuse}}`)} value={source.name ?? ""} change={rename} />
      {source.reuse !== undefined && <Reference state={state} id={`source-${at}-reuse`} label={t("Taken from the library")} help={undefined} kind="dataSources" value={source.reuse} change={(v) => change(t("Change data source"), { ...source, reuse: String(v ?? "") }, "")} none="" />}
      {type?.settings.map((s) => (
        <SourceField key={s.name} state={state} setting={s} source={source} value={source.settings?.[s.name]} change={(v) => set(s.name, v)} path={`source-${at}.${s.name}`} />
      ))}
      <Dependencies report={report as Report & Asking} source={source} change={depend} />
      {state.api.run && <Try run={() => state.api.run!(state.whole, source.name || source.reuse || "", state.drawnAs.params ?? {})} />}
      <div class="d-buttons">
        <button type="button" onClick={() => (change(t("Delete data source"), null, ""), (state.source.value = null))}>
          {t("Delete data source")}
        </button>
      </div>
    </form>
  );
}

interface SourceFieldProps {
  state: FormContext;
  setting: Setting;
  source: Source;
  value: unknown;
  change: (v: unknown) => void;
  path: string;
}

/** A setting of a source; what is pasted may come from a file, too. */
export function SourceField({ state, setting, source, value, change, path }: SourceFieldProps) {
  if (setting.name !== "content") return <Field state={state} setting={setting} value={value} change={change} path={path} />;
  const read = async (files: FileList | null) => files?.[0] && change(parsed(await files[0].text(), setting.shape));
  return (
    <>
      <Field state={state} setting={setting} value={value} change={change} path={path} />
      <div class="d-field">
        <label for={`${path}-file`}>{t("Take from a file")}</label>
        <input id={`${path}-file`} type="file" accept={source.type === "csv" ? ".csv,.tsv,.txt" : ".json,.txt"} onChange={(e) => void read(e.currentTarget.files)} />
      </div>
    </>
  );
}

/** The value of a file: of JSON the value itself where it is one. */
function parsed(text: string, shape: Setting["shape"]): unknown {
  if (shape === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // the service says what is wrong
  }
}

/** What a new source begins with, so that it can be saved and run at once where that needs no connection. */
export function newSource(name: string, type: string): Source {
  const settings = BEGINNINGS[type];
  return settings ? { name, type, settings } : { name, type };
}

const BEGINNINGS: Record<string, Record<string, unknown>> = {
  json: { content: [] },
  csv: { content: "name,value\nExample,1\n" },
  javascript: { function: "() => [{ name: \"Example\", value: 1 }]" },
};

/** What asks for parameters and loads data: a report or a job. */
export interface Asking {
  dataSources?: Source[];
  parameters?: { name?: string; reuse?: string }[];
}

/** What the source reads: a change there loads it again. */
export function Dependencies({ report: { dataSources = [], parameters = [] }, source, change }: { report: Asking; source: Source; change: (list: string[]) => void }) {
  const offered = [...parameters.map((p) => `$params.${p.name || p.reuse}`), ...dataSources.filter((s) => s !== source).map((s) => `$data.${s.name || s.reuse}`)];
  const chosen = source.dependencies ?? [];
  const all = [...new Set([...offered, ...chosen])];
  if (all.length === 0) return null;
  return (
    <fieldset class="d-list">
      <legend>{t("Depends on")}</legend>
      {all.map((name) => (
        <label key={name} class="d-check">
          <input type="checkbox" checked={chosen.includes(name)} onChange={(e) => change(e.currentTarget.checked ? [...chosen, name] : chosen.filter((c) => c !== name))} /> {name}
        </label>
      ))}
      <p class="d-help">{t("A change in one of these loads this source again.")}</p>
    </fieldset>
  );
}

/** Runs the source and shows what it gave. */
export function Try({ run: ask }: { run: () => Promise<Run> }) {
  const [run, show] = useState<Run | null>(null);
  const [fault, fail] = useState("");
  const [busy, wait] = useState(false);
  const start = async () => {
    wait(true);
    fail("");
    try {
      show(await ask());
    } catch (e) {
      fail(reason(e));
    } finally {
      wait(false);
    }
  };
  const problem = run?.problem;
  return (
    <section aria-label={t("Result")} class="d-try">
      <div class="d-buttons">
        <button type="button" class="d-primary" disabled={busy} onClick={() => void start()}>
          {busy ? t("Running …") : t("Run")}
        </button>
      </div>
      <div role="status">
        {fault && <p class="field-problem">{fault}</p>}
        {problem && (
          <p class="field-problem">
            {problem.line ? `${problem.column ? t("Line {0}, column {1}", problem.line, problem.column) : t("Line {0}", problem.line)}: ` : ""}
            {problem.message}
          </p>
        )}
        {run && !problem && <p class="d-hint">{t(run.total === 1 ? say("{0} row in {1} ms") : say("{0} rows in {1} ms"), run.total, Math.round(run.milliseconds))}</p>}
      </div>
      {run && !problem && <Rows label={t("Rows")} columns={run.columns ?? []} rows={run.rows ?? []} total={run.total} />}
      {run?.steps?.map((s, i) => (
        <details key={i} class="d-group">
          <summary>{t("After step {0}, {1}: {2} rows", i + 1, s.type, s.total)}</summary>
          <Rows label={t("Rows after step {0}", i + 1)} rows={s.rows} total={s.total} />
        </details>
      ))}
    </section>
  );
}
