// What is read, as package render/layout takes it; its doc comments say what each
// member means. Members that say nothing are left out.

export type State = "flow" | "pages";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Sides = [number, number, number, number];

export interface Edge {
  width?: number;
  line?: string;
  color?: string;
}

export interface Outline {
  edge: Edge;
  /** How far it is from the border, outwards. */
  offset: number;
}

export interface Style {
  name?: string;
  font?: string;
  natural?: number;
  size?: number;
  weight?: number;
  italic?: boolean;
  color?: string;
  underline?: boolean;
  strike?: boolean;
  spacing?: number;
  transform?: string;
  smallCaps?: boolean;
  shift?: string;
  white?: string;
  language?: string;
  rtl?: boolean;
  align?: string;
  lineHeight?: number;
  indent?: number;
  display?: string;
  margin?: Sides;
  padding?: Sides;
  border?: [Edge, Edge, Edge, Edge];
  radius?: number;
  background?: string;
  vertical?: string;
  gap?: number;
  rowGap?: number;
  height?: number;
}

export interface Picture {
  source?: string;
  svg?: string;
  drawing?: number;
  chart?: unknown;
  alt?: string;
  decorative?: boolean;
  what?: string;
  crop?: Sides;
}

export type Rect = [number, number, number, number];

export interface Out {
  kind: string;
  style: number;
  bare?: boolean;
  box?: Rect;
  id?: string;
  anchors?: string[];
  role?: string;
  level?: number;
  keep?: number;
  absolute?: boolean;
  turn?: number;
  text?: string;
  lines?: Rect[];
  soft?: boolean;
  hyphen?: boolean;
  fill?: string;
  ref?: string;
  field?: string;
  columns?: { count: number; gap: number };
  list?: { ordered?: boolean; marker?: string; start?: number; color?: string };
  table?: { columns: number[]; head?: number; foot?: number; repeat?: boolean; title?: string };
  cell?: { columns?: number; rows?: number; head?: boolean };
  image?: Picture;
  children?: Out[];
}

export interface SheetOut {
  id: string;
  name: string;
  width: number;
  height: number;
  margin: Sides;
  uncounted?: boolean;
  anew?: boolean;
  /** "odd" or "even" where it begins on such a page only. */
  startOn?: string;
  number?: number;
  background?: string;
  attached?: string;
  firstHeader?: Out;
  header?: Out;
  footer?: Out;
  body: Out;
  framed?: Out[];
  stamps?: { pages: string; above?: boolean; node: Out }[];
}

export const KEEP_TOGETHER = 1;
export const KEEP_NEXT = 2;
export const KEEP_BEFORE = 4;
