// Writing in place: the template of a text, where its value stands.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Setting } from "./api";
import { factsOf } from "./complete";
import { toPage } from "./floating";
import { fitting } from "./fuzzy";
import { type Insertable, insertables } from "./insertables";
import { Options } from "./picker";
import { InsertList, putFor, slashed } from "./slash";
import { besidesValues, picks } from "./values";
import type { State } from "./state";
import { TextBar } from "./textbar";
import { mainText, type Switch, switchLook } from "./textlook";

const SHOWN = 120;

/** What the template in a field of the panel gives now: what the canvas shows of it. */
export function givenNow(state: State, field: string): string | undefined {
  state.drawn.value; // read again after each drawing
  const node = state.node.value;
  const setting = node && mainText(state, node.type);
  if (!node || !setting || field !== `f-${node.id}.${setting.name}` || !String(node.props?.[setting.name] ?? "").includes("{")) return undefined;
  const text = state.stage?.parts(node.id)[0]?.textContent?.replaceAll("\u00ad", "").trim() ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
}

/** Begins to write in the selected element; false when it holds no text. */
export function startWriting(state: State): boolean {
  const node = state.node.value;
  if (!node || !mainText(state, node.type) || state.held([node.id])) return false;
  state.writing.value = node.id;
  return true;
}

interface Place {
  id: string;
  box: DOMRect;
  look: ReturnType<typeof looksOf>;
}

/** A field above the element: Enter keeps, Shift+Enter breaks the line, Escape forgets. */
export function Inline({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const id = state.writing.value;
  const node = id ? state.nodeOf(id) : null;
  const part = id ? state.stage!.parts(id)[0] : undefined;
  const setting = node && mainText(state, node.type);
  const place = useRef<Place | null>(null);
  // While the page is drawn anew the element is away for a moment.
  if (id && part) place.current = { id, box: part.getBoundingClientRect(), look: looksOf(part) };
  if (!node || !setting || place.current?.id !== id) return null;
  return <Writing key={node.id} state={state} place={place.current} zoom={zoom} setting={setting} value={String(node.props?.[setting.name] ?? setting.default ?? "")} />;
}

function Writing({ state, place: { id, box, look }, zoom, setting, value }: { state: State; place: Place; zoom: number; setting: Setting; value: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const around = useRef<HTMLDivElement>(null);
  const left = useRef(false);
  // What the field says and where the caret is: the bar shows the format of the value there.
  const [told, tell] = useState({ template: value, caret: -1 });
  // What is being looked for since the last open brace; null when nothing is.
  const [typed, seek] = useState<string | null>(null);
  const [at, go] = useState(0);
  const slash = told.caret < 0 ? null : slashed(told.template, told.caret);
  const adding = slash === null ? [] : insertables(state, slash).slice(0, 40);
  const list = typed === null ? [] : [picks(factsOf(state), "value", ""), besidesValues(state)].flatMap((some) => fitting(typed, some, (p) => p.value)).slice(0, 40);
  const fit = () => {
    const el = field.current!;
    el.style.height = "auto";
    el.style.height = `${Math.max(el.scrollHeight, box.height * zoom)}px`;
  };
  // At once: the next key is meant for the field.
  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  useLayoutEffect(fit);
  const listen = () => {
    const el = field.current; // the browser tells of a selection later, when the field may be gone
    if (el) tell({ template: el.value, caret: el.selectionStart });
  };
  const put = (template: string) => {
    const el = field.current!;
    const caret = el.selectionStart;
    el.value = template;
    el.setSelectionRange(caret, caret);
    listen();
  };
  const lookFor = () => {
    const el = field.current!;
    seek(/\{([\p{L}\p{N}_.$]*)$/u.exec(el.value.slice(0, el.selectionStart))?.[1] ?? null);
    go(0);
  };
  const take = (path: string) => {
    const el = field.current!;
    const to = el.selectionStart;
    const from = to - typed!.length - 1;
    el.setRangeText(`{${path}}`, from, el.value[to] === "}" ? to + 1 : to, "end");
    seek(null);
    listen();
  };
  const leave = (keep: boolean) => {
    if (left.current) return;
    left.current = true;
    const written = field.current!.value;
    state.writing.value = null;
    if (keep && written !== value) state.setSetting(id, setting.name, written);
  };
  /** A value is written here; a component is put here: behind what is written, without the slash and what follows it. */
  const insert = (what: Insertable) => {
    const el = field.current!;
    const from = el.selectionStart - slash!.length - 1;
    if (what.value !== undefined) {
      el.setRangeText(what.value, from, el.selectionStart, "end");
      return listen();
    }
    left.current = true;
    const text = el.value.slice(0, from) + el.value.slice(el.selectionStart);
    state.writing.value = null;
    putFor(state, id, setting.name, text.replace(/\n$/, ""), what);
  };
  // Whoever goes to the bar is still writing, and so is who looks at another window.
  const out = (e: FocusEvent) => {
    if (document.hasFocus() && !around.current!.contains(e.relatedTarget as Element | null)) leave(true);
  };
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    const look = (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey ? LOOKS[e.key] : undefined;
    if (look) {
      e.preventDefault();
      return switchLook(state, look);
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    const offered = adding.length || list.length;
    if (offered > 0 && !e.isComposing) {
      if (by !== undefined) go((at + by + offered) % offered);
      else if ((e.key === "Enter" && !e.shiftKey) || e.key === "Tab") adding[at] ? insert(adding[at]) : take(list[at]!.value);
      else if (e.key === "Escape") adding.length > 0 ? tell({ ...told, caret: -1 }) : seek(null);
      else return;
      e.preventDefault();
      return;
    }
    if (e.key === "Escape" || (e.key === "Enter" && !e.shiftKey && !e.isComposing)) {
      e.preventDefault();
      leave(e.key === "Enter");
      toPage();
    }
  };
  return (
    <div ref={around} onFocusOut={out}>
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
        onInput={() => (listen(), lookFor())}
        onSelect={listen}
        onKeyDown={key}
        style={{ ...look, fontSize: `${parseFloat(look.fontSize) * zoom}px`, lineHeight: scaledLength(look.lineHeight, zoom), left: `${box.left * zoom}px`, top: `${box.top * zoom}px`, width: `${Math.max(box.width, 120) * zoom}px` }}
      />
      <Options id="inline" list={list} at={at} near={field} take={take} />
      <InsertList list={adding} at={at} near={field} take={insert} />
      <TextBar state={state} zoom={zoom} written={{ ...told, put }} leave={() => field.current!.focus()} />
    </div>
  );
}

const LOOKS: Record<string, Switch> = { b: "bold", i: "italic", u: "underlined" };

/** The type of what is written over, so that it stays where it stands. */
function looksOf(part: HTMLElement) {
  const s = part.ownerDocument.defaultView!.getComputedStyle(part);
  const { fontFamily, fontSize, fontWeight, fontStyle, lineHeight, letterSpacing, textAlign, color } = s;
  return { fontFamily, fontSize, fontWeight, fontStyle, lineHeight, letterSpacing, textAlign: textAlign as "left", color };
}

function scaledLength(length: string, zoom: number): string {
  const pixels = parseFloat(length);
  return Number.isFinite(pixels) ? `${pixels * zoom}px` : length;
}
