// The second step: what a run asks for.

import { ParameterField, takes, Value } from "../../designer/parameters";
import { Reference } from "../../designer/references";
import type { Desk } from "./desk";
import { type Parameter, withMember } from "./model";
import { At, Items } from "./parts";
import { t } from "../../words";

export function Parameters({ desk }: { desk: Desk }) {
  const list = desk.job.parameters ?? [];
  const add = (made: (n: number) => Parameter) => {
    let n = list.length + 1;
    while (list.some((p) => p.name === `parameter${n}`)) n++;
    desk.set("parameters", [...list, made(n)]);
  };
  return (
    <section class="j-wide d-form" aria-label={t("Parameters")}>
      <p class="d-hint">{t("Values that are asked for when somebody starts a run; a run by the schedule takes the defaults. Templates read them as {$params.name}, data sources too.")}</p>
      <Items desk={desk} path="parameters" items={list} change={(l) => desk.set("parameters", l)} title={(p, i) => String(p.label || p.name || p.reuse || t("Parameter {0}", i + 1))} note={(p) => String(p.reuse ? t("reused") : (p.type ?? "text"))}>
        {(p, i, replace) => <OneParameter desk={desk} parameter={p} at={`parameters[${i}]`} replace={replace} />}
      </Items>
      <div class="d-buttons">
        <button type="button" onClick={() => add((n) => ({ name: `parameter${n}`, type: "text", label: t("Parameter {0}", n) }))}>
          {t("Add parameter")}
        </button>
        <button type="button" onClick={() => add(() => ({ reuse: "" }))}>
          {t("Add from the library")}
        </button>
      </div>
    </section>
  );
}

function OneParameter({ desk, parameter, at, replace }: { desk: Desk; parameter: Parameter; at: string; replace: (p: Parameter) => void }) {
  const set = (name: string, value: unknown) => replace(withMember(parameter, name, value));
  const name = parameter.name || parameter.reuse || "";
  if (parameter.reuse !== undefined) {
    return (
      <>
        <At desk={desk} path={`${at}.reuse`}>
          <Reference state={desk.library} id={`f-${at}.reuse`} label={t("Taken from the library")} help={undefined} kind="parameters" value={parameter.reuse} change={(v) => replace({ ...parameter, reuse: String(v ?? "") })} />
        </At>
        <Trying desk={desk} name={name} type="text" />
      </>
    );
  }
  return (
    <>
      {(desk.library.schema.value?.schemas.parameters ?? [])
        .filter((s) => s.name !== "scope" && s.name !== "display" && takes(parameter, s.name))
        .map((s) => (
          <At key={s.name} desk={desk} path={`${at}.${s.name}`}>
            <ParameterField state={desk.library} setting={s} parameter={parameter} change={(v) => set(s.name, v)} path={`${at}.${s.name}`} />
          </At>
        ))}
      <Trying desk={desk} name={name} type={String(parameter.type ?? "text")} />
    </>
  );
}

/** The value that the editor looks at the data with. */
function Trying({ desk, name, type }: { desk: Desk; name: string; type: string }) {
  if (name === "") return null;
  return <Value id={`try-${name}`} label={t("Value while editing")} help={t("Only for looking at the data and for test deliveries, in this browser.")} type={type} value={desk.params.value[name]} change={(v) => (desk.params.value = withMember(desk.params.value, name, v))} />;
}
