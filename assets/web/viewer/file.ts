// The bundle assets/dist/file.js: what an HTML file has inside. It is small: no
// service is there that could be asked for other parameters, and no page of a host
// that could be told of what happens. On a phone the report is a column to read, as
// without scripts, until somebody asks for its pages.

import { h, icon } from "./dom";
import css from "./file.css";
import { start } from "./start";
import { wordsFor } from "./words";

/** The file says so before this script is unpacked, where there is room for pages. */
const BUSY = "q-busy";

function pages(): void {
  // The fonts inside have the letters of the report, and not all those of the bar.
  document.documentElement.style.setProperty("--q-ui", "system-ui");
  start(document, {
    host: () => ({ tell() {}, fault: (message) => console.warn(`Quire: ${message}`), listen() {} }),
    parameters: (doc) => ({ el: doc.createElement("aside"), any: false, shown: false, changed() {}, show() {}, focus() {}, values: () => ({}) }),
  });
}

function offerPages(): void {
  const { documentElement: root, body } = document;
  const button = h(document, "button", { type: "button", class: "q-offer" }, icon(document, "pages"), wordsFor(root.lang).pages);
  // What is moved sideways can be moved by keys, too.
  const wide = [...document.querySelectorAll<HTMLElement>(".q-sheet table, .q-sheet .q-el:has(> .q-c)")].filter((el) => el.scrollWidth > el.clientWidth);
  for (const el of wide) el.tabIndex = 0;
  button.addEventListener("click", () => {
    for (const el of wide) el.removeAttribute("tabindex");
    button.remove();
    root.classList.add(BUSY);
    scrollTo(0, 0);
    pages();
  });
  body.append(h(document, "style", {}, css), button);
}

if (document.documentElement.classList.contains(BUSY)) pages();
else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", offerPages);
else offerPages();
