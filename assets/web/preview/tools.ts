// The tools of the preview: page counter, zoom, print.

import type { Desk } from "./desk";
import type { Words } from "./words";

const ICONS = {
  print: "M7 9V3h10v6M7 18H5a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M7 14h10v7H7z",
  zoomIn: "M12 6v12M6 12h12",
  zoomOut: "M6 12h12",
  fit: "M3 5v14M21 5v14M7 12h10M10 9l-3 3 3 3M14 9l3 3-3 3",
};

/** Builds the bar of tools; without a print button where the page or its address says so. */
export function addTools(doc: Document, desk: Desk, words: Words, print: () => void): HTMLElement {
  const bar = doc.createElement("div");
  bar.className = "q-tools";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", words.tools);
  bar.append(
    counter(doc, desk, words),
    button(doc, ICONS.zoomOut, words.zoomOut, () => desk.zoomOut()),
    button(doc, ICONS.zoomIn, words.zoomIn, () => desk.zoomIn()),
    button(doc, ICONS.fit, words.fit, () => desk.fit()),
  );
  if (!printHidden(doc)) bar.append(printButton(doc, words, print));
  doc.body.append(bar);
  addKeys(doc, desk);
  return bar;
}

function printHidden(doc: Document): boolean {
  if (doc.body.hasAttribute("data-hide-print")) return true;
  const said = new URLSearchParams(doc.location.search).get("hidePrintButton") ?? "";
  return /^(true|1)$/i.test(said);
}

function button(doc: Document, path: string, label: string, run: () => void): HTMLButtonElement {
  const el = doc.createElement("button");
  el.type = "button";
  el.title = label;
  el.setAttribute("aria-label", label);
  el.append(icon(doc, path));
  el.addEventListener("click", run);
  return el;
}

function printButton(doc: Document, words: Words, print: () => void): HTMLButtonElement {
  const el = button(doc, ICONS.print, words.print, print);
  el.classList.add("q-print");
  const label = doc.createElement("span");
  label.textContent = words.print;
  el.append(label);
  return el;
}

function icon(doc: Document, path: string): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = doc.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = doc.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Shows which page is in the middle of the window. */
function counter(doc: Document, desk: Desk, words: Words): HTMLElement {
  const el = doc.createElement("span");
  el.className = "q-counter";
  const show = (at: number) => {
    el.textContent = `${at} / ${desk.pages.length}`;
    el.setAttribute("aria-label", words.page(at, desk.pages.length));
  };
  show(Math.min(1, desk.pages.length));
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.find((e) => e.isIntersecting)?.target as HTMLElement | undefined;
      if (seen) show(Number(seen.dataset["index"]));
    },
    { rootMargin: "-50% 0px -50% 0px" },
  );
  for (const page of desk.pages) observer.observe(page);
  return el;
}

function addKeys(doc: Document, desk: Desk): void {
  doc.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "+" || e.key === "=") desk.zoomIn();
    else if (e.key === "-") desk.zoomOut();
    else if (e.key === "0") desk.fit();
    else return;
    e.preventDefault();
  });
}
