// Shared vocabulary of the paginator. Heights and positions are CSS pixels in
// the coordinates of one layout of the unpaginated document.

import type { Carry } from "./carry";

/** Something the author of the report should know; id is the element's data-id. */
export interface Warning {
  id: string;
  message: string;
}

/** What a caller learns about one page. The number is 0 where the page does not count; sizes are px. */
export interface PageInfo {
  number: number;
  width: number;
  height: number;
  name: string;
  sourcePage: string;
  /** What takes the place of the page in the PDF; empty for the page itself. */
  attached: string;
}

/** Where a heading or the target of a link came to stand; x and y in px from the page's corner. */
export interface Anchor {
  id: string;
  page: number;
  x: number;
  y: number;
  level: number;
  text: string;
}

export interface Result {
  pages: PageInfo[];
  anchors: Anchor[];
  warnings: Warning[];
  ms: number;
}

/**
 * A place in the source where one page ends and the next begins: before a node,
 * inside a text node (offset > 0), or inside boxes side by side (one place a box,
 * the node is the first of them).
 */
export interface Place {
  node: Node;
  offset: number;
  /** The block whose lines are parted; elements inside it are inline. */
  block?: Element;
  hyphenate?: boolean;
  justify?: boolean;
  cells?: CellPlace[];
}

/** How far one of some boxes side by side is used up: up to a place, wholly, or not at all. */
export interface CellPlace {
  cell: Element;
  place: Place | null;
  begun: boolean;
  /** The width that the box keeps on all pages, without and with its margins, as a style says it; 0 for the cells of a table. */
  width: number;
  outer: number;
}

/** An element that does not fit on any page and is drawn smaller. */
export interface Scale {
  nodes: Node[];
  factor: number;
  width: number;
  height: number;
  /** The width of a single block without its margins. */
  own: number;
  /** The nodes stand in a line of text. */
  inline: boolean;
  /** The block and the boxes that begin and end with it: their margins would reach out of it. */
  edges: Mark[];
}

/** How hard a break before a piece is to justify. */
export const FREE = 0;
export const KEEP = 1;
export const TORN = 2;
export type Level = 0 | 1 | 2;

/**
 * The smallest stretch of the document that is put on a page as a whole. A page
 * is a run of pieces; the only places where it may end are between them.
 */
export interface Piece {
  /** The page may break before this node (hoisted to the outermost box that begins here). */
  node: Node;
  top: number;
  bottom: number;
  /** The level of a break before the piece. */
  level: Level;
  forced: boolean;
  /** Height repeated above the piece when a page starts with it (table headers). */
  head: number;
  /** Height that closes the page when it ends before the piece (borders of cloned boxes). */
  tail: number;
  /** What is drawn smaller when the piece is taller than a page. */
  el: Element | null;
  nodes: Node[] | null;
  /** The nodes are inline content. */
  run: boolean;
  /** White space that disappears at the end of a page. */
  space: boolean;
  /** Breaks the piece into lines; asked for only when the end of a page falls into it. */
  lines: (() => Piece[]) | null;
  /** Breaks a block that may not be broken; asked for only when it would be too small to read on one page. */
  parts: (() => Piece[]) | null;
  /** The place of a break before a piece that starts with a line of text; null if there may be none. */
  locate: (() => Place | null) | null;
  /** The table that a row is of. */
  table: TableInfo | null;
  /** How the piece is broken from side to side: a tall row, text in columns. */
  slices: Slices | null;
}

/** A piece of several flows side by side. */
export interface Slices {
  /** What is sliced; the piece may also hold a table's header or a box's frame. */
  top: number;
  bottom: number;
  /** Heights above and below it on pages that it continues on. */
  head: number;
  tail: number;
  /** Sliced also when it is not taller than a page. */
  always: boolean;
  /** Sliced wherever a page ends, also when it is not taller than one. */
  eager: boolean;
  /** The height of the most that a page has room for decides what is broken inside. */
  open(page: number): Slicer;
}

/** Gives the slices of one piece in order. */
export interface Slicer {
  /** Whether enough of what is left fits a room. */
  fits(room: number): boolean;
  /** The next slice for a room; null when too little fits. A whole page's room is never refused. */
  next(room: number, wholePage: boolean): Slice | null;
  /** Remembers how far it is; what comes back goes back there. */
  save(): () => void;
}

export interface Slice {
  /** Where the next slice begins; null when this is the last. */
  until: Place | null;
  height: number;
  scales: Scale[];
  marks: Mark[];
  columns: Columns[];
}

/** Text to be set in columns on one page: the places where the second and later columns begin. */
export interface Columns {
  column: HTMLElement;
  starts: Place[];
}

/** What breaking a table needs to know; measured once, before any break. */
export interface TableInfo {
  width: number;
  columns: number[];
  head: HTMLTableSectionElement | null;
  headHeight: number;
  repeatHead: boolean;
  /** How many sheets the columns take. */
  sheets: number;
  /** Makes pieces of the rows of the header, which stand before the first row and take over what opens the table. */
  openHead(first: Piece): Piece[];
  /** Rows that begin a page with what the cells which reach into them hold. */
  repeating: Set<Element>;
  /** Rows of the body that repeat on the pages after them, by the row that begins a page. */
  captions: Map<Element, HTMLTableRowElement[]>;
  /** Sums that are carried over its pages. */
  carry: Carry | null;
}

export interface Geometry {
  width: number;
  height: number;
  cssWidth: string;
  cssHeight: string;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The source of one or more pages: a section.q-sheet and what was measured of it. */
export interface Sheet {
  el: HTMLElement;
  geometry: Geometry;
  counted: boolean;
  /** On which pages of the document it begins; on any without. */
  startOn: "odd" | "even" | null;
  body: HTMLElement;
  firstHeader: HTMLElement | null;
  header: HTMLElement | null;
  footer: HTMLElement | null;
  /** What stands freely on its pages. */
  stamps: HTMLElement[];
  notes: Notes | null;
  /** Heights reserved for the header of the first page, of the others, and for the footer. */
  firstHead: number;
  head: number;
  foot: number;
  /** Content box of the body. */
  left: number;
  start: number;
  padding: number;
  pieces: Piece[];
}

/** The footnotes of a sheet. */
export interface Notes {
  /** The texts of the notes that no page has yet. */
  readonly area: HTMLElement;
  /** Draws notes smaller that are higher than this. */
  limit(most: number): Warning[];
  /** Reads where the numbers stand and how high the texts are. */
  measure(): void;
  /** The height of the notes that a page has whose text ends at y. */
  before(y: number): number;
  /** The same where the page ends inside of what stands between top and bottom. */
  inside(top: number, bottom: number, until: Place | null): number;
  /** Ends a page; comes back with the height of its notes. */
  close(top: number, bottom: number, until: Place | null): number;
}

/** One planned page of a sheet. */
export interface PlannedPage {
  /** Where the page after this one starts; null on the last. */
  until: Place | null;
  /** Source position that becomes the top of the page's body, and the height repeated above it. */
  base: number;
  head: number;
  /** Classes for elements of the page, applied when it is assembled. */
  marks: Mark[];
  scales: Scale[];
  columns: Columns[];
  /** How many sheets the columns of its tables take, and which of them this is. */
  sheets: number;
  sheet: number;
  /** The height of its footnotes. */
  notes: number;
  /** Holds something whose height was not simply measured, and is looked at again when assembled. */
  risky: boolean;
}

export interface Mark {
  el: Element;
  name: string;
}
