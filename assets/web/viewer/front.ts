// A copy of what stands first in a long document: enough for the first pages, and what
// decides how they are laid out. A page that ends before the copy does is as in the whole.

import { isCarrySection } from "../paginate/carry";
import { divisible, look } from "../paginate/look";

/** So much is copied: a row of five short cells weighs about ten, a page of text 300. */
const ROOM = 1500;
/** How much longer than its copy a document is that is worth it. */
const LONGER = 2;
const LETTERS = 10;

/** A section with the sums of the last page, which is no place for rows. */
const LAST_SUM = ".q-last-page-sum";

export interface Front {
  sheets: HTMLElement[];
  /** What was copied last, where more follows in its section; what stands on its page may be otherwise in the whole. */
  last: Element | null;
}

/** Whether a document is much longer than a copy of its front. */
export function isLong(sheets: HTMLElement[]): boolean {
  let weight = 0;
  return sheets.some((sheet) => (weight += weightOf(sheet)) > LONGER * ROOM);
}

/** The front of a document, of so many sections at most. Null where what stands first is long and cannot be parted. */
export function frontOf(sheets: HTMLElement[], most: number): Front | null {
  const copier = new Copier();
  const copies: HTMLElement[] = [];
  for (const sheet of sheets.slice(0, most)) if (copier.room > 0) copies.push(copier.section(sheet));
  return copier.room < -ROOM ? null : { sheets: copies, last: copier.cut ? copier.last : null };
}

class Copier {
  room = ROOM;
  /** Whether something was left out of a section. */
  cut = false;
  last: Element | null = null;

  section(sheet: HTMLElement): HTMLElement {
    const copy = sheet.cloneNode(false) as HTMLElement;
    for (const part of sheet.children) copy.append(part.classList.contains("q-body") ? this.copy(part) : part.cloneNode(true));
    return copy;
  }

  /** All of an element where there is room for it or it cannot be parted, else its beginning. */
  private copy(el: Element): Element {
    const weight = weightOf(el);
    if (weight > this.room) {
      const l = look(el, true);
      if (l.auto && el instanceof HTMLTableElement) return this.table(el);
      if (l.auto && l.display !== "grid" && divisible(el, l)) return this.begin(el);
    }
    this.room -= weight;
    return (this.last = el.cloneNode(true) as Element);
  }

  private begin(el: Element): Element {
    const copy = el.cloneNode(false) as Element;
    for (const child of el.childNodes) {
      if (this.room <= 0) this.cut = true;
      if (this.cut) break;
      copy.append(child.nodeType === 1 ? this.copy(child as Element) : child.cloneNode());
    }
    return copy;
  }

  /** The first rows of a table, and behind them those that decide how wide its columns are. */
  private table(table: HTMLTableElement): Element {
    const copy = table.cloneNode(false) as HTMLTableElement;
    const left: Element[] = [];
    for (const part of table.children) {
      const hasRows = part.tagName === "TBODY" && !isCarrySection(part) && !part.matches(LAST_SUM);
      copy.append(hasRows ? this.rows(part, left) : part.cloneNode(true));
    }
    this.cut ||= left.length > 0;
    for (const row of widest(left)) {
      const own = table.ownerDocument.createElement("tbody"); // cells that span rows end with it
      own.append(row.cloneNode(true));
      copy.insertBefore(own, copy.tFoot);
    }
    return copy;
  }

  private rows(part: Element, left: Element[]): Element {
    const copy = part.cloneNode(false) as Element;
    for (const row of part.children) {
      if (this.room <= 0) left.push(row);
      else {
        this.room -= weightOf(row);
        copy.append((this.last = row.cloneNode(true) as Element));
      }
    }
    return copy;
  }
}

function weightOf(el: Element): number {
  return 1 + el.getElementsByTagName("*").length + (el.textContent ?? "").length / LETTERS;
}

/** Of some rows those with the widest text and the widest word of each column, in rows of each kind. */
function widest(rows: Element[]): Set<Element> {
  const width = widths(rows[0]);
  const most = new Map<string, { row: Element; width: number }>();
  const note = (key: string, row: Element, width: number) => {
    if (width > (most.get(key)?.width ?? 0)) most.set(key, { row, width });
  };
  for (const row of rows) {
    let at = 0;
    for (let cell = row.firstElementChild as HTMLTableCellElement | null; cell; cell = cell.nextElementSibling as HTMLTableCellElement | null) {
      const { all, word } = width(cell.textContent ?? "");
      const key = `${row.className} ${cell.tagName} ${at} ${cell.colSpan}`;
      note(key, row, all);
      note(`${key} word`, row, word);
      at += cell.colSpan;
    }
  }
  return new Set([...most.values()].map(({ row }) => row));
}

/** How wide a text and its widest word are, by the widths of their letters. */
function widths(like: Element | undefined): (text: string) => { all: number; word: number } {
  const context = like?.ownerDocument.createElement("canvas").getContext("2d");
  if (context && like) context.font = like.ownerDocument.defaultView!.getComputedStyle(like.firstElementChild ?? like).font;
  const known = new Map<string, number>();
  const of = (letter: string): number => {
    let width = known.get(letter);
    if (width === undefined) known.set(letter, (width = context?.measureText(letter).width ?? 1));
    return width;
  };
  return (text) => {
    let [all, word, longest] = [0, 0, 0];
    for (const letter of text) {
      const width = of(letter);
      all += width;
      word = letter === " " ? 0 : word + width;
      if (word > longest) longest = word;
    }
    return { all, word: longest };
  };
}
