// Where the lines of justified text end: not as late as each line allows, as browsers
// break them, but so that the gaps of the whole paragraph are even. The method is that of
// Knuth and Plass, "Breaking Paragraphs into Lines", 1981.

/** What no line parts: letters, with the spaces within and before that grow. Widths are of any one unit. */
export interface Box {
  width: number;
  /** How many spaces stand before it, where no line begins with it, and within it. */
  before: number;
  within: number;
  /** Whether a line may end behind it, and with a hyphen of that width. */
  ends: boolean;
  hyphen: number;
}

/** A line from one box to before another. Each of its spaces is to grow by so much. */
export interface Line {
  from: number;
  to: number;
  grow: number;
  spaces: number;
}

/** A space grows by half of itself before it looks wide, and shrinks by a third at most: those of Computer Modern, TeX's first font. */
const STRETCH = 0.5;
const SHRINK = 0.33;
/** Less of a shrunk space is not used: words would run together where letters are narrow. */
const LEAST = 0.3;
/** Lines whose spaces grow by more are only looked at where there are no others. */
const LOOSEST = 3;
/** What is worth as much as lines of that badness, squared: a hyphen more, two and more lines in a row with one, a tight line beside a loose one. */
const HYPHEN = 120;
const HYPHENS_IN_A_ROW = 10_000;
const LADDER = 1_000_000;
const UNEVEN = 10_000;
/** Lines that cost less are fine: their spaces grow by half at most. */
const FINE = 101 ** 2;
/** A last line is no shorter than that share of a line, and not the end of a word alone. */
const RUNT = 0.17;
const RUNT_COST = 300_000;
const END_OF_WORD = 10_000_000;

/** The best lines up to a place, before a box. */
interface Way {
  at: number;
  cost: number;
  /** So many lines before the place end with hyphens, in a row. */
  hyphens: number;
  /** The growth of the spaces of its last line, of a space. */
  ratio: number;
  line: Line | null;
  back: Way | null;
}

const START: Way = { at: 0, cost: 0, hyphens: 0, ratio: 0, line: null, back: null };

/**
 * The lines of a paragraph of that width, its first narrower by an indent; null where the
 * browser, which ends each as late as it can, does well, and where a box is wider than a line.
 */
export function bestLines(boxes: Box[], width: number, indent: number, space: number): Line[] | null {
  const paragraph = new Paragraph(boxes, width, indent, space);
  return paragraph.isFine() ? null : paragraph.lines();
}

class Paragraph {
  /** What stands before each box. */
  private readonly letters = [0];
  private readonly spaces = [0];

  constructor(private readonly boxes: Box[], private readonly width: number, private readonly indent: number, private readonly space: number) {
    boxes.forEach((b, i) => {
      this.letters.push(this.letters[i]! + b.width);
      this.spaces.push(this.spaces[i]! + b.before + b.within);
    });
  }

  /** Whether no gap is wide, nor the last line a short one, where each line ends as late as it can. */
  isFine(): boolean {
    let way: Way = START;
    for (let to = 1, end = 0; to <= this.boxes.length; to++) {
      const ends = this.boxes[to - 1]!.ends || to === this.boxes.length;
      if (ends && this.ratio(way, to) >= 0) end = to;
      if (to < this.boxes.length && this.room(way, to) >= 0) continue;
      if (end === this.boxes.length) return this.costOfLast(way, end, this.ratio(way, end)) < RUNT_COST;
      if (end <= way.at || this.cost(way, end, this.ratio(way, end)) > FINE) return false;
      way = this.after(way, end, 0);
      to = end;
    }
    return true;
  }

  lines(): Line[] | null {
    const ways = [START];
    let first = 0;
    for (let to = 1; to <= this.boxes.length; to++) {
      if (!this.boxes[to - 1]!.ends && to < this.boxes.length) continue;
      while (first < ways.length && this.tooLong(ways[first]!, to)) first++;
      if (first === ways.length) return null;
      const next = this.best(ways, first, to);
      if (next) ways.push(next);
    }
    const last = ways[ways.length - 1]!;
    return last.at === this.boxes.length ? linesTo(last) : null;
  }

  /** Whether no line from there to a place is short enough; to later places they are only longer. */
  private tooLong(way: Way, to: number): boolean {
    return this.room(way, to) < -LEAST * this.space * this.count(way, to);
  }

  private best(ways: Way[], first: number, to: number): Way | null {
    const last = to === this.boxes.length;
    let best: Way | null = null;
    let least = Infinity;
    for (let i = first; i < ways.length; i++) {
      const way = ways[i]!;
      const ratio = this.ratio(way, to);
      if (best && !last && ratio > LOOSEST) break; // lines from later places are looser still
      const cost = way.cost + (last ? this.costOfLast(way, to, ratio) : this.cost(way, to, ratio));
      if (cost < least) [best, least] = [way, cost];
    }
    return best && this.after(best, to, least);
  }

  /** How many spaces a line to a place has, and what room it leaves them beside their own. */
  private count(way: Way, to: number): number {
    return this.spaces[to]! - this.spaces[way.at]! - this.boxes[way.at]!.before;
  }

  private room(way: Way, to: number): number {
    return this.width - (way.at === 0 ? this.indent : 0) - (this.letters[to]! - this.letters[way.at]!) - this.count(way, to) * this.space;
  }

  /** How much each of its spaces grows, of a space. */
  private ratio(way: Way, to: number): number {
    const room = this.room(way, to) - (to < this.boxes.length ? this.boxes[to - 1]!.hyphen : 0);
    return room / (Math.max(1, this.count(way, to)) * this.space);
  }

  private cost(way: Way, to: number, ratio: number): number {
    if (ratio < -LEAST) return Infinity;
    const hyphened = this.boxes[to - 1]!.hyphen > 0;
    const line = 1 + badness(ratio) + (hyphened ? HYPHEN : 0);
    const row = !hyphened || way.hyphens === 0 ? 0 : way.hyphens === 1 ? HYPHENS_IN_A_ROW : LADDER;
    return line * line + row + (way.line && Math.abs(ratio - way.ratio) > STRETCH ? UNEVEN : 0);
  }

  private costOfLast(way: Way, to: number, ratio: number): number {
    if (ratio < -LEAST) return Infinity;
    const line = 1 + badness(Math.min(0, ratio));
    const short = this.width - this.room(way, to) < RUNT * this.width;
    return line * line + (short ? RUNT_COST : 0) + (way.hyphens > 0 && this.count(way, to) === 0 ? END_OF_WORD : 0);
  }

  private after(way: Way, to: number, cost: number): Way {
    const ratio = to < this.boxes.length ? this.ratio(way, to) : Math.min(0, this.ratio(way, to));
    const hyphens = to < this.boxes.length && this.boxes[to - 1]!.hyphen > 0 ? way.hyphens + 1 : 0;
    const line = { from: way.at, to, grow: ratio * this.space, spaces: this.count(way, to) };
    return { at: to, cost, hyphens, ratio, line, back: way };
  }
}

function badness(ratio: number): number {
  return 100 * Math.abs(ratio / (ratio < 0 ? SHRINK : STRETCH)) ** 3;
}

function linesTo(last: Way): Line[] {
  const out: Line[] = [];
  for (let way: Way | null = last; way?.line; way = way.back) out.push(way.line);
  return out.reverse();
}
