// Drawings that need no window: files and vector drawings are painted as the pictures that
// they are. That takes a fraction of the time of what the browser shows in its window,
// which is left to those who paint nothing here.

import { covers } from "./faces";

/** What is drawn, and where it stands in the document. */
export interface Drawn {
  place: () => DOMRect;
  el: Element;
  /** It is a file, of which a part is seen, in shares of its size. */
  file?: boolean;
  part?: { x: number; y: number; width: number; height: number };
  /** A vector drawing as a file. */
  svg?: string;
  /** The addresses of the pictures in it that are files of their own. */
  pictures?: string[];
  /** The fonts of its texts, once they were looked for. */
  faces?: Face[] | null;
}

const BESIDE = 2;

/** How many pixels one of CSS has, of some at most: fewer for a vector drawing that is in the file beside its picture for those who cannot show it. */
export function finely(d: Drawn, most: number): number {
  return d.svg && !d.pictures ? Math.min(BESIDE, most) : most;
}

/** Fonts and pictures of the document by their addresses, for vector drawings, which have no others. */
export type Files = Map<string, string>;

/** A piece of the document as a PNG in base64, of at most so many pixels on its longer side; null where only the window shows it. */
export async function paint(d: Drawn, files: Files, scale: number, pixels: number): Promise<string | null> {
  const at = d.place();
  const long = Math.max(at.width, at.height);
  if (at.width < 1 || at.height < 1 || !alone(d.el, at)) return null;
  const source = d.file ? whole(d, at) : d.svg ? await loaded(d, files) : null;
  if (!source) return null;
  const share = Math.min(scale, pixels / long);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(at.width * share));
  canvas.height = Math.max(1, Math.round(at.height * share));
  const { x, y, width, height } = d.part ?? { x: 0, y: 0, width: 1, height: 1 };
  const [w, h] = [canvas.width / width, canvas.height / height];
  const pen = canvas.getContext("2d")!;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(source, -x * w, -y * h, w, h);
  try {
    return canvas.toDataURL("image/png").split(",")[1] || null;
  } catch {
    return null; // the browser takes the file for another's
  }
}

/** The element of a file that has a size of its own, which is that of its box. */
function whole(d: Drawn, at: DOMRect): HTMLImageElement | null {
  const img = d.el as HTMLImageElement;
  const [w, h] = [img.naturalWidth, img.naturalHeight];
  if (!w || !h || !d.part) return null;
  const stretched = (w * d.part.width * at.height) / (h * d.part.height * at.width);
  return Math.abs(stretched - 1) < 0.02 ? img : null;
}

/** Whether an element looks as it does without what is around it. */
function alone(el: Element, at: DOMRect): boolean {
  for (let up: Element | null = el; up && up !== document.body; up = up.parentElement) {
    const s = getComputedStyle(up);
    if (s.opacity !== "1" || s.filter !== "none" || s.clipPath !== "none" || s.maskImage !== "none" || s.mixBlendMode !== "normal" || s.transform !== "none") return false;
    const clips = up === el || s.overflowX !== "visible" || s.overflowY !== "visible";
    if (!clips) continue;
    if (parseFloat(s.borderTopLeftRadius) > 0 || parseFloat(s.borderBottomRightRadius) > 0) return false;
    if (up === el) {
      if (s.backgroundColor !== "rgba(0, 0, 0, 0)" || s.backgroundImage !== "none") return false;
      continue;
    }
    const r = up.getBoundingClientRect();
    if (at.left < r.left - 1 || at.top < r.top - 1 || at.right > r.right + 1 || at.bottom > r.bottom + 1) return false;
  }
  return true;
}

/** A vector drawing as a picture, with its fonts; null when it needs more than it has. */
async function loaded(d: Drawn, files: Files): Promise<HTMLImageElement | null> {
  const faces = refers(d) ? null : facesOf(d);
  if (!faces) return null;
  let style = "";
  for (const f of faces) {
    const data = f.address.startsWith("data:") ? f.address : files.get(f.address);
    if (!data) return null;
    style += `@font-face{${f.said}src:url(${data})}`;
  }
  let svg = d.svg!;
  for (const address of d.pictures ?? []) {
    const data = files.get(address);
    if (!data) return null;
    svg = svg.replaceAll(`href="${address.replaceAll("&", "&amp;")}"`, `href="${data}"`);
  }
  const img = new Image();
  const there = new Promise<boolean>((done) => {
    img.onload = () => done(true);
    img.onerror = () => done(false);
  });
  img.src = "data:image/svg+xml," + encodeURIComponent(style ? svg.replace(">", `><style>${style}</style>`) : svg);
  return (await there) ? img : null;
}

/** Whether a drawing shows what stands elsewhere, but for pictures that it can have. */
function refers({ el: svg, pictures = [] }: Drawn): boolean {
  if (svg.querySelector("foreignObject")) return true;
  const ids = new Set([...svg.querySelectorAll("[id]")].map((el) => el.id));
  const found = svg.outerHTML.matchAll(/url\((?:&quot;|["'])?([^)"'&]*)|href="([^"]*)"/g);
  return [...found].some(([, url, href]) => {
    const to = url ?? href ?? "";
    return to !== "" && !(to.startsWith("#") && ids.has(to.slice(1))) && !to.startsWith("data:image/") && !pictures.includes(address(to));
  });
}

/** An address in the document as a whole one. */
export function address(href: string): string {
  return URL.parse(href.replaceAll("&amp;", "&"), document.baseURI)?.href ?? "";
}

interface Face {
  address: string;
  /** What its rule says besides. */
  said: string;
}

/** The faces of the document's fonts that the texts of a drawing have; null when one cannot be told. */
export function facesOf(d: Drawn): Face[] | null {
  if (d.faces === undefined) d.faces = facesIn(d.el);
  return d.faces;
}

function facesIn(svg: Element): Face[] | null {
  const families = new Set<string>();
  const letters = new Set<number>();
  for (const el of svg.querySelectorAll("text, tspan")) {
    for (const name of getComputedStyle(el).fontFamily.split(",")) families.add(plain(name));
    for (const c of el.textContent ?? "") letters.add(c.codePointAt(0)!);
  }
  if (letters.size === 0) return [];
  const found: Face[] = [];
  for (const f of document.fonts) {
    if (f.status !== "loaded" || !families.has(plain(f.family)) || !covers(f.unicodeRange, letters)) continue;
    const wanted = key(f.family, f.weight, f.style, f.unicodeRange);
    const rule = fontRules().find((s) => wanted === key(of(s, "font-family"), of(s, "font-weight"), of(s, "font-style"), of(s, "unicode-range")));
    const address = rule && /url\(["']?([^"')]+)/.exec(of(rule, "src"))?.[1];
    if (!rule || !address) return null;
    found.push({ address: new URL(address, document.baseURI).href, said: ["font-family", "font-weight", "font-style", "unicode-range"].map((name) => (of(rule, name) ? `${name}:${of(rule, name)};` : "")).join("") });
  }
  return found;
}

const of = (s: CSSStyleDeclaration, name: string) => s.getPropertyValue(name);

function fontRules(): CSSStyleDeclaration[] {
  return [...document.styleSheets].flatMap(rulesOf).flatMap((rule) => (rule instanceof CSSFontFaceRule ? [rule.style] : []));
}

function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    return []; // of another origin
  }
}

const plain = (name: string) => name.trim().replace(/^["']|["']$/g, "");

function key(family: string, weight: string, style: string, range: string): string {
  const number: Record<string, string> = { normal: "400", bold: "700", "": "400" };
  return [plain(family), number[weight] ?? weight, style || "normal", (range || "U+0-10FFFF").toUpperCase().replace(/\s/g, "")].join("|");
}
