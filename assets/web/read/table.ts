// Tables: rows, cells, the widths of the columns.

import { type Look, round } from "./looks";
import { KEEP_NEXT, type Out } from "./types";
import type { Around } from "./around";
import { short } from "./short";

/** Rows that are looked at to find the edges of columns. */
const LOOKED = 200;

export function readTable(walk: Around, table: HTMLTableElement, look: Look): Out | null {
  const rows: Out[] = [];
  let head = 0;
  let foot = 0;
  let repeat = false;
  let title = table.getAttribute("aria-label") ?? "";
  let caption: Out | null = null;
  for (const part of table.children) {
    const own = walk.looks.of(part, look);
    if (own.hidden) continue;
    if (part.tagName === "CAPTION") {
      title ||= (part.textContent ?? "").replace(/\s+/g, " ").trim();
      if (part.classList.contains("q-hidden")) continue;
      caption = { kind: "block", style: own.style, children: walk.blocks(part, own, false), keep: KEEP_NEXT };
      continue;
    }
    if (part.tagName === "TR") {
      rows.push(row(walk, part as HTMLTableRowElement, own));
      continue;
    }
    if (!/^T(HEAD|BODY|FOOT)$/.test(part.tagName)) continue;
    const before = rows.length;
    for (const tr of part.children) {
      if (tr.tagName !== "TR") continue;
      const looks = walk.looks.of(tr, own);
      if (!looks.hidden) rows.push(row(walk, tr as HTMLTableRowElement, looks));
    }
    if (part.tagName === "THEAD" && before === 0) {
      head = rows.length;
      repeat = part.querySelector(":scope > tr[data-repeat]") !== null || !part.querySelector(":scope > tr")?.closest(".q-el");
    }
    foot = part.tagName === "TFOOT" ? rows.length - before : 0;
  }
  if (rows.length === 0) return caption;
  const out: Out = { kind: "table", style: look.style, table: { columns: widths(table) }, children: rows };
  if (head) out.table!.head = head;
  if (foot) out.table!.foot = foot;
  if (head && repeat) out.table!.repeat = true;
  if (title) out.table!.title = title;
  out.box = walk.box(table);
  if (!caption) return out;
  return { kind: "block", style: walk.looks.place({}), bare: true, children: [caption, out] };
}

function row(walk: Around, tr: HTMLTableRowElement, look: Look): Out {
  const out: Out = { kind: "row", style: look.style, children: [] };
  if (tr.hasAttribute("data-keep-next")) out.keep = KEEP_NEXT;
  walk.anchor(tr, out);
  const pages = walk.state === "pages";
  if (pages) out.box = walk.box(tr);
  for (const el of tr.children) {
    if (el.tagName !== "TD" && el.tagName !== "TH") continue;
    const cell = el as HTMLTableCellElement;
    const own = walk.looks.of(cell, look);
    if (own.display === "none") continue;
    const node: Out = { kind: "cell", style: own.style, children: walk.blocks(cell, own, true) };
    const head = cell.tagName === "TH";
    if (cell.colSpan > 1 || cell.rowSpan > 1 || head) {
      node.cell = {};
      if (cell.colSpan > 1) node.cell.columns = cell.colSpan;
      if (cell.rowSpan > 1) node.cell.rows = cell.rowSpan;
      if (head) node.cell.head = true;
    }
    if (pages) node.box = walk.box(cell);
    walk.anchor(cell, node);
    out.children!.push(short(node));
  }
  if (out.children!.length === 0) delete out.children;
  return out;
}

/** The widths of the columns, by the edges of cells. */
function widths(table: HTMLTableElement): number[] {
  const edges: number[] = [];
  const taken: number[] = [];
  const rtl = table.ownerDocument.defaultView!.getComputedStyle(table).direction === "rtl";
  let looked = 0;
  let columns = 0;
  for (const tr of table.rows) {
    if (looked++ >= LOOKED) break;
    let at = 0;
    for (const cell of tr.cells) {
      while ((taken[at] ?? 0) > 0) at++;
      const r = cell.getBoundingClientRect();
      if (r.width === 0 && r.height === 0) continue;
      const span = Math.min(cell.colSpan, 1000);
      edges[at] ??= rtl ? r.right : r.left;
      edges[at + span] ??= rtl ? r.left : r.right;
      for (let i = 0; i < span; i++) taken[at + i] = Math.max(cell.rowSpan || LOOKED, 1);
      at += span;
      columns = Math.max(columns, at);
    }
    for (let i = 0; i < taken.length; i++) taken[i] = Math.max(0, (taken[i] ?? 0) - 1);
  }
  for (let i = 0; i <= columns; ) {
    if (edges[i] !== undefined) {
      i++;
      continue;
    }
    let next = i;
    while (next <= columns && edges[next] === undefined) next++;
    const from = edges[i - 1] ?? 0;
    const to = edges[next] ?? from;
    for (let k = i; k < next; k++) edges[k] = from + ((to - from) * (k - i + 1)) / (next - i + 1);
    i = next;
  }
  const list = [];
  for (let i = 0; i < columns; i++) list.push(round(Math.abs(edges[i + 1]! - edges[i]!)));
  return list;
}
