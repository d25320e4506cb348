// Places of a job in the words of its form.

import type { Setting } from "../../designer/api";
import { humanise } from "../../designer/labels";
import type { Desk } from "./desk";

/** "deliveries[0].settings.to" is Deliveries 1 › To. */
export function inWordsOf(desk: Desk, path: string): string {
  const words: string[] = [];
  let known: Setting[] = desk.settings();
  let value: unknown = desk.job;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    const parent = value;
    value = (parent as Record<string, unknown> | undefined)?.[step];
    if (/^\d+$/.test(step) && words.length > 0) {
      words.push(`${words.pop()} ${Number(step) + 1}`);
      continue;
    }
    const setting = known.find((s) => s.name === step);
    known = step === "settings" ? settingsOf(desk, parent) : (setting?.item?.settings ?? setting?.settings ?? []);
    if (step !== "settings") words.push(setting?.label ?? humanise(step));
  }
  return words.join(" › ");
}

/** The settings of a delivery depend on where it goes. */
function settingsOf(desk: Desk, delivery: unknown): Setting[] {
  const type = (delivery as { type?: string } | undefined)?.type;
  return desk.choices.value?.destinations.find((d) => d.name === type)?.settings ?? [];
}
