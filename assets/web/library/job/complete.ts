// What can be written in the templates and conditions of a job.

import { formats, members, person } from "../../designer/complete";
import type { Completion } from "../../edit/types";
import type { Desk } from "./desk";
import { t } from "../../words";

/** What can follow a prefix, by what the data gave when it was looked at last. */
export function completionsOf(desk: Desk): (prefix: string) => Completion[] {
  return (prefix) => {
    if (prefix.endsWith(":")) return formats();
    if (prefix === "") return keywords();
    const [root = "", ...steps] = prefix.replace(/\.$/, "").replaceAll(/\[(\d+)\]/g, ".$1").split(".");
    if (root === "$params" && steps.length === 0) return parameters(desk);
    if (root === "$user") return steps.length === 0 ? person() : [];
    const { record, data } = desk.look.value ?? {};
    const entries = desk.look.value?.entries;
    const scope: Record<string, unknown> = {
      $record: record,
      $data: data,
      $run: perRun(desk) ? { number: 1, entries, completed: entries, errors: 0 } : { number: 1 },
      $job: { code: desk.job.code, name: desk.job.name },
      $entry: { position: 1 },
    };
    return members(steps.reduce<unknown>((value, name) => (value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined), scope[root]));
  };
}

function perRun(desk: Desk): boolean {
  return desk.job.deliveries?.some((d) => d.per === "run") ?? false;
}

function keywords(): Completion[] {
  return [
    { label: "$record", detail: t("row of the entry"), type: "namespace" },
    { label: "$data", detail: t("results of data sources"), type: "namespace" },
    { label: "$params", detail: t("parameters of this run"), type: "namespace" },
    { label: "$user", detail: t("as whom the job runs; empty unless it says so"), type: "namespace" },
    { label: "$run", detail: t("the run: its number and, in the settings of a delivery for the run, its counts"), type: "namespace" },
    { label: "$job", detail: t("code and name of the job"), type: "namespace" },
    { label: "$entry", detail: t("the entry: its position in the run"), type: "namespace" },
    { label: "$now", detail: t("when the run began"), type: "property" },
    { label: "$dict", detail: t("dictionary, in the language of the job"), type: "namespace" },
  ];
}

function parameters(desk: Desk): Completion[] {
  return (desk.job.parameters ?? []).flatMap((p) => {
    const label = p.name || p.reuse;
    return label ? [{ label, detail: String(p.label ?? p.type ?? ""), type: "property" }] : [];
  });
}
