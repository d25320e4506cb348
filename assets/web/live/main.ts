// The bundle assets/dist/live.js: what makes the pages of runs and exports tell
// by themselves how the work goes on, and the list of reports who has one open. Without it they are loaded anew.

import { type Openers, showOpeners } from "./openers";
import { remember, renew, shown } from "./parts";
import { showDocuments, startReview } from "./review";
import { Stream } from "./stream";
import { Teller } from "./teller";
import type { Happened } from "./types";

/** At most how often the page's own lists are asked for, in milliseconds. */
const RENEW_EVERY = 1500;

function start(root: HTMLElement): void {
  remember(root);
  startReview(root);
  const teller = new Teller(root);
  let asked = 0;
  let waiting: number | undefined;
  const later = (): void => {
    if (waiting !== undefined) return;
    waiting = window.setTimeout(async () => {
      waiting = undefined;
      asked = Date.now();
      const done = await renew(root);
      showDocuments(root);
      if (!done) later();
    }, Math.max(0, asked + RENEW_EVERY - Date.now()));
  };
  const stream = new Stream<Happened>(root.dataset["events"]!, (e: Happened) => {
    teller.tell(e);
    const visible = shown(root);
    if (e.finished || e.more || e.list !== undefined || visible.size < Number(root.dataset["room"]) || e.changed?.some((id) => visible.has(id))) later();
    return e.finished === true;
  });
  if (root.dataset["finished"] === undefined) stream.open();
}

const root = document.querySelector<HTMLElement>("[data-events]");
if (root) start(root);

const list = document.querySelector<HTMLElement>("[data-openers]");
if (list) {
  const hear = (open: Openers): boolean => (showOpeners(list, open), false);
  new Stream<Openers>(list.dataset["openers"]!, hear, (connected) => connected || showOpeners(list, {})).open();
}
