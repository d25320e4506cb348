// Pictures: files, drawings, charts, and what can be told only by its looks. Each gets
// the number of a drawing, which the browser makes of it if somebody wants it.

import { type Look, Looks, round } from "./looks";
import type { Out, Picture, Rect, Sides } from "./types";
import type { Around } from "./around";
import { address, type Drawn } from "./paint";

/** Drawings of more elements are not told as such. */
const MOST = 4000;
/** What vector drawings may look like by style sheets, which their files do not have. */
const PROPERTIES = [
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "letter-spacing", "visibility", "display",
];

export class Pictures {
  /** What is drawn, in the order of the numbers. */
  readonly drawn: Drawn[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(private readonly looks: Looks) {}

  private number(el: Element, key: string, how: Partial<Drawn> = {}): number {
    const known = key ? this.numbers.get(key) : undefined;
    if (known !== undefined) return known;
    const n = this.drawn.push({ el, place: () => el.getBoundingClientRect(), ...how });
    if (key) this.numbers.set(key, n);
    return n;
  }

  /** A picture that is an element of its own. */
  of(walk: Around, el: Element, look: Look): Out | null {
    const r = el.getBoundingClientRect();
    if (r.width < 0.5 || r.height < 0.5) return null;
    const tag = el.tagName.toUpperCase();
    if (tag === "IMG") return this.file(walk, el as HTMLImageElement, look);
    if (tag === "SVG") return this.vector(walk, el as SVGSVGElement, el, look);
    return this.asSeen(walk, el, look, tag === "MATH" ? "a formula" : `a ${tag.toLowerCase()}`);
  }

  /** The picture in a figure; null when the figure holds something else, too. */
  framed(walk: Around, el: Element, look: Look): Out | null {
    // A chart with its values as a table beside it, for screen readers, stands in a box of its own.
    const boxed = (c: Element) => c.tagName === "DIV" && (c.getAttribute("role") === "img" || (el.classList.contains("q-charted") && c.getAttribute("aria-hidden") === "true"));
    const parts = [...el.children].flatMap((c) => (boxed(c) ? [...c.children] : [c]));
    const seen = parts.filter((c) => c.tagName !== "TEMPLATE" && !isUnseen(c) && c.tagName !== "TABLE");
    const only = seen[0];
    if (seen.length !== 1 || !only) return null;
    const inner = this.looks.of(only, look);
    if (only.tagName === "IMG") return this.styled(this.file(walk, only as HTMLImageElement, inner), look);
    if (only.tagName.toUpperCase() !== "SVG") return null;
    const chart = el.querySelector("template[data-chart]")?.getAttribute("data-chart");
    if (look.turn !== 0) return this.asSeen(walk, el, look, "");
    return this.styled(this.vector(walk, only as SVGSVGElement, el.querySelector(":scope > [role=img]") ?? el, inner, chart), look);
  }

  private styled(out: Out | null, look: Look): Out | null {
    if (out) out.style = look.style;
    return out;
  }

  private file(walk: Around, img: HTMLImageElement, look: Look): Out | null {
    const source = img.currentSrc || img.src;
    if (!source) return null;
    const { box, crop } = fitted(img, look);
    if (box.width < 0.5 || box.height < 0.5) return null;
    const picture: Picture = { source, drawing: this.number(img, `${source} ${round(box.width)} ${round(box.height)} ${look.fit}`, { place: () => seen(img, look), file: true, part: shown(crop) }), ...described(img, img.alt, img.getAttribute("role") === "presentation" || img.getAttribute("aria-hidden") === "true" || img.getAttribute("alt") === "") };
    if (crop) picture.crop = crop;
    return { kind: "image", style: look.style, box: walk.rect(box), image: picture };
  }

  /** A vector drawing, which the element around it may describe. */
  private vector(walk: Around, svg: SVGSVGElement, around: Element, look: Look, chart?: string | null): Out {
    const label = around.getAttribute("aria-label") ?? svg.getAttribute("aria-label") ?? svg.querySelector(":scope > title")?.textContent ?? "";
    const hidden = around.getAttribute("aria-hidden") === "true" || around.getAttribute("role") === "presentation" || svg.getAttribute("aria-hidden") === "true" || svg.closest(".q-on-pages") !== null;
    const picture: Picture = { ...described(svg, label, hidden && !label) };
    const many = svg.querySelectorAll("*").length > MOST;
    const data = chart ? parsed(chart) : undefined;
    if (data !== undefined) picture.chart = data;
    // A chart that Office draws itself needs no picture.
    if (!many && (data === undefined || data.lacks)) picture.svg = alone(svg);
    const r = svg.getBoundingClientRect();
    const pictures = picturesIn(svg);
    picture.drawing = this.number(svg, picture.svg ?? "", picture.svg ? { svg: picture.svg, ...(pictures.length > 0 && { pictures }) } : {});
    if (pictures.length > 0) delete picture.svg; // it would lack them
    return { kind: "image", style: look.style, box: walk.rect(r), image: picture };
  }

  /** A round piece of colour: what has no borders of its own elsewhere. The same one is drawn once. */
  dot(walk: Around, el: Element, look: Look): Out {
    const r = el.getBoundingClientRect();
    const s = this.looks.styles[look.style]!;
    const key = `dot ${round(r.width)} ${round(r.height)} ${s.radius} ${s.background} ${JSON.stringify(s.border ?? "")}`;
    return { kind: "image", style: look.text, box: walk.rect(r), image: { drawing: this.number(el, key), decorative: true } };
  }

  /** An element as the picture that it makes. */
  asSeen(walk: Around, el: Element, look: Look, what: string): Out | null {
    const r = el.getBoundingClientRect();
    if (r.width < 0.5 || r.height < 0.5) return null;
    const text = el.getAttribute("aria-label") ?? el.getAttribute("alttext") ?? el.querySelector("[aria-label]")?.getAttribute("aria-label") ?? el.querySelector("img")?.alt ?? (el.textContent ?? "").replace(/\s+/g, " ").trim();
    const picture: Picture = { drawing: this.number(el, ""), ...described(el, text, false) };
    if (what) picture.what = what;
    return { kind: "image", style: look.style, box: walk.rect(r), image: picture };
  }
}

function described(_: Element, alt: string, decorative: boolean): { alt?: string; decorative?: boolean } {
  const text = alt.replace(/\s+/g, " ").trim();
  if (text) return { alt: text };
  return decorative ? { decorative: true } : {};
}

interface ChartData {
  lacks?: string;
}

function parsed(text: string): ChartData | undefined {
  try {
    return JSON.parse(text) as ChartData;
  } catch {
    return undefined;
  }
}

/** What is there for screen readers only. */
export function isUnseen(el: Element): boolean {
  return el.classList.contains("q-hidden") || el.classList.contains("q-chart-data");
}

/** The box that a picture fills, and how much of it is cut off. */
function fitted(img: HTMLImageElement, look: Look): { box: DOMRect; crop?: Sides } {
  const r = content(img);
  const [w, h] = [img.naturalWidth, img.naturalHeight];
  if (!w || !h || look.fit === "fill") return { box: r };
  let share = look.fit === "cover" ? Math.max(r.width / w, r.height / h) : Math.min(r.width / w, r.height / h);
  if (look.fit === "none") share = look.scale;
  if (look.fit === "scale-down") share = Math.min(share, look.scale);
  const [x, y] = look.position.split(" ").map((p) => (p.endsWith("%") ? parseFloat(p) / 100 : 0.5));
  const left = (r.width - w * share) * (x ?? 0.5);
  const top = (r.height - h * share) * (y ?? 0.5);
  const right = r.width - left - w * share;
  const bottom = r.height - top - h * share;
  const cut = (v: number, of: number) => Math.round(Math.max(0, -v / of) * 1e5) / 1e5;
  const box = new DOMRect(r.left + Math.max(0, left), r.top + Math.max(0, top), Math.min(r.width, w * share), Math.min(r.height, h * share));
  const crop: Sides = [cut(top, h * share), cut(right, w * share), cut(bottom, h * share), cut(left, w * share)];
  return crop.some((v) => v > 0.001) ? { box, crop } : { box };
}

/** The part of a picture that is seen. */
function shown(crop: Sides | undefined): NonNullable<Drawn["part"]> {
  const [top, right, bottom, left] = crop ?? [0, 0, 0, 0];
  return { x: left, y: top, width: 1 - left - right, height: 1 - top - bottom };
}

/** What is seen of a picture; nothing of one that is broken. */
function seen(img: HTMLImageElement, look: Look): DOMRect {
  return img.naturalWidth === 0 ? new DOMRect() : fitted(img, look).box;
}

function content(img: HTMLImageElement): DOMRect {
  const r = img.getBoundingClientRect();
  const s = img.ownerDocument.defaultView!.getComputedStyle(img);
  const side = (name: "Left" | "Right" | "Top" | "Bottom") => (parseFloat(s[`padding${name}`]) || 0) + (parseFloat(s[`border${name}Width`]) || 0);
  return new DOMRect(r.left + side("Left"), r.top + side("Top"), r.width - side("Left") - side("Right"), r.height - side("Top") - side("Bottom"));
}

/** The addresses of the pictures in a drawing that are files of their own. */
function picturesIn(svg: SVGSVGElement): string[] {
  return [...svg.querySelectorAll("image")].map((i) => i.getAttribute("href") ?? "").filter((href) => href !== "" && !href.startsWith("data:")).map(address);
}

/** A drawing as a file: with a size, and what style sheets say of it. */
function alone(svg: SVGSVGElement): string {
  const view = svg.ownerDocument.defaultView!;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  const usual = new Map<string, string>();
  from.forEach((el, i) => {
    const s = view.getComputedStyle(el);
    const up = el === svg ? null : view.getComputedStyle(el.parentElement!);
    let css = "";
    for (const name of PROPERTIES) {
      const v = s.getPropertyValue(name);
      if (up && INHERITED.has(name) ? v !== up.getPropertyValue(name) : v !== (usual.get(name) ?? INITIAL[name])) css += `${name}:${v};`;
    }
    const out = to[i]!;
    out.removeAttribute("class");
    if (el.tagName === "image" && !(el.getAttribute("href") ?? "data:").startsWith("data:")) out.setAttribute("href", address(el.getAttribute("href")!));
    if (css) out.setAttribute("style", css);
    else out.removeAttribute("style");
  });
  const r = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${svg.clientWidth || round(r.width)} ${svg.clientHeight || round(r.height)}`);
  copy.setAttribute("width", String(round(r.width)));
  copy.setAttribute("height", String(round(r.height)));
  for (const junk of copy.querySelectorAll("script, foreignObject, template")) junk.remove();
  return new XMLSerializer().serializeToString(copy);
}

const INHERITED = new Set(PROPERTIES.filter((p) => p !== "opacity" && p !== "display" && p !== "dominant-baseline"));
const INITIAL: Record<string, string> = {
  "fill-opacity": "1", "fill-rule": "nonzero", stroke: "none", "stroke-width": "1px", "stroke-opacity": "1", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1",
  "font-style": "normal", "text-anchor": "start", "dominant-baseline": "auto", "letter-spacing": "normal", visibility: "visible", display: "inline",
};

export type { Rect };
