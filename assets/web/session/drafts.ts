// Edits that the service does not have yet, kept in the browser. Each tab has
// its own place, so that tabs do not overwrite each other's.

/** What is used of the browser's storage. */
export interface Storage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface Draft<T> {
  /** Where it is kept. */
  place: string;
  tab: string;
  /** When it was written, in milliseconds. */
  time: number;
  revision: number;
  /** What the edits began with; unknown in drafts of earlier versions. */
  base: T | undefined;
  value: T;
}

export class Drafts<T> {
  private readonly mine: string;
  private baseText = "";
  private baseOf: T | undefined;

  constructor(
    private readonly storage: Storage,
    private readonly name: string,
    tab: string,
  ) {
    this.mine = `${name}/${tab}`;
  }

  /** Keeps edits; false when there is no room for them. */
  keep(revision: number, base: T, value: T, time: number): boolean {
    if (base !== this.baseOf) [this.baseOf, this.baseText] = [base, JSON.stringify(base)];
    try {
      this.storage.setItem(this.mine, `{"revision":${revision},"time":${time},"base":${this.baseText},"value":${JSON.stringify(value)}}`);
      return true;
    } catch {
      return false; // what was kept before stays
    }
  }

  drop(place = this.mine): void {
    try {
      this.storage.removeItem(place);
    } catch {
      // a storage that cannot be used holds nothing
    }
  }

  /** All drafts, the newest first. What this tab left moves aside, as its place is for the edits to come. */
  found(now: number): Draft<T>[] {
    try {
      const places = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i)!).filter((k) => k === this.name || k.startsWith(`${this.name}/`));
      return places.flatMap((place) => this.read(place, now) ?? []).sort((a, b) => b.time - a.time);
    } catch {
      return [];
    }
  }

  private read(place: string, now: number): Draft<T> | undefined {
    const text = this.storage.getItem(place);
    const draft = text === null ? undefined : parsed<T>(text);
    if (!draft) return undefined; // it stays: who can read it may come
    const tab = place === this.name ? "" : place.slice(this.name.length + 1).split("@")[0]!;
    if (place === this.mine && text !== null) {
      for (let n = now; (place = `${this.mine}@${n}`), this.storage.getItem(place) !== null; n++);
      this.storage.removeItem(this.mine);
      this.storage.setItem(place, text);
    }
    return { ...draft, place, tab };
  }
}

function parsed<T>(text: string): Omit<Draft<T>, "place" | "tab"> | undefined {
  try {
    const found = JSON.parse(text) as { revision?: number; time?: number; base?: T; value?: T; report?: T } | null;
    const value = found?.value ?? found?.report; // reports lay there without a base
    if (!found || typeof found.revision !== "number" || value === undefined) return undefined;
    return { revision: found.revision, time: found.time ?? 0, base: found.base, value };
  } catch {
    return undefined;
  }
}
