// The layouts of a template as pages: paper and margins as settings, header, body
// and footer as lists of elements. A report may bring its template along; then its
// layouts are edited inside of the report.

import { identified, LAYOUT_SLOTS, type Node, type Page, type Report, walk } from "./model";
import { t } from "../words";

export type Layout = Record<string, unknown> & { pageType?: string };
export type Template = Record<string, unknown> & { name: string; code?: string; layouts?: Layout[] };

/** The type of what stands for the content of reports. */
export const PLACE = "content-placeholder";

/** Whether what is edited are layouts. */
export const isLayouts = (report: Report): boolean => LAYOUT_SLOTS.some((slot) => slot in (report.pages[0] ?? {}));

/** A layout as a page that is edited. */
export function pageOf(layout: Layout, index: number): Page {
  const parts = Object.fromEntries(LAYOUT_SLOTS.map((slot) => [slot, (layout[slot] as Node[] | undefined) ?? []]));
  // Without one the content follows the body, so that is where it is shown.
  const held: Page = { ...layout, ...parts, id: index + 1, name: "" };
  if (!holdsPlace(held)) parts.body = [...parts.body!, { id: `content-${index + 1}`, type: PLACE }];
  return { ...layout, ...parts, id: index + 1, name: layout.pageType || t("Layout {0}", index + 1) };
}

/** A layout without what only the designer knows. */
export const layoutOf = ({ id: _, name: __, elements: ___, ...layout }: Page): Layout => Object.fromEntries(Object.entries(layout).filter(([, v]) => !Array.isArray(v) || v.length > 0));

/** Whether a layout has a place for the content of reports. */
export function holdsPlace(layout: Page): boolean {
  let found = false;
  walk(layout, (n) => void (found ||= n.type === PLACE));
  return found;
}

const carried = (report: Report): Template[] => (report.include as { templates?: Template[] } | undefined)?.templates ?? [];

/** Which of the templates that a report brings along is its own; -1 where it uses one of the library. */
export function ownTemplate(report: Report): number {
  const wanted = String(report.template ?? "").toLowerCase();
  return carried(report).findIndex((own) => wanted === "" || (own.code ?? "").toLowerCase() === wanted);
}

/** The layout of a template that a page is laid out by. */
function laidOutBy(template: Template, page: Page): number {
  const wanted = String(page.pageType ?? "").toLowerCase();
  return wanted === "" ? 0 : Math.max(0, (template.layouts ?? []).findIndex((l) => (l.pageType ?? "").toLowerCase() === wanted));
}

/** The layout of the own template that the page with an ID is laid out by; -1 for none. */
export function layoutOfPage(report: Report, id: number): number {
  const own = carried(report)[ownTemplate(report)];
  const page = report.pages.find((p) => p.id === id);
  return own && page ? laidOutBy(own, page) : -1;
}

/** A report with the layouts of a template that it brings along in the place of its pages. Each has the ID of the first page that it lays out, by which the canvas knows sheets. */
export function layoutsOf(report: Report, at = ownTemplate(report)): Report {
  const own = carried(report)[at]!;
  const used = report.pages.map((p) => laidOutBy(own, p));
  const pages = (own.layouts ?? []).map((layout, i): Page => ({ ...pageOf(layout, i), id: report.pages[used.indexOf(i)]?.id ?? -1 - i }));
  return { ...report, pages };
}

/** The report that comes of editing the layouts of a template that it brings along. */
export function withLayouts(report: Report, { pages, ...edited }: Report, at = ownTemplate(report)): Report {
  const include = report.include as { templates: Template[] };
  const templates = include.templates.map((own, i) => (i === at ? { ...own, layouts: pages.map(layoutOf) } : own));
  return { ...edited, pages: report.pages, include: { ...include, templates } };
}

/** Gives the elements of a report, and of the templates that it brings along, an id. */
export function allIdentified(report: Report): Report {
  const named = identified(report);
  if (carried(report).length === 0) return named;
  const templates = carried(report).map((own) => ({ ...own, ...(own.layouts ? { layouts: identified(bare(own)).pages.map(layoutOf) } : {}) }));
  return { ...named, include: { ...(report.include as object), templates } };
}

/** The layouts of a template as they are, as pages. */
const bare = ({ name, layouts = [] }: Template): Report => ({ name, pages: layouts.map((layout, i) => ({ ...layout, id: i, name: "" })) });

/** A report that brings a template along, before others. */
export function withTemplate(report: Report, template: Template): Report {
  const include = (report.include as object | undefined) ?? {};
  return allIdentified({ ...report, include: { ...include, templates: [template, ...carried(report)] } });
}

/** A report without the template that it brings along for itself. */
export function withoutTemplate(report: Report): Report {
  const { templates: _, ...others } = report.include as { templates: Template[] };
  const left = carried(report).filter((_own, i) => i !== ownTemplate(report));
  const include = { ...others, ...(left.length > 0 ? { templates: left } : {}) };
  const { include: __, ...rest } = report;
  return Object.keys(include).length > 0 ? { ...rest, include } : rest;
}

/** What frames the reports of a workspace that has no template; the service has the same. */
export const plainTemplate = (): Template => {
  const number = (): Node => ({ id: "", type: "text", props: { text: "{$page.number} / {$report.pageCount}", textAlign: "right", fontSize: "7.5pt", color: "var(--muted)" } });
  return { name: t("Plain pages"), code: "plain", layouts: [{ pageType: "portrait", footer: [number()] }, { pageType: "landscape", orientation: "landscape", footer: [number()] }] };
};
