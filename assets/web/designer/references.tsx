// Fields that name something of the library, or another report.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type Resource } from "./api";
import { type FormContext, Text } from "./fields";
import { t } from "../words";

interface Named {
  name: string;
  code?: string;
  displayName?: string;
}

/** What the library holds, by kind; undefined while it is unknown, null when it may not be read. */
const known = signal<Record<string, { value: string; label: string }[] | null | undefined>>({});

async function load(state: FormContext, kind: string): Promise<void> {
  const address = `${state.api.base}/api/ui/ws/${state.api.workspace}/${kind}`;
  try {
    const found = (await ask<(Named | Resource<Named>)[]>("GET", address)).map((r) => ("definition" in r ? r.definition : r));
    known.value = { ...known.value, [kind]: found.map((d) => ({ value: d.code ?? d.name, label: d.displayName || d.name })) };
  } catch {
    known.value = { ...known.value, [kind]: null };
  }
}

export function Reference({ state, id, label, help, kind, value, change, standard }: { state: FormContext; id: string; label: string; help: string | undefined; kind: string; value: string; change: (v: unknown) => void; /** Whether nothing means the first of the library. */ standard?: boolean }) {
  const options = known.value[kind];
  useEffect(() => {
    if (options === undefined) void load(state, kind);
  }, [kind]);
  if (options === null) return <Text id={id} label={label} help={help} value={value} change={change} />;
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(e) => change(e.currentTarget.value)}>
        <option value="">{kind === "connections" ? t("None") : standard && options?.[0] ? t("Default ({0})", options[0].label) : t("Default")}</option>
        {options?.map((o) => (
          <option key={o.value} value={o.value}>
            {o.label}
          </option>
        ))}
        {value !== "" && !options?.some((o) => o.value.toLowerCase() === value.toLowerCase()) && <option value={value}>{t("{0} (not found)", value)}</option>}
      </select>
      {help && <p class="d-help">{help}</p>}
    </div>
  );
}
