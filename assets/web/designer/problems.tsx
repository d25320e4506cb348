// What is wrong and what might be better: a chip below the canvas tells how much
// there is and how bad it is, its list leads to each place.

import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/icon";
import type { Finding, Severity } from "./api";
import { asField } from "./complete";
import { fieldAtPath, nodeAtPath, sourceAt } from "./edit";
import { repaired } from "./repair";
import type { State } from "./state";
import { say, t } from "../words";

const ORDER: Severity[] = ["error", "warning", "hint"];
const ICONS: Record<Severity, string> = { error: "circle-alert", warning: "triangle-alert", hint: "info" };
const NAMES: Record<Severity, string> = { error: say("Error"), warning: say("Warning"), hint: say("Hint") };
/** How many there are, for one and for more. */
const COUNTS: Record<Severity, [string, string]> = {
  error: [say("{0} error"), say("{0} errors")],
  warning: [say("{0} warning"), say("{0} warnings")],
  hint: [say("{0} hint"), say("{0} hints")],
};

/** All that there is to say, the worst first. */
export function problemsOf(state: State): (Finding & { severity: Severity })[] {
  const drawn: Severity = state.stale.value ? "error" : "warning";
  const all = [...state.warnings.value.map((w) => ({ ...w, rule: "", severity: drawn })), ...[...state.findings.value, ...state.seen.value].map((f) => ({ ...f, severity: f.severity ?? ("warning" as const) }))];
  return all.sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

export function Problems({ state }: { state: State }) {
  const list = problemsOf(state);
  const open = state.listed.value;
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    around.current?.querySelector<HTMLElement>("section button")?.focus();
    const away = (e: KeyboardEvent) => {
      if (e.key !== "Escape") return;
      e.stopPropagation();
      state.listed.value = false;
      around.current?.querySelector<HTMLElement>(".d-chip")?.focus();
    };
    const el = around.current;
    el?.addEventListener("keydown", away);
    return () => el?.removeEventListener("keydown", away);
  }, [open]);
  const worst = list[0]?.severity;
  const counts = ORDER.flatMap((s) => {
    const n = list.filter((p) => p.severity === s).length;
    return n > 0 ? [t(COUNTS[s][n === 1 ? 0 : 1], n)] : [];
  });
  return (
    <div class="d-problems" ref={around}>
      <button type="button" class={`d-chip ${worst ? `d-is-${worst}` : ""}`} aria-expanded={open} onClick={() => (state.listed.value = !open)}>
        <Icon name={worst ? ICONS[worst] : "circle-check"} />
        <span>{counts.length > 0 ? counts.join(", ") : t("No problems")}</span>
      </button>
      {open && (
        <section class="d-list-of-problems" aria-label={t("Problems")}>
          <header>
            <h2>{t("Problems")}</h2>
            <button type="button" aria-label={t("Close")} onClick={() => (state.listed.value = false)}>
              <Icon name="x" />
            </button>
          </header>
          {list.length === 0 && <p class="d-hint">{t("Nothing to mend.")}</p>}
          <ul>
            {list.map((p, i) => (
              <Row key={`${i} ${p.path} ${p.message}`} state={state} problem={p} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Row({ state, problem: { path, message, severity, repair } }: { state: State; problem: Finding & { severity: Severity } }) {
  const node = nodeAtPath(state.report.value, path);
  const words = (
    <>
      <span class={`d-is-${severity}`}>
        <Icon name={ICONS[severity]} />
        <span class="hidden">{t(NAMES[severity])}: </span>
      </span>
      <span>
        {node && <b>{state.labelOf(node)}: </b>}
        {node ? withoutPlace(message, node.id) : message.charAt(0).toUpperCase() + message.slice(1)}
      </span>
    </>
  );
  return (
    <li>
      {leads(state, path) ? (
        <button type="button" onClick={() => goTo(state, path)}>
          {words}
        </button>
      ) : (
        <p>{words}</p>
      )}
      {/* The findings of another state than the report's may be about what is not there any more. */}
      {repair && !state.stale.value && !state.drawing.value && nodeAtPath(state.report.value, repair.path) && (
        <button type="button" class="d-repair" onClick={() => state.commit(repair.label, repaired(state.report.value, repair))}>
          {repair.label}
        </button>
      )}
    </li>
  );
}

/** A message without the type and id of its element, which the label names better. */
function withoutPlace(message: string, id: string): string {
  const place = message.indexOf(`"${id}": `);
  return place > 0 && /^[\w-]+ $/.test(message.slice(0, place)) ? message.slice(place + id.length + 4) : message;
}

/** The place of a parameter that a path leads to: parameters[0].default or params.month. */
function parameterAt(state: State, path: string): number {
  const [, at, named] = /^(?:parameters\[(\d+)\]|params\.([^.[]+))/.exec(path) ?? [];
  const list = (state.report.value.parameters as { name?: string; reuse?: string }[] | undefined) ?? [];
  return at === undefined ? list.findIndex((p) => named !== undefined && (p.name || p.reuse) === named) : Number(at) < list.length ? Number(at) : -1;
}

/** Whether goTo knows a way. */
function leads(state: State, path: string): boolean {
  return nodeAtPath(state.report.value, path) !== null || sourceAt(state.report.value, path) >= 0 || parameterAt(state, path) >= 0 || /^pages\[\d+\]|^[a-zA-Z]+$/.test(path);
}

/** Selects what a path leads to and asks for the setting that is meant. */
export function goTo(state: State, path: string): void {
  const field = open(state, path);
  requestAnimationFrame(() => requestAnimationFrame(() => focusField(field)));
}

/** Shows the form of what a path leads to, and tells the field in it. */
export function open(state: State, path: string): string {
  const { report } = state;
  const node = nodeAtPath(report.value, path);
  if (node) {
    state.reveal(node.id);
    return fieldAtPath(report.value, path);
  }
  const rest = path.replace(/^[^.[]+(\[\d+\]|\.[^.[]+)?\.?/, "");
  const source = sourceAt(report.value, path);
  if (source >= 0) {
    const { name, reuse } = report.value.dataSources![source]!;
    state.source.value = name || reuse || null;
    return rest.startsWith("settings.") ? fieldAtPath(report.value, path) : `source-${source}-name`;
  }
  const parameter = parameterAt(state, path);
  if (parameter >= 0) {
    state.tab.value = "Parameters";
    state.parameter.value = parameter;
    return `f-parameter.${parameter}.${asField(rest || "name")}`;
  }
  const [, page] = /^pages\[(\d+)\]/.exec(path) ?? [];
  if (page !== undefined) state.page.value = Number(page);
  state.select([]);
  return page === undefined ? fieldAtPath(report.value, path) : `f-page.${report.value.pages[Number(page)]?.id}.${asField(rest)}`;
}

const focusField = (id: string): void => unfolded(id)?.focus();

/** A field, or the nearest one around it, in view and with all that it is folded into open. */
export function unfolded(id: string): HTMLElement | undefined {
  for (let name = id; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    const field = document.getElementById(name);
    if (!field) continue;
    for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    field.scrollIntoView({ block: "center" });
    return field;
  }
  return undefined;
}
