// Fields with an editor inside. Until it is loaded, and where it cannot be
// loaded, they are plain text fields that do the same.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { loadCode, loadRich, styleNonce } from "./load";
import type { CodeEditor, CodeModule, Completion, Completions, Diagnostic, Editor, Language, RichModule } from "./types";
import { Icon } from "../ui/icon";
import { Refer } from "./refer";
import { t, textsInUse } from "../words";

export type { Completion, Completions, Diagnostic, Language };

interface Common {
  id: string;
  label: string;
  help?: string | undefined;
  value: string;
  change: (value: string) => void;
}

export interface CodeFieldProps extends Common {
  language: Language;
  completions?: Completions | undefined;
  diagnostics?: Diagnostic[] | undefined;
  rows?: number | undefined;
  /** Whether Enter begins a new line; true unless said. */
  multiline?: boolean | undefined;
  placeholder?: string | undefined;
  /** The value that the template or expression gives now. */
  current?: string | undefined;
  /** What is wrong with the whole. */
  problem?: string | undefined;
}

const nothing: Completions = () => [];

/** An ID but for places in lists: an item that others moved keeps its editor. */
const placeOf = (id: string): string => id.replace(/\.\d+(?=\.|$)/g, ".#");

/** A field for code or a template. */
export function CodeField(props: CodeFieldProps) {
  const { id, value, change, language, diagnostics, rows = 1, multiline = true, placeholder = "" } = props;
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const latest = useLatest({ value, change, completions: props.completions ?? nothing });
  const [module, take] = useState<CodeModule | null>(null);
  const before = useRef({ focused: false, selection: [0, 0] as [number, number] });
  useOwnKeys(host);

  useLayoutEffect(() => {
    if (!module || !host.current) return;
    editor.current = module.mountCode({
      parent: host.current,
      id,
      labelledBy: `${id}-label`,
      describedBy: described(props),
      language,
      multiline,
      rows,
      placeholder,
      value: latest.current.value,
      selection: before.current.selection,
      nonce: styleNonce(),
      completions: (prefix) => latest.current.completions(prefix),
      change: (v) => latest.current.change(v),
    });
    if (before.current.focused) editor.current.focus();
    return () => {
      editor.current?.destroy();
      editor.current = null;
    };
  }, [module, placeOf(id), language, multiline]);
  useLayoutEffect(() => editor.current?.setId(id, `${id}-label`, described(props)), [id]);
  // At once, lest a later key has changed the text meanwhile.
  useLayoutEffect(() => editor.current?.setValue(value), [value, module]);
  useEffect(() => editor.current?.setDiagnostics(diagnostics ?? []), [diagnostics, module]);

  const wake = useWake(loadCode, (m) => {
    const area = plain.current;
    if (area) before.current = { focused: document.activeElement === area, selection: [area.selectionStart, area.selectionEnd] };
    take(m);
  });
  const insert = (text: string) => {
    const area = plain.current;
    if (editor.current) editor.current.insert(text);
    else if (area) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      change(area.value);
    }
  };
  const refers = multiline && (language === "template" || language === "html");
  return (
    <Frame {...props} large={multiline} focus={() => (editor.current ?? plain.current)?.focus()} insert={refers ? insert : undefined}>
      <div class="d-code" ref={host}>
        {!module && (
          <textarea
            ref={plain}
            id={id}
            aria-labelledby={`${id}-label`}
            aria-describedby={described(props)}
            value={value}
            placeholder={placeholder}
            spellcheck={false}
            rows={Math.max(rows, Math.min(20, value.split("\n").length))}
            onInput={(e) => change(e.currentTarget.value)}
            onKeyDown={(e) => !multiline && e.key === "Enter" && e.preventDefault()}
            {...wake}
          />
        )}
      </div>
    </Frame>
  );
}

export type TemplateFieldProps = Omit<CodeFieldProps, "language">;

/** A field for a text template, of one line unless said otherwise. */
export function TemplateField(props: TemplateFieldProps) {
  return <CodeField {...props} language="template" multiline={props.multiline ?? false} />;
}

export interface JsonFieldProps extends Omit<Common, "value" | "change"> {
  value: unknown;
  change: (value: unknown) => void;
}

/** A field for any value, written as JSON. The value changes whenever the text can be read. */
export function JsonField({ value, change, label, ...rest }: JsonFieldProps) {
  const [text, write] = useState(() => written(value));
  const known = useRef(value);
  if (known.current !== value) {
    known.current = value;
    if (fingerprint(text) !== JSON.stringify(value)) write(written(value));
  }
  const input = (now: string) => {
    write(now);
    if (now.trim() === "") change((known.current = undefined));
    else if (fingerprint(now) !== null) change((known.current = JSON.parse(now)));
  };
  const fault = text.trim() !== "" && fingerprint(text) === null;
  return <CodeField {...rest} label={`${label} (JSON)`} language="json" value={text} change={input} rows={2} problem={fault ? t("This is not JSON yet; the value from before stays.") : undefined} />;
}

const written = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2));

/** The value of a JSON text in one way of writing; null when it is none. */
function fingerprint(text: string): string | null | undefined {
  if (text.trim() === "") return undefined;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

export type RichTextFieldProps = Common;

/** A field for formatted text, stored as HTML. */
export function RichTextField(props: RichTextFieldProps) {
  const { id, value, change } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const latest = useLatest({ value, change });
  const [module, take] = useState<RichModule | null>(null);
  const [source, showSource] = useState(false);
  useOwnKeys(host);

  useEffect(() => {
    let gone = false;
    loadRich().then(
      (m) => {
        if (gone) return;
        showSource(!m.holds(latest.current.value));
        take(m);
      },
      () => undefined, // the plain field stays
    );
    return () => {
      gone = true;
    };
  }, []);
  const shown = module !== null && !source;
  useLayoutEffect(() => {
    if (!shown || !host.current) return;
    editor.current = module.mountRich({ parent: host.current, id, labelledBy: `${id}-label`, describedBy: described(props), value: latest.current.value, change: (v) => latest.current.change(v), texts: textsInUse() });
    return () => {
      editor.current?.destroy();
      editor.current = null;
    };
  }, [shown, id]);
  useLayoutEffect(() => {
    if (!editor.current) return;
    if (module?.holds(value)) editor.current.setValue(value);
    else showSource(true);
  }, [value, shown]);

  if (!shown) {
    return (
      <>
        <CodeField {...props} language="html" rows={4} />
        {module?.holds(value) && <Toggle text={t("Edit as formatted text")} act={() => showSource(false)} />}
        {module && !module.holds(value) && <p class="d-help">{t("This text has HTML that the editor for formatted text does not know, so it is edited as HTML.")}</p>}
      </>
    );
  }
  return (
    <Frame {...props} large focus={() => editor.current?.focus()} insert={(text) => editor.current?.insert(text)}>
      <div class="d-rich" ref={host} />
      <Toggle text={t("Edit as HTML")} act={() => showSource(true)} />
    </Frame>
  );
}

function Toggle({ text, act }: { text: string; act: () => void }) {
  return (
    <button type="button" class="d-source" onClick={act}>
      {text}
    </button>
  );
}

const described = (props: CodeFieldProps | Common): string | undefined => (props.help ? `${props.id}-help` : undefined);

/** Label, editor, and what there is to say about it. What is written in several lines can be opened over the window. */
function Frame({ id, label, help, diagnostics, current, problem, large = false, focus, insert, children }: Omit<Common, "value" | "change"> & Pick<CodeFieldProps, "diagnostics" | "current" | "problem"> & { large?: boolean; focus: () => void; /** Writes at the caret; nothing where no references are written. */ insert?: ((text: string) => void) | undefined; children: ComponentChildren }) {
  const [open, show] = useState(false);
  const turn = (to: boolean) => (show(to), focus());
  const key = (e: KeyboardEvent) => {
    const turns = large && (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "e";
    if (!turns && !(open && e.key === "Escape" && !e.defaultPrevented)) return;
    e.preventDefault();
    e.stopPropagation();
    turn(turns ? !open : false);
  };
  return (
    <div class={open ? "d-field d-large" : "d-field"} role={open ? "dialog" : undefined} aria-label={open ? label : undefined} onKeyDownCapture={large ? key : undefined}>
      {open && <div class="d-veil" onClick={() => turn(false)} />}
      {large && (
        <button type="button" class="d-enlarge" tabIndex={-1} title="Ctrl+E" aria-pressed={open} onClick={() => turn(!open)}>
          <Icon name={open ? "minimize" : "maximize"} />
          <span class="hidden">{t("Write {0} in a large window", label)}</span>
        </button>
      )}
      <label id={`${id}-label`} for={id} onClick={focus}>
        {label}
      </label>
      {insert && <Refer id={id} label={label} insert={insert} focus={focus} />}
      {children}
      {diagnostics?.map((d) => (
        <p key={`${d.line}:${d.message}`} class="field-problem">
          {t("Line {0}", d.line)}: {d.message}
        </p>
      ))}
      {problem && <p class="field-problem">{problem}</p>}
      {current !== undefined && (
        <p class="d-current">
          <span class="hidden">{t("Now:")} </span>
          <output for={id}>{current === "" ? t("prints nothing") : current}</output>
        </p>
      )}
      {help && (
        <p class="d-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** What an editor must see as it is now, not as it was when the editor was made. */
function useLatest<T>(now: T) {
  const ref = useRef(now);
  ref.current = now;
  return ref;
}

/**
 * Listeners of a plain field that bring its editor: at the first focus, but
 * not amid a click or a composition, which would lose what they do.
 */
function useWake<M>(load: () => Promise<M>, take: (module: M) => void) {
  const state = useRef({ wanted: false, pointer: false, composing: false, arrived: null as M | null, gone: false });
  useEffect(() => () => void (state.current.gone = true), []);
  const settle = () => {
    const s = state.current;
    if (s.arrived && !s.pointer && !s.composing && !s.gone) take(s.arrived);
  };
  const want = () => {
    if (state.current.wanted) return;
    state.current.wanted = true;
    load().then(
      (m) => {
        state.current.arrived = m;
        settle();
      },
      () => (state.current.wanted = false), // the next focus tries again
    );
  };
  const set = (change: Partial<(typeof state)["current"]>) => () => {
    Object.assign(state.current, change);
    setTimeout(settle);
  };
  return {
    onFocus: want,
    onPointerDown: set({ pointer: true }),
    onPointerUp: set({ pointer: false }),
    onPointerCancel: set({ pointer: false }),
    onBlur: set({ pointer: false, composing: false }),
    onCompositionStart: set({ composing: true }),
    onCompositionEnd: set({ composing: false }),
  };
}

/** Inside of an editor, keys and the clipboard are the editor's, but saving. */
function useOwnKeys(host: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = host.current;
    const keep = (e: Event) => {
      const plain = e.target instanceof HTMLTextAreaElement;
      const save = e instanceof KeyboardEvent && (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "s";
      if (!plain && !save) e.stopPropagation();
    };
    const names = ["keydown", "copy", "cut", "paste"];
    for (const name of names) element?.addEventListener(name, keep);
    return () => {
      for (const name of names) element?.removeEventListener(name, keep);
    };
  });
}
