// Guides of a page: lines that the designer alone shows, on each of its sheets.

import { pixelsOf } from "./lengths";
import type { Page, Report } from "./model";
import { paperLength, stepOf } from "./paper";
import type { Axis } from "./stage";

/** A line across the axis, at a length from the corner of the paper: of x it is upright. */
export interface Guide {
  axis: Axis;
  at: string;
}

export const guidesOf = (page: Page | undefined): Guide[] => (page?.design as { guides?: Guide[] } | undefined)?.guides ?? [];

/** A page with guides; without any it has no trace of them. */
export function withGuides(page: Page, guides: Guide[]): Page {
  const { design, ...rest } = page;
  const { guides: _, ...others } = (design ?? {}) as { guides?: Guide[] };
  const marks = guides.length > 0 ? { ...others, guides } : others;
  return Object.keys(marks).length > 0 ? { ...rest, design: marks } as Page : (rest as Page);
}

/** A report one of whose pages has other guides. */
export const guided = (report: Report, page: number, guides: Guide[]): Report => ({ ...report, pages: report.pages.map((p, i) => (i === page ? withGuides(p, guides) : p)) });

/** Where a guide is, in pixels of the report from the corner of the paper. */
export const placeOfGuide = ({ at }: Guide): number => pixelsOf(at, 0) ?? 0;

/** A place on the paper as guides have it: in whole steps, or as finely as lengths are. */
export function guideAt(pixels: number, inches: boolean, fine = false): string {
  const step = stepOf(inches);
  return paperLength(undefined, fine ? pixels : Math.round(pixels / step) * step, inches);
}

/** Guides with one moved, added behind them, or taken away. Two at one place are one. */
export function withGuide(guides: Guide[], index: number | null, guide: Guide | null): Guide[] {
  const others = guides.filter((g, i) => i !== index && !(guide && g.axis === guide.axis && g.at === guide.at));
  if (!guide) return others;
  const place = index === null ? others.length : guides.slice(0, index).filter((g) => others.includes(g)).length;
  return [...others.slice(0, place), guide, ...others.slice(place)];
}
