// The lists at the left: the palette and the outline.

import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Component, isMarkup } from "./api";
import { dragNew } from "./drag";
import { add, go, moveTo, removeSelected, shiftSelected } from "./edit";
import { allInsertables } from "./insertables";
import { MarkButtons } from "./lockview";
import { openMenu } from "./menu";
import { ancestors, find, type Node, type Slot, slotsOf } from "./model";
import { readPictures } from "./picture";
import { SaidAbout } from "./pins";
import { NameField, renaming } from "./rename";
import type { State } from "./state";
import { Icon } from "../ui/icon";
import { named, say, t } from "../words";

export function Palette({ state }: { state: State }) {
  const [wanted, search] = useState("");
  useEffect(() => readPictures(state), []);
  const fitting = allInsertables(state).filter((c) => `${c.label} ${c.name} ${c.help}`.replaceAll("\u00ad", "").toLowerCase().includes(wanted.toLowerCase()));
  const categories = [...new Set(fitting.map((c) => c.category))];
  // One stop for Tab, from which arrows walk: to go over all of them takes too long.
  const [last, rest] = useState("");
  const stop = (fitting.find((c) => c.name === last) ?? fitting.find((c) => c.category === categories[0]))?.name;
  return (
    <section class="d-palette" aria-label={t("Components")} onKeyDown={(e) => walkAlong(e, ".d-palette ul button")}>
      <input type="search" placeholder={t("Find a component")} aria-label={t("Find a component")} value={wanted} onInput={(e) => search(e.currentTarget.value)} />
      {categories.map((category) => (
        <div key={category}>
          <h3>{category}</h3>
          <ul>
            {fitting
              .filter((c) => c.category === category)
              .map((c) => (
                <li key={c.name}>
                  <button type="button" title={c.help} tabIndex={c.name === stop ? 0 : -1} onFocus={() => rest(c.name)} onPointerDown={(e) => dragNew(state, e, c.label, () => [c.make()])} onClick={() => add(state, [c.make()], t("Add {0}", named(c.label)))}>
                    <Icon name={c.icon} />
                    <span>{c.label}</span>
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {fitting.length === 0 && <p class="d-hint">{t("No component is called that.")}</p>}
      <p class="d-hint">{t("Drag a component onto the page, or press it to add it behind the selection.")}</p>
    </section>
  );
}

/** Arrows lead from one of some buttons to the next. */
function walkAlong(e: KeyboardEvent, selector: string): void {
  const items = [...document.querySelectorAll<HTMLElement>(selector)];
  const now = items.indexOf(e.target as HTMLElement);
  if (now < 0 || e.ctrlKey || e.metaKey || e.altKey) return;
  const to = { ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1, Home: 0, End: items.length - 1 }[e.key];
  if (to === undefined || !items[to]) return;
  items[to].focus();
  e.preventDefault();
  e.stopPropagation();
}

const SLOTS: Record<string, string> = { firstHeader: say("Header of the first sheet"), header: say("Header"), body: say("Body"), footer: say("Footer"), elements: "" };

function slotName(slot: Slot): string {
  return slot in SLOTS ? t(SLOTS[slot]!) : slot.replace("placeholders.", "");
}

/** The elements of the page as a tree: arrows walk, Enter selects, Alt with arrows moves, F2 renames. */
export function Outline({ state }: { state: State }) {
  const page = state.report.value.pages[state.page.value];
  const tree = useRef<HTMLElement>(null);
  const [id] = state.selected.value;
  useEffect(() => tree.current?.querySelector(`[data-node="${CSS.escape(id ?? "")}"]`)?.scrollIntoView({ block: "nearest" }), [id]);
  if (!page) return null;
  const slots = slotsOf(page);
  const nodes = slots.flatMap(([, list]) => list);
  const stop = id && find(state.report.value, id)?.page === state.page.value ? id : nodes[0]?.id;
  const empty = slots.every(([, list]) => list.length === 0);
  const focus = (key: string): boolean => {
    const items = [...tree.current!.querySelectorAll<HTMLElement>("[data-node]")];
    const now = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[key];
    if (to === undefined || !items[to]) return false;
    items[to].focus();
    return true;
  };
  const keys = (e: KeyboardEvent) => {
    const on = (document.activeElement as HTMLElement).dataset.node;
    if (e.ctrlKey || e.metaKey || !on) return;
    if (e.altKey && e.key === "ArrowUp") (state.select([on]), shiftSelected(state, -1));
    else if (e.altKey && e.key === "ArrowDown") (state.select([on]), shiftSelected(state, 1));
    else if (e.altKey) return;
    else if (e.key === "F2") renaming.value = on;
    else if (e.key === "Delete") (state.select([on]), removeSelected(state));
    else if (e.key === "ArrowLeft" || e.key === "ArrowRight") (state.select([on]), go(state, e.key === "ArrowLeft" ? "parent" : "child"), focusNode(tree.current!, state));
    else if (!focus(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <section ref={tree} class="d-outline" aria-label={t("Outline")} onKeyDown={keys}>
      <h3>{t("Outline")}</h3>
      {empty && <p class="d-hint">{t("This page is empty. Choose a component to begin.")}</p>}
      {slots.map(([slot, list]) => (
        <div key={slot}>
          {slotName(slot) && (
            <button type="button" class="d-slot" aria-pressed={state.slot.value === slot && state.selected.value.length === 0} onClick={() => ((state.slot.value = slot), (state.selected.value = []))}>
              {slotName(slot)}
            </button>
          )}
          {list.length > 0 && <Branch state={state} nodes={list} stop={stop} />}
        </div>
      ))}
    </section>
  );
}

function focusNode(tree: HTMLElement, state: State): void {
  tree.querySelector<HTMLElement>(`[data-node="${CSS.escape(state.selected.value[0] ?? "")}"]`)?.focus();
}

function Branch({ state, nodes, stop }: { state: State; nodes: Node[]; stop: string | undefined }) {
  return <ul>{nodes.map((n) => lineOf(state, n, stop))}</ul>;
}

/** The lines of elements by what they show: what did not change is not compared again at each key. */
const lines = new WeakMap<Node, { state: State; components: Component[]; stop: string | undefined; line: ComponentChild }>();

/** How many lines an element takes with what is in it: so high is what the browser does not draw yet. */
const linesOf = (node: Node): number => (node.children ?? []).reduce((n, c) => n + linesOf(c), 1);

function lineOf(state: State, node: Node, stop: string | undefined): ComponentChild {
  const known = lines.get(node);
  const components = state.components.value;
  if (known && known.state === state && known.components === components && known.stop === stop) return known.line;
  const line = (
    <li key={node.id} style={{ "--lines": linesOf(node) }}>
      <Item state={state} node={node} stop={node.id === stop} />
      {node.children && node.children.length > 0 && <Branch state={state} nodes={node.children} stop={stop} />}
    </li>
  );
  lines.set(node, { state, components, stop, line });
  return line;
}

/** With stop it is where Tab stops; arrows lead to the others. */
function Item({ state, node, stop }: { state: State; node: Node; stop: boolean }) {
  const [over, mark] = useState("");
  if (renaming.value === node.id) return <NameField state={state} node={node} />;
  const click = (e: MouseEvent) => state.select(e.shiftKey || e.ctrlKey || e.metaKey ? [...state.selected.value, node.id] : [node.id]);
  const menu = (e: MouseEvent) => {
    e.preventDefault();
    if (!state.selected.value.includes(node.id)) state.select([node.id]);
    // A key opens it at the line instead of a pointer.
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
    openMenu(e.clientX || box.left + 20, e.clientY || box.bottom);
  };
  const ids = () => (state.selected.value.includes(node.id) ? state.selected.value : [node.id]);
  const dropped = (e: DragEvent) => {
    mark("");
    const moved = JSON.parse(e.dataTransfer?.getData("application/x-quire-ids") || "[]") as string[];
    const place = find(state.report.value, node.id);
    if (!place || moved.length === 0 || moved.includes(node.id) || ancestors(state.report.value, node.id).some((a) => moved.includes(a.id))) return;
    e.preventDefault();
    const inside = over === "inside";
    const target = inside ? { page: place.page, slot: place.slot, parent: node.id, index: node.children?.length ?? 0 } : { page: place.page, slot: place.slot, parent: place.parent?.id ?? null, index: place.index + (over === "after" ? 1 : 0) };
    moveTo(state, moved, target);
  };
  const dragged = (e: DragEvent) => {
    if (!e.dataTransfer?.types.includes("application/x-quire-ids")) return;
    e.preventDefault();
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
    const share = (e.clientY - box.top) / box.height;
    const container = state.isContainer(node.type);
    mark(share < (container ? 0.3 : 0.5) ? "before" : share > (container ? 0.7 : 0.5) ? "after" : "inside");
  };
  return (
    <div class={`d-line-of ${node.design?.hidden ? "d-is-hidden" : ""} ${over ? `d-over-${over}` : ""}`}>
      <button
        type="button"
        data-node={node.id}
        aria-pressed={state.selected.value.includes(node.id)}
        tabIndex={stop ? 0 : -1}
        draggable
        onDragStart={(e) => e.dataTransfer?.setData("application/x-quire-ids", JSON.stringify(ids()))}
        onDragOver={dragged}
        onDragLeave={() => mark("")}
        onDrop={dropped}
        onClick={click}
        onContextMenu={menu}
        onDblClick={() => (renaming.value = node.id)}
        onPointerEnter={() => (state.hovered.value = node.id)}
        onPointerLeave={() => (state.hovered.value = null)}
      >
        <span>{state.labelOf(node)}</span>
        <small>{hintOf(state, node)}</small>
        <SaidAbout state={state} id={node.id} />
      </button>
      <MarkButtons state={state} node={node} />
    </div>
  );
}

/** The beginning of what an element says. */
function hintOf(state: State, n: Node): string {
  const settings = state.settingsOf(n.type).filter((s) => !isMarkup(s) && (s.means === "text" || s.means === "picture" || s.editor === "binding"));
  for (const s of settings.sort((a, b) => Number(b.means === "text") - Number(a.means === "text"))) {
    const v = n.props?.[s.name];
    if (typeof v === "string" && v) return v.length > 30 ? `${v.slice(0, 29)}…` : v;
  }
  return "";
}
