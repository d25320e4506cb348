import type { Happened } from "./types";

/** At most how often progress is spoken, in milliseconds. */
const SPEAK_EVERY = 15_000;

const fill = (text: string, ...args: unknown[]): string => text.replace(/\{(\d)\}/g, (_, n: string) => String(args[Number(n)] ?? ""));

/** Shows numbers and progress, and says them to those who listen. */
export class Teller {
  private spoken = Date.now();

  constructor(private readonly root: HTMLElement) {}

  tell(e: Happened): void {
    for (const el of this.root.querySelectorAll<HTMLElement>("[data-count]")) {
      const n = e[el.dataset["count"] as keyof Happened];
      if (n !== undefined) el.textContent = fill((n === 1 && el.dataset["one"]) || el.dataset["text"]!, n);
    }
    const bar = this.root.querySelector(".parts");
    if (bar && e.entries) {
      bar.setAttribute("viewBox", `0 0 ${e.entries} 1`);
      let from = 0;
      for (const part of bar.querySelectorAll<SVGElement>("[data-state]")) {
        const n = Number(e[part.dataset["state"] as keyof Happened] ?? 0);
        part.setAttribute("x", `${from}`);
        part.setAttribute("width", `${n}`);
        from += n;
      }
    }
    const progress = this.root.querySelector("progress");
    if (progress && e.done !== undefined) {
      progress.value = e.done;
      progress.textContent = `${e.done} %`;
    }
    this.say(e);
  }

  private say(e: Happened): void {
    const voice = this.root.querySelector<HTMLElement>("[data-said]");
    if (!voice || (!e.finished && Date.now() - this.spoken < SPEAK_EVERY)) return;
    this.spoken = Date.now();
    const text = e.finished ? voice.dataset["finished"] : voice.dataset["said"];
    voice.textContent = fill(text ?? "", e.done, e.completed, e.review, e.errors);
  }
}
