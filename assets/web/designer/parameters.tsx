// The parameters of a report: what people are asked for before it is shown.

import { useState } from "preact/hooks";
import { Field, Text } from "./panel";
import type { Report } from "./model";
import type { State } from "./state";
import { t } from "../words";

type Parameter = Record<string, unknown>;

export function Parameters({ state }: { state: State }) {
  const report = state.report.value;
  const list = (report.parameters as Parameter[] | undefined) ?? [];
  const [open, show] = useState<number | null>(null);
  const commit = (label: string, parameters: Parameter[], key = "") => {
    const { parameters: _, ...rest } = report;
    state.commit(label, (parameters.length > 0 ? { ...rest, parameters } : rest) as Report, { key });
  };
  const replace = (at: number, name: string, value: unknown) => {
    const { [name]: _, ...rest } = list[at]!;
    commit(t("Change {0}", name), list.map((p, i) => (i !== at ? p : value === undefined || value === "" ? rest : { ...p, [name]: value })), `parameter ${at} ${name}`);
  };
  const move = (at: number, by: number) => {
    const rest = list.filter((_, i) => i !== at);
    commit(t("Move parameter"), [...rest.slice(0, at + by), list[at]!, ...rest.slice(at + by)]);
    show(at + by);
  };
  const add = () => {
    let n = list.length + 1;
    while (list.some((p) => p.name === `parameter${n}`)) n++;
    commit(t("Add parameter"), [...list, { name: `parameter${n}`, type: "text", label: t("Parameter {0}", n) }]);
    show(list.length);
  };
  return (
    <section class="d-parameters" aria-label={t("Parameters")}>
      {list.length === 0 && <p class="d-hint">{t("A parameter is a value that is asked for before the report is shown, such as a month or a customer. Templates read it as {$params.name}, data sources too.")}</p>}
      <ul>
        {list.map((p, i) => (
          <li key={i}>
            <button type="button" aria-expanded={open === i} onClick={() => show(open === i ? null : i)}>
              <span>{String(p.label || p.name || p.reuse || "")}</span>
              <small>{String(p.reuse ? t("reused") : (p.type ?? "text"))}</small>
            </button>
            {open === i && (
              <div class="d-form d-inset">
                {(state.schemas.value.parameters ?? []).map((s) => (
                  <Field key={s.name} state={state} setting={s} value={p[s.name]} change={(v) => replace(i, s.name, v)} path={`parameter.${i}.${s.name}`} />
                ))}
                <Sample state={state} parameter={p} />
                <div class="d-buttons">
                  <button type="button" disabled={i === 0} onClick={() => move(i, -1)}>
                    {t("Up")}
                  </button>
                  <button type="button" disabled={i === list.length - 1} onClick={() => move(i, 1)}>
                    {t("Down")}
                  </button>
                  <button
                    type="button"
                    onClick={() => {
                      commit(t("Delete parameter"), list.filter((_, at) => at !== i));
                      show(null);
                    }}
                  >
                    {t("Delete parameter")}
                  </button>
                </div>
              </div>
            )}
          </li>
        ))}
      </ul>
      <div class="d-buttons">
        <button type="button" onClick={add}>
          {t("Add parameter")}
        </button>
      </div>
    </section>
  );
}

/** The value that the canvas is drawn with. It is no part of the report. */
function Sample({ state, parameter }: { state: State; parameter: Parameter }) {
  const name = String(parameter.name || parameter.reuse || "");
  const type = String(parameter.type ?? "text");
  const value = state.params.value[name];
  const range = (value ?? {}) as { from?: string; to?: string };
  const label = t("Value while designing");
  const id = `sample-${name}`;
  const help = t("Only for the canvas, in this browser.");
  if (type === "switch") {
    return (
      <div class="d-field">
        <label class="d-check">
          <input type="checkbox" checked={value === true} onChange={(e) => state.setParam(name, e.currentTarget.checked)} /> {label}
        </label>
      </div>
    );
  }
  if (type === "month-range") {
    const set = (part: "from" | "to", v: string) => state.setParam(name, { ...range, [part]: v });
    return (
      <>
        <Text id={`${id}-from`} label={t("{0}, from", label)} placeholder="2026-01" value={range.from ?? ""} change={(v) => set("from", v)} />
        <Text id={`${id}-to`} label={t("{0}, to", label)} placeholder="2026-12" value={range.to ?? ""} change={(v) => set("to", v)} />
      </>
    );
  }
  const read = (v: string) => (type === "number" && v !== "" && Number.isFinite(Number(v)) ? Number(v) : v);
  return <Text id={id} label={label} help={help} placeholder={type === "date" ? "2026-11-21" : undefined} value={value === undefined ? "" : String(value)} change={(v) => state.setParam(name, read(v))} />;
}
