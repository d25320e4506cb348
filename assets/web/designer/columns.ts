// The columns of a data table as values: what the tools on the page do to them.

import { type Node, withSetting } from "./model";

export type Column = Record<string, unknown>;

interface Group extends Record<string, unknown> {
  field?: string;
}

/** The columns that a table names; none while it shows all fields of its rows. */
export function columnsOf(node: Node): Column[] {
  return Array.isArray(node.props?.columns) ? (node.props.columns as Column[]) : [];
}

const withColumns = (node: Node, columns: Column[]): Node => withSetting(node, "columns", columns);

/** A column with settings; what is undefined is as by default. */
export function withColumn(node: Node, at: number, changes: Column): Node {
  return withColumns(
    node,
    columnsOf(node).map((column, i) => (i === at ? Object.fromEntries(Object.entries({ ...column, ...changes }).filter(([, value]) => value !== undefined)) : column)),
  );
}

export function withoutColumn(node: Node, at: number): Node {
  return totalled(withColumns(node, columnsOf(node).filter((_, i) => i !== at)));
}

/** The column goes to stand before another, or behind the last. */
export function moveColumn(node: Node, from: number, before: number): Node {
  const columns = [...columnsOf(node)];
  const [moved] = columns.splice(from, 1);
  if (!moved) return node;
  columns.splice(before > from ? before - 1 : before, 0, moved);
  return withColumns(node, columns);
}

export function addColumn(node: Node, column: Column): Node {
  return withColumns(node, [...columnsOf(node), column]);
}

export const aggregateOf = (column: Column | undefined): string => String((column?.footer as Column | undefined)?.aggregate ?? "");

/** A column with a total, or without: the footers that print it are there where any column needs them. */
export function withTotal(node: Node, at: number, aggregate: string): Node {
  return totalled(withColumn(node, at, { footer: aggregate ? { ...(columnsOf(node)[at]?.footer as Column | undefined), aggregate } : undefined }));
}

/** A table whose footers are on where a column has something for them. */
function totalled(node: Node): Node {
  const needed = columnsOf(node).some((c) => c.footer !== undefined);
  const has = (band: unknown): boolean => (band as Column | undefined)?.enabled === true;
  const band = (was: unknown): Column | undefined => {
    if (needed === has(was)) return was as Column | undefined;
    const { enabled: _, ...rest } = (was ?? {}) as Column;
    const now = needed ? { ...rest, enabled: true } : rest;
    return Object.keys(now).length > 0 ? now : undefined;
  };
  const groups = groupsOf(node).map(({ footer, ...rest }) => ({ ...rest, ...(band(footer) ? { footer: band(footer) } : {}) }));
  const whole = withSetting(node, "footer", band(node.props?.footer));
  return groups.length > 0 ? withSetting(whole, "groups", groups) : whole;
}

const groupsOf = (node: Node): Group[] => (Array.isArray(node.props?.groups) ? (node.props.groups as Group[]) : []);

/** How many levels of groups a table has at most. */
const LEVELS = 3;

export const isGrouped = (node: Node, field: string): boolean => groupsOf(node).some((g) => g.field === field);

/** A table whose rows stand together by a field, or no longer do; as it was when it has no level left. */
export function grouped(node: Node, field: string): Node {
  const groups = groupsOf(node);
  if (isGrouped(node, field)) {
    const left = groups.filter((g) => g.field !== field);
    return withSetting(node, "groups", left.length > 0 ? left : undefined);
  }
  return groups.length < LEVELS ? totalled(withSetting(node, "groups", [...groups.filter((g) => g.field), { field }])) : node;
}

interface Sorting extends Record<string, unknown> {
  type?: string;
  by?: { field?: string; descending?: boolean }[];
}

const stepsOf = (node: Node): Sorting[] => (Array.isArray(node.props?.transform) ? (node.props.transform as Sorting[]) : []);
const sorts = (step: Sorting | undefined): boolean => step?.type === "sort" && step.by?.length === 1;

export type Order = "none" | "ascending" | "descending";

/** How a table's rows are ordered by a field: the last of its steps says so. */
export function orderOf(node: Node, field: string): Order {
  const last = stepsOf(node).at(-1);
  const by = sorts(last) ? last!.by![0]! : undefined;
  return by?.field !== field ? "none" : by.descending ? "descending" : "ascending";
}

/** The next order: ascending, descending, as the rows come. */
export function reordered(node: Node, field: string): Node {
  const order = orderOf(node, field);
  const steps = sorts(stepsOf(node).at(-1)) ? stepsOf(node).slice(0, -1) : [...stepsOf(node)];
  if (order !== "descending") steps.push({ type: "sort", by: [order === "none" ? { field } : { field, descending: true }] });
  return withSetting(node, "transform", steps.length > 0 ? steps : undefined);
}

/** The formats that the bar offers, by the settings that make them. */
export const FORMATS: Record<string, Column> = {
  auto: {},
  whole: { customFormat: "n;0" },
  decimal: { customFormat: "n;2" },
  currency: { format: "currency" },
  percentage: { format: "percentage" },
  date: { format: "date" },
};

/** Which of them a column has; "own" for another. */
export function formatOf(column: Column): string {
  const { format, customFormat } = column;
  return Object.entries(FORMATS).find(([, f]) => (f.format ?? "") === (format ?? "") && (f.customFormat ?? "") === (customFormat ?? ""))?.[0] ?? "own";
}
