// Repairs that the lint offers: one change of one setting.

import type { Repair } from "./api";
import { nodeAtPath } from "./edit";
import { type Report, update, withSetting } from "./model";

/** The report after a repair; the same where the place of the setting is not there any more. */
export function repaired(report: Report, { path, value }: Repair): Report {
  const node = nodeAtPath(report, path);
  const [name, ...rest] = keysOf(path);
  if (!node || name === undefined) return report;
  return update(report, node.id, (n) => withSetting(n, String(name), setIn(n.props?.[name], rest, value)));
}

/** The names and places after .props. of the last element of a path. */
function keysOf(path: string): (string | number)[] {
  const [, setting] = /^[^.]*\.[^[]+\[\d+\](?:\.children\[\d+\])*\.props\.(.*)$/.exec(path.replace(/^(?:template|include\.templates\[\d+\])\./, "")) ?? [];
  return [...(setting ?? "").matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, at]) => (at === undefined ? name : Number(at)));
}

function setIn(around: unknown, keys: (string | number)[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value ?? undefined;
  if (typeof key === "number") return Array.isArray(around) ? around.map((item, i) => (i === key ? setIn(item, rest, value) : item)) : around;
  const after = { ...(around as Record<string, unknown> | undefined) };
  const inner = setIn(after[key], rest, value);
  if (inner === undefined) delete after[key];
  else after[key] = inner;
  return after;
}
