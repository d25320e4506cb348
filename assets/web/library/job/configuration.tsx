// The first step: what a job is called and how it works. What a job can say
// that no other step has is here, too.

import { Reference } from "../../designer/references";
import type { Desk } from "./desk";
import { At, FieldAt, Pick } from "./parts";
import { t } from "../../words";

/** The members of a job that other steps edit. */
export const ELSEWHERE = ["parameters", "dataSources", "repeat", "reports", "schedule", "deliveries"];

export function Configuration({ desk }: { desk: Desk }) {
  const { job } = desk;
  return (
    <form class="d-form l-narrow" onSubmit={(e) => e.preventDefault()}>
      {desk
        .settings()
        .filter((s) => !ELSEWHERE.includes(s.name))
        .map((s) => {
          if (s.name === "timezone") return <TimeZone key={s.name} desk={desk} help={s.help} />;
          if (s.name === "webhook") return <Webhook key={s.name} desk={desk} label={s.label ?? s.name} help={s.help} />;
          if (s.name !== "language") return <FieldAt key={s.name} desk={desk} setting={s} value={job[s.name]} change={(v) => desk.set(s.name, v)} path={s.name} />;
          return (
            <At key={s.name} desk={desk} path={s.name}>
              <Reference state={desk.library} id="f-language" label={s.label ?? s.name} help={s.help} kind="languages" value={String(job.language ?? "")} change={(v) => desk.set("language", v)} />
            </At>
          );
        })}
    </form>
  );
}

/** The connection that is told of the end of runs. */
function Webhook({ desk, label, help }: { desk: Desk; label: string; help?: string | undefined }) {
  const options = (desk.choices.value?.connections ?? []).filter((c) => c.type === "webhook").map((c) => ({ value: c.name, label: c.name }));
  return (
    <At desk={desk} path="webhook">
      <Pick id="f-webhook" label={label} help={help} value={String(desk.job.webhook ?? "")} none={t("None")} options={options} change={(v) => desk.set("webhook", v)} />
    </At>
  );
}

/** A time zone by its name, with those there are to choose from. */
export function TimeZone({ desk, help }: { desk: Desk; help?: string | undefined }) {
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <At desk={desk} path="timezone">
      <div class="d-field">
        <label for="f-timezone">{t("Time zone")}</label>
        <input id="f-timezone" type="text" list="j-zones" autocomplete="off" spellcheck={false} placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone} value={desk.job.timezone ?? ""} aria-describedby="f-timezone-help" onInput={(e) => desk.set("timezone", e.currentTarget.value)} />
        <datalist id="j-zones">
          {zones.map((z) => (
            <option key={z} value={z} />
          ))}
        </datalist>
        <p class="d-help" id="f-timezone-help">
          {help}
        </p>
      </div>
    </At>
  );
}
