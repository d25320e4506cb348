// Marks of comments: at the corner of each element on the canvas, and behind its
// name in the outline.

import type { State } from "./state";
import { readAbout } from "./talk";
import { Icon } from "../ui/icon";
import { t } from "../words";

/** Marks on the canvas. Like all above it they are measured at each drawing. */
export function Pins({ state, zoom, layout: _ }: { state: State; zoom: number; layout: number }) {
  const { comments, stage } = state;
  if (!comments || !stage) return null;
  const elements = [...new Set(comments.open.value.map((thread) => thread.element))].filter((id) => id !== "" && state.nodeOf(id));
  return (
    <>
      {elements.map((id) => {
        const box = stage.boxes(id)[0];
        const n = comments.openOf(id);
        const label = t("Comments on {0}: {1}", state.labelOf(state.nodeOf(id)!), n);
        return (
          box && (
            <button key={id} type="button" class="d-pin" title={label} aria-label={label} style={{ left: `${(box.left + box.width) * zoom}px`, top: `${box.top * zoom}px` }} onClick={() => readAbout(state, comments, id)}>
              {n}
            </button>
          )
        );
      })}
    </>
  );
}

/** How many threads of an element are open, where there are some. */
export function SaidAbout({ state, id }: { state: State; id: string }) {
  const n = state.comments?.openOf(id) ?? 0;
  if (n === 0) return null;
  return (
    <span class="d-talks" title={t("Open comments: {0}", n)}>
      <Icon name="message-square" />
      {n}
    </span>
  );
}
