// Finds a text in texts: without case and accents, and across the pieces that a
// line is made of. Knows nothing of pages, so that it can be tried without one.

/** A run of text as it is read: folded, and where each of its characters comes from. */
export interface Run<N> {
  text: string;
  from: { node: N; at: number; size: number }[];
}

export interface Hit<N> {
  start: { node: N; offset: number };
  end: { node: N; offset: number };
}

/** Collects pieces of text into one run; a break is what no hit goes across. */
export class Reader<N> {
  readonly run: Run<N> = { text: "", from: [] };

  add(node: N, text: string): void {
    for (let at = 0; at < text.length; ) {
      const size = text.codePointAt(at)! > 0xffff ? 2 : 1;
      const letters = fold(text.slice(at, at + size));
      if (letters !== " " || !/[ \n]$/.test(this.run.text)) for (const c of letters) this.push(c, { node, at, size });
      at += size;
    }
  }

  break(): void {
    if (this.run.text !== "" && !this.run.text.endsWith("\n")) this.push("\n", null);
  }

  private push(c: string, from: { node: N; at: number; size: number } | null): void {
    this.run.text += c;
    for (let i = 0; i < c.length; i++) this.run.from.push(from ?? this.run.from[this.run.from.length - 1]!);
  }
}

const MARKS = /\p{Mn}/gu;

/** A character without case and accents; white space is a blank, soft hyphens are nothing. */
export function fold(c: string): string {
  if (/\s/.test(c)) return " ";
  if (c === "\u00ad") return "";
  return c.normalize("NFKD").replace(MARKS, "").toLowerCase();
}

export function foldAll(text: string): string {
  return [...text].map(fold).join("").replace(/ +/g, " ").trim();
}

/** Where a folded text stands in a run, at most so often. */
export function hitsIn<N>(run: Run<N>, wanted: string, most: number): Hit<N>[] {
  const hits: Hit<N>[] = [];
  if (wanted === "") return hits;
  for (let at = run.text.indexOf(wanted); at >= 0 && hits.length < most; at = run.text.indexOf(wanted, at + wanted.length)) {
    const first = run.from[at]!;
    const last = run.from[at + wanted.length - 1]!;
    hits.push({ start: { node: first.node, offset: first.at }, end: { node: last.node, offset: last.at + last.size } });
  }
  return hits;
}
