// The parameters of a report: what people are asked for before it is shown.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Attached, Shelf } from "./attach";
import { JsonField } from "../edit/field";
import type { Setting } from "./api";
import { useItemKeys } from "./itemkeys";
import { humanise, optionWords } from "./labels";
import { type FormContext, Text } from "./fields";
import { Field } from "./panel";
import { type Named, Reference, useShared } from "./references";
import type { Report } from "./model";
import type { State } from "./state";
import { t } from "../words";

type Parameter = Record<string, unknown>;

export function Parameters({ state }: { state: State }) {
  const report = state.report.value;
  const list = (report.parameters as Parameter[] | undefined) ?? [];
  const open = state.parameter.value;
  const show = (at: number | null) => (state.parameter.value = at);
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
    next.current = ".d-inset input";
  };
  const attach = (made: Attached) => {
    commit(t("Add parameter"), [...list, { ...made }]);
    show(list.length);
  };
  // What is added is filled next, and where something was deleted the focus is not lost.
  const next = useRef("");
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (next.current) section.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = "";
  }, [list.length]);
  const shared = useShared(state, "parameters");
  const { keys } = useItemKeys(list);
  return (
    <section ref={section} class="d-parameters" aria-label={t("Parameters")}>
      {list.length === 0 && <p class="d-hint">{t("A parameter is a value that is asked for before the report is shown, such as a month or a customer. Templates read it as {$params.name}, data sources too.")}</p>}
      <Shelf state={state} kind="parameters" used={list} called={optionWords} attach={attach} />
      <ul>
        {list.map((p, i) => (
          <li key={keys[i]}>
            <button type="button" aria-expanded={open === i} onClick={() => show(open === i ? null : i)}>
              <span>{String(whole(p, shared).label || p.name || p.reuse || "")}</span>
              <small>{p.reuse === undefined ? optionWords(String(p.type ?? "text")) : t("reused")}</small>
            </button>
            {open === i && (
              <div class="d-form d-inset">
                {p.reuse === undefined ? (
                  (state.schemas.value.parameters ?? [])
                    .filter((s) => s.name !== "scope" && takes(p, s.name))
                    .map((s) => <ParameterField key={s.name} state={state} setting={s} parameter={p} change={(v) => replace(i, s.name, v)} path={`parameter.${i}.${s.name}`} />)
                ) : (
                  <Taken state={state} parameter={p} at={i} change={(name, v) => replace(i, name, v)} />
                )}
                <Sample state={state} parameter={whole(p, shared)} />
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
                      next.current = ".d-add-parameter";
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
        <button type="button" class="d-add-parameter" onClick={add}>
          {t("Add parameter")}
        </button>
      </div>
    </section>
  );
}

/** A parameter with what the library says of it. */
function whole(p: Parameter, shared: Named[]): Parameter {
  const is = shared.find((d) => d.name === p.reuse);
  return is ? { ...is, ...p, name: p.name || p.reuse } : p;
}

/** A parameter of the library, which only gets another name here. */
function Taken({ state, parameter, at, change }: { state: State; parameter: Parameter; at: number; change: (name: string, v: unknown) => void }) {
  const name = String(parameter.name ?? "");
  return (
    <>
      <Text id={`f-parameter.${at}.name`} label={t("Name")} help={t("{0} in templates; letters, digits and _.", `{$params.${name || String(parameter.reuse)}}`)} value={name} placeholder={String(parameter.reuse)} change={(v) => change("name", v)} />
      <Reference state={state} id={`f-parameter.${at}.reuse`} label={t("Taken from the library")} help={undefined} kind="parameters" value={String(parameter.reuse)} change={(v) => change("reuse", v)} none="" />
    </>
  );
}

/** Settings that only lookups have. */
const OF_LOOKUPS = ["lookup", "multiple", "lookupSource"];

/** Whether a setting is one of a parameter's type, or is set all the same. */
export function takes(parameter: object, setting: string): boolean {
  const { type, [setting]: value } = parameter as Parameter;
  return type === "lookup" || !OF_LOOKUPS.includes(setting) || value !== undefined;
}

/** A setting of a parameter: its default is written as its values are. */
export function ParameterField({ state, setting, parameter, change, path }: { state: FormContext; setting: Setting; parameter: object; change: (v: unknown) => void; path: string }) {
  const { type, multiple, [setting.name]: value } = parameter as Parameter;
  if (setting.name !== "default" || multiple === true) return <Field state={state} setting={setting} value={value} change={change} path={path} />;
  return <Default id={`f-${path}`} label={setting.label ?? humanise(setting.name)} help={setting.help} type={String(type ?? "text")} value={value} change={change} />;
}

/** The value that the canvas is drawn with. It is no part of the report. */
function Sample({ state, parameter }: { state: State; parameter: Parameter }) {
  const name = String(parameter.name || parameter.reuse || "");
  return <Value id={`sample-${name}`} label={t("Value while designing")} help={t("Only for the canvas, in this browser.")} type={String(parameter.type ?? "text")} value={state.params.value[name]} offered={parameter.lookup} change={(v) => state.setParam(name, v)} />;
}

/** Above the canvas: what it is drawn with where the report asks for values and none were given. */
export function Samples({ state }: { state: State }) {
  const own = (state.report.value.parameters as Parameter[] | undefined) ?? [];
  const shared = useShared(state, own.some((p) => p.reuse !== undefined) ? "parameters" : "");
  const list = own.map((p) => ({ p: whole(p, shared), name: String(p.name || p.reuse || "") }));
  const made = state.samples.value;
  // A field stays where a value was given in it.
  const shown = list.filter(({ p, name }) => name in made || (p.required === true && state.params.value[name] !== undefined));
  if (shown.length === 0) return null;
  return (
    <section class="d-samples" aria-label={t("Drawn with")} title={t("Sample values for the canvas, in this browser. They are no part of the report.")}>
      <h2>{t("Drawn with")}</h2>
      {shown.map(({ p, name }) => (
        <Value key={name} id={`drawn-with-${name}`} label={String(p.label || name)} type={String(p.type ?? "text")} value={state.params.value[name] ?? made[name]} offered={p.lookup} change={(v) => state.setParam(name, v)} />
      ))}
    </section>
  );
}

interface ValueProps {
  id: string;
  label: string;
  help?: string | undefined;
  type: string;
  value: unknown;
  /** The fixed list of a lookup. */
  offered?: unknown;
  change: (v: unknown) => void;
}

/** Types whose values are not written as text. */
const PICKED = ["date", "month-range", "switch"];

/** A default may also be worked out: a text with placeholders, whatever the type. */
function Default(props: ValueProps) {
  const { id, label, help, type, value, change } = props;
  const computed = typeof value === "string" && value.includes("{");
  const [asText, write] = useState(computed);
  // A date that is no day is written anyway.
  if (asText || (computed && PICKED.includes(type) && type !== "date")) return <Text id={id} label={label} help={help} value={typeof value === "string" ? value : ""} change={change} />;
  const turn = () => {
    write(true);
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  return (
    <>
      <Value {...props} />
      {PICKED.includes(type) && (
        <button type="button" onClick={turn}>
          {t("{0} as a template", label)}
        </button>
      )}
    </>
  );
}

/** A value of a parameter by its type. */
export function Value({ id, label, help, type, value, offered, change }: ValueProps) {
  // What is being typed stays as long as it says the value: 1. is on the way to 1.5.
  const [draft, write] = useState("");
  if (type === "month-range") return <Months id={id} label={label} help={help} value={value} change={change} />;
  if (value !== undefined && typeof value === "object") return <JsonField id={id} label={label} help={help} value={value} change={change} />;
  const about = help ? { "aria-describedby": `${id}-help` } : {};
  const explained = help && (
    <p class="d-help" id={`${id}-help`}>
      {help}
    </p>
  );
  if (type === "switch") {
    return (
      <div class="d-field">
        <label class="d-check">
          <input id={id} type="checkbox" checked={value === true} onChange={(e) => change(e.currentTarget.checked)} {...about} /> {label}
        </label>
        {explained}
      </div>
    );
  }
  if (type === "lookup" && Array.isArray(offered)) {
    const items = offered as { value: unknown; label?: string }[];
    return (
      <div class="d-field">
        <label for={id}>{label}</label>
        <select id={id} value={String(value ?? "")} onChange={(e) => change(items.find((i) => String(i.value) === e.currentTarget.value)?.value)} {...about}>
          <option value="" />
          {items.map((i) => (
            <option key={String(i.value)} value={String(i.value)}>
              {i.label || String(i.value)}
            </option>
          ))}
        </select>
        {explained}
      </div>
    );
  }
  const read = (v: string) => (type === "number" && v !== "" && Number.isFinite(Number(v)) ? Number(v) : v === "" ? undefined : v);
  const kind = type === "date" && /^$|^\d{4}-\d\d-\d\d$/.test(String(value ?? "")) ? "date" : "text";
  const input = (v: string) => {
    write(v);
    change(read(v));
  };
  const common = { id, value: read(draft) === value ? draft : String(value), onInput: (e: { currentTarget: HTMLInputElement }) => input(e.currentTarget.value), ...about };
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      {kind === "date" ? <input type="date" {...common} /> : <input type="text" inputMode={type === "number" ? "decimal" : "text"} {...common} />}
      {explained}
    </div>
  );
}

/** A first and a last month. */
function Months({ id, label, help, value, change }: { id: string; label: string; help?: string | undefined; value: unknown; change: (v: unknown) => void }) {
  // A single month is a range of its own.
  const range = (typeof value === "string" ? { from: value, to: value } : (value ?? {})) as { from?: string; to?: string };
  const set = (part: "from" | "to", month: string) => {
    const { [part]: _, ...rest } = range;
    const changed = month === "" ? rest : { ...rest, [part]: month };
    change(Object.keys(changed).length > 0 ? changed : undefined);
  };
  return (
    <>
      <Text id={`${id}-from`} label={t("{0}, from", label)} placeholder="2026-01" value={range.from ?? ""} change={(v) => set("from", v)} />
      <Text id={`${id}-to`} label={t("{0}, to", label)} help={help} placeholder="2026-12" value={range.to ?? ""} change={(v) => set("to", v)} />
    </>
  );
}
