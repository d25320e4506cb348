// Addresses of the preview with other options.

/** The options of the viewer; exports know nothing of them. */
const OWN = ["hidePrintButton", "toolbar", "page", "zoom", "size", "ask", "thumbnail"];

/** The preview with other parameters; the nonce stays, as it tells whose preview is meant. */
export function withParameters(href: string, params: Record<string, unknown>, view: string): string {
  const url = new URL(href);
  for (const name of [...url.searchParams.keys()]) if (name === "params" || name.startsWith("params[")) url.searchParams.delete(name);
  if (Object.keys(params).length > 0) url.searchParams.set("params", JSON.stringify(params));
  url.searchParams.set("ask", "beside");
  url.hash = view;
  return url.href;
}

/** The file of the same report in a format. */
export function fileAddress(href: string, format: string): string {
  const url = new URL(href);
  url.pathname = url.pathname.replace(/\/ws\/([^/]+)\/reports\/([^/]+)\/preview$/, "/api/v1/ws/$1/reports/$2/pdf");
  for (const name of OWN) url.searchParams.delete(name);
  url.searchParams.set("format", format);
  url.hash = "";
  return url.href;
}

/** The PDF file of the same report, signed by a connection: a page that says in words what keeps it from being signed. */
export function signedAddress(href: string, connection: string): string {
  const url = new URL(href);
  url.pathname = url.pathname.replace(/\/preview$/, "/pdf");
  for (const name of OWN) url.searchParams.delete(name);
  url.searchParams.set("signature", connection);
  url.hash = "";
  return url.href;
}

/** The page with the comments beside the same report. */
export function commentsAddress(href: string, address: string): string {
  const url = new URL(href);
  url.pathname = address;
  for (const name of OWN) url.searchParams.delete(name);
  url.hash = "";
  return url.href;
}

/** The list of reports of the same workspace. */
export function listAddress(href: string): string {
  return new URL(href).href.replace(/(\/ws\/[^/?#]+)\/reports\/.*$/, "$1");
}

/** Where the reader is, as the part of an address behind #: what a report's own places are called begins otherwise. */
export interface View {
  page: number;
  zoom: string;
  /** What is open at the sides. */
  side: string;
  parameters: boolean;
  /** The parameter that was changed. */
  focus: string;
}

const MARK = "quire-view:";

export function writeView({ page, zoom, side, parameters, focus }: View): string {
  return MARK + new URLSearchParams({ page: String(page), zoom, side, parameters: parameters ? "1" : "", focus }).toString();
}

export function readView(hash: string): View | null {
  const text = hash.replace(/^#/, "");
  if (!text.startsWith(MARK)) return null;
  const found = new URLSearchParams(text.slice(MARK.length));
  const of = (name: string) => found.get(name) ?? "";
  return { page: Number(of("page")) || 1, zoom: of("zoom"), side: of("side"), parameters: of("parameters") === "1", focus: of("focus") };
}
