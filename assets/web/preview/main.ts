// The bundle assets/dist/preview.js: the paginator and what people need around
// the pages in a browser, alone or in a frame of another site.

import "../paginate/main";
import { Desk } from "./desk";
import css from "./preview.css";
import { addTools } from "./tools";
import { addLinks } from "./links";
import { addWarnings, forUser, warningsOf } from "./warnings";
import { type Words, wordsFor } from "./words";

/** Longest wait for the browser to draw the progress state; hidden frames never draw. */
const PAINT_WAIT = 60;

async function start(doc: Document): Promise<void> {
  const words = wordsFor(doc.documentElement.lang);
  const progress = addProgress(doc, words);
  const ready = pages(doc, words);
  listen(ready);
  try {
    const count = await ready;
    progress.remove();
    if (parent !== window) parent.postMessage({ type: "quire:ready", pages: count }, "*");
  } catch (fault) {
    progress.classList.add("q-failed");
    progress.textContent = words.failed;
    throw fault;
  }
}

async function pages(doc: Document, words: Words): Promise<number> {
  await painted();
  const { pages, warnings } = await globalThis.quire.paginate();
  const desk = new Desk(doc, [...doc.querySelectorAll<HTMLElement>(".q-page")]);
  endWithLast(doc);
  const bar = addTools(doc, desk, words, () => window.print());
  const user = forUser(doc);
  if (user) {
    addLinks(doc, bar, user, words);
    addWarnings(doc, bar, warningsOf(user, warnings), words);
  }
  openLinksOutside(doc);
  showTarget(doc);
  return pages.length;
}

/** Firefox adds an empty page behind the last one where the document's own page has another name. */
function endWithLast(doc: Document): void {
  const last = [...doc.querySelectorAll(".q-page")].pop();
  if (last) doc.body.style.setProperty("page", getComputedStyle(last).getPropertyValue("page"));
}

function addProgress(doc: Document, words: Words): HTMLElement {
  const style = doc.createElement("style");
  style.textContent = css;
  doc.head.append(style);
  const el = doc.createElement("div");
  el.className = "q-progress";
  el.setAttribute("role", "status");
  el.textContent = words.preparing;
  doc.body.append(el);
  return el;
}

/** Prints when the embedding page sends the word, and not before the pages are there. */
function listen(ready: Promise<unknown>): void {
  window.addEventListener("message", (e) => {
    const embedding = e.source !== null && (e.source === window.parent || e.source === window.opener);
    if (e.data === "print" && embedding) ready.then(() => window.print(), () => undefined);
  });
}

/** Links of the report leave the frame that shows it. */
function openLinksOutside(doc: Document): void {
  for (const a of doc.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    if (a.getAttribute("href")!.startsWith("#")) continue;
    a.target ||= "_blank";
    a.rel = "noopener noreferrer";
  }
}

/** The address may name a place that exists only now. */
function showTarget(doc: Document): void {
  const id = decodeURIComponent(doc.location.hash.slice(1));
  if (id) doc.getElementById(id)?.scrollIntoView();
}

function painted(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, PAINT_WAIT);
    requestAnimationFrame(() => setTimeout(done));
  });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start(document));
else void start(document);
