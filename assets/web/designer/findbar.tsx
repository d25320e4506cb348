// The bar of find and replace above the canvas. Places are walked one by one;
// each selects what it is in, and the focus stays in the bar.

import { signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../ui/icon";
import { nodeAtPath } from "./edit";
import { findAll, type Forms, goOnAt, type Hit, replaced, type Step, written } from "./find";
import { toPage } from "./floating";
import { lockOf } from "./locks";
import { open, unfolded } from "./problems";
import type { State } from "./state";
import { pathInWords } from "../session/words";
import { say, t } from "../words";

/** Whether the bar is there, what is looked for in it, and what shall stand for it. */
const finding = signal(false);
const typed = signal("");
const by = signal("");
const exactCase = signal(false);

/** How much of a text is shown before and behind what was found. */
const AROUND = 40;

/** Opens the bar, or goes back into it. */
export function openFind(): void {
  finding.value = true;
  document.querySelector<HTMLInputElement>("#find")?.select();
}

export function FindBar({ state }: { state: State }) {
  return finding.value ? <Bar state={state} /> : null;
}

function Bar({ state }: { state: State }) {
  const field = useRef<HTMLInputElement>(null);
  const at = useRef(signal<number | null>(null)).current;
  const told = useRef(signal("")).current;
  const report = state.report.value;
  const hits = useMemo(() => findAll(report, typed.value, formsOf(state), exactCase.value), [report, typed.value, exactCase.value, state.components.value]);
  const now = at.value === null || hits.length === 0 ? null : Math.min(at.value, hits.length - 1);
  // Before anything else is typed.
  useLayoutEffect(() => field.current!.select(), []);
  const go = (list: readonly Hit[], to: number) => {
    at.value = list.length > 0 ? (to + list.length) % list.length : null;
    told.value = "";
    if (at.value !== null) show(state, list[at.value]!);
  };
  const walk = (step: number) => go(hits, now === null ? (step > 0 ? 0 : -1) : now + step);
  const look = (change: () => void) => {
    change();
    at.value = null;
    told.value = "";
  };
  const change = () => {
    if (now === null) return walk(1);
    const hit = hits[now]!;
    state.commit(t("Replace | text"), replaced(report, [hit], by.value));
    if (state.report.value === report) return; // it is locked, which is told
    const left = findAll(state.report.value, typed.value, formsOf(state), exactCase.value);
    go(left, goOnAt(left, hit, now, by.value));
  };
  const changeAll = () => {
    const free = hits.filter((h) => !isLocked(state, h));
    if (free.length > 0) state.commit(t("Replace all"), replaced(report, free, by.value));
    at.value = null;
    told.value = free.length === hits.length ? t("{0} replaced", free.length) : t("{0} replaced, {1} in locked elements left as they are", free.length, hits.length - free.length);
  };
  const leave = () => {
    finding.value = false;
    toPage();
  };
  const key = (e: KeyboardEvent) => {
    if (e.key === "Escape") leave();
    else if (e.key === "Enter" && e.target === field.current) walk(e.shiftKey ? -1 : 1);
    else if (e.key === "Enter" && e.target instanceof HTMLInputElement && e.target.type === "text") change();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <section class="d-finding" role="search" aria-label={t("Find and replace")} onKeyDown={key}>
      <div class="d-line">
        <input ref={field} id="find" type="search" aria-label={t("Find")} placeholder={t("Find in texts, fields and names")} value={typed.value} onInput={(e) => look(() => (typed.value = e.currentTarget.value))} />
        <button type="button" title={t("Match case")} aria-label={t("Match case")} aria-pressed={exactCase.value} onClick={() => look(() => (exactCase.value = !exactCase.value))}>
          Aa
        </button>
        <button type="button" title={t("Find the one before (Shift+Enter)")} aria-label={t("Find the one before (Shift+Enter)")} disabled={hits.length === 0} onClick={() => walk(-1)}>
          <Icon name="chevron-up" />
        </button>
        <button type="button" title={t("Find the next (Enter)")} aria-label={t("Find the next (Enter)")} disabled={hits.length === 0} onClick={() => walk(1)}>
          <Icon name="chevron-down" />
        </button>
      </div>
      <div class="d-line">
        <input type="text" aria-label={t("Replace by")} placeholder={t("Replace by")} value={by.value} onInput={(e) => (by.value = e.currentTarget.value)} />
        <button type="button" disabled={hits.length === 0} onClick={change}>
          {t("Replace | text")}
        </button>
        <button type="button" disabled={hits.length === 0} onClick={changeAll}>
          {t("Replace all")}
        </button>
      </div>
      <span class="d-grow" />
      <button type="button" class="d-close" aria-label={t("Close")} onClick={leave}>
        <Icon name="x" />
      </button>
      <p role="status">{told.value || counted(hits, now)}{now !== null && !told.value && <Found state={state} hit={hits[now]!} />}</p>
    </section>
  );
}

function counted(hits: readonly Hit[], now: number | null): string {
  if (typed.value === "") return t("Finds words in texts, templates and formulas, fields and paths of the data, and names.");
  if (hits.length === 0) return t("“{0}” is nowhere in this report.", typed.value);
  if (now !== null) return t("{0} of {1}", now + 1, hits.length);
  return t(hits.length === 1 ? say("Found once") : say("Found {0} times"), hits.length);
}

/** Where something was found, with what stands around it. */
function Found({ state, hit }: { state: State; hit: Hit }) {
  const [before, after] = [hit.text.slice(0, hit.at), hit.text.slice(hit.at + hit.length)];
  return (
    <span class="d-found">
      <b>{placeInWords(state, hit.path)}</b>
      <span>
        {before.length > AROUND ? `…${before.slice(-AROUND)}` : before}
        <mark>{hit.text.slice(hit.at, hit.at + hit.length)}</mark>
        {after.length > AROUND ? `${after.slice(0, AROUND)}…` : after}
      </span>
    </span>
  );
}

const formsOf = (state: State): Forms => ({
  element: (type) => state.settingsOf(type),
  source: (type) => state.sourceTypes.value.find((s) => s.name === type)?.settings ?? [],
  step: (type) => state.stepTypes.value.find((s) => s.name === type)?.settings ?? [],
  parameter: state.schemas.value.parameters ?? [],
});

function isLocked(state: State, { path }: Hit): boolean {
  const node = nodeAtPath(state.report.value, written(path));
  return node !== null && lockOf(state.report.value, node.id) !== null;
}

/** Selects what a place is in, and shows the setting. */
function show(state: State, { path }: Hit): void {
  const field = open(state, written(path));
  const node = nodeAtPath(state.report.value, written(path));
  const rest = path.slice(ownPath(path));
  if (node && rest[1] === "columns" && typeof rest[2] === "number") state.column.value = { id: node.id, index: rest[2] };
  requestAnimationFrame(() => requestAnimationFrame(() => unfolded(field)));
}

/** How much of a path leads to its element. */
function ownPath(path: readonly Step[]): number {
  let length = path[2] === "placeholders" ? 5 : 4;
  while (path[length] === "children") length += 2;
  return length;
}

/** What every element has, as the panel calls it. */
const COMMON: Record<string, string> = { name: say("Name in the outline"), visible: say("Visible when"), repeat: say("Repeat for") };

/** A place as people call it: Table › Columns › 2 › Title. */
export function placeInWords(state: State, path: readonly Step[]): string {
  const words = (steps: readonly Step[], settings = [] as Parameters<typeof pathInWords>[1]): string => pathInWords(steps.map((s) => (typeof s === "number" ? `[${s}]` : s)), settings);
  const [kind, at] = path;
  const report = state.report.value;
  const node = nodeAtPath(report, written(path));
  if (node) {
    const rest = path.slice(ownPath(path));
    const common = COMMON[String(rest[0])];
    return `${state.labelOf(node)} › ${common ? t(common) : words(rest, state.settingsOf(node.type))}`;
  }
  if (kind === "pages") return t("Name of page {0}", Number(at) + 1);
  if (kind === "dataSources") {
    const source = report.dataSources![Number(at)]!;
    return `${t("Data source {0}", source.name)} › ${words(path.slice(2), formsOf(state).source(source.type ?? ""))}`;
  }
  return `${t("Parameter {0}", Number(at) + 1)} › ${words(path.slice(2), state.schemas.value.parameters)}`;
}
