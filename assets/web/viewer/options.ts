// What the address says the viewer is to show, and how.

/** The parts of the bar, as the option toolbar names them. */
export const PARTS = ["title", "panes", "pages", "zoom", "search", "parameters", "download", "print", "fullscreen"] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  /** The parts to show; none means that there is no bar. */
  parts: Set<Part>;
  /** The height of the frame follows the report. */
  grows: boolean;
  page: number;
  zoom: Zoom;
  /** What the address says that is not understood. */
  faults: string[];
}

/** A scale, or what is to fit: "auto" is the width of the window, at most the real size. */
export type Zoom = number | "auto" | "width" | "page";
export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

export function readOptions(search: string): Options {
  const query = new URLSearchParams(search);
  const options: Options = { parts: new Set(PARTS), grows: false, page: 1, zoom: "auto", faults: [] };
  readParts(query.get("toolbar"), options);
  if (query.get("thumbnail") === "true") options.parts.clear();
  if (/^(true|1)$/i.test(query.get("hidePrintButton") ?? "")) options.parts.delete("print");
  options.grows = query.get("size") === "content";
  if (query.has("size") && !options.grows) options.faults.push(`size is "${query.get("size")}"; accepted: content`);
  if (options.grows) options.parts.delete("panes");
  const page = query.get("page");
  if (page !== null && !(options.page = wholePage(page))) options.faults.push(`page is "${page}"; accepted: a whole number from 1`);
  const zoom = query.get("zoom");
  const wanted = zoom === null ? "auto" : zoomOf(zoom);
  if (wanted === null) options.faults.push(`zoom is "${zoom}"; ${ACCEPTED_ZOOM}`);
  options.zoom = wanted ?? "auto";
  options.page ||= 1;
  return options;
}

export const ACCEPTED_ZOOM = "accepted: auto, width, page, or a number from 0.1 to 5";

function readParts(text: string | null, options: Options): void {
  if (text === null || text === "" || text === "true") return;
  options.parts.clear();
  if (text === "false" || text === "none") return;
  for (const name of text.split(",").map((s) => s.trim())) {
    if ((PARTS as readonly string[]).includes(name)) options.parts.add(name as Part);
    else options.faults.push(`toolbar names "${name}"; accepted: true, false, or some of ${PARTS.join(", ")}`);
  }
}

/** A zoom as hosts and addresses write it; null when it is none. */
export function zoomOf(value: unknown): Zoom | null {
  if (value === "auto" || value === "width" || value === "page") return value;
  const scale = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
  return scale >= 0.1 && scale <= 5 ? scale : null;
}

/** A page as hosts and addresses write it; 0 when it is none. */
export function wholePage(value: unknown): number {
  const page = typeof value === "string" || typeof value === "number" ? Number(value) : NaN;
  return Number.isSafeInteger(page) && page > 0 ? page : 0;
}
