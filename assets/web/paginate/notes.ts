// Footnotes: their texts leave the bodies, where their numbers stay, for the foot of the
// page on which their number stands.

import { moveAll } from "./nodes";
import type { Notes, Place, Sheet, Warning } from "./types";
import { px } from "./units";

/** A note that is higher than this share of a page is drawn smaller. */
const MOST = 0.5;
const SMALLEST = 0.4;

interface Note {
  call: Element;
  text: HTMLElement;
  /** The middle of its number, and the height of its text. */
  y: number;
  height: number;
  used: boolean;
}

/** Takes the texts of all footnotes out of the bodies and puts their numbers there. */
export function takeNotes(sheets: Sheet[], warnings: Warning[]): void {
  let nth = 0;
  for (const sheet of sheets) {
    for (const part of [sheet.firstHeader, sheet.header, sheet.footer, ...sheet.stamps]) {
      const note = part?.querySelector(".q-note");
      if (note) warnings.push({ id: note.closest("[data-id]")?.getAttribute("data-id") ?? "", message: "footnotes of headers and footers are printed in parentheses" });
    }
    // A note in a note stays in its text, in parentheses; one that is not drawn has no number.
    const found = [...sheet.body.querySelectorAll<HTMLElement>(".q-note:not(.q-note .q-note)")].filter((note) => note.getClientRects().length > 0);
    if (found.length === 0) continue;
    const area = sheet.el.ownerDocument.createElement("div");
    area.className = "q-notes";
    for (const note of found) area.append(takeNote(note, String(++nth)));
    sheet.el.append(area);
    sheet.notes = new SheetNotes(area, callsOf(sheet.body));
  }
}

const callsOf = (el: ParentNode) => [...el.querySelectorAll<HTMLElement>(".q-note-call")];

function takeNote(note: HTMLElement, number: string): HTMLElement {
  const doc = note.ownerDocument;
  const made = (tag: string, name: string) => {
    const el = doc.createElement(tag);
    el.className = name;
    return el;
  };
  const text = made("div", "q-note-text");
  for (const name of ["lang", "dir"]) {
    const own = note.closest(`[${name}]`)?.getAttribute(name);
    if (own) text.setAttribute(name, own);
  }
  const call = made("sup", "q-note-call");
  const again = made("sup", "q-note-number");
  call.textContent = again.textContent = number;
  const before = note.previousSibling;
  if (before?.nodeType === 3) (before as Text).data = (before as Text).data.trimEnd(); // lest the number stands at the beginning of a line
  note.replaceWith(call);
  for (const aside of note.querySelectorAll(":scope > .q-aside")) aside.remove(); // the parentheses of where there are no notes
  text.append(again, " ");
  moveAll(note, text);
  text.normalize(); // text of several pieces is drawn a hair apart from the same in one
  return text;
}

class SheetNotes implements Notes {
  private list: Note[] = [];
  private first = 0;
  /** What stands between the text of a page and its first note. */
  private above = 0;

  constructor(readonly area: HTMLElement, private readonly calls: HTMLElement[]) {}

  limit(most: number): Warning[] {
    return this.calls.flatMap((call, i) => {
      const text = this.area.children[i] as HTMLElement;
      const { height } = text.getBoundingClientRect();
      if (height <= most) return [];
      text.style.fontSize = `${Math.max(SMALLEST, Math.sqrt(most / height))}em`;
      const message = `footnote ${call.textContent} is higher than half a page and was drawn smaller`;
      return [{ id: call.closest("[data-id]")?.getAttribute("data-id") ?? "", message }];
    });
  }

  measure(): void {
    const texts = [...this.area.children] as HTMLElement[];
    const shown = this.calls.map((call, i): Note => {
      const r = call.getBoundingClientRect();
      const text = texts[i]!;
      text.hidden = r.height === 0; // its number is cut off
      return { call, text, y: (r.top + r.bottom) / 2, height: text.getBoundingClientRect().height, used: false };
    });
    this.above = this.area.getBoundingClientRect().height - shown.reduce((sum, n) => sum + n.height, 0);
    this.list = shown.filter((n) => !n.text.hidden).sort((a, b) => a.y - b.y);
    this.first = 0;
  }

  before(y: number): number {
    let height = 0;
    for (let i = this.first; i < this.list.length && this.list[i]!.y < y; i++) if (!this.list[i]!.used) height += this.list[i]!.height;
    return this.framed(height);
  }

  inside(top: number, bottom: number, until: Place | null): number {
    return this.framed(this.of(top, bottom, until).reduce((sum, n) => sum + n.height, 0));
  }

  close(top: number, bottom: number, until: Place | null): number {
    const own = this.of(top, bottom, until);
    for (const note of own) note.used = true;
    while (this.list[this.first]?.used) this.first++;
    return this.framed(own.reduce((sum, n) => sum + n.height, 0));
  }

  private of(top: number, bottom: number, until: Place | null): Note[] {
    const out: Note[] = [];
    for (let i = this.first; i < this.list.length && this.list[i]!.y < bottom; i++) {
      const note = this.list[i]!;
      if (!note.used && (note.y < top || !until || stands(note.call, until))) out.push(note);
    }
    return out;
  }

  private framed(height: number): number {
    return height > 0 ? height + this.above : 0;
  }
}

/** Whether an element stands before a place. */
function stands(el: Element, { node, cells }: Place): boolean {
  const cell = cells?.find((c) => c.cell.contains(el));
  if (cell) return cell.begun && (!cell.place || stands(el, cell.place));
  return (node.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

/** Draws notes smaller that would leave their page too little. */
export function limitNotes(sheets: Sheet[], warnings: Warning[]): void {
  for (const { notes, geometry: g } of sheets) warnings.push(...(notes?.limit((g.height - g.top - g.bottom) * MOST) ?? []));
}

/** Puts the notes of each page above its footer. What is repeated has the note of its first page. */
export function placeNotes({ notes, geometry: g, foot }: Sheet, pages: HTMLElement[]): void {
  if (!notes) return;
  const texts = new Map(([...notes.area.children] as HTMLElement[]).filter((text) => !text.hidden).map((text) => [text.firstElementChild!.textContent, text]));
  for (const page of pages) {
    const calls = callsOf(page).filter((call) => !call.closest("[data-repeated]"));
    const own = [...new Set(calls.map((call) => call.textContent))].flatMap((number) => texts.get(number) ?? []);
    for (const text of own) texts.delete(text.firstElementChild!.textContent);
    if (own.length === 0) continue;
    const box = notes.area.cloneNode(false) as HTMLElement;
    box.className = "q-page-notes";
    Object.assign(box.style, { left: px(g.left), width: px(g.width - g.left - g.right), bottom: px(g.bottom + foot) });
    box.append(...own);
    page.append(box);
  }
}
