// HTML to the text of the editor and back.

import { DOMParser as Parser, type Fragment, type Mark, type Node } from "prosemirror-model";
import { type Extra, extraOf, schema, STYLE } from "./schema";

/** Code in a template, which is no HTML: {[{$a} < 0 ? "x" : "y"]}. */
const CODE = /\{\[[\s\S]*?\]/g;

/** HTML as it can be read without the page's policy being asked about its styles. */
export function readable(html: string): string {
  return html
    .replace(CODE, escape)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, "")
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/([\s"'/])style\s*=/gi, `$1${STYLE}=`).replace(/([\s"'/])on[a-z]+\s*=/gi, "$1data-left-out="));
}

export function bodyOf(html: string): HTMLElement {
  return new DOMParser().parseFromString(readable(html), "text/html").body;
}

/** The text of the editor for a value. */
export function parse(html: string): Node {
  return Parser.fromSchema(schema).parse(bodyOf(html));
}

/** The value for a text of the editor; nothing for an empty one. */
export function serialize(doc: Node): string {
  const only = doc.childCount === 1 ? doc.firstChild! : null;
  if (only?.type.name === "paragraph" && only.content.size === 0 && Object.keys(only.attrs.extra as Extra).length === 0) return "";
  return blocks(doc);
}

/** Parents in which text may stand without a paragraph. */
const CARRIES_TEXT = ["item", "cell", "box", "quote"];

function blocks(parent: Node): string {
  let html = "";
  let bareBefore = false;
  parent.forEach((node) => {
    const bare = node.type.name === "paragraph" && node.attrs.bare === true && !bareBefore && CARRIES_TEXT.includes(parent.type.name);
    html += bare ? inlines(node.content) : blockHTML(node);
    bareBefore = bare;
  });
  return html;
}

function blockHTML(node: Node): string {
  if (node.type.name === "columns") return node.attrs.html as string;
  const tag = node.attrs.tag as string;
  const open = `<${tag}${attributes(node.attrs.extra as Extra)}>`;
  if (node.isLeaf) return open;
  // The first line break in pre is not part of it.
  const text = node.isTextblock ? `${tag === "pre" && node.textContent.startsWith("\n") ? "\n" : ""}${inlines(node.content)}` : blocks(node);
  return `${open}${text}</${tag}>`;
}

function inlines(content: Fragment): string {
  let html = "";
  let open: Mark[] = [];
  const close = (keep: number) => {
    while (open.length > keep) html += `</${tagOf(open.pop()!)}>`;
  };
  content.forEach((node) => {
    let same = 0;
    while (same < open.length && same < node.marks.length && open[same]!.eq(node.marks[same]!)) same++;
    close(same);
    for (const mark of node.marks.slice(same)) html += `<${tagOf(mark)}${attributes(mark.attrs.extra as Extra)}>`;
    open = [...node.marks];
    html += node.isText ? escapeText(node.text!) : node.type.name === "image" ? `<img${attributes(node.attrs.extra as Extra)}>` : `<${node.attrs.tag as string}>`;
  });
  close(0);
  return html;
}

const tagOf = (mark: Mark): string => (mark.type.name === "link" ? "a" : (mark.attrs.tag as string));

function attributes(extra: Extra): string {
  return Object.entries(extra)
    .map(([name, value]) => {
      const quote = value.includes('"') && !value.includes("'") ? "'" : '"';
      return ` ${name}=${quote}${outside(value, (s) => s.replaceAll("&", "&amp;").replaceAll(quote, quote === '"' ? "&quot;" : "&#39;"))}${quote}`;
    })
    .join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const escapeText = (text: string): string => outside(text, escape);

/** Changes what stands outside of template code. */
function outside(text: string, change: (text: string) => string): string {
  let out = "";
  let at = 0;
  for (const code of text.matchAll(CODE)) {
    out += change(text.slice(at, code.index)) + code[0];
    at = code.index + code[0].length;
  }
  return out + change(text.slice(at));
}

/** Whether the editor keeps everything of a value that the service keeps. */
export function holds(html: string): boolean {
  return meaning(html) === meaning(serialize(parse(html)));
}

const BLOCKS = new Set("p h1 h2 h3 h4 h5 h6 pre blockquote ul ol li hr div section article header footer aside main address figure figcaption dl dt dd table caption colgroup col thead tbody tfoot tr td th".split(" "));
const INLINE = new Set("b strong i em u s del sub sup code span mark small kbd samp var abbr cite q ins time bdi bdo a ruby rt rp".split(" "));
const LEAVES = new Set(["br", "wbr", "img"]);

/** What HTML says, written down so that different HTML of the same meaning is the same. */
export function meaning(html: string): string {
  const out: string[] = [];
  let run = { signs: "", text: "" };
  const flush = () => {
    if (run.text !== "") out.push(`${run.signs}“${run.text}”`);
    run = { signs: "", text: "" };
  };
  const say = (signs: string[], text: string) => {
    const key = [...new Set(signs)].sort().join("");
    if (key !== run.signs) flush();
    run = { signs: key, text: run.text + text };
  };
  const walk = (parent: Element, signs: string[], pre: boolean, top: boolean) => {
    let loose = false; // inside of text that stands at the top without a paragraph
    const paragraph = (begin: boolean) => {
      if (top && loose !== begin) {
        flush();
        out.push(begin ? "<p>" : "</p>");
        loose = begin;
      }
    };
    for (const child of parent.childNodes) {
      if (child instanceof Text) {
        const text = pre ? child.data : child.data.replace(/[ \t\r\n\f]+/g, " ");
        if (/^ ?$/.test(text) && !pre && !loose && run.text === "") continue;
        paragraph(true);
        say(signs, text);
      } else if (child instanceof Element) {
        const tag = child.localName;
        const sign = `<${tag}${told(extraOf(child))}>`;
        if (BLOCKS.has(tag)) {
          paragraph(false);
          flush();
          out.push(sign);
          walk(child, signs, pre || tag === "pre", false);
          flush();
          out.push(`</${tag}>`);
        } else if (LEAVES.has(tag)) {
          paragraph(true);
          flush();
          out.push([...signs].sort().join("") + sign);
        } else if (INLINE.has(tag)) {
          if (child.textContent !== "" || child.querySelector("img, br")) paragraph(true);
          walk(child, sign === "<span>" ? signs : [...signs, sign], pre, false);
        } else if (!["script", "style", "template", "object", "iframe"].includes(tag)) {
          walk(child, signs, pre, false);
        }
      }
    }
    paragraph(false);
  };
  walk(bodyOf(html), [], false, true);
  flush();
  return tidy(out);
}

const told = (extra: Extra): string =>
  Object.keys(extra)
    .sort()
    .map((name) => ` ${name}=${JSON.stringify(extra[name])}`)
    .join("");

/** Without blanks at the edges of blocks, and without empty text. */
function tidy(out: string[]): string {
  const block = (s: string | undefined) => s === undefined || /^<\/?(p|h\d|pre|blockquote|[uo]l|li|hr|div|section|article|header|footer|aside|main|address|fig|d[ltd]|table|caption|col|t)/.test(s) && s.endsWith(">");
  return out
    .map((s, i) => {
      if (!s.endsWith("”")) return s;
      let text = s;
      if (block(out[i - 1])) text = text.replace(/“ +/, "“");
      if (block(out[i + 1])) text = text.replace(/ +”$/, "”");
      return text.endsWith("“”") ? "" : text;
    })
    .filter((s) => s !== "")
    .join("\n");
}
