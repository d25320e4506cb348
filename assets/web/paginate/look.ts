// What the paginator must know of one block's style. Attributes written by
// htmlgen decide; for plain HTML inside a breakable block CSS is asked.

export interface Look {
  display: string;
  /** Inline content, white space or something that is not drawn. */
  inline: boolean;
  hidden: boolean;
  outOfFlow: boolean;
  auto: boolean;
  keepNext: boolean;
  keepPrev: boolean;
  breakBefore: boolean;
  breakAfter: boolean;
  space: boolean;
  style: CSSStyleDeclaration;
}

const FORCED = new Set(["page", "left", "right", "recto", "verso", "always", "all"]);
const HEADING = /^H[1-6]$/;

/** Reads the style of one element; auto says whether its parent may be broken. */
export function look(el: Element, auto: boolean): Look {
  const style = el.ownerDocument.defaultView!.getComputedStyle(el);
  const display = style.display;
  return {
    display,
    inline: display.startsWith("inline") || display.startsWith("ruby"),
    hidden: display === "none",
    outOfFlow: style.position === "absolute" || style.position === "fixed",
    auto: auto && breakable(el, style),
    keepNext: el.hasAttribute("data-keep-next") || HEADING.test(el.tagName) || style.breakAfter === "avoid",
    keepPrev: el.hasAttribute("data-keep-prev") || style.breakBefore === "avoid",
    breakBefore: el.getAttribute("data-break-before") === "page" || FORCED.has(style.breakBefore),
    breakAfter: FORCED.has(style.breakAfter),
    space: el.hasAttribute("data-space"),
    style,
  };
}

/** Elements of the report are whole unless they say otherwise; plain HTML follows its container. */
function breakable(el: Element, style: CSSStyleDeclaration): boolean {
  if (cutsOff(el)) return false;
  const said = el.getAttribute("data-break");
  if (said !== null) return said === "auto";
  if (el.classList.contains("q-el")) return false;
  return !style.breakInside.startsWith("avoid");
}

/** Whether a box shows no more than its height has room for: what it hides has no pages. */
export function cutsOff(el: Element): boolean {
  if (!el.hasAttribute("data-overflow")) return false;
  const { height } = (el as HTMLElement).style;
  return el.classList.contains("q-ellipsis") || (height !== "" && height !== "auto");
}

const CONTAINERS = new Set(["block", "flow-root", "list-item", "table-cell", "table-caption", "flex", "grid", "contents"]);

/** Whether a box of this look lays its children out so that a horizontal cut can part them. */
export function divisible(el: Element, l: Look): boolean {
  if (!CONTAINERS.has(l.display)) return false;
  if (REPLACED.has(el.tagName) || el.namespaceURI !== XHTML) return false;
  if (columns(l.style) || l.style.writingMode !== "horizontal-tb") return false;
  if (l.display === "flex") return stacked(l.style);
  return true;
}

const XHTML = "http://www.w3.org/1999/xhtml";
const REPLACED = new Set(["IMG", "VIDEO", "CANVAS", "IFRAME", "OBJECT", "EMBED", "INPUT", "SELECT", "TEXTAREA", "BUTTON", "METER", "PROGRESS", "FIELDSET", "DETAILS"]);

function columns(style: CSSStyleDeclaration): boolean {
  return Number(style.columnCount) > 1 || style.columnWidth.endsWith("px");
}

/** Whether all that a box holds stands side by side in one line. */
export function isRow({ display, style }: Look): boolean {
  return display === "flex" && style.flexDirection.startsWith("row") && style.flexWrap === "nowrap";
}

/** A vertical flow, or a horizontal one that wraps into several lines. */
function stacked(style: CSSStyleDeclaration): boolean {
  if (style.flexDirection === "column") return style.flexWrap === "nowrap";
  return style.flexDirection === "row" && style.flexWrap === "wrap";
}

/** The heights of a box's top and bottom border and padding. */
export function frame(style: CSSStyleDeclaration): { top: number; bottom: number } {
  return {
    top: parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop) || 0,
    bottom: parseFloat(style.borderBottomWidth) + parseFloat(style.paddingBottom) || 0,
  };
}
