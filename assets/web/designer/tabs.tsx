// Tabs by the ARIA pattern: arrows choose, one panel is shown.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "../ui/icon";
import { t } from "../words";

export interface Tab {
  name: string;
  /** The name of a drawing that stands before the name. */
  icon?: string;
  /** Stands behind the name. */
  mark?: ComponentChildren;
  content: () => ComponentChildren;
}

/** With rail they stand below each other, at the side of what they show. */
export function Tabs({ label, tabs, chosen, rail = false }: { label: string; tabs: Tab[]; chosen: Signal<string>; rail?: boolean }) {
  const at = Math.max(0, tabs.findIndex((t) => t.name === chosen.value));
  const id = (i: number, part: string) => `${label}-${i}-${part}`.toLowerCase().replaceAll(" ", "-");
  const key = (e: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    chosen.value = tabs[next]!.name;
    document.getElementById(id(next, "tab"))?.focus();
  };
  return (
    <div class={rail ? "d-tabs d-rail" : "d-tabs"}>
      <div role="tablist" aria-label={t(label)} aria-orientation={rail ? "vertical" : "horizontal"} onKeyDown={key}>
        {tabs.map((tab, i) => (
          <button key={tab.name} id={id(i, "tab")} type="button" role="tab" aria-selected={i === at} aria-controls={id(at, "panel")} tabIndex={i === at ? 0 : -1} onClick={() => (chosen.value = tab.name)}>
            {tab.icon && <Icon name={tab.icon} />}
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
