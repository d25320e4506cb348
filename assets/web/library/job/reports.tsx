// The fourth step: the documents of each entry.

import { signal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { ask, type Setting } from "../../designer/api";
import { completing, giving } from "../../designer/complete";
import { optionWords } from "../../designer/labels";
import { Reference } from "../../designer/references";
import { JsonField, TemplateField } from "../../edit/field";
import type { Desk } from "./desk";
import { Entries } from "./entries";
import { type JobReport, withMember } from "./model";
import { At, Connection, FieldAt, Items } from "./parts";
import { t } from "../../words";

/** What a report asks for. */
interface Asked {
  parameters: { name: string; label: string; type: string; required?: boolean }[];
  sources: string[];
}

/** By the report that is named; null where there is none. */
const asked = signal<Record<string, Asked | null>>({});

export function Reports({ desk }: { desk: Desk }) {
  const list = desk.job.reports ?? [];
  const put = (reports: JobReport[]) => desk.set("reports", reports);
  const first = desk.choices.value?.reports[0];
  return (
    <section class="j-wide d-form" aria-label={t("Reports")}>
      <p class="d-hint">{t("Each entry gets a document of every report here. Parameters, file names and passwords are templates: {$record.name} is the field of the entry's row.")}</p>
      <Items desk={desk} path="reports" items={list} change={put} title={(r, i) => nameOf(desk, r.report) || t("Report {0}", i + 1)} note={(r) => optionWords(String(r.format ?? "pdf"))}>
        {(r, i, replace) => <OneReport desk={desk} report={r} at={`reports[${i}]`} replace={replace} />}
      </Items>
      <div class="d-buttons">
        <button type="button" onClick={() => put([...list, { report: first ? String(first.id) : "" }])}>
          {t("Add report")}
        </button>
      </div>
      <Entries desk={desk} />
    </section>
  );
}

function nameOf(desk: Desk, ref: string): string {
  const { reports = [], types = [] } = desk.choices.value ?? {};
  return reports.find((r) => String(r.id) === ref)?.name ?? types.find((k) => k.code.toLowerCase() === ref.toLowerCase())?.name ?? ref;
}

/** Settings that are drawn by themselves. */
const DRAWN = ["report", "params", "data"];
/** Settings that name a connection, and its type. */
const CONNECTED: Record<string, string> = { signature: "signature" };

function OneReport({ desk, report, at, replace }: { desk: Desk; report: JobReport; at: string; replace: (r: JobReport) => void }) {
  const settings = desk.settings("reports");
  const set = (name: string, value: unknown) => replace(withMember(report, name, value));
  const field = (s: Setting) => {
    const type = CONNECTED[s.name];
    if (type) return <Connection key={s.name} desk={desk} path={`${at}.${s.name}`} type={type} label={s.label ?? s.name} help={s.help} value={String(report[s.name] ?? "")} change={(v) => set(s.name, v)} />;
    if (s.name !== "template" && s.name !== "theme") return <FieldAt key={s.name} desk={desk} setting={s} value={report[s.name]} change={(v) => set(s.name, v)} path={`${at}.${s.name}`} />;
    return (
      <At key={s.name} desk={desk} path={`${at}.${s.name}`}>
        <Reference state={desk.library} id={`f-${at}.${s.name}`} label={s.label ?? s.name} help={s.help} kind={`${s.name}s`} value={String(report[s.name] ?? "")} change={(v) => set(s.name, v)} />
      </At>
    );
  };
  const rest = settings.filter((s) => !DRAWN.includes(s.name));
  const inFront = ["fileName", "condition", "format"];
  return (
    <>
      <Choose desk={desk} value={report.report} at={at} change={(v) => replace({ ...report, report: v })} />
      {rest.filter((s) => inFront.includes(s.name)).map(field)}
      <Bindings desk={desk} report={report} at={at} replace={replace} />
      <details class="d-group">
        <summary>{t("Look, language and protection")}</summary>
        {rest.filter((s) => !inFront.includes(s.name)).map(field)}
      </details>
    </>
  );
}

/** The report, by its number or by a type whose default report it is. */
function Choose({ desk, value, at, change }: { desk: Desk; value: string; at: string; change: (v: string) => void }) {
  const { reports = [], types = [] } = desk.choices.value ?? {};
  const known = reports.some((r) => String(r.id) === value) || types.some((k) => k.code === value);
  const id = `f-${at}.report`;
  return (
    <At desk={desk} path={`${at}.report`}>
      <div class="d-field">
        <label for={id}>{t("Report")}</label>
        <select id={id} value={value} onChange={(e) => change(e.currentTarget.value)}>
          {value === "" && <option value="">{t("Choose a report …")}</option>}
          {!known && value !== "" && <option value={value}>{desk.choices.value ? t("{0} (not found)", value) : value}</option>}
          <optgroup label={t("The default report of a type")}>
            {types.map((k) => (
              <option key={k.code} value={k.code}>
                {k.name === k.report ? k.name : `${k.name}: ${k.report}`}
              </option>
            ))}
          </optgroup>
          <optgroup label={t("One report")}>
            {reports.map((r) => (
              <option key={r.id} value={String(r.id)}>
                {r.name}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
    </At>
  );
}

/** The parameters of the report, and its data sources that the job replaces. */
function Bindings({ desk, report, at, replace }: { desk: Desk; report: JobReport; at: string; replace: (r: JobReport) => void }) {
  const { report: ref, params = {}, data = {} } = report;
  const needs = asked.value[ref];
  useEffect(() => {
    if (ref === "" || ref in asked.value) return;
    const know = (found: Asked | null) => (asked.value = { ...asked.value, [ref]: found });
    ask<Asked>("GET", desk.library.address(`/parameters?report=${encodeURIComponent(ref)}`)).then(know, () => know(null));
  }, [ref]);
  const put = (member: "params" | "data", values: Record<string, unknown>) => replace(withMember(report, member, Object.keys(values).length > 0 ? values : undefined));
  const parameters = [...(needs?.parameters ?? []), ...Object.keys(params).filter((name) => needs && !needs.parameters.some((p) => p.name === name)).map((name) => ({ name, label: t("{0} (the report has no such parameter)", name), type: "", required: false }))];
  const replaced = Object.keys(data);
  const left = (needs?.sources ?? []).filter((name) => !replaced.includes(name));
  return (
    <>
      {(parameters.length > 0 || (needs !== null && ref !== "")) && (
        <fieldset class="d-list j-bindings">
          <legend>{t("Parameters of the report")}</legend>
          {needs === undefined && ref !== "" && <p class="d-hint">{t("Loading …")}</p>}
          {needs && parameters.length === 0 && <p class="d-hint">{t("The report has no parameters.")}</p>}
          {parameters.map((p) => (
            <Bound key={p.name} desk={desk} label={p.required ? t("{0} (required)", p.label) : p.label} help={p.type && p.type !== "text" ? p.type : undefined} path={`${at}.params.${p.name}`} value={params[p.name]} change={(v) => put("params", withMember(params, p.name, v))} />
          ))}
        </fieldset>
      )}
      {(replaced.length > 0 || left.length > 0) && (
        <fieldset class="d-list j-bindings">
          <legend>{t("Data of the report")}</legend>
          <p class="d-help">{t("A data source of the report can be replaced: {$record} gives it the row of the entry, {$data.name} a data source of the job.")}</p>
          {replaced.map((name) => (
            <div key={name} class="j-bound">
              <Bound desk={desk} label={name} path={`${at}.data.${name}`} value={data[name]} change={(v) => put("data", { ...data, [name]: v ?? "" })} />
              <button type="button" onClick={() => put("data", withMember(data, name, undefined))}>
                {t("Remove")}
                <span class="hidden"> {name}</span>
              </button>
            </div>
          ))}
          {left.length > 0 && (
            <select aria-label={t("Replace a data source")} value="" onChange={(e) => e.currentTarget.value && put("data", { ...data, [e.currentTarget.value]: "{$record}" })}>
              <option value="">{t("Replace a data source …")}</option>
              {left.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </fieldset>
      )}
    </>
  );
}

/** A value that is given to a report: a template, or any other value as JSON. */
function Bound({ desk, label, help, path, value, change }: { desk: Desk; label: string; help?: string | undefined; path: string; value: unknown; change: (v: unknown) => void }) {
  const completions = useContext(completing);
  const current = useContext(giving)(`f-${path}`);
  return (
    <At desk={desk} path={path}>
      {value !== undefined && typeof value !== "string" ? (
        <JsonField id={`f-${path}`} label={label} help={help} value={value} change={change} />
      ) : (
        <TemplateField id={`f-${path}`} label={label} help={help} value={value ?? ""} completions={completions} current={value ? current : undefined} change={(v) => change(v === "" ? undefined : v)} />
      )}
    </At>
  );
}
