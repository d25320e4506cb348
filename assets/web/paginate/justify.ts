// Sets justified text: its lines end where the gaps of the whole paragraph are even.
// Each line is put into an element that is not broken; the browser stretches it.

import { bestLines, type Line } from "./breaks";
import { Ruler, type Run, runsOf } from "./inline";
import { measuringRange } from "./nodes";
import type { Sheet } from "./types";
import { px, zoomOf } from "./units";

const JUSTIFIED = '[style*="text-align:justify"],[style*="text-align: justify"]';
/** Scripts without spaces between words, and with lines that end anywhere. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua980-\ua9ff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud8ff]/;
/** A space is shrunk by so much more, as the browser rounds lengths to 1/64 px. */
const SLACK = 0.02;
/** More than that height of a line is two of them. */
const TWO = 1.7;

/** A paragraph with what is to be known of it before anything is written; lengths are as drawn. */
interface Paragraph {
  block: HTMLElement;
  width: number;
  indent: number;
  space: number;
  /** Of a line. */
  height: number;
  /** What the style adds to spaces, and how much smaller than said it is drawn. */
  spacing: number;
  zoom: number;
}

/** A line in its element. */
interface SetLine {
  paragraph: Paragraph;
  span: HTMLElement;
  line: Line;
}

/** Sets the justified paragraphs of the sheets. All is read before anything is written. */
export function justify(sheets: Sheet[]): void {
  const blocks = new Set(sheets.flatMap(({ el }) => blocksOf(el)));
  if (blocks.size === 0) return;
  const ruler = new Ruler();
  for (const block of blocks) ruler.prepare(block);
  const paragraphs = [...blocks].map((block) => paragraph(block, ruler));
  const chosen = paragraphs.flatMap((p) => runsOf(p.block, ruler).map((run, i) => ({ p, run, lines: linesOf(run, p, i === 0) })));
  ruler.done();
  const set = chosen.flatMap(({ p, run, lines }) => (lines ? [write(run, p, lines)] : []));
  tighten(set.flat());
  for (const lines of set.filter((l) => !stand(l))) for (const { span } of lines) span.replaceWith(...span.childNodes);
}

/** The blocks of justified text and nothing else. */
function blocksOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(JUSTIFIED)].filter((el) => !el.closest("table")).flatMap(within);
}

function within(el: HTMLElement): HTMLElement[] {
  const blocks = ([...el.children] as HTMLElement[]).filter((child) => !isInline(child));
  if (blocks.length > 0) return blocks.flatMap(within);
  const style = styleOf(el);
  const plain = style.textAlign === "justify" && style.textAlignLast === "auto" && style.whiteSpace === "normal";
  return plain && el.getClientRects().length > 0 && !UNSPACED.test(el.textContent) ? [el] : [];
}

const isInline = (el: Element) => el.tagName === "BR" || /^(inline|none|contents)/.test(styleOf(el).display);
const styleOf = (el: Element) => el.ownerDocument.defaultView!.getComputedStyle(el);

function paragraph(block: HTMLElement, ruler: Ruler): Paragraph {
  const style = styleOf(block);
  const zoom = zoomOf(block);
  const around = style.boxSizing === "border-box" ? [style.paddingLeft, style.paddingRight, style.borderLeftWidth, style.borderRightWidth] : [];
  return {
    block,
    width: around.reduce((width, edge) => width - parseFloat(edge), parseFloat(style.width)) * zoom,
    indent: (parseFloat(style.textIndent) || 0) * zoom,
    space: ruler.space(block),
    height: (parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.2) * zoom,
    spacing: parseFloat(style.wordSpacing) || 0,
    zoom,
  };
}

/** The lines of a run; null where there is nothing to choose. */
function linesOf({ boxes }: Run, { width, indent, space }: Paragraph, first: boolean): Line[] | null {
  if (boxes.length < 2 || !(width > 0 && space > 0)) return null;
  const lines = bestLines(boxes, width, first ? indent : 0, space);
  return lines && lines.length > 1 ? lines : null;
}

/** Puts each line of a run into its element, from the last to the first, so that places before them hold. */
function write({ boxes, starts, ends }: Run, paragraph: Paragraph, lines: Line[]): SetLine[] {
  const doc = paragraph.block.ownerDocument;
  const range = measuringRange(doc);
  return lines.toReversed().map((line) => {
    range.setStart(...starts[line.from]!);
    range.setEnd(...ends[line.to - 1]!);
    const span = doc.createElement("span");
    span.className = "q-line";
    if (line.grow < 0) space(span, paragraph, line.grow);
    if (line.to < boxes.length && boxes[line.to - 1]!.hyphen > 0) span.classList.add("q-hyphen");
    span.append(range.extractContents());
    for (const el of span.querySelectorAll("[id]")) if (doc.getElementById(el.id)) el.removeAttribute("id");
    range.insertNode(span);
    return { paragraph, span, line };
  });
}

/** Makes the spaces of a line so much wider. */
function space(span: HTMLElement, { spacing, zoom }: Paragraph, grow: number): void {
  span.style.wordSpacing = px(spacing + (grow - SLACK) / zoom);
}

/** Makes lines narrower that are wider than was told by their parts: letters kern with the spaces beside them. */
function tighten(lines: SetLine[]): void {
  const wide = lines.map((l) => ({ ...l, over: l.span.getBoundingClientRect().width - l.paragraph.width })).filter(({ over, line }) => over > 0 && line.spaces > 0);
  for (const { span, paragraph, line, over } of wide) space(span, paragraph, Math.min(line.grow, 0) - over / line.spaces);
}

/** Whether each line is one line. */
function stand(lines: SetLine[]): boolean {
  const boxes = lines.map(({ span }) => span.getBoundingClientRect());
  return lines.every(({ paragraph: { height } }, i) => boxes[i]!.height < height * TWO && (i === 0 || Math.abs(boxes[i]!.top - boxes[i - 1]!.top) > height / 2));
}
