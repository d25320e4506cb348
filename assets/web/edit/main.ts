// The module dist/editor.js: CodeMirror as the designer uses it.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { jsonParseLinter } from "@codemirror/lang-json";
import { type Diagnostic as Mark, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { Annotation, EditorState, type Extension, StateEffect, type Text } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { appearance, grammar, isText } from "./languages";
import { oneDot, suggest } from "./suggest";
import type { CodeEditor, CodeOptions, Diagnostic } from "./types";

/** Marks a change that came from outside, which the report knows already. */
const fromOutside = Annotation.define<boolean>();
const relint = StateEffect.define<null>();

export function mountCode(options: CodeOptions): CodeEditor {
  let diagnostics: Diagnostic[] = [];
  const problems = linter((view) => [...diagnostics.map((d) => markOf(view.state.doc, d)), ...faultsOf(view, options)], {
    delay: 300,
    needsRefresh: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(relint))),
  });
  // CodeMirror knows a source again by its identity.
  const data = [{ autocomplete: suggest(options.completions, isText(options.language)) }];
  const length = options.value.replace(/\r\n?/g, "\n").length;
  const at = (n: number) => Math.min(n, length);
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.value,
      selection: { anchor: at(options.selection[0]), head: at(options.selection[1]) },
      extensions: [
        EditorView.cspNonce.of(options.nonce),
        EditorView.darkTheme.of(matchMedia("(prefers-color-scheme: dark)").matches),
        EditorView.contentAttributes.of(attributes(options)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((t) => t.annotation(fromOutside))) options.change(update.state.doc.toString());
        }),
        appearance,
        grammar(options.language),
        EditorState.languageData.of(() => data),
        autocompletion({ icons: false }),
        oneDot,
        closeBrackets(),
        history(),
        bracketMatching(),
        problems,
        lines(options),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
      ],
    }),
  });
  // Tab leaves the field, until Ctrl-M says that it indents.
  view.setTabFocusMode(true);
  return {
    setValue(value) {
      const text = value.replace(/\r\n?/g, "\n");
      const old = view.state.doc.toString();
      if (text !== old) view.dispatch({ changes: difference(old, text), annotations: fromOutside.of(true) });
    },
    setId(id, labelledBy, describedBy) {
      const el = view.contentDOM;
      el.id = id;
      el.setAttribute("aria-labelledby", labelledBy);
      if (describedBy) el.setAttribute("aria-describedby", describedBy);
    },
    setDiagnostics(list) {
      diagnostics = list;
      view.dispatch({ effects: relint.of(null) });
    },
    focus: () => view.focus(),
    insert: (text) => view.dispatch(view.state.replaceSelection(text)),
    destroy: () => view.destroy(),
  };
}

function attributes(options: CodeOptions): Record<string, string> {
  return {
    id: options.id,
    "aria-labelledby": options.labelledBy,
    ...(options.describedBy ? { "aria-describedby": options.describedBy } : {}),
    ...(options.multiline ? {} : { "aria-multiline": "false" }),
  };
}

/** What differs between one line and many. */
function lines(options: CodeOptions): Extension {
  const wrap = ["javascript", "json"].includes(options.language) ? [] : EditorView.lineWrapping;
  const hint = options.placeholder ? placeholder(options.placeholder) : [];
  if (!options.multiline) {
    const stay = ["Enter", "Mod-Enter"].map((key) => ({ key, run: () => true, shift: () => true }));
    return [wrap, hint, keymap.of(stay), EditorView.clipboardInputFilter.of((text) => text.replace(/\s*[\r\n]+\s*/g, " "))];
  }
  const low = EditorView.theme({ ".cm-content, .cm-gutter": { minHeight: `calc(${options.rows} * 1.45em + 10px)` } });
  const text = options.language === "template" || options.language === "expression";
  return [wrap, hint, low, indentOnInput(), keymap.of([indentWithTab]), text ? [] : [lineNumbers(), lintGutter()]];
}

/** JSON is checked here; in a template for JSON only the values can tell. */
function faultsOf(view: EditorView, options: CodeOptions): readonly Mark[] {
  const text = view.state.doc.toString();
  return options.language === "json" && text.trim() !== "" && !text.includes("{$") ? jsonParseLinter()(view) : [];
}

function markOf(doc: Text, d: Diagnostic): Mark {
  const line = doc.line(Math.min(Math.max(1, d.line), doc.lines));
  const from = d.column ? Math.min(line.from + d.column - 1, line.to) : line.from;
  return { from, to: line.to, severity: "error", message: d.message };
}

/** The changed middle of a text, so that the caret stays where it is. */
function difference(old: string, now: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let end = 0;
  while (end < old.length - from && end < now.length - from && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { from, to: old.length - end, insert: now.slice(from, now.length - end) };
}
