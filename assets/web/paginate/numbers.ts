// Text that depends on the pages: their numbers, their count, and what runs on in headers.

import { longest, RUNNING } from "./running";

/** The elements that show a page number, a count of pages, the page of a link's target, or what runs on. */
export const PLACES = `.q-page-number, .q-page-count, .q-page-run-count, .q-page-of, ${RUNNING}`;

/** What is known when places are filled. Numbers of pages that do not count are empty. */
export interface Known {
  count: string;
  /** The number of the page an element stands on. */
  number(el: Element): string;
  /** How many pages count until numbers begin anew, around the page an element stands on. */
  run(el: Element): string;
  /** The number of the page that holds an id. */
  pageOf(id: string): string;
  /** What runs on on the page an element stands on. */
  running(el: Element, what: string): string;
}

/** What stands there while nothing is known yet: room enough. */
export function guess(doc: Document): Known {
  const text = longest(doc);
  return { count: "00", number: () => "00", run: () => "00", pageOf: () => "00", running: (_, what) => text(what) };
}

/** What the places of the bodies show: those for numbers and counts in their order, the others by their targets. */
export interface Numbers {
  pageOf: Record<string, string>;
  numbers: string[];
  counts: string[];
  runs: string[];
  running: string[];
}

export function shown(doc: Document, references: Element[]): Numbers {
  const pageOf: Record<string, string> = {};
  for (const el of [...doc.querySelectorAll(".q-page-of"), ...references]) pageOf[el.getAttribute("data-target") ?? ""] ??= el.textContent ?? "";
  const all = (name: string) => [...doc.querySelectorAll(`.q-body .${name}`)].map((el) => el.textContent ?? "");
  return { pageOf, numbers: all("q-page-number"), counts: all("q-page-count"), runs: all("q-page-run-count"), running: all("q-page-running") };
}

/** Fills places; true when one of them shows something new. All is read before anything is written. */
export function fill(places: Iterable<Element>, known: Known): boolean {
  const texts = [...places].map((el): [Element, string] => [el, textFor(el, known)]);
  const news = texts.filter(([el, text]) => el.textContent !== text);
  for (const [el, text] of news) el.textContent = text;
  return news.length > 0;
}

function textFor(el: Element, known: Known): string {
  return format(valueOf(el, known), el.getAttribute("data-format") ?? "", languageOf(el));
}

function valueOf(el: Element, known: Known): string {
  if (el.classList.contains("q-page-of")) return known.pageOf(el.getAttribute("data-target") ?? "");
  if (el.classList.contains("q-page-run-count")) return known.run(el);
  if (el.matches(RUNNING)) return known.running(el, el.getAttribute("data-ref") ?? "");
  return el.classList.contains("q-page-count") ? known.count : known.number(el);
}

function languageOf(el: Element): string {
  return el.closest("[lang]")?.getAttribute("lang") ?? el.ownerDocument.documentElement.lang;
}

/** Applies the formats that make sense for a page number, left to right. */
export function format(value: string, formats: string, lang: string): string {
  if (value === "") return "";
  return formats.split(":").reduce((text, f) => step(text, f.split(";"), lang), value);
}

function step(text: string, parts: string[], lang: string): string {
  const [name = "", a = "", b = ""] = parts;
  switch (name.trim().toLowerCase()) {
    case "zeropad":
      return text.padStart(Number(a) || 0, "0");
    case "leftpad":
      return text.padStart(Number(a) || 0, b || " ");
    case "prefix":
      return a + text;
    case "suffix":
      return text + a;
    case "wrap":
      return a + text + b;
    case "n":
    case "number":
      return grouped(text, Number(a) || 0, lang);
    case "f":
    case "fixed":
      return Number.isFinite(Number(text)) ? Number(text).toFixed(Number(a) || 0) : text;
    default:
      return text;
  }
}

function grouped(text: string, digits: number, lang: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  try {
    return value.toLocaleString(lang || "en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  } catch {
    return String(value);
  }
}
