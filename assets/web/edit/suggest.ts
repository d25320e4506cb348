// Where in a text something can be completed.

import { type CompletionContext, type CompletionResult, pickedCompletion, startCompletion } from "@codemirror/autocomplete";
import { StateField } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Completion, Completions } from "./types";

const NAME = /^[\p{L}\p{N}_$]*$/u;
const LOOK_BACK = 300;

/** The place before the caret: what is known already, and the beginning of a name that is being written. */
interface Spot {
  prefix: string;
  name: string;
  /** Whether braces are missing around it. */
  bare: boolean;
  /** Whether any path is meant whose words have these letters. */
  anywhere?: boolean;
}

/** Finds what is to be completed at the end of a text; null where nothing is. */
export function spotAt(before: string, text: boolean): Spot | null {
  const open = before.lastIndexOf("{") > before.lastIndexOf("}");
  const format = /\{(\$[^{}|]*:|\[[^]*\][^{}|]*:)([^{}|:;]*)$/u.exec(before);
  if (format) return { prefix: format[1]!, name: format[2]!, bare: false };
  const path = /\$(?:[\p{L}\p{N}_$]|\.|\[\d+\])*$/u.exec(before);
  if (path) {
    const dot = path[0].lastIndexOf(".") + 1;
    return { prefix: path[0].slice(0, dot), name: path[0].slice(dot), bare: text && !open };
  }
  if (text && /(?:^|[^{])\{\[?$/u.test(before)) return { prefix: "", name: "", bare: false };
  const letters = text ? /(?:^|[^{])\{([\p{L}\p{N}_.]+)$/u.exec(before) : null;
  if (letters) return { prefix: "*", name: letters[1]!, bare: false, anywhere: true };
  return null;
}

/** A source of completions for CodeMirror. */
export function suggest(completions: Completions, text: boolean): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - LOOK_BACK), context.pos);
    const spot = spotAt(before, text) ?? (context.explicit && !text ? { prefix: "", name: "", bare: false } : null);
    if (!spot) return null;
    const options = completions(spot.prefix);
    if (options.length === 0) return null;
    const whole = spot.bare ? `${spot.prefix}${spot.name}` : spot.name;
    return {
      from: context.pos - whole.length,
      // What fits equally well stays in its order.
      options: options.map((o, i) => ({ ...applied(o, spot), boost: -i / 10 })),
      // Letters after the brace ask for all paths.
      validFor: spot.anywhere ? /^[\p{L}\p{N}_.]+$/u : spot.prefix === "" && text ? /^(\$[\p{L}\p{N}_$]*)?$/u : spot.bare ? /^\$?[\p{L}\p{N}_$.]*$/u : NAME,
      filter: true,
    };
  };
}

/** A completion that puts the braces around what it completes where they are missing, and goes on where a member is meant. */
function applied(option: Completion, spot: Spot) {
  const label = spot.bare ? spot.prefix + option.label : option.label;
  return {
    ...option,
    label,
    apply: (view: EditorView, picked: import("@codemirror/autocomplete").Completion, from: number, to: number) => {
      const insert = `${spot.bare ? "{" : ""}${label}${option.more && view.state.sliceDoc(to, to + 1) !== "." ? "." : ""}`;
      view.dispatch({ changes: { from, to, insert: spot.bare ? `${insert}}` : insert }, selection: { anchor: from + insert.length }, annotations: pickedCompletion.of(picked), userEvent: "input.complete" });
      if (option.more) startCompletion(view);
    },
  };
}

/** Where a completion has just written a dot; -1 when something was done since. */
const written = StateField.define<number>({
  create: () => -1,
  update: (at, tr) => {
    const { head } = tr.newSelection.main;
    if (tr.annotation(pickedCompletion)) return tr.newDoc.sliceString(head - 1, head) === "." ? head : -1;
    return tr.docChanged || tr.selection ? -1 : at;
  },
});

/** The dot that a completion has written may be typed again, as by those who know the path by heart. */
export const oneDot = [written, EditorView.inputHandler.of((view, from, to, text) => text === "." && from === to && from === view.state.field(written))];
