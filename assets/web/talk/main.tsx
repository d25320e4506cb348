// The bundle assets/dist/comments.js: what people say about a report beside its
// pages, for who reads it. The preview in the frame is of nobody's origin: it is
// told what to mark, and tells which element somebody chose.

import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useRef } from "preact/hooks";
import { Comments } from "../designer/comments";
import { TalkList } from "../designer/talk";
import { Stream } from "../live/stream";
import { reason } from "../service";
import { Icon } from "../ui/icon";
import { loadTexts, t } from "../words";

interface Element {
  id: string;
  /** As people call it; empty: as its type is called. */
  name: string;
  type: string;
}

const root = document.getElementById("comments");

/** What is read: the elements of the report, what the pages show of them, and the one that is chosen. */
class Reading {
  readonly on = signal("");
  readonly texts = signal<Map<string, string>>(new Map());
  frame: HTMLIFrameElement | null = null;
  private readonly known: Map<string, Element>;

  constructor(readonly comments: Comments, elements: Element[]) {
    this.known = new Map(elements.map((e) => [e.id, e]));
    window.addEventListener("message", (e) => e.source === this.frame?.contentWindow && this.hear(e.data as Record<string, unknown> | null));
    effect(() => this.mark());
    effect(() => this.tell({ type: "quire:about", element: this.on.value }));
  }

  /** Those of the report that are on its pages, in their order. */
  get elements(): string[] {
    return [...this.texts.value.keys()].filter((id) => this.known.has(id));
  }

  called(element: string): string | undefined {
    if (element === "") return t("Report");
    const known = this.known.get(element);
    if (!known) return undefined;
    const text = this.texts.value.get(element);
    return [known.name || t(known.type), ...(text ? [text] : [])].join(": ");
  }

  reveal(element: string): void {
    this.on.value = "";
    this.on.value = element;
  }

  /** Marks what is open. */
  private mark(): void {
    const open = Map.groupBy(this.comments.open.value, (thread) => thread.element);
    open.delete("");
    const pins = [...open].map(([element, threads]) => ({ element, open: threads.length, label: t("Comments on {0}: {1}", this.called(element) ?? "", threads.length) }));
    if (this.texts.value.size > 0) this.tell({ type: "quire:pins", pins });
  }

  private tell(message: Record<string, unknown>): void {
    this.frame?.contentWindow?.postMessage(message, "*"); // what is sent is what the frame's report shows, or that it has comments
  }

  private hear(said: Record<string, unknown> | null): void {
    const element = String(said?.["element"] ?? "");
    if (said?.["type"] === "quire:elements") {
      this.texts.value = new Map((said["elements"] as { id: string; text: string }[]).map((e) => [e.id, e.text]));
      if (this.on.peek()) this.reveal(this.on.peek());
    } else if (said?.["type"] === "quire:element" && this.known.has(element)) this.on.value = element;
    else if (said?.["type"] === "quire:pin" && this.known.has(element)) {
      this.on.value = element;
      this.comments.chosen.value = this.comments.open.value.find((thread) => thread.element === element)?.id ?? null;
    }
  }
}

function Page({ reading, name, preview, alone }: { reading: Reading; name: string; preview: string; alone: string }) {
  const { comments, on } = reading;
  const aside = useRef<HTMLElement>(null);
  return (
    <div class="d-app t-app">
      <header class="d-bar">
        <a class="d-back" href={alone}>
          <Icon name="arrow-left" />
          {t("Without comments")}
        </a>
        <h1>{name}</h1>
      </header>
      <iframe class="t-report" ref={(el) => void (reading.frame = el)} title={t("Report")} src={preview} allow="fullscreen" />
      <aside class="t-talk" ref={aside} aria-label={t("Comments")}>
        <label class="t-about">
          {t("About")}
          <select value={on.value} onChange={(e) => reading.reveal(e.currentTarget.value)}>
            <option value="">{t("Report")}</option>
            {reading.elements.map((id) => (
              <option key={id} value={id}>
                {reading.called(id)}
              </option>
            ))}
          </select>
        </label>
        <TalkList comments={comments} beside={{ on: on.value, called: (element) => reading.called(element), reveal: (element) => reading.reveal(element), begin: (element, text, mentions) => comments.start(element, text, mentions) }} />
      </aside>
    </div>
  );
}

async function open(el: HTMLElement): Promise<void> {
  const { name = "", comments: address = "", preview = "", alone = "", elements = "[]", names = "", assets = "" } = el.dataset;
  const comments = new Comments(address, names === "true");
  await Promise.all([loadTexts(assets), comments.read()]);
  const reading = new Reading(comments, JSON.parse(elements) as Element[]);
  const [, thread] = /^#thread-(\d+)$/.exec(location.hash) ?? [];
  const chosen = comments.threads.value.find((one) => one.id === Number(thread));
  if (chosen) {
    comments.chosen.value = chosen.id;
    reading.on.value = chosen.element;
  }
  render(<Page reading={reading} name={name} preview={preview} alone={alone} />, el);
  let read = -1;
  new Stream<{ comments: number }>(`${address}/events`, (news) => {
    if (news.comments !== read) comments.read().catch(() => (read = -1));
    read = news.comments;
    return false;
  }).open();
}

if (root)
  open(root).catch((fault: unknown) => {
    root.textContent = t("This cannot be opened: {0}", reason(fault));
    root.className = "problem";
  });
