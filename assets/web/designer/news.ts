// What others do to the report while it is shown: what they save is taken in,
// and what they say is read.

import { effect } from "@preact/signals";
import type { Present } from "./presence";
import type { State } from "./state";
import { Stream } from "../live/stream";

/** How far the report is, in numbers that grow. */
interface News {
  revision: number;
  comments: number;
  /** Who saved the revision, where that is known. */
  by?: string;
  people?: Present[];
}

/** Follows the report for as long as its page is shown. */
export function follow(state: State, events: string): void {
  let read = -1; // comments that were read
  effect(() => {
    if (state.writing.value === null && state.shadow.value === null) void state.session.hear(); // what had to wait for the hands
  });
  const { presence } = state;
  effect(() => presence?.select(state.selected.value));
  const told = (news: News) => {
    presence?.heard(news.people ?? []);
    state.hear(news.revision, news.by);
    if (news.comments !== read) {
      read = news.comments;
      state.comments?.read().catch(() => (read = -1));
    }
    return false;
  };
  new Stream<News>(`${events}?tab=${presence?.tab ?? ""}`, told, (open) => presence?.connected(open)).open();
}
