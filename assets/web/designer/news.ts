// What others do to what is shown: what they save is taken in, who they are is
// told, and what they say is read.

import { effect } from "@preact/signals";
import type { Presence, Present } from "./presence";
import type { State } from "./state";
import { Stream } from "../live/stream";
import { sameItems } from "../session/merge";

/** How far something is, in numbers that grow. */
interface News {
  revision: number;
  comments: number;
  /** Who saved the revision, where that is known. */
  by?: string;
  people?: Present[];
}

/** What is edited, and who else is there. */
interface Followed {
  readonly session: { hear(revision?: number, by?: string): unknown };
  readonly presence: Presence;
}

/** Follows a definition until the stream is ended. */
export function follow({ session, presence }: Followed, address: string, told: (news: News) => void = () => undefined): Stream<News> {
  const hear = (news: News) => {
    presence.heard(news.people ?? []);
    told(news);
    void session.hear(news.revision, news.by);
    return false;
  };
  const stream = new Stream<News>(`${address}/events?tab=${presence.tab}`, hear, (open) => presence.connected(open));
  stream.open();
  return stream;
}

/** Follows what the designer shows for as long as its page is shown. */
export function followAll(state: State): void {
  let read = -1; // comments that were read
  effect(() => {
    if (state.writing.value === null && state.shadow.value === null) void state.session.hear(); // what had to wait for the hands
  });
  effect(() => state.presence.select(state.selected.value));
  let parameters: unknown[] = [];
  effect(() => {
    // The form of a parameter stays open, wherever others have put it.
    const now = (state.session.value.value.parameters as unknown[] | undefined) ?? [];
    const open = state.parameter.peek();
    if (open !== null && now !== parameters) {
      const at = sameItems(parameters, now).indexOf(open);
      state.parameter.value = at < 0 ? null : at;
    }
    parameters = now;
  });
  const session = { hear: (revision = 0, by?: string) => state.hear(revision, by) };
  follow({ session, presence: state.presence }, state.api.news, (news) => {
    if (news.comments === read) return;
    read = news.comments;
    state.comments?.read().catch(() => (read = -1));
  });
}
