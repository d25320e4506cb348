// What formatted text is made of: the HTML that the service keeps, as a strict
// schema. What is not in it cannot be written or pasted.

import { type Attrs, type DOMOutputSpec, DOMSerializer, type Mark, type MarkSpec, type Node, type NodeSpec, Schema } from "prosemirror-model";
import { t } from "../words";

/** Stands for the style attribute while text is read: the page's policy forbids real ones. */
export const STYLE = "data-style-text";

/** Attributes that every element may have. */
export const GLOBAL = ["class", "id", "title", "lang", "dir", "style"];

/** Attributes of single elements beyond the global ones. */
export const OWN: Record<string, string[]> = {
  a: ["href"],
  img: ["src", "alt", "width", "height"],
  td: ["colspan", "rowspan", "scope", "align", "valign"],
  th: ["colspan", "rowspan", "scope", "align", "valign"],
  ol: ["start", "type", "reversed", "value"],
  ul: ["start", "type", "reversed", "value"],
  li: ["start", "type", "reversed", "value"],
  time: ["datetime"],
};

export type Extra = Record<string, string>;

/** Whether an element was pasted from elsewhere; its look stays behind. */
const foreign = (dom: Element): boolean => dom.closest("[data-pasted]") !== null;

/** The attributes of an element that are kept. */
export function extraOf(element: Element): Extra {
  const kept = [...(foreign(element) ? [] : GLOBAL), ...(OWN[element.localName] ?? [])];
  const extra: Extra = {};
  for (const { name: written, value } of element.attributes) {
    const name = written === STYLE ? "style" : written;
    if (kept.includes(name) && !(name === "style" && value.trim() === "")) extra[name] = value;
  }
  return extra;
}

const ALIGN = /(^|;)\s*text-align\s*:\s*(left|right|center|justify|start|end)\s*(;|$)/i;

/** The alignment that a style sets; "" for none. */
export const alignOf = (extra: Extra): string => ALIGN.exec(extra.style ?? "")?.[2]?.toLowerCase() ?? "";

/** The attributes with another alignment. */
export function aligned(extra: Extra, align: string): Extra {
  const rest = (extra.style ?? "").replace(ALIGN, "$1").replace(/^\s*;|;\s*$/g, "").trim();
  const style = [rest, align ? `text-align:${align}` : ""].filter(Boolean).join(";");
  const { style: _, ...others } = extra;
  return style ? { ...others, style } : others;
}

/** How an element looks in the editor: its alignment and colours; not what could reach out of it. */
function shown(extra: Extra): Attrs {
  const harmless = (extra.style ?? "").split(";").filter((d) => /^\s*(text-align|color|background-color|font-size|font-weight|font-style|text-decoration)\s*:[^(]*$/i.test(d));
  return harmless.length > 0 ? { style: harmless.join(";") } : {};
}

const extra = { extra: { default: {} as Extra } };

const GROUPS = ["div", "section", "article", "header", "footer", "aside", "main", "address", "figure", "figcaption", "dl", "dt", "dd"];

/** A block of one or more tags; the first is the one it gets when it is made here. */
function block(tags: string[], spec: NodeSpec): NodeSpec {
  return {
    group: "block",
    ...spec,
    attrs: { tag: { default: tags[0]! }, ...extra, ...spec.attrs },
    parseDOM: tags.map((tag) => ({
      tag,
      // What only groups other things is left out when it is pasted.
      getAttrs: (dom: HTMLElement) => !(GROUPS.includes(tag) && foreign(dom)) && { tag, extra: extraOf(dom), ...(spec.attrs && "bare" in spec.attrs ? { bare: false } : {}) },
      ...(tag === "pre" ? { preserveWhitespace: "full" as const } : {}),
    })),
    toDOM: (node): DOMOutputSpec => (node.isLeaf ? [node.attrs.tag as string] : [node.attrs.tag as string, shown(node.attrs.extra as Extra), 0]),
  };
}

function inline(tags: string[], parse: MarkSpec["parseDOM"] = [], spec: MarkSpec = {}): MarkSpec {
  return {
    ...spec,
    attrs: { tag: { default: tags[0]! }, ...extra },
    parseDOM: [...tags.map((tag) => ({ tag, getAttrs: (dom: HTMLElement) => ({ tag, extra: extraOf(dom) }) })), ...parse],
    toDOM: (mark: Mark): DOMOutputSpec => [mark.attrs.tag as string, shown(mark.attrs.extra as Extra), 0],
  };
}

/** Marks that other programs write as styles, such as font-weight. */
const styled = (test: RegExp): NonNullable<MarkSpec["parseDOM"]> => [
  { tag: `span[${STYLE}]`, priority: 60, consuming: false, getAttrs: (dom) => (foreign(dom) && test.test(dom.getAttribute(STYLE) ?? "") ? null : false) },
];

export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    // Text that stands in a list item or cell without a tag is a bare paragraph.
    paragraph: block(["p"], { content: "inline*", attrs: { bare: { default: true } } }),
    heading: block(["h2", "h1", "h3", "h4", "h5", "h6"], { content: "inline*", defining: true }),
    pre: block(["pre"], { content: "inline*", code: true, defining: true }),
    quote: block(["blockquote"], { content: "block+", defining: true }),
    bullets: block(["ul"], { content: "item*" }),
    numbers: block(["ol"], { content: "item*" }),
    item: block(["li"], { content: "block+", group: "", defining: true }),
    rule: block(["hr"], {}),
    box: block(GROUPS, { content: "block+", defining: true }),
    table: block(["table"], { content: "caption? columns? rows+", isolating: true }),
    caption: block(["caption"], { content: "inline*", group: "" }),
    columns: {
      attrs: { html: { default: "" } },
      parseDOM: [{ tag: "colgroup", getAttrs: (dom) => ({ html: dom.outerHTML.replaceAll(`${STYLE}=`, "style=") }) }],
      toDOM: () => ["colgroup"],
    },
    rows: block(["tbody", "thead", "tfoot"], { content: "row+", group: "" }),
    row: block(["tr"], { content: "cell+", group: "" }),
    cell: {
      ...block(["td", "th"], { content: "block+", group: "", isolating: true }),
      toDOM: (node) => {
        const { colspan, rowspan } = node.attrs.extra as Extra;
        return [node.attrs.tag as string, { ...shown(node.attrs.extra as Extra), ...(colspan && { colspan }), ...(rowspan && { rowspan }) }, 0];
      },
    },
    text: { group: "inline" },
    hardBreak: { inline: true, group: "inline", selectable: false, attrs: { tag: { default: "br" } }, parseDOM: ["br", "wbr"].map((tag) => ({ tag, getAttrs: () => ({ tag }) })), toDOM: (node) => [node.attrs.tag as string] },
    // Pictures are not loaded here: their address may be a template.
    image: {
      inline: true,
      group: "inline",
      attrs: extra,
      parseDOM: [{ tag: "img", getAttrs: (dom) => ({ extra: extraOf(dom) }) }],
      toDOM: (node) => ["span", { class: "d-picture" }, t("Picture: {0}", (node.attrs.extra as Extra).alt || (node.attrs.extra as Extra).src || "")],
    },
  },
  marks: {
    // The outermost, so that what is bold in it does not part it.
    footnote: {
      attrs: { tag: { default: "span" }, extra: { default: { class: "footnote" } } },
      parseDOM: [{ tag: "span.footnote", priority: 70, getAttrs: (dom) => ({ tag: "span", extra: extraOf(dom) }) }],
      toDOM: () => ["span", { class: "d-footnote", title: t("Footnote") }, 0],
    },
    link: {
      inclusive: false,
      attrs: extra,
      parseDOM: [{ tag: "a", getAttrs: (dom) => ({ extra: extraOf(dom) }) }],
      // Without an address, so that a click edits it.
      toDOM: (mark) => ["a", { title: (mark.attrs.extra as Extra).href ?? "" }, 0],
    },
    strong: inline(["strong", "b"], styled(/font-weight\s*:\s*(bold|[6-9]00)/i)),
    em: inline(["em", "i"], styled(/font-style\s*:\s*italic/i)),
    underline: inline(["u"], styled(/text-decoration[^;]*underline/i)),
    strike: inline(["s", "del"], styled(/text-decoration[^;]*line-through/i)),
    sub: inline(["sub"], [], { excludes: "sub sup" }),
    sup: inline(["sup"], [], { excludes: "sub sup" }),
    code: inline(["code"]),
    span: {
      ...inline(["span", "mark", "small", "kbd", "samp", "var", "abbr", "cite", "q", "ins", "time", "bdi", "bdo"], [], { excludes: "" }),
      parseDOM: ["span", "mark", "small", "kbd", "samp", "var", "abbr", "cite", "q", "ins", "time", "bdi", "bdo"].map((tag) => ({
        tag,
        getAttrs: (dom: HTMLElement) => {
          const kept = extraOf(dom);
          return tag === "span" && (foreign(dom) || Object.keys(kept).length === 0) ? false : { tag, extra: kept };
        },
      })),
    },
  },
});

/** Writes a selection for the clipboard, with everything it has. */
export const clipboard = new DOMSerializer(
  Object.fromEntries(
    Object.values(schema.nodes).map((type) => [
      type.name,
      (node: Node): DOMOutputSpec => {
        if (node.isText) return document.createTextNode(node.text!) as unknown as DOMOutputSpec;
        const tag = (node.attrs.tag as string | undefined) ?? (type.name === "image" ? "img" : "colgroup");
        const kept = (node.attrs.extra as Extra | undefined) ?? {};
        return node.isLeaf ? [tag, kept] : [tag, kept, 0];
      },
    ]),
  ),
  Object.fromEntries(Object.values(schema.marks).map((type) => [type.name, (mark: Mark): DOMOutputSpec => [(mark.attrs.tag as string | undefined) ?? "a", mark.attrs.extra as Extra, 0]])),
);
