// What a session finds in a browser.

import type { Storage } from "./drafts";
import type { Surroundings } from "./session";

/** How long other tabs have to say that they are there. */
const ANSWER = 120;

/** A storage for browsers that let pages keep nothing. */
class Nowhere implements Storage {
  readonly length = 0;
  key = () => null;
  getItem = () => null;
  setItem(): never {
    throw new Error("nothing can be kept");
  }
  removeItem(): void {}
}

function storageOf(get: () => Storage): Storage {
  try {
    return get();
  } catch {
    return new Nowhere();
  }
}

const named = (): string => Math.random().toString(36).slice(2, 10);

/** This tab among those of the browser. A tab that was copied has the name of the first one, until it hears of that. */
export async function thisBrowser(): Promise<Surroundings> {
  const session = storageOf(() => sessionStorage);
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("quire-tabs");
  let tab = "";
  let heard = new Set<string>();
  channel?.addEventListener("message", ({ data }: MessageEvent<{ here?: string; who?: true }>) => {
    if (data.here) heard.add(data.here);
    else if (data.who && tab) channel.postMessage({ here: tab });
  });
  const tabs = async (): Promise<ReadonlySet<string>> => {
    if (!channel) return new Set();
    heard = new Set();
    channel.postMessage({ who: true });
    await new Promise((done) => setTimeout(done, ANSWER));
    return heard;
  };
  const known = session.getItem("quire-tab");
  tab = known && !(await tabs()).has(known) ? known : named();
  try {
    session.setItem("quire-tab", tab);
  } catch {
    // a reload is a new tab then
  }
  return {
    storage: storageOf(() => localStorage),
    tab,
    tabs,
    now: () => Date.now(),
    later: (work, milliseconds) => {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
