// Waits until everything that decides the layout is there: fonts and pictures.
// Every wait has a bound; what is late is reported and laid out as it is.

import type { Warning } from "./types";

const FONT_WAIT = 5_000;
const IMAGE_WAIT = 15_000;
/** Elements looked at to learn which fonts a document uses. */
const SAMPLES = 400;

/** Loads the fonts that the text needs before it is laid out for the first time. */
export async function fonts(doc: Document): Promise<void> {
  if (doc.fonts.size === 0) return;
  const text = characters(doc);
  const loads = [...usedFonts(doc)].map((font) => doc.fonts.load(font, text).catch(() => []));
  await within(Promise.all(loads), FONT_WAIT);
}

/**
 * Waits for fonts that the layout asked for beyond those; true when there were some.
 * Not by doc.fonts.ready: it waits for the window to be drawn, which tabs that print
 * never do.
 */
export async function lateFonts(doc: Document): Promise<boolean> {
  void doc.documentElement.offsetHeight; // the layout is what asks for fonts
  const late = [...doc.fonts].filter((face) => face.status === "loading");
  if (late.length === 0) return false;
  await within(Promise.all(late.map((face) => face.loaded.catch(() => face))), FONT_WAIT);
  return true;
}

/** Tells of fonts that the browser could not read, or that came too late: the text has others. */
export function fontFaults(doc: Document): Warning[] {
  const faults = new Map<string, string>();
  for (const face of doc.fonts) {
    const name = face.family.replace(/["']/g, "");
    if (face.status === "error") faults.set(name, `the browser cannot read the font "${name}"; another is used`);
    if (face.status === "loading") faults.set(name, `the font "${name}" took too long to load; another is used`);
  }
  return [...faults.values()].map((message) => ({ id: "", message }));
}

/** Waits for all pictures; those that fail or take too long become warnings, and boxes with their descriptions. */
export async function images(doc: Document, warnings: Warning[]): Promise<void> {
  const list = [...doc.images];
  for (const img of list) img.loading = "eager";
  const backgrounds = backgroundURLs(doc).map((url) => preload(doc, url));
  await within(Promise.all([...list.map(settled), ...backgrounds]), IMAGE_WAIT);
  for (const img of list) {
    if (img.complete && img.naturalWidth > 0) continue;
    if (img.complete && isVector(img)) continue;
    const id = img.closest("[data-id]")?.getAttribute("data-id") ?? "";
    warnings.push({ id, message: `image "${short(img.currentSrc || img.src)}" could not be shown` });
    standIn(img);
  }
}

/** Prints the quiet box of a missing picture where the browser would draw its mark of a broken one. */
function standIn(img: HTMLImageElement): void {
  const own = img.parentElement?.matches("figure.q-img") ? img.parentElement : null;
  const box = own ?? img.ownerDocument.createElement("span");
  box.classList.add("q-missing");
  const text = img.alt || "Image";
  if (own) own.textContent = text;
  else {
    box.textContent = text;
    box.setAttribute("style", img.getAttribute("style") ?? "");
    for (const side of ["width", "height"] as const) {
      const given = Number(img.getAttribute(side));
      if (given > 0) box.style[side] ||= `${given}px`;
    }
    img.replaceWith(box);
  }
}

/** A vector picture without a size of its own reports a width of 0. */
function isVector(img: HTMLImageElement): boolean {
  return img.naturalHeight > 0 || /^data:image\/svg|\.svg(\?|#|$)/i.test(img.currentSrc || img.src);
}

function short(url: string): string {
  return url.length > 80 ? `${url.slice(0, 77)}...` : url;
}

function settled(img: HTMLImageElement): Promise<unknown> {
  if (img.complete) return Promise.resolve();
  return new Promise((done) => {
    img.addEventListener("load", done, { once: true });
    img.addEventListener("error", done, { once: true });
  });
}

function preload(doc: Document, url: string): Promise<unknown> {
  const img = doc.createElement("img");
  img.src = url;
  return settled(img);
}

const URL_IN_CSS = /url\(\s*(["']?)(.+?)\1\s*\)/g;

/** Addresses of background pictures: the browser asks for them only when it lays out their boxes. */
function backgroundURLs(doc: Document): string[] {
  const found = new Set<string>();
  const collect = (css: string) => {
    for (const m of css.matchAll(URL_IN_CSS)) if (m[2] && !m[2].startsWith("#")) found.add(m[2]);
  };
  for (const el of doc.querySelectorAll("[style*='url(']")) collect(el.getAttribute("style") ?? "");
  for (const style of doc.querySelectorAll("style")) collect(withoutFontFaces(style.textContent ?? ""));
  return [...found];
}

function withoutFontFaces(css: string): string {
  return css.includes("url(") ? css.replace(/@font-face\s*\{[^}]*\}/g, "") : "";
}

/** Each character of the document once. */
function characters(doc: Document): string {
  return [...new Set(doc.body.textContent ?? "")].join("");
}

/** The fonts (style, weight, family) of a sample of the elements, tables by their first rows. */
function usedFonts(doc: Document): Set<string> {
  const view = doc.defaultView!;
  const used = new Set<string>();
  for (const el of sample(doc)) {
    const s = view.getComputedStyle(el);
    used.add(`${s.fontStyle} ${s.fontWeight} 16px ${s.fontFamily}`);
  }
  return used;
}

function sample(doc: Document): Element[] {
  const marked = [...doc.querySelectorAll(".q-el, h1, h2, h3, th, td:first-child, td:last-child, em, i, b, strong, code, pre")];
  const step = Math.max(1, Math.ceil(marked.length / SAMPLES));
  return [doc.body, ...marked.filter((_, i) => i < SAMPLES / 2 || i % step === 0)];
}

function within(work: Promise<unknown>, ms: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout>;
  const bound = new Promise((done) => {
    timer = setTimeout(done, ms);
  });
  return Promise.race([work, bound]).finally(() => clearTimeout(timer));
}
