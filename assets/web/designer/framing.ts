// Header, footer and paper of a report, which come from its template: they are
// edited on the report's own pages, in a template that the report brings along.

import { batch } from "@preact/signals";
import { ask, Refused, type Resource } from "./api";
import { layoutOfPage, ownTemplate, plainTemplate, type Template, withoutTemplate, withTemplate } from "./layouts";
import type { Slot } from "./model";
import type { State } from "./state";
import { t } from "../words";

/** Begins to edit the frame of the page that is shown, at one of its parts; of what the report has not by itself, it is asked whose it shall be. */
export function editFrame(state: State, slot: Slot): void {
  state.slot.value = slot;
  if (state.layouts.peek()) state.select([]);
  else if (ownTemplate(state.whole) >= 0) begin(state, slot);
  else state.dialog.value = "frame";
}

function begin(state: State, slot: Slot): void {
  const shown = state.whole.pages[state.page.peek()]?.id ?? -1;
  batch(() => {
    state.framing.value = true;
    state.select([]);
    state.page.value = Math.max(0, layoutOfPage(state.whole, shown));
    state.slot.value = slot;
  });
}

/** Goes back to the pages themselves. */
export function leaveFrame(state: State): void {
  const shown = state.report.value.pages[state.page.peek()]?.id;
  batch(() => {
    state.framing.value = false;
    state.select([]);
    state.page.value = Math.max(0, state.whole.pages.findIndex((p) => p.id === shown));
    state.slot.value = null;
  });
}

/** A template of the library, with its ID where it has one. */
export interface Shared {
  id?: number;
  template: Template;
}

/** The template that a report uses now: one of the library, or the plain one where there is none. */
export async function sharedTemplate(state: State): Promise<Shared> {
  const { base, workspace } = state.api;
  const all = await ask<Resource<Template>[]>("GET", `${base}/api/ui/ws/${workspace}/templates`);
  const wanted = String(state.whole.template ?? "").toLowerCase();
  const found = wanted === "" ? all[0] : all.find((r) => (r.definition.code ?? "").toLowerCase() === wanted);
  if (!found && wanted !== "") throw new Refused(404, t("There is no template {0}. Choose another one at the right.", wanted), []);
  return found ? { id: found.id, template: found.definition } : { template: plainTemplate() };
}

/** Gives the report a copy of its template, and begins to edit that. */
export function takeOwn(state: State, { template }: Shared): void {
  const slot = state.slot.peek() ?? "header";
  state.commitWhole(t("Own header, footer and paper"), withTemplate(state.whole, template));
  begin(state, slot);
}

/** Takes the copy away again; the report uses the template of the library. */
export function giveUpOwn(state: State): void {
  leaveFrame(state);
  state.commitWhole(t("Use the shared template again"), withoutTemplate(state.whole));
}
