// What the library has for reports: attached by one press.

import { type Named, useShared } from "./references";
import type { FormContext } from "./fields";
import { Icon } from "../ui/icon";
import { t } from "../words";

/** How a report names what it takes from the library. */
export interface Attached {
  name: string;
  reuse: string;
}

interface ShelfProps {
  state: FormContext;
  kind: "dataSources" | "parameters";
  /** What the report has already. */
  used: { name?: string; reuse?: string }[];
  /** What a type is called. */
  called: (type: string) => string;
  attach: (made: Attached, is: Named) => void;
}

/** What of the library the report has not attached yet. */
export function Shelf({ state, kind, used, called, attach }: ShelfProps) {
  const free = useShared(state, kind).filter((d) => !used.some((u) => u.reuse === d.name) && !(d.scope === "global" && kind === "parameters"));
  if (free.length === 0) return null;
  const taken = used.map((u) => u.name || u.reuse || "");
  return (
    <section class="d-shelf" aria-label={t("From the library")}>
      <h3>{t("From the library")}</h3>
      <ul>
        {free.map((d) => (
          <li key={d.name}>
            <button type="button" title={t("Add {0} to this report", title(d))} onClick={() => attach(use(d.name, taken), d)}>
              <Icon name="plus" />
              <span>{title(d)}</span>
              <small>{called(d.type ?? "")}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function title(d: Named): string {
  return d.displayName || d.label || d.name;
}

/** A use of what the library calls so. Templates read it by a name that is a word, and that nothing else has. */
export function use(name: string, taken: string[]): Attached {
  const words = name.normalize("NFC").match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const joined = words.map((w, i) => (i === 0 ? (words.length > 1 ? w.charAt(0).toLowerCase() + w.slice(1) : w) : w.charAt(0).toUpperCase() + w.slice(1))).join("");
  const word = /^[\p{L}_$]/u.test(joined) ? joined : `from${joined}`;
  let free = word;
  for (let n = 2; taken.includes(free); n++) free = `${word}${n}`;
  return { name: free, reuse: name };
}
