// The frame of the designer: the bar above, lists at the left, the canvas, the
// settings at the right, and the keys.

import { useEffect, useRef } from "preact/hooks";
import { aids } from "./aids";
import { Canvas } from "./canvas";
import { followClipboard } from "./clipboard";
import { commandOf } from "./commands";
import { Data } from "./data";
import { nodeAtPath, trail } from "./edit";
import { useLeft } from "./fields";
import { FindBar } from "./findbar";
import { FrameBar, FrameQuestion, PaperChip } from "./frameview";
import { recalled, remember } from "./kept";
import { Outline, Palette } from "./lists";
import { HiddenCount } from "./lockview";
import { CommandList, ContextMenu, Shortcuts, ViewButton } from "./menu";
import type { Node } from "./model";
import { Origins } from "./origin";
import { Pages, Settings } from "./pages";
import { Panel } from "./panel";
import { Parameters, Samples } from "./parameters";
import { Others } from "./presenceview";
import { goTo, Problems } from "./problems";
import { Rulers } from "./rulersview";
import { Border, columns, SideButton, sides } from "./sides";
import { Share, ShareButton } from "./share";
import { SourceForm } from "./source";
import { changes } from "./compare";
import type { State } from "./state";
import { Tabs } from "./tabs";
import { NoTalk, OpenMark, Talk } from "./talk";
import { Tour } from "./tour";
import { namesOf, Versions } from "./versions";
import { ZOOMS } from "./zoom";
import { Icon } from "../ui/icon";
import type { Clash } from "../session/merge";
import { SavingState, SessionMessages } from "../session/view";
import { pathInWords } from "../session/words";
import { say, t } from "../words";

/** Whether this browser has shown the tour. */
const TOURED = "quire-toured";

export function App({ state }: { state: State }) {
  useEffect(() => keys(state), []);
  useEffect(() => {
    if (!recalled(TOURED) && state.addresses.preview) state.dialog.value = "tour";
  }, []);
  const close = () => {
    if (state.dialog.value === "tour") remember(TOURED, "yes");
    state.dialog.value = null;
  };
  const { comments } = state;
  const shadow = state.shadow.value;
  const side = useRef<HTMLElement>(null);
  // What is selected next is read from its beginning.
  useEffect(() => side.current?.scrollTo({ top: 0 }), [state.source.value, state.selected.value.join()]);
  return (
    <div class="d-app">
      <a class="skip" href="#canvas" onClick={(e) => (e.preventDefault(), document.getElementById("canvas")?.focus())}>
        {t("Skip to the page")}
      </a>
      <Bar state={state} />
      <Messages state={state} />
      <div class="d-main" style={columns()}>
        <aside class="d-side d-left" hidden={sides.value.left.hidden} aria-label={t("Structure")}>
          <Tabs
            label={say("Parts")}
            rail
            chosen={state.tab}
            tabs={[
              { name: say("Add"), icon: "plus", content: () => <Palette state={state} /> },
              ...(state.api.run ? [{ name: say("Data"), icon: "database", content: () => <Data state={state} /> }] : []),
              { name: say("Pages"), icon: "files", content: () => <Pages state={state} /> },
              ...(state.api.run ? [{ name: say("Parameters"), icon: "sliders-horizontal", content: () => <Parameters state={state} /> }] : []),
              { name: say("Comments"), icon: "message-square", ...(comments ? { mark: <OpenMark comments={comments} />, content: () => <Talk state={state} comments={comments} /> } : { content: () => <NoTalk /> }) },
            ]}
          />
          <Outline state={state} />
        </aside>
        <div class="d-middle">
          <Border side="left" />
          <Samples state={state} />
          <FrameBar state={state} />
          <FindBar state={state} />
          <div class={`d-measured ${aids.value.rulers ? "d-ruled" : ""}`}>
            {aids.value.rulers && <Rulers state={state} />}
            <section id="canvas" class="d-canvas" tabIndex={0} aria-label={t("Canvas")}>
              <Canvas state={state} />
            </section>
          </div>
          <Stale state={state} />
          <div role="status" class={state.told.value ? "d-reason" : ""}>
            {state.told.value}
          </div>
          <div class="d-status">
            <SideButton side="left" />
            <Problems state={state} />
            <HiddenCount state={state} />
            <Trail state={state} />
            <PaperChip state={state} />
            <Zoom state={state} />
            <ViewButton />
            <SideButton side="right" />
          </div>
          <Border side="right" />
        </div>
        <aside ref={side} class="d-side d-right" hidden={sides.value.right.hidden} aria-label={t("Settings")}>
          {state.source.value !== null ? <SourceForm state={state} /> : state.selected.value.length > 0 ? <Panel state={state} /> : <Settings state={state} />}
        </aside>
      </div>
      <ContextMenu state={state} />
      {state.dialog.value === "commands" && <CommandList state={state} close={close} />}
      {state.dialog.value === "shortcuts" && <Shortcuts close={close} />}
      {state.dialog.value === "origins" && <Origins state={state} close={close} />}
      {state.dialog.value === "frame" && <FrameQuestion state={state} close={close} />}
      {state.dialog.value === "share" && <Share state={state} close={close} />}
      {state.dialog.value === "tour" && <Tour state={state} close={close} />}
      {shadow && (
        <div class="d-shadow" style={{ left: `${shadow.x + 14}px`, top: `${shadow.y + 14}px` }}>
          {shadow.label}
        </div>
      )}
    </div>
  );
}

function Bar({ state }: { state: State }) {
  const report = state.report.value;
  const [undo, redo] = [state.undoLabel, state.redoLabel];
  const { back, preview } = state.addresses;
  return (
    <header class="d-bar">
      <a href={back} class="d-back">
        <Icon name="arrow-left" />
        {preview ? t("Reports") : t("Library")}
      </a>
      <input class="d-name" aria-label={preview ? t("Name of the report") : t("Name of the template")} {...useLeft(report.name)} onChange={(e) => e.currentTarget.value.trim() && state.commit(t("Rename"), { ...report, name: e.currentTarget.value.trim() })} />
      <SavingState saving={state.session.saving.value} busy={state.drawing.value ? t("Drawing …") : undefined} />
      <span class="d-grow" />
      <div class="d-buttons d-plain">
        <button type="button" disabled={!undo} title={undo ? t("Undo: {0} (Ctrl+Z)", undo) : t("Nothing to undo")} onClick={() => state.undo()}>
          <Icon name="undo-2" />
          <span class="hidden">{t("Undo")}</span>
        </button>
        <button type="button" disabled={!redo} title={redo ? t("Redo: {0} (Ctrl+Y)", redo) : t("Nothing to redo")} onClick={() => state.redo()}>
          <Icon name="redo-2" />
          <span class="hidden">{t("Redo")}</span>
        </button>
      </div>
      <button type="button" class="d-find" title={t("All commands (Ctrl+K)")} onClick={() => (state.dialog.value = "commands")}>
        <Icon name="search" />
        {t("Commands")}
        <kbd aria-hidden="true">{t("Ctrl K")}</kbd>
      </button>
      <span class="d-grow" />
      <Others presence={state.presence} label={state.api.told ? t("Also in this report") : t("Also in this template")} />
      {preview && <Language state={state} />}
      {state.api.versions && <Versions state={state} />}
      {state.api.sharing && <ShareButton state={state} />}
      {preview && (
        <>
          <a class="button" href={`${preview}/pdf`} target="_blank" rel="noopener">
            <Icon name="download" />
            PDF
          </a>
          <a class="button primary" href={`${preview}/preview`} target="_blank" rel="noopener">
            <Icon name="eye" />
            {t("Preview")}
          </a>
        </>
      )}
    </header>
  );
}

function Zoom({ state }: { state: State }) {
  const now = state.zoom.value;
  // One that fits a selection or a page stands between them.
  const steps = now === 0 || ZOOMS.includes(now) ? ZOOMS : [...ZOOMS, now].sort((a, b) => a - b);
  return (
    <label>
      <span class="hidden">{t("Zoom")}</span>
      <select value={String(now)} onChange={(e) => (state.zoom.value = Number(e.currentTarget.value))}>
        <option value="0">{t("Fit")}</option>
        {steps.map((z) => (
          <option key={z} value={String(z)}>
            {Math.round(z * 100)} %
          </option>
        ))}
      </select>
    </label>
  );
}

/** The language that the canvas is drawn in; only where there are several. */
function Language({ state }: { state: State }) {
  const languages = state.languages.value;
  if (languages.length < 2) return null;
  return (
    <label>
      {t("Language")}{" "}
      <select value={state.lang.value} onChange={(e) => (state.lang.value = e.currentTarget.value)}>
        <option value="">{t("Default")}</option>
        {languages.map((l) => (
          <option key={l.code} value={l.code}>
            {l.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Messages({ state }: { state: State }) {
  return (
    <div>
      <SessionMessages session={state.session} words={{ place: (clash) => placeOf(state, clash), changes: (before, after) => changes(before, after, namesOf(state)) }} />
    </div>
  );
}

/** A clash by the element, page or setting that it is of. */
function placeOf(state: State, { path, kind, mine, theirs, base }: Clash): string {
  const [first = "", ...rest] = path;
  if (!first.startsWith("#")) return pathInWords(path, state.schemas.value.report) || t("Report");
  const node = state.nodeOf(first.slice(1)) ?? ([mine, theirs, base].find((v) => v !== null && typeof v === "object" && "type" in v) as Node | undefined);
  const label = node ? state.labelOf(node) : t("Element");
  if (kind === "place") return t("{0}: its place", label);
  if (kind === "order") return t("{0}: the order inside", label);
  const settings = state.components.value.find((c) => c.name === node?.type)?.settings ?? [];
  return rest.length === 0 ? label : `${label} › ${pathInWords(rest, settings)}`;
}

/** Why the canvas does not follow the edits, a click away from what is to be mended. */
function Stale({ state }: { state: State }) {
  const [first] = state.warnings.value;
  const shown = first && state.stale.value;
  const node = first && nodeAtPath(state.report.value, first.path);
  return (
    <div role="status" class={shown ? "d-stale" : ""}>
      {shown && (
        <>
          <span>{t(state.drawn.value === 0 ? say("The report cannot be drawn yet. To mend: {0}") : shown === "rest" ? say("The canvas shows what can be drawn. To mend: {0}") : say("The canvas shows the last state that could be drawn. To mend: {0}"), node ? `${state.labelOf(node)}: ${first.message}` : first.message)}</span>
          {node && (
            <button type="button" onClick={() => goTo(state, first.path)}>
              {t("Show")}
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** What the selected element lies in, each a click away. */
function Trail({ state }: { state: State }) {
  const nodes = trail(state);
  const page = state.report.value.pages[state.page.value];
  return (
    <nav class="d-trail" aria-label={t("Around the selection")}>
      <button type="button" onClick={() => state.select([])}>
        {page?.name || t("Page")}
      </button>
      {nodes.map((n) => (
        <button key={n.id} type="button" aria-current={n.id === state.selected.value[0] ? "true" : undefined} onClick={() => state.select([n.id])}>
          {state.labelOf(n)}
        </button>
      ))}
      {state.selected.value.length > 1 && <span>{t("{0} elements", state.selected.value.length)}</span>}
      {state.origins.value.length > 0 && nodes.length > 0 && (
        <button type="button" class="d-origin" title={t("Where does this come from?")} onClick={() => (state.dialog.value = "origins")}>
          {t("from {0}", state.origins.value.join("; "))}
        </button>
      )}
    </nav>
  );
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);
}

/** The keyboard of the designer. In fields, keys are the field's own, but undo and save. Keys without Ctrl or Alt are the canvas's, but the one that leads to it. */
function keys(state: State): () => void {
  const down = (e: KeyboardEvent) => {
    const command = commandOf(e, state);
    if (!command || (typing(e.target) && !command.everywhere)) return;
    if (e.target instanceof HTMLElement && e.target.closest(".cm-editor,.ProseMirror") && e.key !== "F6") return;
    const onPage = document.activeElement === document.body || document.activeElement?.closest(".d-canvas") !== null;
    if (!e.ctrlKey && !e.metaKey && !e.altKey && !onPage && e.key !== "?" && e.key !== "F6") return;
    if (["Ctrl+X", "Ctrl+C", "Ctrl+V"].includes(command.keys ?? "")) return; // the browser's own event follows
    e.preventDefault();
    command.run(state);
  };
  document.addEventListener("keydown", down);
  followClipboard(state, typing);
  return () => document.removeEventListener("keydown", down);
}
