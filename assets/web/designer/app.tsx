// The frame of the designer: the bar above, lists at the left, the canvas, the
// settings at the right, and the keys.

import { useEffect } from "preact/hooks";
import { Canvas } from "./canvas";
import { Data, SourceForm } from "./data";
import { Outline, Palette } from "./lists";
import type { Node } from "./model";
import { Panel } from "./panel";
import type { Saving, State } from "./state";
import { Versions } from "./versions";

interface AppProps {
  state: State;
  base: string;
  back: string;
  preview: string;
}

export function App({ state, base, back, preview }: AppProps) {
  useEffect(() => keys(state), []);
  return (
    <div class="d-app">
      <Bar state={state} back={back} preview={preview} />
      <Message state={state} />
      <div class="d-main">
        <aside class="d-side" aria-label="Structure">
          <Palette state={state} />
          <Outline state={state} />
          <Data state={state} />
        </aside>
        <section class="d-canvas" tabIndex={0} aria-label="Canvas">
          <Canvas state={state} base={base} />
        </section>
        <aside class="d-side d-right" aria-label="Settings">
          {state.source.value === null ? <Panel state={state} /> : <SourceForm state={state} />}
          <Warnings state={state} />
        </aside>
      </div>
    </div>
  );
}

const SAVING: Record<Saving, string> = { saved: "Saved", changed: "Not saved yet", saving: "Saving …", offline: "Not connected", conflict: "Changed by somebody else", refused: "Not saved" };

function Bar({ state, back, preview }: Omit<AppProps, "base">) {
  state.steps.value;
  const report = state.report.value;
  const [undo, redo] = [state.undoLabel, state.redoLabel];
  return (
    <header class="d-bar">
      <a href={back}>Reports</a>
      <input class="d-name" aria-label="Name of the report" value={report.name} onChange={(e) => e.currentTarget.value.trim() && state.commit("Rename", { ...report, name: e.currentTarget.value.trim() })} />
      <div class="d-buttons">
        <button type="button" disabled={!undo} title={undo ? `Undo: ${undo} (Ctrl+Z)` : "Nothing to undo"} onClick={() => state.undo()}>
          Undo
        </button>
        <button type="button" disabled={!redo} title={redo ? `Redo: ${redo} (Ctrl+Y)` : "Nothing to redo"} onClick={() => state.redo()}>
          Redo
        </button>
      </div>
      <div class="d-buttons">
        <label>
          Page{" "}
          <select value={String(state.page.value)} onChange={(e) => ((state.page.value = Number(e.currentTarget.value)), (state.selected.value = []))}>
            {report.pages.map((p, i) => (
              <option key={p.id} value={String(i)}>
                {p.name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => state.addPage()}>
          Add page
        </button>
        <button type="button" disabled={report.pages.length < 2} onClick={() => state.removePage()}>
          Delete page
        </button>
      </div>
      <label>
        Zoom{" "}
        <select value={String(state.zoom.value)} onChange={(e) => (state.zoom.value = Number(e.currentTarget.value))}>
          <option value="0">Fit</option>
          {[0.5, 0.75, 1, 1.25, 1.5, 2].map((z) => (
            <option key={z} value={String(z)}>
              {z * 100} %
            </option>
          ))}
        </select>
      </label>
      <Versions state={state} />
      <span class="d-grow" />
      <span role="status" class={`d-saving d-${state.saving.value}`}>
        {SAVING[state.saving.value]}
      </span>
      <a href={`${preview}/preview`} target="_blank" rel="noopener">
        Preview
      </a>
      <a href={`${preview}/pdf`} target="_blank" rel="noopener">
        PDF
      </a>
    </header>
  );
}

function Message({ state }: { state: State }) {
  if (!state.message.value) return null;
  return (
    <div class="d-message" role="alert">
      <span>{state.message.value}</span>
      {state.saving.value === "conflict" && (
        <span class="d-buttons">
          <button type="button" onClick={() => void state.takeTheirs()}>
            Take theirs
          </button>
          <button type="button" onClick={() => void state.keepMine()}>
            Keep mine
          </button>
        </span>
      )}
    </div>
  );
}

/** Warnings of the last drawing; those of an element select it. */
function Warnings({ state }: { state: State }) {
  const list = state.warnings.value;
  if (list.length === 0) return null;
  return (
    <section class="d-warnings" aria-label="Problems">
      <h3>Problems</h3>
      <ul>
        {list.map((w, i) => {
          const node = nodeAtPath(state, w.path);
          return (
            <li key={i}>
              {node ? (
                <button type="button" onClick={() => (state.selected.value = [node.id])}>
                  {w.message}
                </button>
              ) : (
                w.message
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** "pages[0].elements[2].children[1].props.text" leads to an element. */
function nodeAtPath(state: State, path: string): Node | null {
  const steps = [...path.matchAll(/(pages|elements|children)\[(\d+)\]/g)];
  let list: Node[] | undefined;
  let node: Node | null = null;
  for (const [, name, index] of steps) {
    const at = Number(index);
    if (name === "pages") list = state.report.value.pages[at]?.elements;
    else {
      node = list?.[at] ?? null;
      list = node?.children;
    }
  }
  return node;
}

const CLIP = "quire-elements";

/** The keyboard of the designer. In fields, keys are the field's own, but undo. */
function keys(state: State): () => void {
  const down = (e: KeyboardEvent) => {
    const ctrl = e.ctrlKey || e.metaKey;
    const key = e.key.toLowerCase();
    const typing = e.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
    const run = (action: () => void) => {
      e.preventDefault();
      action();
    };
    if (ctrl && key === "z") return run(() => (e.shiftKey ? state.redo() : state.undo()));
    if (ctrl && key === "y") return run(() => state.redo());
    if (ctrl && key === "s") return run(() => void state.save());
    if (typing) return;
    if (ctrl && key === "d") return run(() => state.duplicate());
    if (e.key === "Delete" || e.key === "Backspace") return run(() => state.removeSelected());
    if (e.key === "Escape") return run(() => state.selectParent());
    if (e.altKey && e.key === "ArrowUp") return run(() => state.shiftSelected(-1));
    if (e.altKey && e.key === "ArrowDown") return run(() => state.shiftSelected(1));
  };
  const copy = (e: ClipboardEvent) => {
    if (document.activeElement && /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    const nodes = state.selectedNodes();
    if (nodes.length === 0) return;
    e.preventDefault();
    e.clipboardData?.setData("text/plain", JSON.stringify({ [CLIP]: nodes }));
    if (e.type === "cut") state.removeSelected();
  };
  const paste = (e: ClipboardEvent) => {
    if (document.activeElement && /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    try {
      const nodes = JSON.parse(e.clipboardData?.getData("text/plain") ?? "")[CLIP] as Node[] | undefined;
      if (Array.isArray(nodes)) {
        e.preventDefault();
        state.add(nodes, "Paste");
      }
    } catch {
      // not ours
    }
  };
  document.addEventListener("keydown", down);
  document.addEventListener("copy", copy);
  document.addEventListener("cut", copy);
  document.addEventListener("paste", paste);
  return () => document.removeEventListener("keydown", down);
}
