// The entries of a dictionary as a grid: a row for each entry, a column for each
// language; in and out as CSV.

import { useEffect, useState } from "preact/hooks";
import { ask, type Resource } from "../designer/api";
import { Field } from "../designer/panel";
import { readCSV, writeCSV } from "./csv";
import type { Definition } from "./kinds";
import type { Library } from "./state";
import { say, t } from "../words";

/** What a language is called in that of the page; codes that are none are their own name. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(document.documentElement.lang, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

type Entries = Record<string, Record<string, string>>;

export function Dictionary({ library }: { library: Library }) {
  const value = library.value.value as Definition & { entries?: Entries };
  const entries = value.entries ?? {};
  const [codes, know] = useState<string[]>([]);
  const [wanted, search] = useState("");
  const [name, type] = useState("");
  const [told, tell] = useState("");
  useEffect(() => {
    const { base, workspace } = library.api;
    ask<Resource<{ code: string }>[]>("GET", `${base}/api/ui/ws/${workspace}/languages`).then((l) => know(l.map((r) => r.definition.code)), () => know([]));
  }, []);
  const languages = [...new Set([...codes, ...Object.values(entries).flatMap((e) => Object.keys(e))])];
  const put = (changed: Entries, key = "") => library.commit({ ...value, entries: changed } as Definition, key);
  const write = (entry: string, language: string, text: string) => {
    const { [language]: _, ...rest } = entries[entry]!;
    put({ ...entries, [entry]: text === "" ? rest : { ...entries[entry], [language]: text } }, `${entry}.${language}`);
  };
  const add = (e: SubmitEvent) => {
    e.preventDefault();
    const entry = name.trim();
    if (entry === "" || entry in entries) return;
    put({ ...entries, [entry]: {} });
    type("");
    search("");
    requestAnimationFrame(() => document.getElementById(`entry-${entry}-${languages[0]}`)?.focus());
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    const found = fromCSV(await file.text());
    if (typeof found === "string") return tell(found);
    put(merged(entries, found));
    tell(t(Object.keys(found).length === 1 ? say("1 entry was taken from {1}.") : say("{0} entries were taken from {1}."), Object.keys(found).length, file.name));
  };
  const shown = Object.keys(entries).filter((e) => [e, ...Object.values(entries[e]!)].some((s) => s.toLowerCase().includes(wanted.toLowerCase())));
  const gaps = languages.map((l) => Object.values(entries).filter((e) => !e[l]).length);
  return (
    <>
      <div class="d-form l-narrow">
        {library.schema.value?.schemas.dictionaries?.map((s) => (
          <Field key={s.name} state={library} setting={s} value={value[s.name]} change={(v) => library.set(s.name, v)} path={`dictionary.${s.name}`} />
        ))}
      </div>
      <div class="l-tools">
        <input type="search" aria-label={t("Find an entry")} placeholder={t("Find an entry")} value={wanted} onInput={(e) => search(e.currentTarget.value)} />
        <button type="button" onClick={() => download(`${value.code ?? value.name}.csv`, toCSV(entries, languages))}>
          {t("Save as CSV")}
        </button>
        <label class="l-file">
          {t("Take from CSV")} <input type="file" accept=".csv,text/csv" onChange={(e) => void take(e.currentTarget.files?.[0])} />
        </label>
      </div>
      <p role="status" class="d-hint">
        {told}
      </p>
      {languages.length === 0 && <p class="d-hint">{t("Add a language first: its texts are a column here.")}</p>}
      <div class="l-grid" role="region" aria-label={t("Entries")} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Entry")}</th>
              {languages.map((l, i) => (
                <th key={l} scope="col">
                  {languageName(l)} <small>{l}</small> {gaps[i]! > 0 && <small>{t("{0} missing", gaps[i])}</small>}
                </th>
              ))}
              <th scope="col">
                <span class="hidden">{t("Delete")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={entry}>
                <th scope="row">{entry}</th>
                {languages.map((l) => (
                  <td key={l} class={entries[entry]![l] ? "" : "l-missing"}>
                    <textarea id={`entry-${entry}-${l}`} lang={l} rows={1} aria-label={`${entry}, ${l}`} value={entries[entry]![l] ?? ""} onInput={(e) => write(entry, l, e.currentTarget.value)} />
                  </td>
                ))}
                <td>
                  <button
                    type="button"
                    aria-label={t("Delete {0}", entry)}
                    onClick={() => {
                      const { [entry]: _, ...rest } = entries;
                      put(rest);
                    }}
                  >
                    ×
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {Object.keys(entries).length === 0 && <p class="d-hint">{t("No entries yet. Add the first below; templates print it as {$dict.name}.")}</p>}
      <form class="l-tools" onSubmit={add}>
        <input type="text" aria-label={t("Name of the new entry")} placeholder={t("Name of the new entry")} value={name} onInput={(e) => type(e.currentTarget.value)} />
        <button disabled={name.trim() === "" || name.trim() in entries}>{t("Add entry")}</button>
      </form>
    </>
  );
}

/** A row for each entry, headed by the languages. */
function toCSV(entries: Entries, languages: string[]): string {
  return writeCSV([["entry", ...languages], ...Object.entries(entries).map(([name, texts]) => [name, ...languages.map((l) => texts[l] ?? "")])]);
}

/** The entries of a CSV file, or what is wrong with it. */
function fromCSV(text: string): Entries | string {
  const [head, ...rows] = readCSV(text);
  if (!head || head[0]?.trim().toLowerCase() !== "entry" || head.length < 2) return t("The file must begin with a line such as entry,en,de.");
  const languages = head.slice(1).map((l) => l.trim());
  const named = rows.filter((r) => r[0]?.trim());
  return Object.fromEntries(named.map((r) => [r[0]!.trim(), Object.fromEntries(languages.map((l, i) => [l, r[i + 1] ?? ""]).filter(([, s]) => s !== ""))]));
}

function merged(old: Entries, found: Entries): Entries {
  return { ...old, ...Object.fromEntries(Object.entries(found).map(([name, texts]) => [name, { ...old[name], ...texts }])) };
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
