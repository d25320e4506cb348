// The element <quire-report>: a report in a frame, for pages of others. One file
// without dependencies, served at {PathBase}/embed/quire-report.js.

import { frameAddress, MARKS } from "./address";

/** Where this file came from: the service, unless the element says otherwise. Bundled into another there is no such place. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
const HOME = /\/embed\/quire-report\.js/.test(script) ? new URL("..", script).href : "";

/** What the viewer tells, and the events of the element that pass it on. */
const TOLD = ["ready", "page", "parameters", "asking", "link", "error"];

class QuireReport extends HTMLElement {
  static readonly observedAttributes = ["address", "nonce", ...MARKS, "params", "size", "label"];

  private readonly frame = document.createElement("iframe");
  private drawing = false;
  private readonly heard = (e: MessageEvent) => this.hear(e);

  constructor() {
    super();
    const style = document.createElement("style");
    style.textContent = ":host{display:block;height:600px;min-width:0}:host([hidden]){display:none}:host([size=content]){height:auto}iframe{display:block;width:100%;height:100%;border:0}";
    this.frame.allow = "fullscreen";
    this.attachShadow({ mode: "open" }).append(style, this.frame);
  }

  connectedCallback(): void {
    addEventListener("message", this.heard);
    this.draw();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.heard);
    this.frame.removeAttribute("src");
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return;
    if (name === "nonce" && now === "") return; // browsers hide what may be a nonce of scripts
    if (name === "label") this.frame.title = now ?? "";
    else if (this.drawing || this.frame.src === "" || !this.follow(name, now)) this.draw();
  }

  /** What the viewer can change without being loaded anew; false for everything else. */
  private follow(name: string, now: string | null): boolean {
    if (name === "params") this.setParameters(this.params());
    else if (name === "page") this.goTo(Number(now ?? 1));
    else if (name === "zoom") this.send("zoom", { zoom: now ?? "auto" });
    else return false;
    return true;
  }

  /** Shows a page, counted from 1. */
  goTo(page: number): void {
    this.send("page", { page });
  }

  /** A scale such as 1.25, or "auto", "width" or "page". */
  zoomTo(zoom: number | "auto" | "width" | "page"): void {
    this.send("zoom", { zoom });
  }

  /** Finds a text; an empty one ends the search. */
  search(text: string): void {
    this.send("search", { text });
  }

  /** Loads the report with other values of the parameters named, in its place. */
  setParameters(params: Record<string, unknown>): void {
    this.send("parameters", { params });
  }

  print(): void {
    this.send("print");
  }

  /** Fetches the file in a format, if what the frame was opened with allows it. */
  download(format = "pdf"): void {
    this.send("download", { format });
  }

  /** Several attributes are set in one go: the frame is loaded once. */
  private draw(): void {
    if (this.drawing) return;
    this.drawing = true;
    queueMicrotask(() => {
      this.drawing = false;
      if (this.isConnected) this.load();
    });
  }

  private load(): void {
    this.frame.title = this.getAttribute("label") ?? "Report";
    try {
      const at = frameAddress(this.getAttribute("address") ?? HOME, (name) => (name === "nonce" ? this.nonce || this.getAttribute("nonce") : this.getAttribute(name)), this.params());
      if (this.frame.src !== at) this.frame.src = at;
    } catch (fault) {
      this.frame.removeAttribute("src");
      this.fault(fault instanceof Error ? fault.message : String(fault));
    }
  }

  private params(): Record<string, unknown> {
    const text = this.getAttribute("params");
    if (!text) return {};
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    } catch {}
    this.fault(`params is ${text}; accepted: a JSON object of parameters by their names`);
    return {};
  }

  private send(type: string, more: Record<string, unknown> = {}): void {
    // The viewer is a document of nobody's origin: it can be told from others by its window alone.
    this.frame.contentWindow?.postMessage({ type: `quire:${type}`, ...more }, "*");
  }

  private hear(e: MessageEvent): void {
    if (e.source === null || e.source !== this.frame.contentWindow || typeof e.data?.type !== "string") return;
    const [, name] = /^quire:(\w+)$/.exec(e.data.type) ?? [];
    const { type, ...detail } = e.data;
    if (name === "size" && this.getAttribute("size") === "content") this.frame.style.height = `${Number(detail.height)}px`;
    else if (name === "scroll") scrollTo({ top: scrollY + this.getBoundingClientRect().top + Number(detail.top) });
    else if (name && TOLD.includes(name)) this.dispatchEvent(new CustomEvent(`quire-${name}`, { bubbles: true, composed: true, detail }));
  }

  private fault(message: string): void {
    console.warn(`<quire-report>: ${message}`);
    this.dispatchEvent(new CustomEvent("quire-error", { bubbles: true, composed: true, detail: { message } }));
  }
}

if (!customElements.get("quire-report")) customElements.define("quire-report", QuireReport);
