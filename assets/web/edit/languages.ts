// The languages of the code editor, and text templates inside of all of them.

import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { sql } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";
import type { Language } from "./types";

/** What a language brings: its grammar and its own completions. */
export function grammar(language: Language): Extension {
  switch (language) {
    case "javascript":
    case "expression":
      return javascript();
    case "sql":
      return sql();
    case "json":
      return json();
    case "css":
      return css();
    case "html":
      return html();
    case "template":
      return [];
  }
}

/** Whether values must stand in braces, as in text. */
export const isText = (language: Language): boolean => !["javascript", "sql"].includes(language);

const mark = Decoration.mark({ class: "cm-place" });
const places = new MatchDecorator({ regexp: /\{\$[^{}\n]*\}|\{\[.*?\][^{}\n]*\}/g, decoration: mark });

/** Placeholders such as {$data.total:currency} stand out in every language. */
export const placeholders = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;
    constructor(view: EditorView) {
      this.marks = places.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.marks = places.updateDeco(update, this.marks);
    }
  },
  { decorations: (plugin) => plugin.marks },
);

const colors = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.modifier, t.tagName, t.definitionKeyword], color: "var(--code-keyword)" },
  { tag: [t.string, t.special(t.string), t.attributeValue, t.regexp], color: "var(--code-string)" },
  { tag: [t.number, t.bool, t.null, t.atom, t.unit, t.color], color: "var(--code-number)" },
  { tag: [t.propertyName, t.attributeName, t.typeName, t.className], color: "var(--code-name)" },
  { tag: t.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: t.invalid, color: "var(--bad)" },
]);

const look = EditorView.theme({
  "&": { font: "inherit", color: "var(--ink)", backgroundColor: "var(--surface)", border: "1px solid var(--field)", borderRadius: "8px", overflow: "hidden" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: ".82rem", lineHeight: "1.45", maxHeight: "calc(20 * 1.45em + 10px)", overflow: "auto" },
  ".cm-content": { padding: "5px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--ground)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 6px", minWidth: "1.6em" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-place": { color: "var(--accent)", fontWeight: "600" },
  ".cm-place *": { color: "inherit" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--good-ground)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--surface)", border: "1px solid var(--field)", borderRadius: "6px", boxShadow: "var(--shadow)", zIndex: "20" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "ui-monospace, monospace", fontSize: ".8rem", maxHeight: "14em", maxWidth: "min(30rem, 90vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 6px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  ".cm-completionDetail": { fontFamily: "system-ui, sans-serif", fontStyle: "normal", color: "var(--muted)" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionInfo": { maxWidth: "20rem", padding: "4px 8px", whiteSpace: "pre-line" },
  ".cm-diagnostic": { fontSize: ".8rem" },
});

/** Colours through the variables of the page, so that light and dark are its own matter. */
export const appearance: Extension = [look, syntaxHighlighting(colors), placeholders];
