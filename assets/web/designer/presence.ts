// Who else has the report open, and what is selected there.

import { signal } from "@preact/signals";
import { ask } from "./api";
import type { Surroundings } from "../session/session";

/** A page of a browser that has the report open. */
export interface Present {
  tab: string;
  userId: number;
  name: string;
  picture?: string;
  selected?: string[];
}

export interface Other extends Present {
  /** The number of its colour. */
  color: number;
  /** Whether it is another window of the same person. */
  mine: boolean;
}

/** As many as designer.css has. */
export const COLORS = 8;
/** How often one says that one is there; the service waits for three times that. */
const BEAT = 15_000;
/** Selections that follow each other within this are told of once. */
const SOON = 60;

/** The pages but one's own, each with a colour that is the same on all screens as far as there are enough. */
export function othersOf(people: Present[], tab: string): Other[] {
  const taken = new Set<number>();
  const colored = people.map((p) => {
    let color = [...p.tab].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7) % COLORS;
    for (let tries = 1; taken.has(color) && tries < COLORS; tries++) color = (color + 1) % COLORS;
    taken.add(color);
    return { ...p, color };
  });
  const me = people.find((p) => p.tab === tab)?.userId;
  return colored.filter((p) => p.tab !== tab).map((p) => ({ ...p, mine: p.userId === me }));
}

export class Presence {
  /** This page, by a name of its own that no reload keeps. */
  readonly tab = Array.from({ length: 3 }, () => Math.random().toString(36).slice(2, 10)).join("-");
  readonly others = signal<Other[]>([]);
  private selected: string[] = [];
  private open = false;
  private sending = false;
  private again = false;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly address: string,
    private readonly around: Pick<Surroundings, "later">,
  ) {}

  /** The connection is there, or broke: nobody is known then. */
  connected(open: boolean): void {
    this.open = open;
    if (open) void this.tell();
    else this.others.value = [];
  }

  /** What the service says of who is there. */
  heard(people: Present[]): void {
    const others = othersOf(people, this.tab);
    if (JSON.stringify(others) !== JSON.stringify(this.others.peek())) this.others.value = others;
  }

  /** Something else is selected here. */
  select(selected: string[]): void {
    this.selected = selected.slice(0, 50);
    this.tellIn(SOON);
  }

  private tellIn(milliseconds: number): void {
    this.cancel();
    this.cancel = this.around.later(() => void this.tell(), milliseconds);
  }

  private async tell(): Promise<void> {
    this.again = this.sending;
    if (!this.open || this.sending) return;
    this.sending = true;
    await ask("PUT", this.address, { tab: this.tab, selected: this.selected }).catch(() => undefined); // the next beat tells it
    this.sending = false;
    if (this.again) void this.tell();
    else this.tellIn(BEAT);
  }
}
