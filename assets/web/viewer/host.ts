// The page that shows the report in a frame: it is told what happens, and may ask
// for what the reader could do. What it says counts only if it may show previews.

import { isHost } from "./hosts";
import { ACCEPTED_ZOOM, wholePage, type Zoom, zoomOf } from "./options";

/** What a host may ask for. */
export interface Wishes {
  print(): void;
  page(page: number): void;
  zoom(zoom: Zoom): void;
  search(text: string): void;
  parameters(params: Record<string, unknown>): void;
  download(format: string): void;
}

export class Host {
  private readonly target: string;

  constructor(private readonly view: Window, private readonly hosts: string[]) {
    // Only who may show the preview is above it: the browser sees to that.
    const above = view.location.ancestorOrigins?.[0];
    this.target = above && above !== "null" ? above : "*";
  }

  /** Tells the page around the frame; nothing without one. */
  tell(type: string, more: Record<string, unknown> = {}): void {
    if (this.view.parent !== this.view) this.view.parent.postMessage({ type: `quire:${type}`, ...more }, this.target);
  }

  /** Something could not be done that the host, or the address, has asked for. */
  fault(message: string): void {
    console.warn(`Quire: ${message}`);
    this.tell("error", { message });
  }

  listen(formats: string[], wishes: Wishes): void {
    this.view.addEventListener("message", (e) => {
      const near = e.source !== null && (e.source === this.view.parent || e.source === this.view.opener) && e.source !== this.view;
      if (near && isHost(e.origin, this.hosts, this.view.location.origin)) this.hear(e.data, formats, wishes);
    });
  }

  private hear(said: unknown, formats: string[], wishes: Wishes): void {
    if (said === "print") return wishes.print();
    if (typeof said !== "object" || said === null) return;
    const { type, page, zoom, text, params, format } = said as Record<string, unknown>;
    if (typeof type !== "string" || !type.startsWith("quire:")) return;
    switch (type) {
      case "quire:print":
        return wishes.print();
      case "quire:page":
        return wholePage(page) ? wishes.page(wholePage(page)) : this.fault(`page is ${JSON.stringify(page)}; accepted: a whole number from 1`);
      case "quire:zoom": {
        const scale = zoomOf(zoom);
        return scale === null ? this.fault(`zoom is ${JSON.stringify(zoom)}; ${ACCEPTED_ZOOM}`) : wishes.zoom(scale);
      }
      case "quire:search":
        return typeof text === "string" ? wishes.search(text) : this.fault("text is missing: what to search for; an empty text ends the search");
      case "quire:parameters":
        return isObject(params) ? wishes.parameters(params) : this.fault("params is missing: an object of parameters by their names");
      case "quire:download":
        if (formats.length === 0) return this.fault("this preview gives out no files");
        return formats.includes(String(format)) ? wishes.download(String(format)) : this.fault(`format is ${JSON.stringify(format)}; accepted: ${formats.join(", ")}`);
      case "quire:pins":
      case "quire:about":
        return; // of the page with the comments; pins.ts
      default:
        return this.fault(`the message ${JSON.stringify(type)} is unknown; accepted: quire:page, quire:zoom, quire:search, quire:parameters, quire:print, quire:download`);
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
