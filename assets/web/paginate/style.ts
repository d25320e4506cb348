// Style sheets of the paginator: of the sources while they are measured, of
// page boxes, and the page sizes for print.

import type { Geometry } from "./types";
import { px } from "./units";

const BASE = `
html,body.q-doc{margin:0;padding:0}
.q-doc{text-rendering:geometricPrecision}
.q-sheet{position:relative}
.q-body,.q-header,.q-first-header,.q-footer{display:flow-root}
.q-page{position:relative;overflow:hidden;contain:strict;box-sizing:border-box}
.q-page-header,.q-page-body,.q-page-footer{position:absolute;display:flow-root}
.q-page-notes{position:absolute}
.q-notes,.q-page-notes{padding:14px 0 6px;font-size:.84em;line-height:1.35;text-align:start}
:is(.q-notes,.q-page-notes)::before{content:"";display:block;width:33%;margin-bottom:3px;border-top:.5pt solid currentColor;opacity:.5}
.q-note-text{display:flow-root;padding-top:3px}
.q-note-text p{margin:0}
:is(.q-note-call,.q-note-number){font-size:max(.7em,5pt);line-height:0;vertical-align:super;font-variant-position:normal;text-decoration:none}
.q-note-call{margin-inline-start:.08em}
.q-note-number{margin-inline-end:.1em}
.q-on-pages{position:absolute;pointer-events:none}
.q-again{visibility:hidden}
tr.q-again{visibility:collapse}
.q-page-top{margin-top:0!important}
.q-page-end{margin-bottom:0!important}
.q-dropped{display:none!important}
.q-cut-end:not(table,thead,tbody,tfoot,tr,td,th,.q-framed){margin-bottom:0!important;border-bottom:0!important;padding-bottom:0!important;border-end-start-radius:0!important;border-end-end-radius:0!important;height:auto!important;min-height:0!important}
.q-cut-start:not(table,thead,tbody,tfoot,tr,td,th,.q-framed){margin-top:0!important;border-top:0!important;padding-top:0!important;text-indent:0!important;border-start-start-radius:0!important;border-start-end-radius:0!important;height:auto!important;min-height:0!important}
table.q-cut-end{margin-bottom:0!important;height:auto!important}
table.q-cut-start{margin-top:0!important;height:auto!important}
li.q-cut-start{list-style:none!important}
.q-framed.q-cut-end{margin-bottom:0!important;height:auto!important;min-height:0!important}
.q-framed.q-cut-start{margin-top:0!important;height:auto!important;min-height:0!important}
.q-inline-cut-end{margin-inline-end:0!important;border-inline-end:0!important;padding-inline-end:0!important}
.q-inline-cut-start{margin-inline-start:0!important;border-inline-start:0!important;padding-inline-start:0!important}
.q-line{white-space:nowrap}
.q-hyphen::after{content:"\\2010"}
.q-justified{text-align-last:justify!important}
.q-sliced,.q-sliced>*{height:auto!important;vertical-align:top!important}
.q-narrow,.q-narrow *{white-space:normal!important;overflow-wrap:anywhere!important}
.q-unbroken,.q-unbroken *{overflow-wrap:normal!important}
.q-stacked{grid-template-columns:fit-content(85%) minmax(0,1fr)!important;column-gap:.3em}
.q-stacked>dt{min-width:0}
.q-stacked>dt:not(:has(+.q-kv-divider)),.q-stacked>dd:not(.q-kv-divider){grid-column:1/-1}
.q-ellipsis{display:-webkit-box!important;-webkit-box-orient:vertical}
.q-cut-off,tr[hidden],.q-bare>:is(thead,tfoot,caption,colgroup,col){display:none!important}
.q-bare{min-width:0!important;max-width:none!important}
.q-wants *{padding:0!important;border:0!important;font-size:0!important;line-height:0!important;white-space:normal!important;text-indent:0!important;letter-spacing:0!important;word-spacing:0!important}
.q-wants span{display:inline-block!important}
.q-continued::after{content:"\\2026"}
.q-open{height:auto!important;min-height:0!important;max-height:none!important}
.q-beside{max-width:none!important}
.q-at-top{align-self:flex-start!important}
.q-columns{display:flex!important;flex-flow:row nowrap;align-items:flex-start}
.q-column{flex:none;position:relative;display:flow-root;box-sizing:border-box;width:calc((100% - var(--q-column-gap)*(var(--q-columns) - 1))/var(--q-columns))}
.q-column+.q-column::before{content:"";position:absolute;top:0;bottom:0;inset-inline-start:calc(var(--q-column-gap)/-2);border-inline-start:var(--q-column-rule,0)}
.q-scaled{display:block;overflow:visible}
span.q-scaled{display:inline-block;vertical-align:top}
.q-scaled-content{display:flow-root;transform-origin:0 0}
[dir=rtl] .q-scaled-content{transform-origin:100% 0}
.q-scaled-content>*{margin-block:0!important}
@media print{.q-page{break-after:page}.q-page:last-of-type{break-after:auto}}
`;

/** Puts the paginator's style sheets into the document, once. */
export function install(doc: Document): void {
  sheet(doc, "q-paginate-base").textContent = BASE;
}

/**
 * Declares a named page of each size in use; what is printed by the service a little
 * larger, as the browser would cut off what is beyond its own rounding. The finished
 * PDF has the size itself (render/pdf, Options.Sizes).
 */
export function declarePages(doc: Document, sizes: Iterable<Geometry>, printed = false): void {
  const rules = new Map<string, string>();
  for (const g of sizes) {
    const name = pageName(g);
    const size = printed ? `${paper(g.width)}px ${paper(g.height)}px` : `${g.cssWidth} ${g.cssHeight}`;
    rules.set(name, `@page ${name}{size:${size};margin:0}.${name}{page:${name}}${printed ? wholePixels(name, g) : ""}`);
  }
  const first = rules.size === 1 ? [...rules.values()][0]!.replace(/^@page \S+\{/, "@page{").split("}")[0] + "}" : "@page{margin:0}";
  sheet(doc, "q-paginate-sizes").textContent = first + [...rules.values()].join("");
}

/**
 * A browser fills whole pixels: the colour of a page would end before its edge, where
 * that is no whole one. What is cut to size is at the left of the paper, from right to
 * left, too.
 */
function wholePixels(name: string, g: Geometry): string {
  const [width, height] = [Math.ceil(g.width), Math.ceil(g.height)];
  return `.${name}{width:${width}px!important;height:${height}px!important;margin:0 auto 0 0!important}.${name}>.q-page-footer{margin-bottom:${px(height - g.height)}}`;
}

/**
 * The whole pixels of paper on which Chromium prints all of a page of so many. It
 * rounds them to points, and these down to dots of 1/300 inch (measured with
 * version 156; the finisher leaves pages alone of which less was printed).
 */
export function paper(page: number): number {
  const printed = (px: number) => Math.floor((Math.round(px * 0.75) * 300) / 72) * 0.32;
  let px = Math.ceil(page);
  while (printed(px) < page) px++;
  return px;
}

/** The name of a page size: the same for all pages of that size. */
export function pageName(g: Geometry): string {
  const plain = (s: string) => s.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return `q-size-${plain(g.cssWidth)}-${plain(g.cssHeight)}`;
}

function sheet(doc: Document, id: string): HTMLStyleElement {
  const found = doc.getElementById(id);
  if (found) return found as HTMLStyleElement;
  const style = doc.createElement("style");
  style.id = id;
  doc.head.append(style);
  return style;
}
