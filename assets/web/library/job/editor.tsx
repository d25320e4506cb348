// The editor of a job, in steps that can be taken in any order. Each tells how
// many problems it holds; the service finds them.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { completing, giving } from "../../designer/complete";
import { Tabs } from "../../designer/tabs";
import type { Definition } from "../kinds";
import type { Library } from "../state";
import { Whole } from "../whole";
import { completionsOf } from "./complete";
import { Configuration, ELSEWHERE } from "./configuration";
import { Deliveries } from "./delivery";
import { Desk } from "./desk";
import type { Job } from "./model";
import { Parameters } from "./parameters";
import { Summary, Wrong } from "./parts";
import { Reports } from "./reports";
import { ScheduleStep } from "./schedule";
import { Sources } from "./sources";
import { say, t } from "../../words";

const chosen = signal("Configuration");

interface Step {
  name: string;
  /** The members of a job that it edits; none are all that no other has. */
  members: string[];
  /** Whether it shows what the data gives. */
  looks?: boolean;
  content: (desk: Desk) => ComponentChildren;
}

const STEPS: Step[] = [
  { name: say("Configuration"), members: [], content: (desk) => <Configuration desk={desk} /> },
  { name: say("Parameters"), members: ["parameters"], content: (desk) => <Parameters desk={desk} /> },
  { name: say("Data sources"), members: ["dataSources", "repeat"], content: (desk) => <Sources desk={desk} /> },
  { name: say("Reports"), members: ["reports"], looks: true, content: (desk) => <Reports desk={desk} /> },
  { name: say("Schedule"), members: ["schedule"], content: (desk) => <ScheduleStep desk={desk} /> },
  { name: say("Delivery"), members: ["deliveries"], looks: true, content: (desk) => <Deliveries desk={desk} /> },
];

/** How long to wait after a key before the service is asked. */
const CHECK = 250;
const LOOK = 500;

export function JobEditor({ library }: { library: Library }) {
  const desk = useMemo(() => new Desk(library), []);
  const value = library.value.value!;
  const looks = STEPS.some((s) => s.looks && s.name === chosen.value);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!desk.job.reports && !desk.job.dataSources) chosen.value = STEPS[0]!.name; // a new one
    void desk.open();
  }, []);
  useEffect(() => {
    // A step begins at its top, also when the one before was left far down.
    const around = box.current?.closest(".l-editor");
    if (around && box.current!.getBoundingClientRect().top < around.getBoundingClientRect().top) box.current!.scrollIntoView();
  }, [chosen.value]);
  useEffect(() => {
    const timer = setTimeout(() => void desk.validate(), desk.check.value ? CHECK : 0);
    return () => clearTimeout(timer);
  }, [value]);
  const { entry, params } = desk;
  useEffect(() => {
    if (!looks) return;
    const timer = setTimeout(() => void desk.lookAt(), desk.look.value ? LOOK : 0);
    return () => clearTimeout(timer);
  }, [value, looks, entry.value, params.value]);
  const completions = useMemo(() => completionsOf(desk), []);
  const problemsOf = (s: Step) => (s.members.length > 0 ? desk.under(...s.members) : desk.problems.value.filter((p) => !ELSEWHERE.some((name) => p.path.startsWith(name))));
  return (
    <completing.Provider value={completions}>
      <giving.Provider value={desk.given}>
        <div class="j-editor" ref={box}>
          <Tabs
            label={say("Steps")}
            chosen={chosen}
            tabs={[
              ...STEPS.map((s, i) => ({
                name: s.name,
                mark: problemsOf(s).length > 0 && <Wrong count={problemsOf(s).length} />,
                content: () => (
                  <div class="j-step" key={s.name}>
                    <Summary desk={desk} problems={problemsOf(s)} />
                    {s.content(desk)}
                    <Onward at={i} runs={`${library.api.base}/ws/${library.api.workspace}/jobs/${library.chosen.value}`} />
                  </div>
                ),
              })),
              { name: "JSON", content: () => <AsJSON desk={desk} /> },
            ]}
          />
        </div>
      </giving.Provider>
    </completing.Provider>
  );
}

/** The ways to the steps before and after; behind the last lies the run. */
function Onward({ at, runs }: { at: number; runs: string }) {
  const go = (to: number) => {
    chosen.value = STEPS[to]!.name;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".j-editor [aria-selected=true]")?.focus());
  };
  return (
    <div class="d-buttons j-onward">
      {at > 0 && (
        <button type="button" onClick={() => go(at - 1)}>
          {t("Back: {0}", t(STEPS[at - 1]!.name))}
        </button>
      )}
      <span class="d-grow" />
      {at + 1 < STEPS.length ? (
        <button type="button" class="d-primary" onClick={() => go(at + 1)}>
          {t("Next: {0}", t(STEPS[at + 1]!.name))}
        </button>
      ) : (
        <a class="button" href={runs}>
          {t("To the runs")}
        </a>
      )}
    </div>
  );
}

function AsJSON({ desk }: { desk: Desk }) {
  const check = async (wanted: Definition) => {
    try {
      const { readable, problems } = await desk.checked(wanted as Job);
      return readable ? "" : problems.map((p) => `${p.path}: ${p.message}`).join("\n");
    } catch (e) {
      return e instanceof Error ? e.message : String(e);
    }
  };
  return <Whole library={desk.library} label={t("The job as JSON, without name and code")} object={t("A job is an object: { … }.")} check={check} />;
}
