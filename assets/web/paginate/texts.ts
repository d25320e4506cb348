// Texts of very many lines. The browser looks at all lines of a text to tell where one
// of its characters is, so where such a text breaks would cost the square of its length.

import { measuringRange } from "./nodes";
import type { Sheet } from "./types";

/** A text of more lines is parted into texts of so many. */
const MANY = 200;
const FEW = 50;

/** Where two texts are drawn like one: before a blank, behind an ideograph, or within letters that nobody reads as a word. */
const SEAM = /\S(?=\s)|[\u2e80-\u9fff]|[!-~]{1000}(?=[!-~])/g;

/** Parts the texts of very many lines; gives the parts. All is read before anything is written. */
export function partTexts(sheets: Sheet[]): Text[] {
  const long = sheets.flatMap(({ body }) => longTexts(body));
  return long.flatMap(({ text, size }) => part(text, size));
}

/** Makes parted texts whole again, wherever they came to stand. */
export function joinTexts(parts: Text[]): void {
  for (const parent of new Set(parts.map((p) => p.parentNode))) parent?.normalize();
}

function longTexts(body: Element): { text: Text; size: number }[] {
  const out = [];
  const range = measuringRange(body.ownerDocument);
  const texts = body.ownerDocument.evaluate(`.//text()[string-length() > ${MANY}]`, body, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  for (let i = 0; i < texts.snapshotLength; i++) {
    const text = texts.snapshotItem(i) as Text;
    range.selectNodeContents(text);
    const lines = range.getClientRects().length;
    if (lines > MANY) out.push({ text, size: Math.ceil((text.length / lines) * FEW) });
  }
  return out;
}

function part(text: Text, size: number): Text[] {
  const out = [text];
  const { data } = text;
  // Cut from the end: what is cut off is moved once.
  for (const at of seams(data, size).reverse()) out.push(text.splitText(at));
  return out;
}

function seams(data: string, size: number): number[] {
  const out = [];
  SEAM.lastIndex = size;
  for (let m = SEAM.exec(data); m && SEAM.lastIndex < data.length; m = SEAM.exec(data)) {
    out.push(SEAM.lastIndex);
    SEAM.lastIndex += size;
  }
  return out;
}
