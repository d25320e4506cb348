// What the designer shows of locked elements and of those that its canvas leaves
// out: in the panel, in the outline, below the canvas and on it.

import { Icon } from "../ui/icon";
import { t } from "../words";
import { mark, showAll } from "./edit";
import { having, lockOf, type Mark } from "./locks";
import type { Node } from "./model";
import type { State } from "./state";

/** Above the settings: why they cannot be changed, and what is not seen of the element. */
export function MarksOf({ state, nodes }: { state: State; nodes: Node[] }) {
  const lock = nodes.map((n) => lockOf(state.report.value, n.id)).find((n) => n !== null);
  const hidden = nodes.filter((n) => n.design?.hidden);
  return (
    <>
      {lock && (
        <Told icon="lock" action={t("Unlock")} done={() => mark(state, [lock.id], "locked", false)}>
          {nodes.includes(lock) ? t("Locked: it is not moved, resized, edited or deleted until it is unlocked.") : t("Locked, as what it lies in is: {0}.", state.labelOf(lock))}
        </Told>
      )}
      {hidden.length > 0 && (
        <Told icon="eye-off" action={t("Show while designing")} done={() => mark(state, hidden.map((n) => n.id), "hidden", false)}>
          {t("Hidden on this canvas only, and printed all the same. “Visible when” keeps it out of print.")}
        </Told>
      )}
    </>
  );
}

function Told({ icon, action, done, children }: { icon: string; action: string; done: () => void; children: string }) {
  return (
    <div class="d-mark">
      <Icon name={icon} />
      <p>{children}</p>
      <button type="button" onClick={done}>
        {action}
      </button>
    </div>
  );
}

const ICONS: Record<Mark, [string, string]> = { locked: ["lock", "lock-open"], hidden: ["eye-off", "eye"] };

/** The marks of an element as buttons in its line of the outline; those that it lacks show when it is pointed at. */
export function MarkButtons({ state, node }: { state: State; node: Node }) {
  return (
    <>
      {(["locked", "hidden"] as const).map((which) => {
        const on = node.design?.[which] === true;
        const words = which === "locked" ? (on ? t("Unlock") : t("Lock")) : on ? t("Show while designing") : t("Hide while designing");
        return (
          <button key={which} type="button" class={on ? "d-marked" : "d-unmarked"} tabIndex={-1} title={words} aria-label={words} onClick={() => mark(state, [node.id], which, !on)}>
            <Icon name={ICONS[which][on ? 0 : 1]} />
          </button>
        );
      })}
    </>
  );
}

/** How many elements the canvas leaves out, where it does. */
export function HiddenCount({ state }: { state: State }) {
  const n = having(state.report.value, "hidden").length;
  if (n === 0) return null;
  return (
    <button type="button" class="d-chip" title={t("Hidden on this canvas only, and printed all the same. Press to show all.")} onClick={() => showAll(state)}>
      <Icon name="eye-off" />
      {t("{0} hidden", n)}
    </button>
  );
}

const STYLE = "d-hidden";

/** Leaves elements out of the canvas; their place stays, so that pages end where they do in print. */
export function veil(doc: Document, ids: string[]): void {
  let style = doc.getElementById(STYLE);
  if (!style) {
    style = doc.createElement("style");
    style.id = STYLE;
    doc.head.append(style);
  }
  const each = ids.flatMap((id) => [`[data-id="${CSS.escape(id)}"]`, `[data-id="${CSS.escape(id)}"] *`]);
  const css = each.length > 0 ? `${each.join()}{visibility:hidden!important}` : "";
  if (style.textContent !== css) style.textContent = css;
}

/** The places of what is left out. */
export function Veils({ state, zoom }: { state: State; zoom: number }) {
  const boxes = having(state.report.value, "hidden").flatMap((n) => state.stage!.boxes(n.id).map((box, i) => ({ key: `${n.id}.${i}`, box })));
  return (
    <>
      {boxes.map(({ key, box }) => (
        <div key={key} class="d-box d-unseen" style={{ left: `${box.left * zoom}px`, top: `${box.top * zoom}px`, width: `${box.width * zoom}px`, height: `${box.height * zoom}px` }}>
          <Icon name="eye-off" />
        </div>
      ))}
    </>
  );
}
