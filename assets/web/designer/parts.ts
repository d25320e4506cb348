// The parts of the window, from one to the next by a key: a Tab through all that is in them takes too long.

/** Where each part takes the focus, in the order of the window. */
const STOPS = [".d-bar .d-name", ".d-left [role=tab][aria-selected=true]", ".d-outline [data-node][tabindex='0']", ".d-canvas", ".d-right :is(input, select, textarea, button, summary, [tabindex='0'])"];
const PARTS = [".d-bar", ".d-left", ".d-outline", ".d-middle", ".d-right"];

/** Leads to the next part that is shown, or by -1 to the one before. */
export function goToPart(step: 1 | -1): void {
  const now = PARTS.findLastIndex((part) => document.activeElement?.closest(part)); // the outline lies in the left
  for (let n = 1; n <= STOPS.length; n++) {
    const at = (Math.max(now, step > 0 ? -1 : 0) + step * n + 2 * STOPS.length) % STOPS.length;
    const to = [...document.querySelectorAll<HTMLElement>(STOPS[at]!)].find((el) => !el.matches(":disabled") && el.checkVisibility({ visibilityProperty: true }));
    if (to) return to.focus();
  }
}
