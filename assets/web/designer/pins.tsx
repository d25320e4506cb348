// Marks of comments: at the corner of each element on the canvas, and behind its
// name in the outline.

import type { State } from "./state";
import { keyOfNode, placeOf, readAbout } from "./talk";
import { Icon } from "../ui/icon";
import { apart } from "../viewer/about";
import { t } from "../words";

/** Marks on the canvas. Like all above it they are measured at each drawing. */
export function Pins({ state, zoom, layout: _ }: { state: State; zoom: number; layout: number }) {
  const { comments, stage } = state;
  if (!comments || !stage) return null;
  const elements = [...new Set(comments.open.value.map((thread) => thread.element))].filter((id) => id !== "");
  const rtl = stage.doc.documentElement.dir === "rtl";
  const pins = elements.flatMap((id) => stage.boxesAbout(id).slice(0, 1).map((box) => ({ id, left: (rtl ? box.left : box.left + box.width) * zoom, top: box.top * zoom })));
  return (
    <>
      {apart(pins, rtl).map(({ id, left, top }) => {
        const n = comments.openOf(id);
        const label = t("Comments on {0}: {1}", placeOf(state, id) ?? "", n);
        return (
          <button key={id} type="button" class={`d-pin ${rtl ? "d-before" : ""}`} title={label} aria-label={label} style={{ left: `${left}px`, top: `${top}px` }} onClick={() => readAbout(state, comments, id)}>
            {n}
          </button>
        );
      })}
    </>
  );
}

/** How many threads of an element are open, where there are some. */
export function SaidAbout({ state, id }: { state: State; id: string }) {
  const n = state.comments?.openOf(keyOfNode(state, id)) ?? 0;
  if (n === 0) return null;
  return (
    <span class="d-talks" title={t("Open comments: {0}", n)}>
      <Icon name="message-square" />
      {n}
    </span>
  );
}
