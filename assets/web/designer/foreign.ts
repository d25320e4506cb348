// Elements on the pages that are not the report's own: what subreports and the
// template bring. A comment on one stays with the report that is read and names
// the element; a change belongs to where it comes from.

import { beginning, keyOf, ownerIn, TEMPLATE, typeOf } from "../viewer/about";
import { t } from "../words";

/** What the pages show of an element: the label of its type, and how it begins. */
export interface Shown {
  label: string;
  text: string;
}

/** What an element that is not the report's own is called; undefined for a key of the report's. */
export function foreignName(key: string, shown: Shown | undefined): string | undefined {
  const of = ownerIn(key);
  if (of === null) return undefined;
  if (!shown) return of === TEMPLATE ? t("Element of the template that the pages do not show") : t("Element of the subreport {0} that the pages do not show", of);
  const name = shown.text ? `${shown.label}: ${shown.text}` : shown.label;
  return of === TEMPLATE ? t("{0} (of the template)", name) : t("{0} (of the subreport {1})", name, of);
}

/** The elements within something that are not the report's own, once each, in the order of the pages. */
export function foreignIn(within: Iterable<ParentNode>): Map<string, Element> {
  const found = new Map<string, Element>();
  for (const part of within) {
    for (const el of part.querySelectorAll("[data-of]")) {
      const key = keyOf(el);
      if (key !== null && !found.has(key)) found.set(key, el);
    }
  }
  return found;
}

/** The innermost element at a place that is not the report's own; null where one of the report comes first. */
export function foreignAt(hits: Iterable<Element>): string | null {
  for (const hit of hits) {
    for (let el = hit.closest("[data-id]"); el?.hasAttribute("data-of"); el = el.parentElement?.closest("[data-id]") ?? null) {
      const key = keyOf(el);
      if (key !== null) return key;
    }
    if (hit.closest("[data-id]")) return null;
  }
  return null;
}

/** How the pages show an element. */
export const shownAs = (el: Element, label: (type: string) => string): Shown => ({ label: label(typeOf(el)), text: beginning(el) });
