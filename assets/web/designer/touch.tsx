// A data table that can be touched on the page: a column is chosen, dragged by
// its head to another place and by its border to another width, renamed, and has
// a bar with what is done to columns most.

import { signal } from "@preact/signals";
import { Icon } from "../ui/icon";
import { t } from "../words";
import { addColumn, aggregateOf, columnsOf, FORMATS, formatOf, grouped, isGrouped, moveColumn, orderOf, reordered, withColumn, withoutColumn, withTotal } from "./columns";
import { factsOf } from "./complete";
import { dragElements, follow } from "./drag";
import { type Around, Floating, LABEL, toPage } from "./floating";
import { humanise } from "./labels";
import { lockOf } from "./locks";
import type { Node } from "./model";
import { linesAround, snapped } from "./snap";
import { OPTIONS } from "./touchwords";
import type { Box, Point, Stage } from "./stage";
import type { State } from "./state";
import { picks } from "./values";
import { useWritten } from "./written";

/** Where the columns of a table are on its first sheet. */
interface Grid {
  heads: Box[];
  /** From the top of the heads to the end of the table. */
  top: number;
  bottom: number;
}

/** The column whose title is being written. */
export const renamingColumn = signal<number | null>(null);

/** The grid of a table whose heads are its columns one by one; null where they are not. */
export function gridOf(stage: Stage, node: Node): Grid | null {
  const part = stage.parts(node.id)[0];
  const table = part?.matches("table") ? part : part?.querySelector("table");
  const rows = table ? [...table.querySelectorAll("thead tr")] : [];
  const heads = [...(rows.at(-1)?.children ?? [])] as HTMLTableCellElement[];
  if (!table || rows.length !== 1 || heads.length === 0 || heads.length !== columnsOf(node).length || heads.some((h) => h.colSpan > 1)) return null;
  const box = table.getBoundingClientRect();
  return { heads: heads.map((h) => h.getBoundingClientRect()), top: heads[0]!.getBoundingClientRect().top, bottom: box.bottom };
}

/** The column of a table at a point; null beside all of them. */
export function columnAt(stage: Stage, node: Node | null, { x }: Point): number | null {
  if (!node || columnsOf(node).length === 0) return null;
  const at = gridOf(stage, node)?.heads.findIndex((h) => x >= h.left && x < h.left + h.width) ?? -1;
  return at < 0 ? null : at;
}

export function Touch({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const node = state.node.value;
  const stage = state.stage!;
  const renaming = renamingColumn.value;
  const grid = node && state.settingsOf(node.type).some((s) => s.editor === "columns") ? gridOf(stage, node) : null;
  if (!node || !grid || state.writing.value || lockOf(state.report.value, node.id)) return null;
  const chosen = state.column.value;
  const at = chosen && chosen.id === node.id && chosen.index < grid.heads.length ? chosen.index : null;
  const head = at === null ? null : grid.heads[at]!;
  const scaled = (b: { left: number; top: number; width: number; height: number }) => ({ left: `${b.left * zoom}px`, top: `${b.top * zoom}px`, width: `${b.width * zoom}px`, height: `${b.height * zoom}px` });
  const last = grid.heads.at(-1)!;
  return (
    <div class="d-touch">
      {head && <div class="d-box d-column" style={scaled({ left: head.left, top: grid.top, width: head.width, height: grid.bottom - grid.top })} />}
      {grid.heads.map((h, i) => (
        <div key={i} class="d-head" style={scaled(h)} onPointerDown={(e) => dragHead(state, e, node, grid, i)} onDblClick={() => (renamingColumn.value = i)}>
          <i class="d-border" onPointerDown={(e) => dragBorder(state, e, node, grid, i)} onDblClick={(e) => e.stopPropagation()} />
        </div>
      ))}
      {renaming !== null && grid.heads[renaming] && <Title key={renaming} state={state} node={node} at={renaming} style={scaled(grid.heads[renaming]!)} done={(byKey) => ((renamingColumn.value = null), byKey && toPage())} />}
      <Plus state={state} node={node} style={{ left: `${(last.left + last.width) * zoom + 6}px`, top: `${(grid.top + last.height / 2) * zoom - 11}px` }} />
      {head && at !== null && <ColumnBar state={state} node={node} at={at} around={{ left: head.left * zoom, top: grid.top * zoom, bottom: grid.bottom * zoom, free: LABEL }} />}
    </div>
  );
}

const choose = (state: State, node: Node, index: number): void => {
  state.column.value = { id: node.id, index };
};

/** Drags a head to another place among the columns; a press that does not move chooses the column. */
function dragHead(state: State, e: PointerEvent, node: Node, grid: Grid, from: number): void {
  if (e.button !== 0) return;
  e.stopPropagation();
  if (e.altKey) return dragElements(state, e, [node.id]);
  let to = from;
  const mid = (h: Box): number => h.left + h.width / 2;
  follow(
    state.stage!,
    e,
    () => ({
      move(now, at) {
        to = grid.heads.filter((h) => mid(h) < at.x).length;
        const edge = grid.heads[to]?.left ?? grid.heads.at(-1)!.left + grid.heads.at(-1)!.width;
        state.snaps.value = [{ left: edge - 1, top: grid.top, width: 3, height: grid.bottom - grid.top }];
        state.shadow.value = { x: now.clientX, y: now.clientY, label: titleOf(node, from) };
      },
      done() {
        const landed = to > from ? to - 1 : to;
        if (landed === from) return;
        state.set(node.id, t("Move column"), (n) => moveColumn(n, from, to));
        choose(state, node, landed);
      },
      ended() {
        state.snaps.value = [];
        state.shadow.value = null;
      },
    }),
    () => choose(state, node, from),
  );
}

/** The least width of a column, in pixels. */
const NARROWEST = 16;

/** Drags the border at the right of a column. */
function dragBorder(state: State, e: PointerEvent, node: Node, grid: Grid, at: number): void {
  if (e.button !== 0) return;
  e.stopPropagation();
  const { left } = grid.heads[at]!;
  const lines = linesAround(state, node.id);
  let width: number | null = null;
  follow(
    state.stage!,
    e,
    () => ({
      move(now, { x }) {
        const near = snapped(state.stage!, lines, "x", x);
        width = Math.max(NARROWEST, Math.round(near.at - left));
        state.snaps.value = near.shown.length > 0 ? near.shown : [{ left: left + width, top: grid.top, width: 1, height: grid.bottom - grid.top }];
        state.shadow.value = { x: now.clientX, y: now.clientY, label: `${width} px` };
      },
      done() {
        if (width !== null) state.set(node.id, t("Width of the column"), (n) => withColumn(n, at, { width: `${width}px` }));
        choose(state, node, at);
      },
      ended() {
        state.snaps.value = [];
        state.shadow.value = null;
      },
    }),
    () => choose(state, node, at),
  );
}

function titleOf(node: Node, at: number): string {
  const { title, field } = columnsOf(node)[at] ?? {};
  return String(title || humanise(String(field ?? "").split(".").at(-1)!) || t("Column"));
}

/** The title of a column as a field where it stands: Enter keeps, Escape forgets. */
function Title({ state, node, at, style, done }: { state: State; node: Node; at: number; style: Record<string, string>; done: (byKey: boolean) => void }) {
  const written = useWritten((title) => title !== titleOf(node, at) && state.set(node.id, t("Rename the column"), (n) => withColumn(n, at, { title: title || undefined })), done);
  return <input {...written} class="d-title" aria-label={t("Title of the column")} style={style} defaultValue={titleOf(node, at)} onPointerDown={(e) => e.stopPropagation()} />;
}

/** Adds a column of a field that the table does not show yet. */
function Plus({ state, node, style }: { state: State; node: Node; style: Record<string, string> }) {
  const shown = columnsOf(node).map((c) => c.field);
  const offered = picks(factsOf(state), "field", `f-${node.id}.columns`).filter((p) => p.kind !== "list" && !shown.includes(p.value));
  const add = (value: string) => {
    state.set(node.id, t("Add column"), (n) => addColumn(n, value ? { field: value, title: humanise(value.split(".").at(-1)!) } : { title: t("Column") }));
    choose(state, node, shown.length);
  };
  return (
    <label class="d-plus" style={style} title={t("Add column")}>
      <Icon name="plus" />
      <select aria-label={t("Add column")} value="-" onChange={(e) => (add(e.currentTarget.value), (e.currentTarget.value = "-"))}>
        <option value="-" hidden />
        {offered.map((p) => (
          <option key={p.value} value={p.value}>
            {p.value}
          </option>
        ))}
        <option value="">{t("Without a field")}</option>
      </select>
    </label>
  );
}

const ALIGN = ["left", "center", "right"] as const;
const ALIGN_ICONS = { left: "text-align-start", center: "text-align-center", right: "text-align-end" };
const ORDER_ICONS = { none: "arrow-up-down", ascending: "arrow-down-narrow-wide", descending: "arrow-down-wide-narrow" };

/** What is done to a column most, above it. */
function ColumnBar({ state, node, at, around }: { state: State; node: Node; at: number; around: Around }) {
  const column = columnsOf(node)[at]!;
  const field = String(column.field ?? "");
  const change = (label: string, by: (n: Node) => Node) => state.set(node.id, label, by);
  const [format, order] = [formatOf(column), orderOf(node, field)];
  return (
    <Floating label={t("Column {0}", titleOf(node, at))} around={around} leave={toPage}>
      <select aria-label={t("Format")} value={format} onChange={(e) => change(t("Format of the column"), (n) => withColumn(n, at, { format: undefined, customFormat: undefined, ...FORMATS[e.currentTarget.value] }))}>
        {Object.entries(OPTIONS.formats).map(([name, words]) => (
          <option key={name} value={name}>
            {t(words)}
          </option>
        ))}
        {format === "own" && <option value="own">{String(column.customFormat || column.format)}</option>}
      </select>
      <span class="d-segments">
        {ALIGN.map((side) => (
          <button key={side} type="button" title={t(OPTIONS.align[side])} aria-label={t(OPTIONS.align[side])} aria-pressed={column.align === side} onClick={() => change(t("Align the column"), (n) => withColumn(n, at, { align: column.align === side ? undefined : side }))}>
            <Icon name={ALIGN_ICONS[side]} />
          </button>
        ))}
      </span>
      <label class="d-total" title={t("Total")}>
        <Icon name="sigma" />
        <select aria-label={t("Total")} value={aggregateOf(column)} onChange={(e) => change(t("Total of the column"), (n) => withTotal(n, at, e.currentTarget.value))}>
          {Object.entries(OPTIONS.totals).map(([name, words]) => (
            <option key={name} value={name}>
              {t(words)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" title={t("Group by this")} aria-label={t("Group by this")} disabled={!field} aria-pressed={isGrouped(node, field)} onClick={() => change(t("Group"), (n) => grouped(n, field))}>
        <Icon name="group" />
      </button>
      <button type="button" title={t(OPTIONS.order[order])} aria-label={t(OPTIONS.order[order])} disabled={!field} aria-pressed={order !== "none"} onClick={() => change(t("Order"), (n) => reordered(n, field))}>
        <Icon name={ORDER_ICONS[order]} />
      </button>
      <button
        type="button"
        title={t("Delete column")}
        aria-label={t("Delete column")}
        onClick={() => {
          change(t("Delete column"), (n) => withoutColumn(n, at));
          state.column.value = null;
        }}
      >
        <Icon name="trash-2" />
      </button>
    </Floating>
  );
}
