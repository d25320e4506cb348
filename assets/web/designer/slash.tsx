// The slash: components by name, at the place of the selection or the caret.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { add, exchange, nextTo } from "./edit";
import { toPage } from "./floating";
import { type Insertable, insertables } from "./insertables";
import { find } from "./model";
import type { State } from "./state";
import { mainText } from "./textlook";
import { named, t } from "../words";

/** What is typed behind a slash at the beginning of a line, up to the caret; null where there is none. */
export function slashed(text: string, caret: number): string | null {
  return /(?:^|\n)\/([\p{L}\p{N} -]*)$/u.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The list below a field; the arrows and Enter are the field's. */
export function InsertList({ list, at, near, take }: { list: Insertable[]; at: number; near: { current: HTMLElement | null }; take: (what: Insertable) => void }) {
  const box = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const el = box.current;
    const around = near.current?.getBoundingClientRect();
    if (!el || !around) return;
    const under = innerHeight - around.bottom > Math.min(el.scrollHeight, 280) + 12;
    el.style.left = `${Math.max(8, Math.min(around.left, innerWidth - el.offsetWidth - 8))}px`;
    el.style.top = under ? `${around.bottom + 4}px` : `${Math.max(8, around.top - el.offsetHeight - 4)}px`;
    el.children[at]?.scrollIntoView({ block: "nearest" });
  });
  if (list.length === 0) return null;
  return (
    <ul ref={box} id="slash-list" class="d-options" role="listbox" aria-label={t("Components")} onPointerDown={(e) => e.preventDefault()}>
      {list.map((what, i) => (
        <li key={what.name} id={`slash-${i}`} role="option" aria-selected={i === at} onClick={() => take(what)}>
          <Icon name={what.icon} />
          <span>{what.label}</span>
          <small>{what.category}</small>
        </li>
      ))}
    </ul>
  );
}

/** Adds a component behind what is selected, and writes in it where it holds text. */
function put(state: State, what: Insertable): void {
  add(state, [what.make()], t("Add {0}", named(what.label)));
  writeIn(state);
}

function writeIn(state: State): void {
  const node = state.node.value;
  toPage();
  if (node && mainText(state, node.type)) state.writing.value = node.id;
}

/** Puts a component in the place of an element that says nothing, or behind one that does. */
export function putFor(state: State, id: string, setting: string, text: string, what: Insertable): void {
  exchange(state, id, setting, text, what.make(), t("Add {0}", named(what.label)));
  writeIn(state);
}

/** The field that a slash on the page opens. */
export function Slash({ state, zoom }: { state: State; zoom: number }) {
  const [typed, write] = useState("");
  const [at, go] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const around = useRef<HTMLDivElement>(null);
  const list = insertables(state, typed);
  const box = placeOf(state);
  // At once: the next key is meant for the field.
  useLayoutEffect(() => field.current!.focus({ preventScroll: true }), []);
  const close = () => (state.slash.value = false);
  const take = (what: Insertable | undefined) => (close(), what ? put(state, what) : toPage());
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by !== undefined) go((at + by + list.length) % Math.max(1, list.length));
    else if (e.key === "Enter") take(list[at]);
    else if (e.key === "Escape" || (e.key === "Backspace" && typed === "")) take(undefined);
    else return;
    e.preventDefault();
  };
  return (
    <div ref={around} class="d-slash" style={{ left: `${box.left * zoom}px`, top: `${box.top * zoom}px` }} onPointerDown={(e) => e.stopPropagation()}>
      <Icon name="search" />
      <input ref={field} type="text" role="combobox" aria-label={t("Add a component here")} aria-autocomplete="list" aria-expanded={list.length > 0} aria-controls="slash-list" aria-activedescendant={list[at] ? `slash-${at}` : undefined} placeholder={t("Add a component here")} autocomplete="off" spellcheck={false} value={typed} onInput={(e) => (write(e.currentTarget.value), go(0))} onKeyDown={key} onBlur={close} />
      <InsertList list={list} at={at} near={around} take={take} />
      {list.length === 0 && (
        <p class="d-nothing" role="status">
          {t("No component is called that.")}
        </p>
      )}
    </div>
  );
}

/** Where on the page something new would come to: below the selection, or the end of what is there. */
function placeOf(state: State): { left: number; top: number } {
  const stage = state.stage!;
  const [id] = state.selected.value;
  const below = id ? stage.boxes(id).at(-1) : undefined;
  if (below) return { left: below.left, top: below.top + below.height + 4 };
  const target = nextTo(state);
  const page = state.report.value.pages[target.page];
  const sheet = page && stage.doc.querySelector(`.q-page[data-page="${page.id}"]`);
  const drawn = [...(sheet?.querySelectorAll(":scope > .q-page-body [data-id]") ?? [])].filter((el) => find(state.report.value, el.getAttribute("data-id")!));
  const last = (drawn.at(-1) ?? sheet?.querySelector(":scope > .q-page-body"))?.getBoundingClientRect();
  return last ? { left: last.left, top: (drawn.length > 0 ? last.bottom : last.top) + 4 } : { left: 40, top: 40 };
}
