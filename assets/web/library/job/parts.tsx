// What the steps of a job are built of: fields with what is wrong with them,
// and lists of things that are added, ordered and removed.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Setting } from "../../designer/api";
import { useItemKeys } from "../../designer/itemkeys";
import { Field } from "../../designer/panel";
import type { Desk } from "./desk";
import { inWordsOf } from "./place";
import { say, t } from "../../words";

/** A place of the job with the problems that the service has there. */
export function At({ desk, path, children }: { desk: Desk; path: string; children: ComponentChildren }) {
  const wrong = desk.at(path);
  return (
    <div class={wrong.length > 0 ? "j-at j-wrong" : "j-at"} data-path={path}>
      {children}
      {wrong.map((message) => (
        <p key={message} class="field-problem">
          {message}
        </p>
      ))}
    </div>
  );
}

/** A field of a schema at its place of the job. */
export function FieldAt({ desk, setting, value, change, path }: { desk: Desk; setting: Setting; value: unknown; change: (v: unknown) => void; path: string }) {
  return (
    <At desk={desk} path={path}>
      <Field state={desk.library} setting={setting} value={value} change={change} path={path} />
    </At>
  );
}

interface Option {
  value: string;
  label: string;
}

interface PickProps {
  id: string;
  label: string;
  help?: string | undefined;
  value: string;
  options: Option[];
  /** What stands for no value; without it there is always one. */
  none?: string;
  change: (value: string) => void;
}

/** One of several values. A value that is not offered stays and is said to be missing. */
export function Pick({ id, label, help, value, options, none, change }: PickProps) {
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} aria-describedby={help ? `${id}-help` : undefined} onChange={(e) => change(e.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map((o) => (
          <option key={o.value} value={o.value}>
            {o.label}
          </option>
        ))}
        {value !== "" && !options.some((o) => o.value === value) && <option value={value}>{t("{0} (not found)", value)}</option>}
      </select>
      {help && (
        <p class="d-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

interface ConnectionProps {
  desk: Desk;
  path: string;
  /** Of the connections that fit. */
  type: string;
  label: string;
  help?: string | undefined;
  value: string;
  change: (value: string) => void;
}

/** A connection of the workspace, with a way to make one. */
export function Connection({ desk, path, type, label, help, value, change }: ConnectionProps) {
  const { connections = [], connects } = desk.choices.value ?? {};
  const fitting = connections.filter((c) => c.type === type);
  const { base, workspace } = desk.library.api;
  const all = `${base}/ws/${workspace}/connections`;
  const none = connects !== undefined && fitting.length === 0;
  return (
    <At desk={desk} path={path}>
      <Pick id={`f-${path}`} label={label} help={help} value={value} none={t("None")} options={fitting.map((c) => ({ value: c.name, label: c.name }))} change={change} />
      <p class="d-help">
        {none && <>{t(NONE[connects])} </>}
        {connects !== "" && (
          <>
            <a href={none && connects === "full" ? `${all}/new?type=${type}` : all} target="_blank" rel="noopener">
              {none && connects === "full" ? t("Make one") : t("Connections of the workspace")}
              <span class="hidden"> {t("(opens a new tab)")}</span>
            </a>{" "}
            <button type="button" class="j-quiet" onClick={() => void desk.open()}>
              {t("Look for new ones")}
            </button>
          </>
        )}
      </p>
    </At>
  );
}

/** Why there is nothing to choose, by what the caller may do with connections. */
const NONE = { "": say("Your role does not show the connections of the workspace."), read: say("There is none of this kind yet; members with Full on data sources make them."), full: say("There is none of this kind yet.") };

interface ItemsProps<T> {
  desk: Desk;
  /** Where the list lies in the job. */
  path: string;
  items: T[];
  change: (items: T[]) => void;
  title: (item: T, i: number) => string;
  note?: (item: T) => string;
  children: (item: T, i: number, replace: (item: T) => void) => ComponentChildren;
}

/** Cards, one for each item. The first problem of a closed card shows in its line. */
export function Items<T>({ desk, path, items, change, title, note, children }: ItemsProps<T>) {
  const { keys } = useItemKeys(items);
  const [open, show] = useState<number[]>(items.length === 1 ? keys : []);
  const known = useRef(new Set(keys));
  const added = keys.filter((key) => !known.current.has(key));
  known.current = new Set(keys);
  if (added.length === 1) show([...open, added[0]!]);
  const move = (i: number, to: number) => {
    const rest = items.filter((_, at) => at !== i);
    change([...rest.slice(0, to), items[i]!, ...rest.slice(to)]);
  };
  const remove = (i: number) => change(items.filter((_, at) => at !== i));
  return (
    <>
      {items.map((item, i) => {
        const wrong = desk.under(`${path}[${i}]`).length;
        const name = title(item, i);
        const toggle = (now: boolean) => now !== open.includes(keys[i]!) && show(now ? [...open, keys[i]!] : open.filter((key) => key !== keys[i]));
        return (
          <details key={keys[i]} class="d-group j-card" open={open.includes(keys[i]!)} onToggle={(e) => e.target === e.currentTarget && toggle(e.currentTarget.open)}>
            <summary>
              <span class="j-title">{name}</span>
              {note && <small>{note(item)}</small>}
              {wrong > 0 && <Wrong count={wrong} />}
            </summary>
            <div class="d-form">{children(item, i, (changed) => change(items.map((old, at) => (at === i ? changed : old))))}</div>
            <div class="d-buttons">
              <button type="button" disabled={i === 0} onClick={() => move(i, i - 1)}>
                {t("Up")}
                <span class="hidden"> {name}</span>
              </button>
              <button type="button" disabled={i === items.length - 1} onClick={() => move(i, i + 1)}>
                {t("Down")}
                <span class="hidden"> {name}</span>
              </button>
              <button type="button" onClick={() => remove(i)}>
                {t("Remove")}
                <span class="hidden"> {name}</span>
              </button>
            </div>
          </details>
        );
      })}
    </>
  );
}

/** How many problems there are, as a mark. */
export function Wrong({ count }: { count: number }) {
  return (
    <span class="j-mark">
      {count}
      <span class="hidden"> {count === 1 ? t("problem") : t("problems")}</span>
    </span>
  );
}

/** The problems of a step; each leads to its field. */
export function Summary({ desk, problems }: { desk: Desk; problems: { path: string; message: string }[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="j-summary" aria-label={t("Problems of this step")}>
      {problems.map((p) => (
        <li key={`${p.path} ${p.message}`}>
          <button type="button" onClick={() => reach(p.path)}>
            {p.path && <b>{inWordsOf(desk, p.path)}</b>} {p.message}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Goes to the field of a path, or to what it lies in. */
function reach(path: string): void {
  for (let at = path; at !== ""; at = parentOf(at)) {
    const place = document.querySelector(`[data-path="${CSS.escape(at)}"]`);
    const field = document.getElementById(`f-${at}`) ?? document.getElementById(`f-source-${at}`) ?? place?.querySelector<HTMLElement>("input, select, textarea, [contenteditable=true]");
    if (!field) continue;
    for (let box = field.closest("details"); box; box = box.parentElement?.closest("details") ?? null) box.open = true;
    field.scrollIntoView({ block: "center" });
    field.focus();
    return;
  }
}

/** What a place lies in; empty for the whole. */
function parentOf(path: string): string {
  const cut = path.replace(/(\.[^.[]*|\[[^\]]*\])$/, "");
  return cut === path ? "" : cut;
}
