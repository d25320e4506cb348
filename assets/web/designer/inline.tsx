// Writing in place: the template of a text, where its value stands.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Setting } from "./api";
import { factsOf } from "./complete";
import { toPage } from "./floating";
import { fitting } from "./fuzzy";
import { Options } from "./picker";
import { type Insertable, InsertList, insertables, putFor, slashed } from "./slash";
import type { State } from "./state";
import { mainText } from "./textlook";
import { picks } from "./values";

const SHOWN = 120;

/** What the template in a field of the panel gives now: what the canvas shows of it. */
export function givenNow(state: State, field: string): string | undefined {
  state.drawn.value; // read again after each drawing
  const node = state.node.value;
  const setting = node && mainText(state, node.type);
  if (!node || !setting || field !== `f-${node.id}.${setting.name}` || !String(node.props?.[setting.name] ?? "").includes("{")) return undefined;
  const text = state.stage?.parts(node.id)[0]?.textContent?.trim() ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
}

/** Begins to write in the selected element; false when it holds no text. */
export function startWriting(state: State): boolean {
  const node = state.node.value;
  if (!node || !mainText(state, node.type)) return false;
  state.writing.value = node.id;
  return true;
}

/** A field above the element: Enter keeps, Shift+Enter breaks the line, Escape forgets. */
export function Inline({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const id = state.writing.value;
  const node = id ? state.nodeOf(id) : null;
  const part = id ? state.stage!.parts(id)[0] : undefined;
  const setting = node && mainText(state, node.type);
  if (!node || !part || !setting) return null;
  return <Writing key={node.id} state={state} id={node.id} part={part} zoom={zoom} setting={setting} value={String(node.props?.[setting.name] ?? setting.default ?? "")} />;
}

function Writing({ state, id, part, zoom, setting, value }: { state: State; id: string; part: HTMLElement; zoom: number; setting: Setting; value: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef(part.getBoundingClientRect()).current;
  const look = useRef(lookOf(part)).current;
  const left = useRef(false);
  // What is being looked for since the last open brace; null when nothing is.
  const [typed, seek] = useState<string | null>(null);
  const [at, go] = useState(0);
  // What is typed behind a slash at the beginning of a line; null where there is none.
  const [slash, addHere] = useState<string | null>(null);
  const adding = slash === null ? [] : insertables(state, slash);
  const list = typed === null ? [] : fitting(typed, picks(factsOf(state), "value", ""), (p) => p.value).slice(0, 40);
  const fit = () => {
    const el = field.current!;
    el.style.height = "auto";
    el.style.height = `${Math.max(el.scrollHeight, box.height * zoom)}px`;
  };
  // At once: the next key is meant for the field.
  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
    fit();
  }, []);
  const lookFor = () => {
    const el = field.current!;
    addHere(slashed(el.value, el.selectionStart));
    seek(/\{([\p{L}\p{N}_.$]*)$/u.exec(el.value.slice(0, el.selectionStart))?.[1] ?? null);
    go(0);
  };
  const take = (path: string) => {
    const el = field.current!;
    const to = el.selectionStart;
    const from = to - typed!.length - 1;
    el.setRangeText(`{${path}}`, from, el.value[to] === "}" ? to + 1 : to, "end");
    seek(null);
    fit();
  };
  const leave = (keep: boolean) => {
    if (left.current) return;
    left.current = true;
    const written = field.current!.value;
    state.writing.value = null;
    if (keep && written !== value) state.setSetting(id, setting.name, written);
    toPage();
  };
  /** A component is put here: behind what is written, without the slash and what follows it. */
  const insert = (what: Insertable) => {
    left.current = true;
    const el = field.current!;
    const text = el.value.slice(0, el.selectionStart - slash!.length - 1) + el.value.slice(el.selectionStart);
    state.writing.value = null;
    putFor(state, id, text.replace(/\n$/, ""), what);
  };
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    const offered = adding.length || list.length;
    if (offered > 0 && !e.isComposing) {
      if (by !== undefined) go((at + by + offered) % offered);
      else if ((e.key === "Enter" && !e.shiftKey) || e.key === "Tab") adding[at] ? insert(adding[at]) : take(list[at]!.value);
      else if (e.key === "Escape") (addHere(null), seek(null));
      else return;
      e.preventDefault();
      return;
    }
    if (e.key === "Escape" || (e.key === "Enter" && !e.shiftKey && !e.isComposing)) {
      e.preventDefault();
      leave(e.key === "Enter");
    }
  };
  return (
    <>
      <textarea
        ref={field}
        class="d-inline"
        aria-label={setting.label || setting.name}
        aria-autocomplete="list"
        aria-controls={adding.length > 0 ? "slash-list" : "inline-list"}
        aria-activedescendant={adding[at] ? `slash-${at}` : list[at] ? `inline-${at}` : undefined}
        defaultValue={value}
        spellcheck={false}
        rows={1}
        onInput={() => (fit(), lookFor())}
        onKeyDown={key}
        onBlur={() => leave(true)}
        style={{ ...look, fontSize: `${parseFloat(look.fontSize) * zoom}px`, lineHeight: scaledLength(look.lineHeight, zoom), left: `${box.left * zoom}px`, top: `${box.top * zoom}px`, width: `${Math.max(box.width, 120) * zoom}px` }}
      />
      <Options id="inline" list={list} at={at} near={field} take={take} />
      <InsertList list={adding} at={at} near={field} take={insert} />
    </>
  );
}

/** The type of what is written over, so that it stays where it stands. */
function lookOf(part: HTMLElement) {
  const s = part.ownerDocument.defaultView!.getComputedStyle(part);
  const { fontFamily, fontSize, fontWeight, fontStyle, lineHeight, letterSpacing, textAlign, color } = s;
  return { fontFamily, fontSize, fontWeight, fontStyle, lineHeight, letterSpacing, textAlign: textAlign as "left", color };
}

function scaledLength(length: string, zoom: number): string {
  const pixels = parseFloat(length);
  return Number.isFinite(pixels) ? `${pixels * zoom}px` : length;
}
