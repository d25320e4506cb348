// What a page without elements says: how the first one comes onto it.

import { bandsOf } from "./bands";
import { slotsOf } from "./model";
import type { State } from "./state";
import { Icon } from "../ui/icon";
import { t } from "../words";

/** How high the hint is, in pixels of the report. */
const HEIGHT = 150;

export function EmptyPage({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const page = state.report.value.pages[state.page.value];
  const busy = state.layouts.value || state.drop.value || state.slash.value || state.writing.value !== null;
  if (!page || busy || (page.type && page.type !== "page") || slotsOf(page).some(([, list]) => list.length > 0)) return null;
  const body = bandsOf(state.stage!, page.id)?.body;
  if (!body) return null;
  return (
    <div class="d-nothing" aria-hidden="true" style={{ left: `${body.left * zoom}px`, top: `${body.top * zoom}px`, width: `${body.width * zoom}px`, height: `${Math.min(HEIGHT, body.height) * zoom}px` }}>
      <Icon name="plus" />
      <span>{t("Drag something from the left to here, or press / and choose it by name.")}</span>
    </div>
  );
}
