// The third step: the data of a run, and the source whose rows become entries.

import { useState } from "preact/hooks";
import type { SourceType } from "../../designer/api";
import type { Source } from "../../designer/model";
import { Text } from "../../designer/fields";
import { Reference } from "../../designer/references";
import { Dependencies, newSource, SourceField, Try } from "../../designer/source";
import type { Desk } from "./desk";
import { Entries } from "./entries";
import { withMember } from "./model";
import { At, Items, Pick } from "./parts";
import { t } from "../../words";

const called = (s: Source): string => s.name || s.reuse || "";

export function Sources({ desk }: { desk: Desk }) {
  const { dataSources: list = [], repeat = "" } = desk.job;
  const types = desk.library.schema.value?.sourceTypes ?? [];
  const [type, choose] = useState("json");
  const put = (sources: Source[]) => desk.set("dataSources", sources);
  const add = () => {
    let name = `${type}Data`;
    for (let n = 2; list.some((s) => called(s) === name); n++) name = `${type}Data${n}`;
    put([...list, newSource(name, type)]);
  };
  return (
    <section class="j-wide d-form" aria-label={t("Data sources")}>
      <p class="d-hint">{t("Loaded once for a run. Each row of the repeating source becomes an entry with documents of its own; templates read it as {$record}.")}</p>
      <Items desk={desk} path="dataSources" items={list} change={put} title={(s, i) => called(s) || t("Data source {0}", i + 1)} note={(s) => [s.reuse === undefined ? (types.find((k) => k.name === s.type)?.label ?? s.type) : t("reused"), ...(called(s) === repeat ? [t("repeating")] : [])].join(", ")}>
        {(source, i, replace) => <OneSource desk={desk} types={types} source={source} at={`dataSources[${i}]`} replace={replace} />}
      </Items>
      <div class="d-buttons">
        <select aria-label={t("Type of data source")} value={type} onChange={(e) => choose(e.currentTarget.value)}>
          {types.map((k) => (
            <option key={k.name} value={k.name}>
              {k.label}
            </option>
          ))}
        </select>
        <button type="button" onClick={add}>
          {t("Add data source")}
        </button>
        <button type="button" onClick={() => put([...list, { name: "", reuse: "" }])}>
          {t("Add from the library")}
        </button>
      </div>
      <At desk={desk} path="repeat">
        <fieldset class="d-list j-repeat">
          <legend>{t("Repeating")}</legend>
          {["", ...list.map(called).filter((n) => n !== "")].map((name) => (
            <label key={name} class="d-check">
              <input type="radio" name="repeat" checked={repeat === name} onChange={() => desk.set("repeat", name)} />
              <span>{name === "" ? t("None: a run has one entry, without a record") : t("One entry for each row of {0}", name)}</span>
            </label>
          ))}
        </fieldset>
      </At>
      <Entries desk={desk} manual />
    </section>
  );
}

function OneSource({ desk, types, source, at, replace }: { desk: Desk; types: SourceType[]; source: Source; at: string; replace: (s: Source) => void }) {
  const type = types.find((k) => k.name === source.type);
  const rename = (name: string) => {
    if (name !== "" && !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return;
    const before = called(source);
    const renamed = { ...source, name };
    replace(renamed);
    if (before !== "" && desk.job.repeat === before) desk.set("repeat", called(renamed));
  };
  const set = (name: string, value: unknown) => replace({ ...source, settings: withMember(source.settings, name, value) });
  return (
    <>
      <At desk={desk} path={`${at}.name`}>
        <Text id={`f-${at}.name`} label={t("Name")} help={t("{0} in templates; letters, digits and _.", `{$data.${called(source)}}`)} value={source.name ?? ""} change={rename} />
      </At>
      {source.reuse !== undefined ? (
        <At desk={desk} path={`${at}.reuse`}>
          <Reference state={desk.library} id={`f-${at}.reuse`} label={t("Taken from the library")} help={undefined} kind="dataSources" value={source.reuse} change={(v) => replace({ ...source, reuse: String(v ?? "") })} />
        </At>
      ) : (
        <At desk={desk} path={`${at}.type`}>
          <Pick id={`f-${at}.type`} label={t("Type")} help={type?.help} value={source.type ?? ""} options={types.map((k) => ({ value: k.name, label: k.label }))} change={(v) => replace({ ...source, type: v, settings: {} })} />
        </At>
      )}
      {type?.settings.map((s) => (
        <At key={s.name} desk={desk} path={`${at}.settings.${s.name}`}>
          <SourceField state={desk.library} setting={s} source={source} value={source.settings?.[s.name]} change={(v) => set(s.name, v)} path={`source-${at}.settings.${s.name}`} />
        </At>
      ))}
      <Dependencies report={desk.job} source={source} change={(list) => replace(withMember(source, "dependencies", list.length > 0 ? list : undefined))} />
      <Try run={() => desk.run(called(source))} />
    </>
  );
}
