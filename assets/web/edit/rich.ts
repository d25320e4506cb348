// The module dist/rich.js: ProseMirror as the designer uses it.

import { baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { closeHistory, history, redo, undo } from "prosemirror-history";
import { inputRules, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { MarkType, NodeType } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, EditorState, TextSelection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { holds, parse, readable, serialize } from "./html";
import { linkForm } from "./link";
import { aligned, alignOf, clipboard, type Extra, schema } from "./schema";
import { makeToolbar, type Tool } from "./toolbar";
import type { Editor, RichOptions } from "./types";
import { t, setTexts } from "../words";

export { holds };

/** The HTML that a value is after it was edited without a change. */
export const roundTrip = (html: string): string => serialize(parse(html));

const { nodes, marks } = schema;

export function mountRich(options: RichOptions): Editor {
  setTexts(options.texts);
  const link = linkForm(options.id, () => view);
  const toolbar = makeToolbar(tools(link.open), options.id, () => view);
  const surface = document.createElement("div");
  options.parent.append(toolbar.dom, link.dom, surface);
  let told = options.value;
  const view: EditorView = new EditorView(surface, {
    state: stateOf(options.value, link.open),
    attributes: {
      id: options.id,
      role: "textbox",
      "aria-multiline": "true",
      "aria-labelledby": options.labelledBy,
      ...(options.describedBy ? { "aria-describedby": options.describedBy } : {}),
    },
    clipboardSerializer: clipboard,
    // Formatted text of our own is copied as it is, that of others without its look.
    transformPastedHTML: (html) => (html.includes("data-pm-slice") ? readable(html) : `<span data-pasted>${readable(html)}</span>`),
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      toolbar.update();
      if (!transaction.docChanged) return;
      told = serialize(view.state.doc);
      options.change(told);
    },
  });
  toolbar.update();
  return {
    setValue(value) {
      if (value === told) return;
      told = value;
      view.updateState(withCaretOf(view.state, stateOf(value, link.open)));
      toolbar.update();
    },
    focus: () => view.focus(),
    insert: (text) => view.dispatch(closeHistory(view.state.tr).insertText(text)),
    destroy() {
      view.destroy();
      options.parent.replaceChildren();
    },
  };
}

/** A state with what is selected in another one, as far as its text reaches. */
function withCaretOf({ selection: { anchor, head } }: EditorState, state: EditorState): EditorState {
  const at = (place: number) => state.doc.resolve(Math.min(place, state.doc.content.size));
  return state.apply(state.tr.setSelection(TextSelection.between(at(anchor), at(head))));
}

function stateOf(value: string, openLink: Command): EditorState {
  const newLine: Command = (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodes.hardBreak.create()).scrollIntoView());
    return true;
  };
  return EditorState.create({
    doc: parse(value),
    plugins: [
      inputRules({ rules: [wrappingInputRule(/^\s*[-*]\s$/, nodes.bullets), wrappingInputRule(/^\s*1\.\s$/, nodes.numbers)] }),
      history(),
      keymap({
        "Mod-z": undo,
        "Mod-y": redo,
        "Mod-Shift-z": redo,
        "Mod-b": toggleMark(marks.strong),
        "Mod-i": toggleMark(marks.em),
        "Mod-u": toggleMark(marks.underline),
        "Mod-k": openLink,
        "Mod-Alt-f": toggleMark(marks.footnote),
        "Mod-]": sinkListItem(nodes.item),
        "Mod-[": liftListItem(nodes.item),
        "Shift-Enter": chainCommands(exitCode, newLine),
        Enter: splitListItem(nodes.item),
      }),
      keymap(baseKeymap),
    ],
  });
}

function tools(openLink: Command): Tool[][] {
  return [
    [block(t("Paragraph"), "¶", nodes.paragraph, {}), ...[1, 2, 3, 4].map((n) => block(t("Heading {0}, H{0}", n), `H${n}`, nodes.heading, { tag: `h${n}` }))],
    [format(t("Bold"), "B", marks.strong, "Ctrl+B"), format(t("Italic"), "I", marks.em, "Ctrl+I"), format(t("Underline"), "U", marks.underline, "Ctrl+U"), { label: t("Link"), face: "M7 9a3 3 0 0 0 4 0l2.5-2.5a2.8 2.8 0 0 0-4-4L8.5 3.5M9 7a3 3 0 0 0-4 0L2.500 9.500a2.800 2.800 0 0 0 4 4l1-1", keys: "Ctrl+K", run: openLink, active: (state) => has(state, marks.link) }, format(t("Footnote"), "M3 6l5 6M8 6l-5 6M11 3.500l1.500-1V7M2 15h7", marks.footnote, "Ctrl+Alt+F")],
    [
      list(t("Bullets"), "M6 4h8M6 8h8M6 12h8M2 4h.01M2 8h.01M2 12h.01", nodes.bullets),
      list(t("Numbers"), "M7 4h7M7 8h7M7 12h7M2 3l1-.5V6M2 10h2l-2 3h2", nodes.numbers),
      { label: t("Indent the item"), face: "M7 4h7M7 8h7M7 12h7M2 6l2 2-2 2", keys: "Ctrl+]", run: sinkListItem(nodes.item) },
      { label: t("Outdent the item"), face: "M7 4h7M7 8h7M7 12h7M4 6l-2 2 2 2", keys: "Ctrl+[", run: liftListItem(nodes.item) },
      { label: t("Quote"), face: "”", run: (state, dispatch) => (within(state, nodes.quote) ? lift(state, dispatch) : wrapIn(nodes.quote)(state, dispatch)), active: (state) => within(state, nodes.quote) },
    ],
    [align("left", t("Align left"), "M2 4h12M2 8h7M2 12h10"), align("center", t("Align center"), "M2 4h12M4.500 8h7M3 12h10"), align("right", t("Align right"), "M2 4h12M7 8h7M4 12h10"), align("justify", t("Justify"), "M2 4h12M2 8h12M2 12h12")],
    [
      { label: t("Undo"), face: "M5 3L2 6l3 3M2 6h7a4 4 0 0 1 0 8H6", keys: "Ctrl+Z", run: undo },
      { label: t("Redo"), face: "M11 3l3 3-3 3M14 6H7a4 4 0 0 0 0 8h3", keys: "Ctrl+Y", run: redo },
    ],
  ];
}

function block(label: string, face: string, type: NodeType, attrs: { tag?: string }): Tool {
  const active = (state: EditorState) => {
    const { parent } = state.selection.$from;
    return parent.type === type && (attrs.tag === undefined || parent.attrs.tag === attrs.tag);
  };
  const run: Command = (state, dispatch) => {
    const { extra } = state.selection.$from.parent.attrs as { extra?: Extra };
    return active(state) || setBlockType(type, { ...attrs, extra: extra ?? {}, ...(type === nodes.paragraph ? { bare: false } : {}) })(state, dispatch);
  };
  return { label, face, run, active };
}

function format(label: string, face: string, type: MarkType, keys: string): Tool {
  return { label, face, keys, run: toggleMark(type), active: (state) => has(state, type) };
}

/** Makes a list, changes its kind, or takes the item out of it. */
function list(label: string, face: string, type: NodeType): Tool {
  const run: Command = (state, dispatch) => {
    const { $from } = state.selection;
    for (let depth = $from.depth; depth > 0; depth--) {
      const node = $from.node(depth);
      if (node.type === type) return liftListItem(nodes.item)(state, dispatch);
      if (node.type === nodes.bullets || node.type === nodes.numbers) {
        dispatch?.(state.tr.setNodeMarkup($from.before(depth), type, { extra: node.attrs.extra }));
        return true;
      }
    }
    return wrapInList(type)(state, dispatch);
  };
  return { label, face, run, active: (state) => nearestList(state) === type };
}

function nearestList(state: EditorState): NodeType | null {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth);
    if (type === nodes.bullets || type === nodes.numbers) return type;
  }
  return null;
}

function within(state: EditorState, type: NodeType): boolean {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === type) return true;
  return false;
}

function has(state: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = state.selection;
  return empty ? Boolean(type.isInSet(state.storedMarks ?? $from.marks())) : state.doc.rangeHasMark(from, to, type);
}

/** Aligns the paragraphs of the selection; once more takes it away. */
function align(where: string, label: string, face: string): Tool {
  const active = (state: EditorState) => alignOf((state.selection.$from.parent.attrs.extra ?? {}) as Extra) === where;
  const run: Command = (state, dispatch) => {
    const { tr } = state;
    const to = active(state) ? "" : where;
    let found = false;
    state.doc.nodesBetween(state.selection.from, state.selection.to, (node, at) => {
      if (!node.isTextblock || node.type === nodes.caption) return;
      found = true;
      // Only an element can be aligned, so that it is bare no more.
      tr.setNodeMarkup(at, null, { ...node.attrs, extra: aligned(node.attrs.extra as Extra, to), ...("bare" in node.attrs ? { bare: false } : {}) });
    });
    if (found) dispatch?.(tr);
    return found;
  };
  return { label, face, run, active };
}
