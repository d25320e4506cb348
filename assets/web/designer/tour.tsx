// The tour of one minute: five sentences beside what they are about.

import { useEffect, useState } from "preact/hooks";
import type { State } from "./state";
import { say, t } from "../words";

const STEPS: { at: string; tab?: string; title: string; text: string }[] = [
  { at: ".d-tabs", tab: "Add", title: say("Build"), text: say("Drag a component onto the page, or press it. Text, tables, charts, pictures and codes are all here.") },
  { at: ".d-tabs", tab: "Data", title: say("Bind"), text: say("Add a data source and drag what it gives onto the page: a value becomes a text, a list becomes a table.") },
  { at: ".d-canvas", title: say("Look"), text: say("The page is drawn by the service itself: what you see is what the PDF holds. Double click writes in place, edges resize.") },
  { at: ".d-right", title: say("Refine"), text: say("Everything about what is selected stands here; when nothing is selected, the page and the report. What is to be mended is counted below the page, a click lists it and leads to each place.") },
  { at: ".d-bar", title: say("Relax"), text: say("Every step can be undone, everything is saved by itself, and earlier versions can be compared and restored. Ctrl+K finds every command.") },
];

export function Tour({ state, close }: { state: State; close: () => void }) {
  const [at, go] = useState(0);
  const step = STEPS[at]!;
  useEffect(() => {
    if (step.tab) state.tab.value = step.tab;
    const el = document.querySelector(step.at);
    el?.classList.add("d-toured");
    document.getElementById("tour-next")?.focus();
    return () => el?.classList.remove("d-toured");
  }, [at]);
  const last = at === STEPS.length - 1;
  return (
    <div class="d-tour" role="dialog" aria-labelledby="tour-title" aria-describedby="tour-text" onKeyDown={(e) => e.key === "Escape" && (e.stopPropagation(), close())}>
      <h2 id="tour-title">
        {t(step.title)} <small>{t("{0} of {1}", at + 1, STEPS.length)}</small>
      </h2>
      <p id="tour-text">{t(step.text)}</p>
      <div class="d-buttons">
        <button type="button" onClick={close}>
          {t("Skip")}
        </button>
        <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
          {t("Back")}
        </button>
        <button id="tour-next" type="button" class="d-primary" onClick={() => (last ? close() : go(at + 1))}>
          {last ? t("Begin") : t("Next")}
        </button>
      </div>
    </div>
  );
}
