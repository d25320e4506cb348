// The columns of the selected table by the keyboard.

import { columnsOf, moveColumn } from "./columns";
import { lockOf } from "./locks";
import type { State } from "./state";
import { gridOf, renamingColumn } from "./touch";
import { t } from "../words";

/** Whether what is selected is a table whose columns can be touched on the page. */
export function hasColumns(state: State): boolean {
  const node = state.node.value;
  return node !== null && state.stage !== null && columnsOf(node).length > 0 && !lockOf(state.report.value, node.id) && gridOf(state.stage, node) !== null;
}

/** The chosen column; -1 where there is none. */
export function columnIn(state: State): number {
  const [node, chosen] = [state.node.value, state.column.value];
  return node && chosen?.id === node.id && chosen.index < columnsOf(node).length ? chosen.index : -1;
}

/** How far a step to the right leads among the columns: backwards where they are read from the right. */
const onwards = (state: State): number => (state.stage!.doc.documentElement.dir === "rtl" ? -1 : 1);

/** Chooses the column beside the chosen one, or the outermost where none is. */
export function walkColumns(state: State, step: number): void {
  const [node, at, by] = [state.node.value!, columnIn(state), step * onwards(state)];
  const last = columnsOf(node).length - 1;
  const index = at >= 0 ? at + by : by > 0 ? 0 : last;
  state.column.value = { id: node.id, index: Math.max(0, Math.min(index, last)) };
}

/** Puts the chosen column behind or before its neighbour. */
export function shiftColumn(state: State, step: number): void {
  const [node, at] = [state.node.value!, columnIn(state)];
  const to = at + step * onwards(state);
  if (to < 0 || to >= columnsOf(node).length) return;
  state.set(node.id, t("Move column"), (n) => moveColumn(n, at, to > at ? to + 1 : to));
  state.column.value = { id: node.id, index: to };
}

export function renameColumn(state: State): void {
  renamingColumn.value = columnIn(state);
}
