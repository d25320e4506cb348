// Contrast by WCAG 2.2: 4.5 to 1 for text, 3 to 1 for large text.

type RGB = [number, number, number];

/** A colour as the browser understands it; null when it does not, or when it is see-through. */
function rgb(color: string): RGB | null {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!probe || !CSS.supports("color", color)) return null;
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = probe.getImageData(0, 0, 1, 1).data;
  return a === 255 ? [r, g, b] : null;
}

function luminance([r, g, b]: RGB): number {
  const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

/** How much two colours differ, from 1 to 21; null when either cannot be known. */
export function contrast(a: string, b: string): number | null {
  const [x, y] = [rgb(a), rgb(b)];
  if (!x || !y) return null;
  const [light, dark] = [luminance(x), luminance(y)].sort((p, q) => q - p);
  return (light! + 0.05) / (dark! + 0.05);
}

/** A text of the specimen that is hard to read. */
export interface Weak {
  text: string;
  ratio: number;
  needed: number;
}

/** Looks through what a page shows for texts that differ too little from what is behind them. */
export function weakTexts(doc: Document): Weak[] {
  const view = doc.defaultView!;
  const found = new Map<string, Weak>();
  const texts = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent?.trim() ?? "";
    if (!el || text === "" || !el.closest(".q-page") || el.closest("svg,style")) continue;
    const style = view.getComputedStyle(el);
    const ratio = contrast(style.color, behind(el, view));
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio !== null && ratio < needed) found.set(`${style.color} ${ratio}`, { text: text.slice(0, 40), ratio, needed });
  }
  return [...found.values()];
}

function behind(el: Element, view: Window): string {
  for (let at: Element | null = el; at; at = at.parentElement) {
    const color = view.getComputedStyle(at).backgroundColor;
    if (color !== "rgba(0, 0, 0, 0)" && color !== "transparent") return color;
  }
  return "rgb(255, 255, 255)";
}
