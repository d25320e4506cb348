// Files of a report besides its formats: signed ones, and the XML of an electronic
// invoice. Only who looks at a service has them, so that HTML files go without this.

import { fileAddress, signedAddress } from "./address";
import { h } from "./dom";
import type { Facts } from "./facts";

/** "PDF, signed with #" and what the XML is called, by language. */
const WORDS: Record<string, [string, string]> = {
  en: ["PDF, signed with #", "Invoice as XML"],
  de: ["PDF, signiert mit #", "Rechnung als XML"],
  fr: ["PDF, signé avec #", "Facture en XML"],
  es: ["PDF, firmado con #", "Factura en XML"],
  it: ["PDF, firmato con #", "Fattura in XML"],
  nl: ["PDF, ondertekend met #", "Factuur als XML"],
  pl: ["PDF, podpisany: #", "Faktura jako XML"],
  pt: ["PDF, assinado com #", "Fatura em XML"],
  sr: ["PDF, potpisan: #", "Faktura kao XML"],
};

/** The languages that there are words in. */
export const LANGUAGES = Object.keys(WORDS);

/** Links to these files for the menu of the bar; null where there are none. */
export function moreFiles(doc: Document, { formats, signatures = [], invoice }: Facts): HTMLElement | null {
  const { href } = doc.defaultView!.location;
  const [signed, xml] = WORDS[doc.documentElement.lang.toLowerCase().split("-")[0] ?? ""] ?? WORDS["en"]!;
  const link = (address: string, label: string, ending: string, more = {}) =>
    h(doc, "a", { href: address, class: "item", ...more }, h(doc, "span", { style: "padding-block: 6px; overflow-wrap: anywhere" }, label), h(doc, "span", { class: "ending", "data-ending": ending }));
  const links = formats.includes("pdf") ? signatures.map((name) => link(signedAddress(href, name), signed.replace("#", () => name), ".pdf", { target: "_blank", rel: "noopener" })) : [];
  if (invoice) links.push(link(`${fileAddress(href, "pdf")}&invoiceXml=true`, xml, ".xml"));
  return links.length === 0 ? null : h(doc, "div", { style: "max-width: min(360px, calc(100vw - 24px)); max-height: 50vh; overflow: auto" }, ...links);
}
