// Fields that name something of the library, or another report.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type Resource } from "./api";
import { type FormContext, Text } from "./fields";
import { t } from "../words";

/** A definition of the library, or a report, as far as a field that names it shows it. */
export interface Named {
  name: string;
  code?: string;
  displayName?: string;
  label?: string;
  type?: string;
  scope?: string;
  required?: boolean;
  lookup?: unknown;
  subreport?: boolean;
}

/** What the library holds, by kind; undefined while it is unknown, null when it may not be read. */
const known = signal<Record<string, { value: string; label: string; is: Named }[] | null | undefined>>({});

/** What the library holds of a kind, read anew when first shown; of no kind nothing. */
export function useShared(state: FormContext, kind: string): Named[] {
  useEffect(() => void (kind && load(state, kind)), [kind]);
  return known.value[kind]?.map((o) => o.is) ?? [];
}

/** What is being asked for: several fields of a form ask once. */
const asked = new Set<string>();

/** Reads what there is now; what was known before is offered meanwhile. */
async function load(state: FormContext, kind: string): Promise<void> {
  if (asked.has(kind)) return;
  asked.add(kind);
  const address = `${state.api.base}/api/ui/ws/${state.api.workspace}/${kind}`;
  try {
    const all = (await ask<(Named | Resource<Named>)[]>("GET", address)).map((r) => ("definition" in r ? r.definition : r));
    const found = kind.startsWith("reports?") ? all.filter((d) => !d.subreport) : all; // of a type, those that are printed
    known.value = { ...known.value, [kind]: found.map((d) => ({ value: d.code ?? d.name, label: d.displayName || d.label || d.name, is: d })) };
  } catch {
    known.value = { ...known.value, [kind]: null };
  } finally {
    asked.delete(kind);
  }
}

export function Reference({ state, id, label, help, kind, value, change, standard, none }: { state: FormContext; id: string; label: string; help: string | undefined; kind: string; value: string; change: (v: unknown) => void; /** Whether nothing means the first of the library. */ standard?: boolean; /** What nothing is called where it stands for nothing; empty: something is always chosen. */ none?: string }) {
  const options = known.value[kind];
  useEffect(() => void load(state, kind), [kind]);
  if (options === null) return <Text id={id} label={label} help={help} value={value} change={change} />;
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onFocus={() => void load(state, kind)} onChange={(e) => change(e.currentTarget.value)}>
        {(none !== "" || value === "") && <option value="">{none ?? (kind === "connections" ? t("None") : standard && options?.[0] ? t("{0} (default)", options[0].label) : t("Default"))}</option>}
        {options?.map((o) => (
          <option key={o.value} value={o.value}>
            {o.label}
          </option>
        ))}
        {value !== "" && !options?.some((o) => o.value.toLowerCase() === value.toLowerCase()) && <option value={value}>{t("{0} (not found)", value)}</option>}
      </select>
      {help && <p class="d-help">{help}</p>}
      {kind === "connections" && <Connections state={state} />}
    </div>
  );
}

/** Where connections are made: what is added there is offered when the field is asked again. */
function Connections({ state }: { state: FormContext }) {
  const { base, workspace } = state.api;
  return (
    <p class="d-help">
      <a href={`${base}/ws/${workspace}/connections`} target="_blank" rel="noopener">
        {t("Connections of the workspace")}
        <span class="hidden"> {t("(opens a new tab)")}</span>
      </a>
    </p>
  );
}
