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
import { ownerIn, TEMPLATE } from "../viewer/about";
import { foreignName } from "../designer/foreign";
import { loadTexts, t } from "../words";

interface Element {
  id: string;
  /** As people call it; empty: as its type is called. */
  name: string;
  type: string;
}

/** An element as the pages show it. */
interface Shown {
  id: string;
  type: string;
  text: string;
}

const root = document.getElementById("comments");

/** What is read: the elements of the report, what the pages show of them, and the one that is chosen. */
class Reading {
  readonly on = signal("");
  readonly shown = signal<Map<string, Shown>>(new Map());
  /** Why what was pressed cannot be commented on. */
  readonly refused = signal("");
  frame: HTMLIFrameElement | null = null;
  private readonly known: Map<string, Element>;

  constructor(readonly comments: Comments, elements: Element[], private readonly types: Record<string, string>) {
    this.known = new Map(elements.map((e) => [e.id, e]));
    window.addEventListener("message", (e) => e.source === this.frame?.contentWindow && this.hear(e.data as Record<string, unknown> | null));
    comments.ofTemplate.value = (id) => !this.known.has(id) && this.shown.value.has(`${TEMPLATE}/${id}`);
    effect(() => this.mark());
    effect(() => this.tell({ type: "quire:about", element: this.on.value }));
  }

  /** Those that are on the pages and can be found again tomorrow, in their order. */
  get elements(): string[] {
    return [...this.shown.value.keys()].filter((id) => this.finds(id));
  }

  private finds(element: string): boolean {
    return this.known.has(element) || (ownerIn(element) !== null && this.shown.value.has(element));
  }

  called(element: string): string | undefined {
    if (element === "") return t("Report");
    const known = this.known.get(element);
    const shown = this.shown.value.get(element);
    if (!known) return foreignName(element, shown && { label: t(this.types[shown.type] ?? shown.type), text: shown.text });
    return [known.name || t(known.type), ...(shown?.text ? [shown.text] : [])].join(": ");
  }

  reveal(element: string): void {
    this.refused.value = "";
    this.on.value = "";
    this.on.value = element;
  }

  /** Marks what is open. */
  private mark(): void {
    const open = Map.groupBy(this.comments.open.value, (thread) => thread.element);
    open.delete("");
    const pins = [...open].map(([element, threads]) => ({ element, open: threads.length, label: t("Comments on {0}: {1}", this.called(element) ?? "", threads.length) }));
    if (this.shown.value.size > 0) this.tell({ type: "quire:pins", pins });
  }

  private tell(message: Record<string, unknown>): void {
    this.frame?.contentWindow?.postMessage(message, "*"); // what is sent is what the frame's report shows, or that it has comments
  }

  private hear(said: Record<string, unknown> | null): void {
    const element = String(said?.["element"] ?? "");
    if (said?.["type"] === "quire:elements") {
      this.shown.value = new Map((said["elements"] as Shown[]).map((e) => [e.id, e]));
      if (this.on.peek()) this.reveal(this.comments.meant(this.on.peek()));
    } else if (said?.["type"] === "quire:element") {
      const found = (said["elements"] as string[]).find((key) => this.finds(key));
      this.on.value = found ?? "";
      this.refused.value = found ? "" : t("This element has no ID, so a comment would not find it again. Your comment is about the report.");
    } else if (said?.["type"] === "quire:pin" && this.finds(element)) {
      this.refused.value = "";
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
        <div role="status">{reading.refused.value && <p class="d-hint">{reading.refused.value}</p>}</div>
        <TalkList comments={comments} beside={{ on: on.value, called: (element) => reading.called(element), reveal: (element) => reading.reveal(element), begin: (element, text, mentions) => comments.start(element, text, mentions) }} />
      </aside>
    </div>
  );
}

async function open(el: HTMLElement): Promise<void> {
  const { name = "", comments: address = "", preview = "", alone = "", elements = "[]", types = "{}", names = "", assets = "" } = el.dataset;
  const comments = new Comments(address, names === "true");
  await Promise.all([loadTexts(assets), comments.read()]);
  const reading = new Reading(comments, JSON.parse(elements) as Element[], JSON.parse(types) as Record<string, string>);
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
