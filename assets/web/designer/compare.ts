// What changed between two versions of a report, in words.

import { type Node, type Report, walk } from "./model";
import { t } from "../words";

/** How many changes are told; nobody reads more. */
const MOST = 60;

/** What elements and their settings are called. */
export interface Names {
  element(node: Node): string;
  setting(type: string, name: string): string;
}

const plain: Names = { element: (n) => n.type, setting: (_, name) => name };

/** One line for each change from the old report to the new one. */
export function changes(before: Report, after: Report, names: Names = plain): string[] {
  const lines: string[] = [];
  const old = elements(before);
  const now = elements(after);
  for (const [id, n] of now) {
    const was = old.get(id);
    if (!was) lines.push(t("Added: {0}", nameOf(n, names)));
    else lines.push(...settings(was, n, names));
  }
  for (const [id, n] of old) if (!now.has(id)) lines.push(t("Removed: {0}", nameOf(n, names)));
  if (lines.length === 0 && [...old.keys()].join() !== [...now.keys()].join()) lines.push(t("Elements were moved"));
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name !== "pages" && different(before[name], after[name])) lines.push(t("Report: {0} changed", name));
  }
  if (before.pages.length !== after.pages.length) lines.push(t("Pages: {0} became {1}", before.pages.length, after.pages.length));
  return lines.length > MOST ? [...lines.slice(0, MOST), t("… and {0} more", lines.length - MOST)] : lines;
}

function settings(was: Node, now: Node, called: Names): string[] {
  const names = new Set([...Object.keys(was.props ?? {}), ...Object.keys(now.props ?? {})]);
  const lines = [...names].filter((n) => different(was.props?.[n], now.props?.[n])).map((n) => t("{0}: {1} {2} became {3}", nameOf(now, called), called.setting(now.type, n), said(was.props?.[n]), said(now.props?.[n])));
  for (const n of ["name", "visible", "repeat", "type", "design"] as const) if (different(was[n], now[n])) lines.push(t("{0}: {1} changed", nameOf(now, called), n));
  return lines;
}

/** Elements by their ids, in their order. */
function elements(report: Report): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const p of report.pages) walk(p, (n) => n.id && found.set(n.id, n));
  return found;
}

function nameOf(n: Node, names: Names): string {
  const text = [n.name, n.props?.title, n.props?.text].find((s) => typeof s === "string" && s);
  return typeof text === "string" ? `${names.element(n)} “${text.length > 24 ? `${text.slice(0, 23)}…` : text}”` : names.element(n);
}

function said(v: unknown): string {
  if (v === undefined) return t("(default)");
  const text = typeof v === "string" ? v : JSON.stringify(v);
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
}

function different(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
