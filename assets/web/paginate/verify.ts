// A last look at pages whose height was not simply measured: what runs over
// its page is drawn a little smaller rather than cut.

import { measuringRange } from "./nodes";
import type { Warning } from "./types";
import { px } from "./units";

/** More than this is drawn smaller; less is rounding. */
const TOLERANCE = 2;

interface Overflow {
  body: HTMLElement;
  width: number;
  height: number;
  factor: number;
}

/** What is drawn smaller than this is told of. */
const VISIBLE = 0.97;

/** Mends the pages given, which must be in the document. */
export function mendOverflow(pages: HTMLElement[]): Warning[] {
  const over = pages.flatMap((p) => measure(p) ?? []);
  for (const o of over) shrink(o);
  return over.filter((o) => o.factor < VISIBLE).map(warning);
}

function warning({ body }: Overflow): Warning {
  const page = body.closest<HTMLElement>(".q-page")!;
  const id = body.querySelector("[data-id]")?.getAttribute("data-id") ?? "";
  return { id, message: `page ${page.dataset.index} holds more than fits and was drawn smaller` };
}

function measure(page: HTMLElement): Overflow | null {
  const part = page.querySelector<HTMLElement>(":scope > .q-page-body")!;
  const body = part.firstElementChild as HTMLElement;
  const room = part.getBoundingClientRect().height;
  const all = body.getBoundingClientRect().height;
  if (all <= room + TOLERANCE) return null;
  const height = all - trailingMargin(body);
  if (height <= room + TOLERANCE) return null;
  return { body, width: part.clientWidth, height, factor: room / height };
}

/** Margins after the last block may hang over the end of a page. */
function trailingMargin(body: HTMLElement): number {
  const bottom = body.getBoundingClientRect().bottom - (parseFloat(body.ownerDocument.defaultView!.getComputedStyle(body).paddingBottom) || 0);
  let low = 0;
  for (const el of body.children) low = Math.max(low, el.getBoundingClientRect().bottom);
  const range = measuringRange(body.ownerDocument);
  range.selectNodeContents(body);
  for (const r of range.getClientRects()) low = Math.max(low, r.bottom);
  return low > 0 ? Math.max(0, bottom - low) : 0;
}

function shrink({ body, width, height, factor }: Overflow): void {
  const inner = body.ownerDocument.createElement("div");
  inner.className = "q-scaled-content";
  inner.style.width = px(width);
  inner.style.height = px(height);
  inner.style.transform = `scale(${factor})`;
  body.replaceWith(inner);
  inner.append(body);
}
