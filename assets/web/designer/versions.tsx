// The history of a report: what changed between versions, names of them, and a
// way back.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { reason, type Setting, type Version } from "./api";
import { changes, type Names } from "./compare";
import type { Report } from "./model";
import type { State } from "./state";
import { summary } from "./summary";
import { Icon } from "../ui/icon";
import { humanise } from "../session/words";
import { t } from "../words";

/** Elements and settings as the forms call them. */
export const namesOf = (state: State): Names => {
  const label = (settings: readonly Setting[] | undefined, name: string): string => settings?.find((s) => s.name === name)?.label || t(humanise(name));
  return {
    element: (node) => state.components.value.find((c) => c.name === node.type)?.label ?? node.type,
    setting: (type, name) => label(state.settingsOf(type), name),
    report: (name) => label(state.schemas.value.report, name),
    page: (name) => (name === "design" ? t("Guides") : label(state.schemas.value.page, name)),
  };
};

export function Versions({ state }: { state: State }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [versions, show] = useState<Version[]>([]);
  const [fault, fail] = useState("");
  const [compared, compare] = useState<number | null>(null);
  const [onlyNamed, filter] = useState(false);
  const known = useRef(new Map<number, Promise<Report>>()).current;
  const attempt = (work: () => Promise<void>) => {
    fail("");
    work().catch((e: unknown) => fail(reason(e)));
  };
  const read = async () => show(await state.api.versions!());
  const open = () => {
    compare(null);
    show([]);
    dialog.current!.showModal();
    attempt(async () => {
      await state.save();
      await read();
    });
  };
  const restore = (revision: number) =>
    attempt(async () => {
      await state.restore(revision);
      dialog.current!.close();
    });
  const name = (revision: number, name: string) =>
    attempt(async () => {
      await state.api.nameVersion!(revision, name);
      await read();
    });
  /** A version as it was, read once; the newest is what is edited here. */
  const of = (v: Version): Promise<Report> => {
    if (v === versions[0]) return Promise.resolve(state.whole);
    const reading = known.get(v.revision) ?? state.api.version!(v.revision).then((old) => old.definition);
    known.set(v.revision, reading);
    return reading;
  };
  const earlier = (v: Version): Version | undefined => versions[versions.indexOf(v) + 1];
  const named = versions.filter((v) => v.name);
  const shown = onlyNamed && named.length > 0 ? named : versions;
  return (
    <>
      <button type="button" onClick={open}>
        <Icon name="history" />
        {t("Versions")}
      </button>
      <dialog ref={dialog} class="d-dialog d-versions" aria-labelledby="versions-title">
        <header>
          <h2 id="versions-title">{t("Versions")}</h2>
          <form method="dialog">
            <button>{t("Close")}</button>
          </form>
        </header>
        {fault && (
          <p class="field-problem" role="alert">
            {fault}
          </p>
        )}
        {versions.length === 0 && !fault && <p class="d-hint">{t("This report has not been saved yet.")}</p>}
        {named.length > 0 && (
          <label class="d-check">
            <input type="checkbox" checked={onlyNamed} onChange={(e) => filter(e.currentTarget.checked)} /> {t("Only those with a name")}
          </label>
        )}
        <ul>
          {shown.map((v) => (
            <One key={v.revision} version={v} picture={<Picture state={state} version={v} />} now={v === versions[0]} told={<Told before={earlier(v)} after={v} of={of} state={state} />} name={(text) => name(v.revision, text)} below={compared === v.revision && <Compared state={state} from={v} versions={versions} of={of} attempt={attempt} />}>
              {v !== versions[0] && (
                <>
                  <button type="button" aria-expanded={compared === v.revision} onClick={() => compare(compared === v.revision ? null : v.revision)}>
                    {t("Compare")}
                  </button>
                  <button type="button" onClick={() => restore(v.revision)}>
                    {t("Restore")}
                  </button>
                </>
              )}
            </One>
          ))}
        </ul>
      </dialog>
    </>
  );
}

const atTime = (saved: string): string => new Date(saved).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function inWords(v: Version): string {
  return [v.name, atTime(v.saved), v.user].filter(Boolean).join(" · ");
}

/** How a version looked; an empty sheet where no picture of it was made. */
function Picture({ state, version: v, alt = "" }: { state: State; version: Version; alt?: string }) {
  return <span class="d-version-picture">{v.pictured && <img src={state.api.versionPicture!(v.revision)} alt={alt} loading="lazy" />}</span>;
}

/** Two versions beside each other, the older one first; nothing where neither has a picture. */
function Pictures({ state, versions }: { state: State; versions: Version[] }) {
  if (!versions.some((v) => v.pictured)) return null;
  return (
    <div class="d-version-pictures">
      {versions.map((v) => (
        <figure key={v.revision}>
          <Picture state={state} version={v} alt={t("Picture of the version")} />
          <figcaption>{v.pictured ? inWords(v) : t("{0}: no picture was made", inWords(v))}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** What a version changed of the one before, in a few words, as soon as it comes in sight. */
function Told({ state, before, after, of }: { state: State; before: Version | undefined; after: Version; of: (v: Version) => Promise<Report> }) {
  const line = useRef<HTMLElement>(null);
  const [words, tell] = useState<string | null>(null);
  useEffect(() => {
    if (!before) return tell(t("The first that is kept"));
    const look = async () => {
      const [was, is] = await Promise.all([of(before), of(after)]);
      tell(summary(was, is, { settings: (type) => state.settingsOf(type), report: namesOf(state).report }) || t("Saved without a change"));
    };
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      seen.disconnect();
      look().catch(() => tell("")); // it can still be compared
    });
    seen.observe(line.current!);
    return () => seen.disconnect();
  }, [before?.revision, after.revision]);
  return (
    <small ref={line} class="d-version-told">
      {words ?? "…"}
    </small>
  );
}

/** A version with its name, which can be given, changed and taken away. */
function One({ version: v, picture, now, told, name, below, children }: { version: Version; picture: ComponentChildren; now: boolean; told: ComponentChildren; name: (text: string) => void; below: ComponentChildren; children: ComponentChildren }) {
  const [text, write] = useState<string | null>(null);
  const save = () => {
    if (text !== null && text.trim() !== (v.name ?? "")) name(text.trim());
    write(null);
  };
  const key = (e: KeyboardEvent) => {
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault(); // else the dialog closes
    if (e.key === "Enter") save();
    else write(null);
  };
  return (
    <li>
      {picture}
      <span class="d-version-words">
        {v.name && <b class="d-version-name">{v.name}</b>}
        {atTime(v.saved)} {v.user && `· ${v.user}`} {now && `· ${t("now")}`}
        {told}
      </span>
      <span class="d-buttons">
        {text === null ? (
          <button type="button" onClick={() => write(v.name ?? "")}>
            {v.name ? t("Rename") : t("Name | give")}
          </button>
        ) : (
          <>
            <input type="text" ref={(el) => el?.focus()} aria-label={t("Name of the version")} maxLength={100} value={text} onInput={(e) => write(e.currentTarget.value)} onKeyDown={key} />
            <button type="button" onClick={save}>
              {t("Save")}
            </button>
          </>
        )}
        {children}
      </span>
      {below}
    </li>
  );
}

/** What was changed from a version to another one, which is now unless it is chosen. */
function Compared({ state, from, versions, of, attempt }: { state: State; from: Version; versions: Version[]; of: (v: Version) => Promise<Report>; attempt: (work: () => Promise<void>) => void }) {
  const [to, choose] = useState(versions[0]!.revision);
  const [lines, tell] = useState<string[] | null>(null);
  const id = `compared-${from.revision}`;
  const both = [from, versions.find((v) => v.revision === to)!].sort((a, b) => a.revision - b.revision);
  useEffect(() => {
    let wanted = true;
    const [older, newer] = both;
    attempt(async () => {
      const [before, after] = await Promise.all([of(older!), of(newer!)]);
      if (wanted) tell(changes(before, after, namesOf(state)));
    });
    return () => void (wanted = false);
  }, [from.revision, to]);
  return (
    <div class="d-compared">
      <label for={id}>{t("Compared with")}</label>
      <select id={id} value={String(to)} onChange={(e) => choose(Number(e.currentTarget.value))}>
        {versions
          .filter((v) => v !== from)
          .map((v) => (
            <option key={v.revision} value={String(v.revision)}>
              {v === versions[0] ? t("now") : inWords(v)}
            </option>
          ))}
      </select>
      <Pictures state={state} versions={both} />
      <ul class="d-changes">{lines?.length === 0 ? <li>{t("Nothing has changed since.")}</li> : lines?.map((line, n) => <li key={n}>{line}</li>)}</ul>
    </div>
  );
}
