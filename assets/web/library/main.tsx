// The bundle assets/dist/library.js: what reports of a workspace use.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { asField, faultsIn, faulty } from "../designer/complete";
import { Field } from "../designer/panel";
import { ParameterField, takes } from "../designer/parameters";
import { ask, type Run, type Setting } from "../designer/api";
import { Faulty } from "../designer/fields";
import { Others } from "../designer/presenceview";
import { Reference } from "../designer/references";
import { SourceField, Try } from "../designer/source";
import { Dictionary } from "./dictionary";
import { JobEditor } from "./job/editor";
import { type Definition, KINDS } from "./kinds";
import { thisBrowser } from "../session/browser";
import type { Clash } from "../session/merge";
import { SavingState, SessionMessages } from "../session/view";
import { differences, humanise, pathInWords } from "../session/words";
import { Library } from "./state";
import { Theme } from "./theme";
import { initials, type Opener, shownOf } from "../live/openers";
import { Icon } from "../ui/icon";
import { loadTexts, t } from "../words";

function App({ library, back }: { library: Library; back: string }) {
  useEffect(() => {
    // #jobs/7 is a job, #jobs the first of them.
    const follow = () => {
      const [kind, id] = location.hash.slice(1).split("/");
      void library.show(KINDS.find((k) => k.name === kind) ?? KINDS[0]!, id ? Number(id) : null);
    };
    follow();
    addEventListener("hashchange", follow);
    addEventListener("beforeunload", () => void library.flush());
    const key = (e: KeyboardEvent) => {
      const z = e.key.toLowerCase();
      if (!(e.ctrlKey || e.metaKey) || (z !== "z" && z !== "y" && z !== "s")) return;
      e.preventDefault();
      if (z === "s") void library.flush();
      else if (z === "y" || e.shiftKey) library.redo();
      else library.undo();
    };
    addEventListener("keydown", key);
  }, []);
  const session = library.open.value?.session;
  // Jobs have a place of their own, from which their editor is opened.
  const jobs = library.kind.value.name === "jobs";
  useEffect(() => {
    const here = `${back}/${jobs ? "jobs" : "library"}`;
    for (const entry of document.querySelectorAll(".nav a")) entry.toggleAttribute("aria-current", false), entry.getAttribute("href") === here && entry.setAttribute("aria-current", "page");
  }, [jobs]);
  useEffect(() => document.querySelector(".l-kinds [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [library.kind.value]);
  return (
    <div class="d-app l-app">
      <header class="d-bar">
        {jobs && (
          <a href={`${back}/jobs`} class="d-back">
            <Icon name="arrow-left" />
            {t("Jobs")}
          </a>
        )}
        <h1>{jobs ? t("Make and change jobs") : t("Library")}</h1>
        {session && <SavingState saving={session.saving.value} />}
        <span class="d-grow" />
        {library.open.value && <Others presence={library.open.value.presence} label={t("Also here")} />}
        <div class="d-buttons d-plain">
          <button type="button" disabled={session?.undoLabel.value === undefined} title={t("Undo (Ctrl+Z)")} onClick={() => library.undo()}>
            <Icon name="undo-2" />
            <span class="hidden">{t("Undo")}</span>
          </button>
          <button type="button" disabled={session?.redoLabel.value === undefined} title={t("Redo (Ctrl+Y)")} onClick={() => library.redo()}>
            <Icon name="redo-2" />
            <span class="hidden">{t("Redo")}</span>
          </button>
        </div>
      </header>
      <Messages library={library} />
      <div class={jobs ? "l-main l-jobs" : "l-main"}>
        {!jobs && (
          <nav class="d-side l-kinds" aria-label={t("Kinds")}>
            {KINDS.filter((k) => k.name !== "jobs").map((k) => (
              <a key={k.name} href={`#${k.name}`} aria-current={library.kind.value === k ? "page" : undefined}>
                {t(k.label)}
              </a>
            ))}
          </nav>
        )}
        <Items library={library} />
        <section class="l-editor" aria-label={t("Definition")}>
          <Editor library={library} />
        </section>
      </div>
    </div>
  );
}

function Messages({ library }: { library: Library }) {
  const gone = library.deleted.value;
  const open = library.open.value;
  const schema = library.schema.value?.schemas[library.kind.value.name] ?? [];
  const words = {
    place: (clash: Clash) => pathInWords(clash.path, schema) || t("Definition"),
    changes: (before: Definition, after: Definition) => differences(before, after, schema),
  };
  return (
    <div>
      {library.problem.value && (
        <div class="d-message" role="alert">
          <span>{library.problem.value}</span>
        </div>
      )}
      {open && <SessionMessages key={`${open.kind.name} ${open.id}`} session={open.session} words={words} />}
      {library.unsaved.value.map(({ kind, id, session }) => (
        <div key={`${kind.name} ${id}`} class="d-message" role="alert">
          <span>{t("{0} “{1}” is not saved: {2}", t(kind.one), session.value.value.name, session.message.value)}</span>
          <a class="button" href={`#${kind.name}/${id}`}>
            {t("Show")}
          </a>
        </div>
      ))}
      {gone && (
        <div class="d-message d-told" role="status">
          <span>{t("{0} was deleted.", gone.name)}</span>
          <button type="button" onClick={() => void library.restore()}>
            {t("Undo")}
          </button>
        </div>
      )}
    </div>
  );
}

function Items({ library }: { library: Library }) {
  const { label, one, help } = library.kind.value;
  const items = library.items.value;
  return (
    <section class="d-side l-items" aria-label={t(label)}>
      <p class="d-hint">{t(help)}</p>
      <ul>
        {items?.map((i) => (
          <li key={i.id}>
            <button type="button" aria-pressed={i.id === library.chosen.value} onClick={() => (library.choose(i.id), history.replaceState(null, "", `#${library.kind.value.name}/${i.id}`))}>
              <span>{String(i.definition.displayName || i.definition.name)}</span>
              <small>{i.definition.code ?? ""}</small>
            </button>
            <Openers people={library.othersAt(i.id)} label={t("Open now in {0}", String(i.definition.displayName || i.definition.name))} />
          </li>
        ))}
      </ul>
      <div class="d-buttons">
        <button type="button" class="d-primary" onClick={() => void library.create()}>{t("New {0}", t(one))}</button>
      </div>
    </section>
  );
}

/** Who else has a definition open. */
function Openers({ people, label }: { people: readonly Opener[]; label: string }) {
  const { shown, rest, more } = shownOf(people);
  if (people.length === 0) return null;
  return (
    <ul class="openers" aria-label={label}>
      {shown.map((one) => (
        <li key={one.userId} title={one.name}>
          {one.picture ? <img class="face" src={one.picture} alt="" /> : <span class="face" aria-hidden="true">{initials(one.name)}</span>}
          <span class="hidden">{one.name}</span>
        </li>
      ))}
      {rest && (
        <li title={rest}>
          <span class="face" aria-hidden="true">+{more}</span>
          <span class="hidden">{rest}</span>
        </li>
      )}
    </ul>
  );
}

/** What stands in the place of a definition: what there is to do. */
function Nothing({ library }: { library: Library }) {
  const { icon, one, help } = library.kind.value;
  const count = library.items.value?.length;
  if (count === undefined) return null; // they are being read
  return (
    <div class="l-nothing">
      <Icon name={icon} />
      <h2>{count > 0 ? t("Choose one to see and change it.") : t("There is no {0} yet.", t(one))}</h2>
      <p>{t(help)}</p>
      {count === 0 && (
        <button type="button" class="d-primary" onClick={() => void library.create()}>
          {t("Make the first one")}
        </button>
      )}
    </div>
  );
}

function Editor({ library }: { library: Library }) {
  const value = library.value.value;
  if (!value) return <Nothing library={library} />;
  const kind = library.kind.value.name;
  return (
    <>
      <div class="l-tools">
        <h2>{value.name}</h2>
        <span class="d-grow" />
        {kind === "templates" && (
          <>
            <a class="button" href={`${library.api.base}/ws/${library.api.workspace}/templates/${library.chosen.value}/design`}>
              {t("Design")}
            </a>
            <a class="button" href={`${library.api.base}/ws/${library.api.workspace}/templates/${library.chosen.value}/transfer`}>
              {t("To another workspace")}
            </a>
          </>
        )}
        {kind !== "reportTypes" && (
          <>
            <button type="button" title={t("Earlier in the list; the first is the default")} onClick={() => void library.move(-1)}>
              {t("Up")}
            </button>
            <button type="button" title={t("Later in the list")} onClick={() => void library.move(1)}>
              {t("Down")}
            </button>
          </>
        )}
        <button type="button" onClick={() => void library.duplicate()}>
          {t("Duplicate")}
        </button>
        <button type="button" onClick={() => void library.remove()}>
          {t("Delete")}
        </button>
      </div>
      <faulty.Provider key={`${kind} ${library.chosen.value}`} value={faultsIn(faultsOf(library))}>
        {kind === "dictionaries" ? <Dictionary library={library} /> : kind === "themes" ? <Theme library={library} /> : kind === "jobs" ? <JobEditor library={library} /> : <Plain library={library} />}
      </faulty.Provider>
    </>
  );
}

/** What is to be mended in the chosen definition. The editor of jobs asks for that itself. */
function faultsOf(library: Library): { field: string; message: string }[] {
  const { kind, session } = library.open.value!;
  if (kind.name === "jobs") return [];
  const form = kind.name.replace(/^themes$/, "theme").replace(/^dictionaries$/, "dictionary");
  return session.problems.value.map(({ path, message }) => ({ field: path.startsWith("settings.") ? `f-source-${asField(path.slice("settings.".length))}` : `f-${form}.${asField(path)}`, message }));
}

/** A form of the kind's schema; a data source has those of its type, too. */
function Plain({ library }: { library: Library }) {
  const value = library.value.value!;
  const { schemas = {}, sourceTypes = [] } = library.schema.value ?? {};
  const kind = library.kind.value.name;
  const type = kind === "dataSources" ? sourceTypes.find((t) => t.name === value.type) : undefined;
  const settings = (value.settings as Record<string, unknown> | undefined) ?? {};
  const setSetting = (name: string, v: unknown) => {
    const { [name]: _, ...rest } = settings;
    library.commit({ ...value, settings: v === undefined || v === "" ? rest : { ...settings, [name]: v } }, `settings.${name}`);
  };
  return (
    <form class="d-form l-narrow" onSubmit={(e) => e.preventDefault()}>
      {schemas[kind]
        ?.filter((s) => kind !== "parameters" || takes(value, s.name))
        .map((s) =>
          kind === "parameters" ? (
            <ParameterField key={s.name} state={library} setting={s} parameter={value} change={(v) => library.set(s.name, v)} path={`${kind}.${s.name}`} />
          ) : s.name === "defaultReport" ? (
            <DefaultReport key={s.name} library={library} setting={s} />
          ) : (
            <Field key={s.name} state={library} setting={s} value={value[s.name]} change={(v) => library.set(s.name, v)} path={`${kind}.${s.name}`} />
          ),
        )}
      {kind === "dataSources" && (
        <>
          <div class="d-field">
            <label for="source-type">{t("Type")}</label>
            <select id="source-type" value={String(value.type ?? "")} onChange={(e) => library.commit({ ...value, type: e.currentTarget.value, settings: {} })}>
              {sourceTypes.map((t) => (
                <option key={t.name} value={t.name}>
                  {t.label}
                </option>
              ))}
            </select>
            {type && <p class="d-help">{type.help}</p>}
          </div>
          {type?.settings.map((s) => (
            <SourceField key={s.name} state={library} setting={s} source={{ name: value.name, type: type.name }} value={settings[s.name]} change={(v) => setSetting(s.name, v)} path={`source-${s.name}`} />
          ))}
          <Try run={() => ask<Run>("POST", library.address("/run"), { source: value })} />
        </>
      )}
    </form>
  );
}

/** The report that the code of a type stands for: one of those that have the type as it is stored. */
function DefaultReport({ library, setting }: { library: Library; setting: Setting }) {
  const { defaultReport = "" } = library.value.value as { defaultReport?: string };
  const stored = library.items.value?.find((i) => i.id === library.chosen.value)?.definition.code ?? "";
  return (
    <>
      <Reference state={library} id="f-reportTypes.defaultReport" label={setting.label ?? humanise(setting.name)} help={t("The API prints this one when it is asked for the code of the type. Reports of this type are offered.")} kind={`reports?type=${encodeURIComponent(stored)}`} value={defaultReport} change={(v) => library.set(setting.name, v)} none={t("None")} />
      <Faulty id="f-reportTypes.defaultReport" />
    </>
  );
}

const root = document.getElementById("designer");
if (root) {
  const { workspace = "", base = "", assets = "", back = "/", me = "0" } = root.dataset;
  void Promise.all([thisBrowser(), loadTexts(assets)]).then(([browser]) => render(<App library={new Library(base, workspace, browser, Number(me))} back={back} />, root));
}
