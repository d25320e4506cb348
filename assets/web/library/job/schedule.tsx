// The fifth step: when the job runs, with the dates that follow from it.

import { Text } from "../../designer/fields";
import { TimeZone } from "./configuration";
import type { Desk } from "./desk";
import { type Schedule, withMember } from "./model";
import { At, Pick } from "./parts";
import { isPreset, PRESETS, today } from "./presets";
import { say, t } from "../../words";

const KINDS = [
  { value: "once", label: say("Once") },
  { value: "hourly", label: say("Hourly") },
  { value: "daily", label: say("Daily") },
  { value: "weekly", label: say("Weekly") },
  { value: "monthly", label: say("Monthly") },
  { value: "yearly", label: say("Yearly") },
  { value: "cron", label: say("By a cron text") },
];

const UNITS: Record<string, string> = { hourly: say("Every so many hours"), daily: say("Every so many days"), weekly: say("Every so many weeks"), monthly: say("Every so many months"), yearly: say("Every so many years") };

const WEEKDAYS = [
  { value: "monday", label: say("Monday") },
  { value: "tuesday", label: say("Tuesday") },
  { value: "wednesday", label: say("Wednesday") },
  { value: "thursday", label: say("Thursday") },
  { value: "friday", label: say("Friday") },
  { value: "saturday", label: say("Saturday") },
  { value: "sunday", label: say("Sunday") },
];

const WHICH = [
  { value: "first", label: say("first") },
  { value: "second", label: say("second") },
  { value: "third", label: say("third") },
  { value: "fourth", label: say("fourth") },
  { value: "last", label: say("last") },
];

const inWords = (options: { value: string; label: string }[]) => options.map((o) => ({ value: o.value, label: t(o.label) }));

export function ScheduleStep({ desk }: { desk: Desk }) {
  const { schedule, active } = desk.job;
  const preset = schedule ? PRESETS.findIndex((p) => isPreset(p, schedule)) : -1;
  const put = (chosen: Schedule | undefined) => desk.set("schedule", chosen, true);
  const take = (choice: string) => {
    if (choice === "") return put(undefined);
    if (choice === "own") return put(schedule ?? { kind: "cron", cron: "0 7 1 * *" });
    const { until, missed, start } = schedule ?? {};
    put({ ...PRESETS[Number(choice)]!.of(start ?? today()), ...(until && { until }), ...(missed && { missed }) });
  };
  return (
    <div class="j-schedule">
      <form class="d-form" onSubmit={(e) => e.preventDefault()}>
        <div class="d-field">
          <label for="j-preset">{t("When")}</label>
          <select id="j-preset" value={!schedule ? "" : preset < 0 ? "own" : String(preset)} onChange={(e) => take(e.currentTarget.value)}>
            <option value="">{t("Only when it is started")}</option>
            {PRESETS.map((p, i) => (
              <option key={p.label} value={String(i)}>
                {t(p.label)}
              </option>
            ))}
            <option value="own">{t("As set below")}</option>
          </select>
        </div>
        {schedule && <Own desk={desk} schedule={schedule} />}
        {schedule && <TimeZone desk={desk} help={t("Times are those of a clock there. Default: the server's.")} />}
      </form>
      {schedule && <Dates desk={desk} active={active === true} />}
    </div>
  );
}

function Own({ desk, schedule }: { desk: Desk; schedule: Schedule }) {
  const set = (name: string, value: unknown) => desk.set("schedule", withMember(schedule, name, value));
  const { kind } = schedule;
  const turn = (to: string) => {
    const { until, missed, start } = schedule;
    const kept = { ...(until && { until }), ...(missed && { missed }) };
    desk.set("schedule", to === "cron" ? { kind: to, cron: "0 7 1 * *", ...kept } : { kind: to, start: start ?? today(), ...kept }, true);
  };
  return (
    <>
      <At desk={desk} path="schedule.kind">
        <Pick id="f-schedule.kind" label={t("Repetition")} value={kind} options={inWords(KINDS)} change={turn} />
      </At>
      {kind === "cron" ? (
        <At desk={desk} path="schedule.cron">
          <Text id="f-schedule.cron" label={t("Cron text")} help={t("Five fields: minute, hour, day of the month, month, day of the week. 0 7 1 * * is the first of each month at 7:00; 30 6 * * 1-5 each workday at 6:30.")} placeholder="0 7 1 * *" value={schedule.cron ?? ""} change={(v) => set("cron", v)} />
        </At>
      ) : (
        <At desk={desk} path="schedule.start">
          <Moment id="f-schedule.start" label={kind === "once" ? t("Date and time") : t("First date and time")} help={kind === "once" ? undefined : t("Later times are at the same time of day.")} value={schedule.start ?? ""} change={(v) => set("start", v)} />
        </At>
      )}
      {UNITS[kind] && (
        <At desk={desk} path="schedule.every">
          <div class="d-field">
            <label for="f-schedule.every">{t(UNITS[kind])}</label>
            <input id="f-schedule.every" type="number" min={1} max={1000} placeholder="1" value={schedule.every ?? ""} onInput={(e) => e.currentTarget.validity.valid && set("every", e.currentTarget.value === "" ? undefined : e.currentTarget.valueAsNumber)} />
          </div>
        </At>
      )}
      {kind === "weekly" && <Days desk={desk} chosen={schedule.weekdays ?? []} change={(days) => set("weekdays", days.length > 0 ? days : undefined)} />}
      {(kind === "monthly" || kind === "yearly") && <DayOfMonth desk={desk} schedule={schedule} />}
      {kind !== "once" && (
        <At desk={desk} path="schedule.until">
          <Moment id="f-schedule.until" label={t("Until")} help={t("The last day on which the job may run. Empty: for ever.")} value={schedule.until ?? ""} day change={(v) => set("until", v)} />
        </At>
      )}
      <At desk={desk} path="schedule.missed">
        <Pick
          id="f-schedule.missed"
          label={t("A time that was missed")}
          help={t("What becomes of times that passed while the service was down.")}
          value={schedule.missed ?? "run"}
          options={[
            { value: "run", label: t("Run once, as soon as the service is back") },
            { value: "skip", label: t("Skip | a date") },
          ]}
          change={(v) => set("missed", v === "run" ? undefined : v)}
        />
      </At>
    </>
  );
}

/** A day, or a day with a time. What is neither is edited as text. */
function Moment({ id, label, help, value, day, change }: { id: string; label: string; help?: string | undefined; value: string; day?: boolean; change: (v: string) => void }) {
  const type = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value) || (value === "" && !day) ? "datetime-local" : /^\d{4}-\d\d-\d\d$/.test(value) || value === "" ? "date" : "text";
  const common = { id, value, "aria-describedby": help ? `${id}-help` : undefined, onChange: (e: { currentTarget: HTMLInputElement }) => change(e.currentTarget.value) };
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      {type === "text" ? <input type="text" {...common} /> : <input type={type} {...common} />}
      {help && (
        <p class="d-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

function Days({ desk, chosen, change }: { desk: Desk; chosen: string[]; change: (days: string[]) => void }) {
  const with_ = (day: string, on: boolean) => change(WEEKDAYS.map((d) => d.value).filter((d) => (d === day ? on : chosen.includes(d))));
  return (
    <At desk={desk} path="schedule.weekdays">
      <fieldset class="d-list j-days">
        <legend>{t("On | weekdays")}</legend>
        {WEEKDAYS.map((d) => (
          <label key={d.value} class="d-check">
            <input type="checkbox" checked={chosen.includes(d.value)} onChange={(e) => with_(d.value, e.currentTarget.checked)} /> {t(d.label)}
          </label>
        ))}
      </fieldset>
      {chosen.length === 0 && <p class="d-help">{t("None chosen: the weekday of the first date.")}</p>}
    </At>
  );
}

/** A day by its number, or a weekday by its place in the month. */
function DayOfMonth({ desk, schedule }: { desk: Desk; schedule: Schedule }) {
  const { day: _, which = "", weekday = "", ...rest } = schedule;
  const byWeekday = which !== "" || weekday !== "";
  const days = [...Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: `${i + 1}.` })), { value: "-1", label: t("Last day") }, { value: "-2", label: t("Last day but one") }];
  const put = (changed: Partial<Schedule>) => desk.set("schedule", { ...rest, ...changed });
  return (
    <fieldset class="d-list">
      <legend>{t("Day of the month")}</legend>
      <label class="d-check">
        <input type="radio" name="day" checked={!byWeekday} onChange={() => put({ day: 1 })} />
        <span>{t("By its number")}</span>
      </label>
      <label class="d-check">
        <input type="radio" name="day" checked={byWeekday} onChange={() => put({ which: "last", weekday: "friday" })} />
        <span>{t("By the weekday")}</span>
      </label>
      {byWeekday ? (
        <div class="j-pair">
          <At desk={desk} path="schedule.which">
            <Pick id="f-schedule.which" label={t("Which")} value={which} options={inWords(WHICH)} change={(v) => put({ which: v, weekday })} />
          </At>
          <At desk={desk} path="schedule.weekday">
            <Pick id="f-schedule.weekday" label={t("Weekday")} value={weekday} options={[...inWords(WEEKDAYS), { value: "day", label: t("Day") }, { value: "workday", label: t("Workday") }]} change={(v) => put({ which, weekday: v })} />
          </At>
        </div>
      ) : (
        <At desk={desk} path="schedule.day">
          <Pick id="f-schedule.day" label={t("Day")} help={t("A day that a month lacks becomes its last.")} value={schedule.day ? String(schedule.day) : ""} none={t("That of the first date")} options={days} change={(v) => put(v === "" ? {} : { day: Number(v) })} />
        </At>
      )}
    </fieldset>
  );
}

/** The dates that the service has worked out, by the clocks of the job's zone. */
function Dates({ desk, active }: { desk: Desk; active: boolean }) {
  const dates = desk.check.value?.dates ?? [];
  const wrong = desk.under("schedule", "timezone").length > 0;
  return (
    <section class="j-dates" aria-label={t("The next dates")}>
      <h3>{t("The next dates")}</h3>
      {!active && <p class="d-hint">{t("The job is not active: it does not run until it is.")}</p>}
      <div role="status">
        {wrong && <p class="d-hint">{t("Nothing can be worked out until the schedule is right.")}</p>}
        {!wrong && desk.check.value && dates.length === 0 && <p class="d-hint">{t("No date is left.")}</p>}
      </div>
      <ol>
        {dates.map((d) => (
          <li key={d}>
            <time dateTime={d}>{shown(d)}</time> <small>{d.slice(19) === "Z" ? "UTC" : `UTC${d.slice(19)}`}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A date as the clock there shows it, in the language of the page. */
function shown(date: string): string {
  return new Intl.DateTimeFormat(document.documentElement.lang || "en", { dateStyle: "full", timeStyle: "short", timeZone: "UTC" }).format(new Date(`${date.slice(0, 19)}Z`));
}
