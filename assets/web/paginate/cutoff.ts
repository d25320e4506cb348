// Boxes that cut off what they hold, and are higher than a page. They are broken, and
// what they hide would be printed below what they show: it is taken out of the flow.

import { Flow } from "./flow";
import { cutsOff, frame } from "./look";
import { moveAll } from "./nodes";
import { bodyHeight } from "./pictures";
import { Planner } from "./plan";
import { READABLE } from "./scale";
import { Splitter } from "./split";
import type { Place, Sheet } from "./types";

/** More than this is hidden; less is rounding. */
const TOLERANCE = 2;

/** Takes what boxes hide that will be broken out of the flow. It stays in the document, behind what is shown. */
export function hideCutOff(sheets: Sheet[]): void {
  for (const sheet of sheets) {
    const room = bodyHeight(sheet) * READABLE;
    for (const el of sheet.body.querySelectorAll<HTMLElement>("[data-overflow]")) {
      if (cutsOff(el) && el.getBoundingClientRect().height > room && hides(el)) cutOff(el, sheet);
    }
  }
}

function hides(el: HTMLElement): boolean {
  return el.scrollHeight > el.clientHeight + TOLERANCE;
}

function cutOff(el: HTMLElement, sheet: Sheet): void {
  const until = endOf(el, sheet);
  if (!until) return;
  const shown = new Splitter().take(el, until);
  const rest = el.ownerDocument.createElement("div");
  rest.className = "q-cut-off";
  moveAll(el, rest);
  el.append(shown, rest);
  if (el.classList.contains("q-ellipsis")) endInEllipsis(el, rest);
}

/** Where what has room in a box ends: where a page of the box's height would. Columns stay one, which the pages part. */
function endOf(box: HTMLElement, sheet: Sheet): Place | null {
  const { top, bottom } = box.getBoundingClientRect();
  const room = bottom - top - frame(box.ownerDocument.defaultView!.getComputedStyle(box)).bottom;
  const [whole] = new Flow(box.ownerDocument).beside(box);
  const { height } = box.style;
  box.style.height = "auto"; // what stands side by side would be as high as the box, whatever it holds
  const pieces = whole?.parts?.() ?? [];
  const page = new Planner({ ...sheet, start: top, pieces, notes: null }, { first: room, rest: room }).run()[0]!;
  box.style.height = height;
  if (!page.until) return null;
  for (const { el, name } of page.marks) el.classList.add(name);
  return page.until;
}

/** The last letters that are shown give way to the ellipsis until it has room in their line. */
function endInEllipsis(el: HTMLElement, rest: HTMLElement): void {
  const last = lastBlock(el, rest);
  const text = lastText(last, rest);
  if (!text) return;
  const dots = el.ownerDocument.createElement("span");
  dots.className = "q-continued";
  last.insertBefore(dots, last === el ? rest : null);
  const hidden = el.ownerDocument.createTextNode("");
  rest.prepend(hidden);
  while (hides(el) && text.data !== "") {
    const letter = [...text.data].pop()!;
    text.deleteData(text.length - letter.length, letter.length);
    hidden.insertData(0, letter);
  }
}

/** The innermost block that ends what is shown. */
function lastBlock(el: HTMLElement, rest: Element): HTMLElement {
  const last = (el.lastElementChild === rest ? rest.previousElementSibling : el.lastElementChild) as HTMLElement | null;
  if (!last || el.ownerDocument.defaultView!.getComputedStyle(last).display.startsWith("inline")) return el;
  return lastBlock(last, rest);
}

function lastText(block: Element, rest: Element): Text | null {
  const texts = block.ownerDocument.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  let last: Text | null = null;
  while (texts.nextNode() && !rest.contains(texts.currentNode)) last = texts.currentNode as Text;
  return last;
}
