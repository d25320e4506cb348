// What of the pages is in sight.

import { useEffect, useState } from "preact/hooks";
import { firstBelow } from "./rulers";
import type { Stage } from "./stage";

export const viewOf = (stage: Stage): HTMLElement => stage.frame.closest<HTMLElement>(".d-canvas")!;

/** The sheets of which something is in sight, from top to bottom. */
export function sheetsInSight(stage: Stage): HTMLElement[] {
  const view = viewOf(stage);
  const from = (view.getBoundingClientRect().top - stage.frame.getBoundingClientRect().top) / stage.zoom();
  const to = from + view.clientHeight / stage.zoom();
  const sheets = stage.doc.querySelectorAll<HTMLElement>(".q-page");
  const found: HTMLElement[] = [];
  for (let i = firstBelow(sheets.length, (at) => sheets[at]!.getBoundingClientRect().bottom, from); i < sheets.length && sheets[i]!.getBoundingClientRect().top < to; i++) found.push(sheets[i]!);
  return found;
}

/** Draws a component anew when something else comes in sight. */
export function useSight(): void {
  const [, again] = useState(0);
  useEffect(() => {
    const view = document.getElementById("canvas")!;
    let asked = 0;
    const look = () => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        again((n) => n + 1);
      });
    };
    const observer = new ResizeObserver(look);
    for (const el of [view, view.firstElementChild]) if (el) observer.observe(el);
    view.addEventListener("scroll", look);
    return () => {
      cancelAnimationFrame(asked);
      observer.disconnect();
      view.removeEventListener("scroll", look);
    };
  }, []);
}
