// Tabs by the ARIA pattern: arrows choose, one panel is shown.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { t } from "../words";

export interface Tab {
  name: string;
  /** Stands behind the name. */
  mark?: ComponentChildren;
  content: () => ComponentChildren;
}

export function Tabs({ label, tabs, chosen }: { label: string; tabs: Tab[]; chosen: Signal<string> }) {
  const at = Math.max(0, tabs.findIndex((t) => t.name === chosen.value));
  const id = (i: number, part: string) => `${label}-${i}-${part}`.toLowerCase().replaceAll(" ", "-");
  const key = (e: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    chosen.value = tabs[next]!.name;
    document.getElementById(id(next, "tab"))?.focus();
  };
  return (
    <div class="d-tabs">
      <div role="tablist" aria-label={t(label)} onKeyDown={key}>
        {tabs.map((tab, i) => (
          <button key={tab.name} id={id(i, "tab")} type="button" role="tab" aria-selected={i === at} aria-controls={id(at, "panel")} tabIndex={i === at ? 0 : -1} onClick={() => (chosen.value = tab.name)}>
            {t(tab.name)}
            {tab.mark}
          </button>
        ))}
      </div>
      <div id={id(at, "panel")} role="tabpanel" aria-labelledby={id(at, "tab")} class="d-tab">
        {tabs[at]!.content()}
      </div>
    </div>
  );
}
