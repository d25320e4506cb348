// The little form for the address of a link.

import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type Extra, schema } from "./schema";
import { element } from "./toolbar";
import { t } from "../words";

const { link } = schema.marks;

export interface LinkForm {
  dom: HTMLElement;
  open: Command;
}

export function linkForm(id: string, view: () => EditorView): LinkForm {
  const dom = element("div", { class: "d-link", role: "group", "aria-label": t("Link") });
  dom.hidden = true;
  const label = element("label", { for: `${id}-href` });
  label.textContent = t("Address");
  const address = element("input", { id: `${id}-href`, type: "text", placeholder: "https://…, mailto:…, {$data.url}", spellcheck: "false" }) as HTMLInputElement;
  const button = (text: string, act: () => void) => {
    const made = element("button", { type: "button" });
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  };
  const close = () => {
    dom.hidden = true;
    view().focus();
  };
  const apply = (href: string) => {
    const v = view();
    const { from, to } = rangeOf(v);
    const extra = { ...(linkAt(v) ?? {}), href };
    const change = v.state.tr.removeMark(from, to, link);
    v.dispatch(href === "" ? change : change.addMark(from, to, link.create({ extra })));
    close();
  };
  address.addEventListener("keydown", (e) => {
    if (e.key === "Enter") apply(address.value.trim());
    else if (e.key === "Escape") close();
    else return;
    e.preventDefault();
  });
  dom.append(label, address, button(t("Set link"), () => apply(address.value.trim())), button(t("Remove link"), () => apply("")));
  return {
    dom,
    open(state, dispatch) {
      if (state.selection.empty && !link.isInSet(state.selection.$from.marks())) return false;
      if (dispatch) {
        address.value = linkAt(view())?.href ?? "";
        dom.hidden = false;
        address.focus();
        address.select();
      }
      return true;
    },
  };
}

/** The attributes of the link at the selection. */
function linkAt(view: EditorView): Extra | undefined {
  const { from, to, empty, $from } = view.state.selection;
  let found = link.isInSet($from.marks());
  if (!empty) view.state.doc.nodesBetween(from, to, (node) => void (found ??= link.isInSet(node.marks)));
  return found?.attrs.extra as Extra | undefined;
}

/** The selection, or the whole link around the caret. */
function rangeOf(view: EditorView): { from: number; to: number } {
  const { from, to, empty, $from } = view.state.selection;
  if (!empty) return { from, to };
  const start = $from.start();
  let at = start;
  let range = { from, to };
  let run = { from: start, mark: undefined as ReturnType<typeof link.isInSet> };
  $from.parent.forEach((node) => {
    const mark = link.isInSet(node.marks);
    if (!mark || !run.mark || !mark.eq(run.mark)) run = { from: at, mark };
    at += node.nodeSize;
    if (mark && run.from <= from && from <= at) range = { from: run.from, to: at };
  });
  return range;
}
