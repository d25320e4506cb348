// What people do with elements and pages. Each is one step that can be undone.

import { type Beside, inRow, isRow, placed, released, settled, type Sharing } from "./beside";
import { asField } from "./complete";
import { type CopiedLook, lookCopied, lookPasted } from "./copylook";
import { holdsPlace, isLayouts, PLACE } from "./layouts";
import { having, type Mark, markedAll } from "./locks";
import { ancestors, find, fresh, insert, LAYOUT_SLOTS, move, type Node, outermost, type Page, remove, type Report, shift, siblings, slotsOf, type Target, update, withSetting } from "./model";
import type { State } from "./state";
import { say, t } from "../words";

/** Where something new goes: into a selected container, behind the selection, or to the end of the page. */
export function nextTo(state: State): Target {
  const place = state.selected.value[0] ? find(state.report.value, state.selected.value[0]) : null;
  if (!place) return state.pageEnd;
  const { page, slot } = place;
  if (state.isContainer(place.node.type)) return { page, slot, parent: place.node.id, index: place.node.children?.length ?? 0 };
  return { page, slot, parent: place.parent?.id ?? null, index: place.index + 1 };
}

/** Whether an element takes a share of its row: pictures are as wide as they are. */
const sharing = (state: State): Sharing => ({ type }) => {
  const settings = state.settingsOf(type);
  return settings.some((s) => s.name === "grow") && !settings.some((s) => s.means === "picture");
};

export function insertAt(state: State, target: Target, nodes: Node[], label: string, beside?: Beside): void {
  const report = state.report.value;
  const made = fresh(report, nodes);
  const ids = made.map((n) => n.id);
  state.source.value = null;
  state.commit(label, placed(report, insert(report, target, made), ids, sharing(state), beside), { select: ids });
}

/** Moves elements to a place, or beside one that is there. */
export function moveTo(state: State, ids: string[], target: Target, beside?: Beside): void {
  if (state.held(ids)) return;
  const report = state.report.value;
  state.commit(t("Move"), placed(report, move(report, ids, target), ids, sharing(state), beside), { select: ids });
}

/** The elements that would stand side by side: the selected ones, or one with its neighbour; none where they do, or cannot. */
function abreast(state: State): string[] {
  const report = state.report.value;
  const chosen = outermost(report, state.selected.value);
  const place = chosen[0] ? find(report, chosen[0]) : null;
  if (!place || isRow(place.parent)) return [];
  const around = siblings(report, place);
  const neighbour = around[place.index - 1] ?? around[place.index + 1];
  const ids = chosen.length > 1 || !neighbour ? chosen : outermost(report, [...chosen, neighbour.id]);
  const able = ids.every((id) => {
    const node = find(report, id)!.node;
    return !node.repeat && !state.components.value.find((c) => c.name === node.type)?.template;
  });
  return able && ids.length > 1 ? ids : [];
}

export const canBeAbreast = (state: State): boolean => abreast(state).length > 1;

/** Puts elements side by side, where the first of them stands. */
export function putAbreast(state: State): void {
  const report = state.report.value;
  const ids = abreast(state);
  if (ids.length > 1) state.commit(t("Put side by side"), settled(report, inRow(report, ids, ids[0]!, sharing(state))), { select: state.selected.value });
}

export function add(state: State, nodes: Node[], label: string): void {
  insertAt(state, nextTo(state), nodes, label);
}

/** Writes a text and puts an element behind it; where nothing is written, in its place. One step. */
export function exchange(state: State, id: string, setting: string, text: string, node: Node, label: string): void {
  const report = state.report.value;
  const place = find(report, id);
  const [made] = fresh(report, [node]);
  if (!place || !made) return;
  const target = { page: place.page, slot: place.slot, parent: place.parent?.id ?? null, index: place.index + 1 };
  const both = insert(update(report, id, (n) => withSetting(n, setting, text)), target, [made]);
  state.commit(label, text.trim() === "" ? remove(both, [id]) : both, { select: [made.id] });
}

/** The selected elements, without those inside of others. */
export function selectedNodes(state: State): Node[] {
  return outermost(state.report.value, state.selected.value).flatMap((id) => find(state.report.value, id)?.node ?? []);
}

/** Whether a layout would lose the place where the content of reports stands, which is then said. */
function keepsPlace(state: State, after: Report): boolean {
  const lost = after.pages.some((p, i) => state.report.value.pages[i] !== p && LAYOUT_SLOTS.some((slot) => slot in p) && !holdsPlace(p));
  if (lost) state.told.value = t("The content of reports stands in the placeholder, so a layout keeps it. Move it, or put others around it.");
  return !lost;
}

export function removeSelected(state: State): void {
  const [id] = outermost(state.report.value, state.selected.value);
  const place = id ? find(state.report.value, id) : null;
  if (!place) return;
  const after = settled(state.report.value, remove(state.report.value, state.selected.value));
  if (!keepsPlace(state, after)) return;
  const others = siblings(state.report.value, place).filter((n) => !state.selected.value.includes(n.id));
  const next = others[place.index] ?? others[place.index - 1] ?? others.at(-1) ?? place.parent;
  state.commit(t("Delete"), after, { select: next ? [next.id] : [] });
}

export function duplicate(state: State): void {
  const nodes = selectedNodes(state);
  if (nodes.length === 0) return;
  const last = find(state.report.value, nodes.at(-1)!.id)!;
  insertAt(state, { page: last.page, slot: last.slot, parent: last.parent?.id ?? null, index: last.index + 1 }, nodes, t("Duplicate"));
}

export function shiftSelected(state: State, by: number): void {
  const [id] = state.selected.value;
  if (id && !state.held([id])) state.commit(by < 0 ? t("Move up") : t("Move down"), shift(state.report.value, id, by), { key: `shift ${id}` });
}

/** Puts the selected elements into a new container in their place. */
export function wrap(state: State): void {
  const nodes = selectedNodes(state);
  const place = nodes[0] ? find(state.report.value, nodes[0].id) : null;
  if (!place) return;
  const [box] = fresh(state.report.value, [{ id: "", type: "flow", props: { orientation: "vertical" } }]);
  const target = { page: place.page, slot: place.slot, parent: place.parent?.id ?? null, index: place.index };
  const without = remove(state.report.value, nodes.map((n) => n.id));
  state.commit(t("Put into a container"), insert(without, target, [{ ...box!, children: nodes }]), { select: [box!.id] });
}

/** Takes the elements out of a container and the container away. */
export function unwrap(state: State): void {
  const node = state.node.value;
  const place = node ? find(state.report.value, node.id) : null;
  if (!place?.node.children?.length) return;
  const target = { page: place.page, slot: place.slot, parent: place.parent?.id ?? null, index: place.index };
  const children = released(place.node);
  state.commit(t("Take out of the container"), insert(remove(state.report.value, [place.node.id]), target, children), { select: children.map((n) => n.id) });
}

/** Where a walk with the keyboard leads. */
export function go(state: State, to: "parent" | "child" | "next" | "previous"): void {
  const [id] = state.selected.value;
  const place = id ? find(state.report.value, id) : null;
  if (!place) {
    const first = slotsOf(state.report.value.pages[state.page.value]!).flatMap(([, list]) => list)[0];
    if (first && to !== "parent") state.select([first.id]);
    return;
  }
  const around = siblings(state.report.value, place);
  const found = { parent: place.parent, child: place.node.children?.[0], next: around[place.index + 1], previous: around[place.index - 1] }[to];
  if (found) state.select([found.id]);
  else if (to === "parent") state.select([]);
}

/** All siblings; when they are selected already, everything on the page. */
export function selectAll(state: State): void {
  const [id] = state.selected.value;
  const place = id ? find(state.report.value, id) : null;
  const around = place ? siblings(state.report.value, place).map((n) => n.id) : [];
  const all = slotsOf(state.report.value.pages[state.page.value]!).flatMap(([, list]) => list.map((n) => n.id));
  const whole = around.length === 0 || around.every((s) => state.selected.value.includes(s));
  state.select(whole ? all : around);
}

/** Sets an option of several elements at once. */
export function setAll(state: State, ids: string[], name: string, value: unknown, label = t("Change {0}", name)): void {
  setEach(state, new Map(ids.map((id) => [id, value])), name, label);
}

/** Sets an option of several elements to a value of each. */
export function setEach(state: State, values: Map<string, unknown>, name: string, label: string): void {
  const after = [...values].reduce((report, [id, value]) => update(report, id, (n) => withSetting(n, name, value)), state.report.value);
  state.commit(label, after, { key: `all.${name}.${[...values.keys()].join()}` });
}

/** Whether all that is selected has a mark. */
export const allMarked = (state: State, mark: Mark): boolean => state.selected.value.length > 0 && state.selected.value.every((id) => state.nodeOf(id)?.design?.[mark]);

const MARKS: Record<Mark, [string, string]> = { locked: [say("Lock"), say("Unlock")], hidden: [say("Hide while designing"), say("Show while designing")] };

/** Gives elements a mark, or takes it away. */
export function mark(state: State, ids: string[], which: Mark, on: boolean): void {
  state.commit(t(MARKS[which][on ? 0 : 1]), markedAll(state.report.value, ids, which, on));
}

/** Shows all that the canvas leaves out. */
export function showAll(state: State): void {
  mark(state, having(state.report.value, "hidden").map((n) => n.id), "hidden", false);
}

let look: CopiedLook | null = null;

/** Keeps how the selected element looks, until another is kept. */
export function copyLook(state: State): void {
  const node = state.node.value;
  if (node) look = lookCopied(node, state.settingsOf(node.type));
}

export const hasLook = (): boolean => look !== null;

/** Gives the selected elements the look that is kept. */
export function pasteLook(state: State): void {
  if (look) state.commit(t("Paste the look"), lookPasted(state.report.value, state.selected.value, (type) => state.settingsOf(type), look));
}

/** The path of an element as warnings write it: pages[0].elements[2].children[1]. */
export function pathOf(report: Report, id: string): string {
  const place = find(report, id);
  if (!place) return "";
  const around = place.parent ? `${pathOf(report, place.parent.id)}.children` : `pages[${place.page}].${place.slot}`;
  return `${around}[${place.index}]`;
}

/** Layouts of a template are edited as pages. */
const asPages = (path: string): string => path.replace(/^(?:template|include\.templates\[\d+\])\.layouts\[/, "pages[");

/** The element that a path such as pages[0].elements[2].children[1].props.text leads to. */
export function nodeAtPath(report: Report, path: string): Node | null {
  const [, page, slot, index, inner] = /^pages\[(\d+)\]\.([^[]+)\[(\d+)\]((?:\.children\[\d+\])*)/.exec(asPages(path)) ?? [];
  const on = page === undefined ? undefined : report.pages[Number(page)];
  let node = on && slotsOf(on).find(([name]) => name === slot)?.[1][Number(index)];
  for (const [, at] of (inner ?? "").matchAll(/\[(\d+)\]/g)) node = node?.children?.[Number(at)];
  return node ?? null;
}

/** The place of the data source that a path leads to: dataSources[0].settings or dataSources.orders; -1 for none. */
export function sourceAt(report: Report, path: string): number {
  const [, at, named] = /^dataSources(?:\[(\d+)\]|\.([^.[]+))/.exec(path) ?? [];
  const list = report.dataSources ?? [];
  return at === undefined ? list.findIndex((s) => named !== undefined && (s.name || s.reuse) === named) : Number(at) < list.length ? Number(at) : -1;
}

/** The field of the panel that a path such as pages[0].elements[2].props.text leads to. */
export function fieldAtPath(report: Report, path: string): string {
  const node = nodeAtPath(report, path);
  const [, setting] = /^[^.]*\.[^[]+\[\d+\](?:\.children\[\d+\])*\.props\.(.*)$/.exec(asPages(path)) ?? [];
  if (node) return setting ? `f-${node.id}.${asField(setting)}` : `f-${node.id}`;
  const at = sourceAt(report, path);
  if (at < 0) return `f-report.${asField(path)}`;
  const [, rest] = /^dataSources(?:\[\d+\]|\.[^.[]+)\.settings\.(.*)$/.exec(path) ?? [];
  return rest ? `f-source-${at}.${asField(rest)}` : `f-source-${at}`;
}

function withPages(state: State, label: string, pages: Page[], show: number): void {
  state.commit(label, { ...state.report.value, pages }, { select: [] });
  state.page.value = Math.max(0, Math.min(show, pages.length - 1));
}

function nextPageID(report: Report): number {
  return Math.max(0, ...report.pages.map((p) => p.id)) + 1;
}

export function addPage(state: State): void {
  const { pages } = state.report.value;
  const id = nextPageID(state.report.value);
  const layout = isLayouts(state.report.value);
  const made: Page = layout ? { id, name: t("Layout {0}", id), ...Object.fromEntries(LAYOUT_SLOTS.map((slot) => [slot, []])), body: [{ id: `content-${id}`, type: PLACE }] } : { id, name: t("Page {0}", id), elements: [] };
  withPages(state, t("Add page"), [...pages, made], pages.length);
}

export function duplicatePage(state: State): void {
  const { pages } = state.report.value;
  const at = state.page.value;
  const made = { ...renewed(state.report.value, pages[at]!), id: nextPageID(state.report.value), name: `${pages[at]!.name} (copy)` };
  withPages(state, t("Duplicate page"), [...pages.slice(0, at + 1), made, ...pages.slice(at + 1)], at + 1);
}

/** A page whose elements have ids of their own. */
function renewed(report: Report, page: Page): Page {
  const all = slotsOf(page);
  const made = fresh(report, all.flatMap(([, list]) => list));
  let from = 0;
  return all.reduce<Page>((p, [slot, list]) => {
    const mine = made.slice(from, (from += list.length));
    if (!slot.startsWith("placeholders.")) return { ...p, [slot]: mine };
    return { ...p, placeholders: { ...(p.placeholders as Record<string, Node[]>), [slot.slice("placeholders.".length)]: mine } };
  }, page);
}

export function removePage(state: State): void {
  const { pages } = state.report.value;
  if (pages.length < 2) return;
  withPages(state, t("Delete page"), pages.filter((_, i) => i !== state.page.value), state.page.value);
}

export function movePage(state: State, from: number, to: number): void {
  const { pages } = state.report.value;
  if (to < 0 || to >= pages.length || from === to) return;
  const rest = pages.filter((_, i) => i !== from);
  withPages(state, t("Move page"), [...rest.slice(0, to), pages[from]!, ...rest.slice(to)], to);
}

export function setPage(state: State, name: string, value: unknown): void {
  const at = state.page.value;
  const pages = state.report.value.pages.map((p, i) => (i === at ? (withMember(p, name, value) as Page) : p));
  state.commit(t("Change {0}", name), { ...state.report.value, pages }, { key: `page ${at} ${name}` });
}

export function setReport(state: State, name: string, value: unknown): void {
  state.commit(t("Change {0}", name), withMember(state.report.value, name, value) as Report, { key: `report ${name}` });
}

function withMember(holder: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = holder;
  return value === undefined || value === "" ? rest : { ...holder, [name]: value };
}

/** What an element lies in, the outermost first, with the element itself. */
export function trail(state: State): Node[] {
  const node = state.node.value;
  return node ? [...ancestors(state.report.value, node.id), node] : [];
}
