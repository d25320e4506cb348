// What can be written in the templates and conditions of a job.

import { formats, members } from "../../designer/complete";
import type { Completion } from "../../edit/types";
import type { Desk } from "./desk";
import { t } from "../../words";

/** What can follow a prefix, by what the data gave when it was looked at last. */
export function completionsOf(desk: Desk): (prefix: string) => Completion[] {
  return (prefix) => {
    if (prefix.endsWith(":")) return formats();
    if (prefix === "") return keywords(desk);
    const [root = "", ...steps] = prefix.replace(/\.$/, "").replaceAll(/\[(\d+)\]/g, ".$1").split(".");
    if (root === "$params" && steps.length === 0) return parameters(desk);
    const { record, data } = desk.look.value ?? {};
    const scope: Record<string, unknown> = { $record: record, $data: data, $run: { number: 1, entries: desk.look.value?.entries, completed: desk.look.value?.entries, errors: 0 } };
    return members(steps.reduce<unknown>((value, name) => (value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined), scope[root]));
  };
}

function keywords(desk: Desk): Completion[] {
  return [
    ...(desk.job.deliveries?.some((d) => d.per === "run") ? [{ label: "$run", detail: t("the run, in the settings of a delivery for the run"), type: "namespace" }] : []),
    { label: "$record", detail: t("row of the entry"), type: "namespace" },
    { label: "$data", detail: t("results of data sources"), type: "namespace" },
    { label: "$params", detail: t("parameters of this run"), type: "namespace" },
    { label: "$dict", detail: t("dictionary, in the language of the job"), type: "namespace" },
  ];
}

function parameters(desk: Desk): Completion[] {
  return (desk.job.parameters ?? []).flatMap((p) => {
    const label = p.name || p.reuse;
    return label ? [{ label, detail: String(p.label ?? p.type ?? ""), type: "property" }] : [];
  });
}
