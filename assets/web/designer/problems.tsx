// What is wrong and what might be better, each a click away from its element.

import { nodeAtPath } from "./edit";
import type { State } from "./state";
import { t } from "../words";

export function Problems({ state }: { state: State }) {
  const list = [...state.warnings.value.map((w) => ({ ...w, rule: "warning" })), ...state.findings.value, ...state.seen.value];
  return (
    <section class="d-warnings" aria-label={t("Problems")}>
      <h3>{t("Problems")} {list.length > 0 && <span class="d-count">{list.length}</span>}</h3>
      {list.length === 0 && <p class="d-hint">{t("Nothing to mend.")}</p>}
      <ul>
        {list.map((w, i) => {
          const node = nodeAtPath(state.report.value, w.path);
          const source = /^dataSources\[(\d+)\]/.exec(w.path);
          const used = source && state.report.value.dataSources?.[Number(source[1])];
          return (
            <li key={i} class={w.rule === "warning" ? "d-wrong" : ""}>
              {node || used ? (
                <button type="button" onClick={() => (node ? state.reveal(node.id) : (state.source.value = used!.name || used!.reuse || null))}>
                  {node && <b>{state.labelOf(node)}: </b>}
                  {node ? withoutPlace(w.message, node.id) : w.message}
                </button>
              ) : (
                w.message
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A message without the type and id of its element, which the label names better. */
function withoutPlace(message: string, id: string): string {
  const place = message.indexOf(`"${id}": `);
  return place > 0 && /^[\w-]+ $/.test(message.slice(0, place)) ? message.slice(place + id.length + 4) : message;
}
