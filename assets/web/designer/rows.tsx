// Rows of data as a plain table.

import { t } from "../words";

interface RowsProps {
  label: string;
  rows: unknown[];
  columns?: string[];
  total: number;
}

/** The first rows; values that are no objects stand in one column. */
export function Rows({ label, rows, columns, total }: RowsProps) {
  const names = columns && columns.length > 0 ? columns : [...new Set(rows.flatMap((r) => (isObject(r) ? Object.keys(r) : [])))];
  if (rows.length === 0) return <p class="d-hint">{t("No rows.")}</p>;
  return (
    <div class="d-rows" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {names.length === 0 ? <th scope="col">value</th> : names.map((n) => <th key={n} scope="col">{n}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((r, i) => (
            <tr key={i}>{names.length === 0 || !isObject(r) ? <td colSpan={Math.max(1, names.length)}>{shown(r)}</td> : names.map((n) => <td key={n}>{shown(r[n])}</td>)}</tr>
          ))}
        </tbody>
      </table>
      {total > rows.length && <p class="d-hint">{t("The first {0} of {1}.", rows.length, total)}</p>}
    </div>
  );
}

function isObject(v: unknown): v is Record<string, unknown> {
  return v !== null && typeof v === "object" && !Array.isArray(v);
}

function shown(v: unknown): string {
  if (v === null || v === undefined) return "";
  const text = typeof v === "object" ? JSON.stringify(v) : String(v);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
