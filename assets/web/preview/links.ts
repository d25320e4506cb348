// Where a signed-in user goes from the preview: to the parameters, to the PDF
// itself, and to the file in each format.

import type { ForUser } from "./warnings";
import type { Words } from "./words";

/** Adds the links to the bar of tools. */
export function addLinks(doc: Document, bar: HTMLElement, user: ForUser, words: Words): void {
  if (user.asks) bar.append(link(doc, address(doc, "preview", { ask: "1" }), words.parameters));
  bar.append(link(doc, address(doc, "pdf", {}), words.asPDF, true));
  for (const format of user.formats.filter((f) => f !== "pdf")) bar.append(link(doc, address(doc, "pdf", { format }), format.toUpperCase(), true));
}

/** The address of the preview with another last part, and options added. */
function address(doc: Document, last: string, options: Record<string, string>): string {
  const url = new URL(doc.location.href);
  url.pathname = url.pathname.replace(/preview$/, last);
  url.hash = "";
  for (const name of ["hidePrintButton", "ask"]) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
  return url.href;
}

function link(doc: Document, href: string, label: string, outside = false): HTMLElement {
  const a = doc.createElement("a");
  a.href = href;
  a.textContent = label;
  if (outside) Object.assign(a, { target: "_blank", rel: "noopener" });
  return a;
}
