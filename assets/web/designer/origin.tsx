// Where a number comes from: from a cell or a text on the canvas to the row and
// the source behind it.

import { useEffect, useState } from "preact/hooks";
import { reason, type Run } from "./api";
import { Dialog } from "./menu";
import type { State } from "./state";
import { t } from "../words";

/** The origins of what lies at a place of the canvas, as the service tells them. */
export function originsAt(hits: Element[]): string[] {
  const told = hits.map((el) => el.closest("[data-from]")?.getAttribute("data-from")).find((text) => text);
  return told ? told.split("; ") : [];
}

/** The data source that an origin begins with. */
function sourceOf(origin: string): string | undefined {
  return /\$data\.([\p{L}\p{N}_$]+)/u.exec(origin)?.[1];
}

export function Origins({ state, close }: { state: State; close: () => void }) {
  const origins = state.origins.value;
  return (
    <Dialog title={t("Where this comes from")} close={close} wide>
      <ul class="d-origins">
        {origins.map((o) => (
          <li key={o}>
            <code>{o}</code>
            <Behind state={state} origin={o} close={close} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The row of an origin, and a way to its source. */
function Behind({ state, origin, close }: { state: State; origin: string; close: () => void }) {
  const name = sourceOf(origin);
  const at = /\$data\.[\p{L}\p{N}_$]+\[(\d+)\]/u.exec(origin)?.[1];
  const [run, show] = useState<Run | null>(null);
  const [fault, fail] = useState("");
  useEffect(() => {
    if (name && at && state.api.run) state.api.run(state.whole, name, state.drawnAs.params ?? {}).then(show, (e: unknown) => fail(reason(e)));
  }, [name, at]);
  if (!name) return null;
  const row = at === undefined ? undefined : run?.rows?.[Number(at)];
  const open = () => {
    state.source.value = name;
    state.tab.value = "Data";
    close();
  };
  return (
    <>
      {fault && <p class="field-problem">{fault}</p>}
      {run && row === undefined && <p class="d-hint">{t("Row {0}; the first {1} of {2} are shown in the data source.", Number(at) + 1, run.rows?.length ?? 0, run.total)}</p>}
      {row !== null && typeof row === "object" && (
        <dl class="d-row">
          {Object.entries(row as object).map(([k, v]) => (
            <div key={k} class={origin.endsWith(`.${k}`) ? "d-this" : ""}>
              <dt>{k}</dt>
              <dd>{typeof v === "object" ? JSON.stringify(v) : String(v)}</dd>
            </div>
          ))}
        </dl>
      )}
      <button type="button" onClick={open}>{t("Open data source {0}", name)}</button>
    </>
  );
}
