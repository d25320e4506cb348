// Schedules that most jobs have, to begin with.

import type { Schedule } from "./model";
import { say } from "../../words";

export interface Preset {
  label: string;
  /** The schedule, from a first date and time on. */
  of: (start: string) => Schedule;
}

export const PRESETS: Preset[] = [
  { label: say("The first of the month"), of: (start) => ({ kind: "monthly", start, day: 1 }) },
  { label: say("The last day of the month"), of: (start) => ({ kind: "monthly", start, day: -1 }) },
  { label: say("The first workday of the month"), of: (start) => ({ kind: "monthly", start, which: "first", weekday: "workday" }) },
  { label: say("The last Friday of the month"), of: (start) => ({ kind: "monthly", start, which: "last", weekday: "friday" }) },
  { label: say("The first of the quarter"), of: (start) => ({ kind: "monthly", start: quarter(start), every: 3, day: 1 }) },
  { label: say("Every Monday"), of: (start) => ({ kind: "weekly", start, weekdays: ["monday"] }) },
  { label: say("Every workday"), of: (start) => ({ kind: "weekly", start, weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday"] }) },
  { label: say("Every day"), of: (start) => ({ kind: "daily", start }) },
  { label: say("Every hour"), of: (start) => ({ kind: "hourly", start }) },
  { label: say("Once"), of: (start) => ({ kind: "once", start }) },
];

/** The first day of the quarter that a date lies in. */
function quarter(start: string): string {
  const month = Math.floor((Number(start.slice(5, 7)) - 1) / 3) * 3 + 1;
  return `${start.slice(0, 5)}${String(month).padStart(2, "0")}-01${start.slice(10)}`;
}

/** Today at seven, where nothing else is known. */
export function today(): string {
  const now = new Date();
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}T07:00`;
}

/** Whether a schedule is what a preset gives. */
export function isPreset(preset: Preset, schedule: Schedule): boolean {
  const { start = "", until: _, missed: __, ...rest } = schedule;
  const { start: ___, ...wanted } = preset.of(start);
  const plain = (o: object) => JSON.stringify(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));
  return plain(rest) === plain(wanted);
}
