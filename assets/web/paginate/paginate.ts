// The whole way: wait, measure, plan, fill in page numbers, build pages.

import { wrapFlows } from "./abreast";
import { addSheets, alignSheets, continueColumns, pinRows } from "./across";
import { collectAnchors, placeAnchors } from "./anchors";
import { assemble } from "./assemble";
import { widenBoxes } from "./boxes";
import { fitCells } from "./cells";
import { openColumns } from "./columns";
import { hideCutOff } from "./cutoff";
import { appendAll } from "./nodes";
import { inOrder, knownByOrder, knownByPages, knownByPlan, type Plans } from "./numbering";
import { fill, guess, type Numbers, PLACES, shown } from "./numbers";
import { Planner } from "./plan";
import { fitColumns, fitHeights } from "./heights";
import { limitNotes, placeNotes } from "./notes";
import { fitPictures } from "./pictures";
import { fontFaults, fonts, images, lateFonts } from "./ready";
import { blankBefore, limitFurniture, measure, openSheets } from "./sheet";
import type { Long } from "./slabs";
import { stamp } from "./stamps";
import { declarePages, install } from "./style";
import { type Again, unroll } from "./unroll";
import { SMALLER, tellSmall } from "./small";
import { joinTexts, partTexts } from "./texts";
import type { PageInfo, Piece, PlannedPage, Result, Sheet, Warning } from "./types";
import { mendOverflow } from "./verify";
import { fitWidth } from "./wide";

/** Plans are repeated while page numbers in the text move breaks, at most so often. */
const ROUNDS = 3;
const TALL = `is taller than the page and ${SMALLER}`;
const BROKEN = "is much taller than the page and was broken";

const BLANK: PlannedPage = { until: null, base: 0, head: 0, marks: [], scales: [], columns: [], sheets: 1, sheet: 0, notes: 0, risky: false };

interface Plan {
  plans: Plans;
  tooTall: Piece[];
  broken: Piece[];
  again: Again;
}

/** What only some documents need, by who brings it: see craft.ts. */
export const craft: {
  fitFormulas?: (sheets: Sheet[], warnings: Warning[]) => void;
  justify?: (sheets: Sheet[]) => void;
  takeNotes?: (sheets: Sheet[], warnings: Warning[]) => void;
  hideRows?: (sheets: Sheet[]) => Long[];
  measureRows?: (tables: Long[]) => Promise<void>;
  showRows?: (sheets: Sheet[]) => void;
} = {};

/** Called, and waited for, when all has the width that it has on the pages. */
export type Settled = (warnings: Warning[]) => Promise<void>;

/** Turns every section of the document into pages; with printed on paper that the finisher cuts to size. */
export async function paginate(doc: Document, settled?: Settled, printed = false): Promise<Result> {
  const began = performance.now();
  const warnings: Warning[] = [];
  const sheets = await laidOut(doc, warnings, printed, settled === undefined);
  await settled?.(warnings);
  const { parted, plan } = await planned(doc, sheets);
  const { plans, tooTall, broken, again } = plan;
  warnings.push(...fontFaults(doc));
  for (const el of again.broken) warnings.push(warning(el, BROKEN));
  for (const el of again.lower) warnings.push(warning(el, TALL));
  for (const p of tooTall) warnings.push(about(p, TALL));
  tellSmall(sheets, [...plans.values()].flat(), warnings);
  for (const p of broken) if (!again.broken.has(p.el!)) warnings.push(about(p, BROKEN));
  const found = collectAnchors(doc, sheets);
  const boxes = build(doc, plans, parted, warnings);
  return {
    pages: describe(plans, boxes),
    anchors: placeAnchors(found, plans, boxes),
    warnings,
    ms: performance.now() - began,
  };
}

/** What the document shows of the numbers of its pages. They are made only where it cannot be told without. */
export async function number(doc: Document, settled?: Settled): Promise<Numbers> {
  const warnings: Warning[] = [];
  const references = [...doc.querySelectorAll(".q-page-of")]; // also those of headers and of footnotes, which are taken out
  const sheets = await laidOut(doc, warnings);
  for (const { el, stamps } of sheets) el.append(...stamps); // what is read has them, what is planned does not
  await settled?.(warnings);
  for (const { stamps } of sheets) for (const stamp of stamps) stamp.remove();
  const { parted, plan } = await planned(doc, sheets);
  if (inOrder(plan.plans)) fill([...placesOf(sheets), ...references], knownByOrder(doc, plan.plans));
  else build(doc, plan.plans, parted, warnings);
  return shown(doc, references);
}

/** The sections of the document, as wide and high as they are on their pages; in parts without the rows of very long tables, which are measured. */
async function laidOut(doc: Document, warnings: Warning[], printed = false, inParts = false): Promise<Sheet[]> {
  install(doc);
  await Promise.all([fonts(doc), images(doc, warnings)]);
  const sheets = openSheets(doc);
  declarePages(doc, sheets.map((s) => s.geometry), printed);
  fill(doc.querySelectorAll(PLACES), guess(doc));
  const long = (inParts && craft.hideRows?.(sheets)) || [];
  doc.body.classList.remove("q-pending");
  craft.takeNotes?.(sheets, warnings);
  for (const { body } of sheets) openColumns(body);
  doc.body.getBoundingClientRect(); // the layout asks for the fonts that nobody foresaw
  await lateFonts(doc);
  for (let round = 1; round <= ROUNDS; round++) {
    if (long.length === 0) break;
    await craft.measureRows?.(long);
    if (!(await lateFonts(doc))) break;
  }
  widenBoxes(sheets, warnings);
  continueColumns(sheets, warnings);
  wrapFlows(sheets, warnings);
  craft.fitFormulas?.(sheets, warnings);
  fitCells(sheets, warnings);
  fitColumns(sheets, warnings);
  fitWidth(sheets, warnings);
  pinRows(sheets);
  craft.justify?.(sheets);
  fitHeights(sheets, warnings);
  for (const sheet of sheets) limitFurniture(sheet, warnings);
  limitNotes(sheets, warnings);
  fitPictures(sheets, warnings);
  return sheets;
}

async function planned(doc: Document, sheets: Sheet[]): Promise<{ plan: Plan; parted: Text[] }> {
  hideCutOff(sheets);
  const parted = partTexts(sheets);
  return { plan: await settledPlan(doc, sheets), parted };
}

/** Plans until neither late fonts nor page numbers in the text change anything. */
async function settledPlan(doc: Document, sheets: Sheet[]): Promise<Plan> {
  let plan = planAll(sheets);
  if (await lateFonts(doc)) plan = planAll(sheets);
  plan = readable(sheets, plan);
  const places = placesOf(sheets);
  if (places.length === 0) return plan;
  for (let round = 1; round < ROUNDS && fill(places, knownByPlan(doc, plan.plans)); round++) plan = planAll(sheets, plan.again);
  return plan;
}

function placesOf(sheets: Sheet[]): Element[] {
  return sheets.flatMap((s) => [...s.body.querySelectorAll(PLACES)]);
}

/** Plans until no text is too small to read. */
function readable(sheets: Sheet[], plan: Plan): Plan {
  for (let round = 0; round < ROUNDS && unroll([...plan.plans.values()].flat(), plan.again); round++) {
    hideCutOff(sheets); // columns of the browser hide beside them, what is set again hides below
    plan = planAll(sheets, plan.again);
  }
  return plan;
}

function planAll(sheets: Sheet[], again: Again = { lower: new Set(), broken: new Set() }): Plan {
  const plan: Plan = { plans: new Map(), tooTall: [], broken: [], again };
  const rooms = sheets.map(measure);
  let place = 1;
  sheets.forEach((sheet, i) => {
    if (sheet.startOn && (place % 2 === 1) !== (sheet.startOn === "odd")) {
      plan.plans.set(blankBefore(sheet, sheets[i - 1]), [BLANK]);
      place++;
    }
    const planner = new Planner(sheet, rooms[i]!);
    const pages = addSheets(planner.run());
    plan.plans.set(sheet, pages);
    place += pages.length;
    plan.tooTall = plan.tooTall.concat(planner.tooTall);
    plan.broken = plan.broken.concat(planner.broken);
  });
  return plan;
}

/** Replaces the sections by page boxes. Only pages that need a second look are laid out here. */
function build(doc: Document, plans: Plans, parted: Text[], warnings: Warning[]): HTMLElement[] {
  const sheets = [...plans.keys()];
  const first = sheets.find(({ el }) => el.isConnected)?.el; // blank ones are not
  const parent = first?.parentNode ?? doc.body;
  const after = doc.createTextNode("");
  parent.insertBefore(after, first ?? null);
  for (const sheet of sheets) sheet.el.remove();
  craft.showRows?.(sheets);
  const boxes: HTMLElement[] = [];
  for (const [sheet, pages] of plans) {
    const own = assemble(sheet, pages);
    placeNotes(sheet, own);
    stamp(sheet, own, boxes.length);
    for (const box of own) boxes.push(box);
  }
  joinTexts(parted);
  const pages = [...plans.values()].flat();
  parent.insertBefore(fragment(doc, boxes), after);
  const known = knownByPages(doc, plans, boxes);
  label(boxes, known.labels.of);
  fill(boxes.flatMap((b) => [...b.querySelectorAll(PLACES)]), known);
  for (const w of mendOverflow(boxes.filter((_, i) => pages[i]!.risky))) warnings.push(w);
  alignSheets(boxes, pages);
  after.remove();
  return boxes;
}

function fragment(doc: Document, boxes: HTMLElement[]): DocumentFragment {
  const out = doc.createDocumentFragment();
  appendAll(out, boxes);
  return out;
}

function label(boxes: HTMLElement[], of: string[]): void {
  boxes.forEach((box, i) => {
    box.dataset.index = String(i + 1);
    box.dataset.number = of[i]!;
  });
}

function describe(plans: Plans, boxes: HTMLElement[]): PageInfo[] {
  const geometries = [...plans].flatMap(([sheet, pages]) => pages.map(() => sheet.geometry));
  return boxes.map((box, i) => ({
    number: Number(box.dataset.number) || 0,
    width: geometries[i]!.width,
    height: geometries[i]!.height,
    name: box.dataset.name ?? "",
    sourcePage: box.dataset.page ?? "",
    attached: box.dataset.attached ?? "",
  }));
}

function about(p: Piece, message: string): Warning {
  const from = p.el ?? p.nodes?.[0] ?? p.node;
  return warning(from.nodeType === 1 ? (from as Element) : from.parentElement, message);
}

function warning(el: Element | null, message: string): Warning {
  const own = el?.closest("[data-id]");
  return { id: own?.getAttribute("data-id") ?? "", message: message + advice(own) };
}

/** What the author may do about an element that is too tall. */
function advice(el: Element | null | undefined): string {
  if (!el || el.hasAttribute("data-break")) return "";
  const setting = el.matches("table") ? "Allow break across pages" : el.matches(".q-rich, .q-vertical") ? "Break across pages" : "";
  return setting && `; "${setting}" lets it go on on the next page`;
}
