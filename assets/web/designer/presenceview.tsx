// Who else is there: in the bar, and as frames on the canvas.

import { Face } from "./composer";
import type { Other, Presence } from "./presence";
import { scaled } from "./stage";
import type { State } from "./state";
import { t } from "../words";

/** So many are shown in the bar; the others are counted. */
const SHOWN = 4;

const nameOf = ({ name, mine }: Other): string => (mine ? t("{0} (you, in another window)", name) : name);

export function Others({ presence, label }: { presence: Presence; label: string }) {
  const others = presence.others.value;
  if (others.length === 0) return null;
  const shown = others.slice(0, others.length > SHOWN ? SHOWN - 1 : SHOWN);
  const rest = others.slice(shown.length).map(nameOf).join(", ");
  return (
    <ul class="d-others" aria-label={label}>
      {shown.map((one) => (
        <li key={one.tab} class={`d-theirs-${one.color}`} title={nameOf(one)}>
          <Face name={one.name} {...(one.picture ? { picture: one.picture } : {})} />
          <span class="hidden">{nameOf(one)}</span>
        </li>
      ))}
      {rest && (
        <li class="d-rest" title={rest}>
          <span aria-hidden="true">+{others.length - shown.length}</span>
          <span class="hidden">{rest}</span>
        </li>
      )}
    </ul>
  );
}

/** Frames around what others have selected, with their names. */
export function Frames({ state, zoom }: { state: State; zoom: number; layout: number }) {
  const others = state.presence.others.value;
  return (
    <>
      {others.flatMap((one, nth) =>
        (one.selected ?? []).flatMap((id) => {
          const named = !others.slice(0, nth).some((o) => o.selected?.includes(id)); // else by the first of them
          return state.stage!.boxes(id).map((box, i) => (
            <div key={`${one.tab}.${id}.${i}`} class={`d-box d-theirs d-theirs-${one.color}`} style={scaled(box, zoom)}>
              {i === 0 && named && <Names of={others.filter((o) => o.selected?.includes(id))} />}
            </div>
          ));
        }),
      )}
    </>
  );
}

/** Those who have selected the same, side by side. */
function Names({ of }: { of: Other[] }) {
  return (
    <span class="d-label">
      {of.map((one) => (
        <span key={one.tab} class={`d-theirs-${one.color}`}>
          {one.name}
        </span>
      ))}
    </span>
  );
}
