// The buttons that align and distribute what is selected, at the top of its
// settings; what would change nothing cannot be pressed.

import { useMemo } from "preact/hooks";
import { Icon } from "../ui/icon";
import { type Across, acrossOf, alignedAcross, alignedUpright, canAcross, distributable, distributed, type Known, levelable, levelled, rowsOf, type Upright, uprightOf } from "./align";
import type { Node, Report } from "./model";
import type { State } from "./state";
import { say, t } from "../words";

const px = (length: string): number => Number.parseFloat(length) || 0;

/** How elements are drawn now. */
export function knownOf(state: State): Known {
  const stage = state.stage!;
  const look = (el: Element) => stage.doc.defaultView!.getComputedStyle(el);
  const room = (el: Element): number => el.clientWidth - px(look(el).paddingLeft) - px(look(el).paddingRight);
  const outer = (el: Element): number => el.getBoundingClientRect().width + px(look(el).marginLeft) + px(look(el).marginRight);
  const first = (id: string): HTMLElement | undefined => stage.parts(id)[0];
  return {
    fills(id) {
      const el = first(id);
      const margin = state.nodeOf(id)?.props?.margin;
      if (!el?.parentElement || (typeof margin === "string" && margin.includes("auto"))) return false;
      return outer(el) > room(el.parentElement) - 2;
    },
    margin(id) {
      const el = first(id);
      if (!el) return "";
      const { marginTop, marginBottom } = look(el);
      return `${marginTop} 0 ${marginBottom}`.replaceAll("0px", "0");
    },
    leavesRoom(row: Node) {
      const el = first(row.id);
      if (!el || row.children?.some((c) => c.props?.grow === true)) return false;
      const all = [...el.children];
      return all.reduce((sum, c) => sum + outer(c), px(look(el).columnGap) * Math.max(0, all.length - 1)) < room(el) - 2;
    },
    has: (type, setting) => state.settingsOf(type).some((s) => s.name === setting),
    fromRight: stage.doc.documentElement.dir === "rtl",
  };
}

interface Aligning {
  name: string;
  icon: string;
  keys: string;
  can(report: Report, ids: string[], known: Known): boolean;
  made(report: Report, ids: string[], known: Known): Report;
  /** Whether it is so already. */
  is?(report: Report, ids: string[], known: Known): boolean;
}

const across = (to: Across, name: string, icon: string, keys: string): Aligning => ({ name, icon, keys, can: canAcross, made: (r, ids, known) => alignedAcross(r, ids, to, known), is: (r, ids, known) => acrossOf(r, ids, known) === to });
const upright = (to: Upright, name: string, icon: string, keys: string): Aligning => ({ name, icon, keys, can: (r, ids) => rowsOf(r, ids).length > 0, made: (r, ids) => alignedUpright(r, ids, to), is: (r, ids) => uprightOf(r, ids) === to });

/** Keys are those of Figma. */
export const ALIGNINGS: Aligning[] = [
  across("left", say("Align left"), "align-start-vertical", "Alt+A"),
  across("center", say("Align in the middle"), "align-center-vertical", "Alt+H"),
  across("right", say("Align right"), "align-end-vertical", "Alt+D"),
  upright("top", say("Align at the top"), "align-start-horizontal", "Alt+W"),
  upright("middle", say("Align at half height"), "align-center-horizontal", "Alt+V"),
  upright("bottom", say("Align at the bottom"), "align-end-horizontal", "Alt+S"),
  { name: say("Distribute in the row"), icon: "align-horizontal-space-between", keys: "Alt+Shift+H", can: (r, ids, known) => distributable(r, ids, known).length > 0, made: distributed, is: (r, ids) => rowsOf(r, ids).some((row) => row.props?.justifyItems === "space-between") },
  { name: say("Equal widths in the row"), icon: "columns-3", keys: "Alt+Shift+W", can: (r, ids) => levelable(r, ids).length > 0, made: levelled },
];

export const canAlign = (state: State, { can }: Aligning): boolean => state.stage !== null && state.selected.value.length > 0 && can(state.report.value, state.selected.value, knownOf(state));

export function align(state: State, { name, made }: Aligning): void {
  state.commit(t(name), made(state.report.value, state.selected.value, knownOf(state)));
}

interface Button {
  able: boolean;
  pressed: boolean | undefined;
}

/** What can be pressed as the page is drawn now, and what is so already. */
function buttonsOf(state: State): Button[] {
  if (!state.stage) return [];
  const [report, ids, known] = [state.report.peek(), state.selected.value, knownOf(state)];
  return ALIGNINGS.map((a) => {
    const able = a.can(report, ids, known);
    return { able, pressed: a.is && (able && a.is(report, ids, known)) };
  });
}

export function AlignBar({ state }: { state: State }) {
  // There is room for as much as the last drawing has: keys between drawings change nothing.
  const buttons = useMemo(() => buttonsOf(state), [state.drawn.value, state.selected.value]);
  if (!buttons.some((b) => b.able)) return null;
  return (
    <div class="d-aligns" role="group" aria-label={t("Align")}>
      {ALIGNINGS.map((a, i) => (
        <button key={a.name} type="button" title={`${t(a.name)} (${a.keys})`} aria-label={t(a.name)} disabled={!buttons[i]!.able} aria-pressed={buttons[i]!.pressed} onClick={() => align(state, a)}>
          <Icon name={a.icon} />
        </button>
      ))}
    </div>
  );
}
