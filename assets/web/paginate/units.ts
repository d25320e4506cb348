// CSS lengths of page sizes and margins, in pixels of 96 to the inch.

const PIXELS: Record<string, number> = {
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
};

/** The length in px; fallback where the text is no absolute length. */
export function pixels(text: string | undefined, fallback: number): number {
  const m = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-z]*)\s*$/i.exec(text ?? "");
  if (!m) return fallback;
  const unit = (m[2] ?? "").toLowerCase() || "px";
  const size = PIXELS[unit];
  return size === undefined ? fallback : Number(m[1]) * size;
}

/** The four sides of a CSS margin shorthand: top, right, bottom, left. */
export function sides(text: string | undefined): [number, number, number, number] {
  const parts = (text ?? "").trim().split(/\s+/).filter(Boolean).map((p) => Math.max(0, pixels(p, 0)));
  const top = parts[0] ?? 0;
  const right = parts[1] ?? top;
  return [top, right, parts[2] ?? top, parts[3] ?? right];
}

/** How much smaller than said an element is drawn: boxes are read as drawn, lengths are written as said. */
export function zoomOf(el: Element | null): number {
  return el?.currentCSSZoom ?? 1;
}

/**
 * A length for a style attribute. The layout cuts it off to the 1/64 px below, so it is rounded up: what was measured
 * comes back. More digits would not outlive a copy, as styles are told with six.
 */
export function px(value: number): string {
  return `${Math.ceil(value * 1000 - 1e-6) / 1000}px`;
}
