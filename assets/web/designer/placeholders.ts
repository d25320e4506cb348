// The placeholders of a text template, such as {$data.total:n;2}: where they are,
// and the format that they have. The grammar is that of package report/text.

export interface Placeholder {
  /** From its brace to behind the closing one. */
  from: number;
  to: number;
  /** Where its formats stand: from the colon or where one would be, to the fallback or the brace. */
  formats: { from: number; to: number };
}

/** Names that are no keywords stand without blanks, so that braces of other languages stay what they are. */
const PATH = /^(?:\s*\$[\p{L}_][\p{L}\p{N}_-]*(\.[^{}\n\r";:|]+)?\s*|[\p{L}_][\p{L}\p{N}_-]*(\.[^{}\n\r";:|]*[^\s{}";:|])?)$/u;

/** A path that a percent sign before it does not make an expression. */
const PLAIN = /^\$[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}\p{N}_-]+)*$/u;

/** The place of the brace that closes what opens at a place; -1 for none. */
function closing(source: string, open: number): number {
  let depth = 0;
  for (let i = open; i < source.length; i++) {
    if (source[i] === "{") depth++;
    else if (source[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

/** The first place of a character outside of braces; the end when there is none. */
function outside(source: string, wanted: string, from: number, end: number): number {
  let depth = 0;
  for (let i = from; i < end; i++) {
    if (source[i] === "{") depth++;
    else if (source[i] === "}") depth--;
    else if (source[i] === wanted && depth === 0) return i;
  }
  return end;
}

/** The placeholders of a template, from its beginning to its end. Expressions in %{ } have no formats and are none of them. */
export function placeholdersOf(source: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (let at = 0; at < source.length; at++) {
    if (source.startsWith("{{", at) || source.startsWith("}}", at)) at++;
    else if (source[at] === "{") {
      const end = closing(source, at);
      const begin = end < 0 ? -1 : endOfValue(source, at + 1, end);
      if (begin < 0) continue;
      if (source[at - 1] !== "%" || PLAIN.test(source.slice(at + 1, begin))) found.push({ from: at, to: end + 1, formats: { from: begin, to: outside(source, "|", begin, end) } });
      at = end;
    }
  }
  return found;
}

/** Where the path or the expression of a placeholder ends; -1 when it is none. */
function endOfValue(source: string, from: number, end: number): number {
  if (source[from] !== "[") {
    const to = from + source.slice(from, end).search(/[:|]|$/);
    return PATH.test(source.slice(from, to)) ? to : -1;
  }
  const close = source.slice(from, end).search(/\](?=[:|]|$)/);
  return close < 0 ? -1 : from + close + 1;
}

/** The formats that the bar offers. */
export const VALUE_FORMATS: Record<string, string> = { auto: "", whole: "n;0", decimal: "n;2", currency: "currency", percentage: "p", date: "d" };

/** Formats of values; others change the text that these have made. */
const OF_VALUES = /^(n|p|ps|percentnosign|currency|f|d|t|dt|daybefore|quarter|yearperiod)(;|$)/;

/** What a colon of a date pattern splits off, such as the minutes of dt;HH:mm. */
const OF_PATTERN = /^(?!(?:[dfnpst]|dt|ps)$)[yMLdDEecaHhKkmsSzZGqQwW'\s.,/-]+$/;

/** The formats of a placeholder, one after the other: that of the value, and the rest. */
function partsOf(source: string, { formats }: Placeholder): { own: string; rest: string } {
  const from = formats.from + 1;
  if (from > formats.to) return { own: "", rest: "" };
  let to = outside(source, ":", from, formats.to);
  for (let next = to; next < formats.to && /^(d|t|dt|daybefore|quarter);/.test(source.slice(from, to)); ) {
    next = outside(source, ":", to + 1, formats.to);
    if (!OF_PATTERN.test(source.slice(to + 1, next))) break;
    to = next;
  }
  const first = source.slice(from, to);
  return OF_VALUES.test(first) ? { own: first, rest: source.slice(to, formats.to) } : { own: "", rest: source.slice(formats.from, formats.to) };
}

/** The format of a placeholder's value, as it is written. */
export const formatIn = (source: string, place: Placeholder): string => partsOf(source, place).own;

/** What the bar calls a format: the name of one that it offers, or "own". */
export const nameOfFormat = (format: string): string => Object.entries(VALUE_FORMATS).find(([, f]) => f === format)?.[0] ?? "own";

/** The template with another format for the value of a placeholder; what follows it stays. */
export function withFormat(source: string, place: Placeholder, format: string): string {
  const { rest } = partsOf(source, place);
  return source.slice(0, place.formats.from) + (format ? `:${format}` : "") + rest + source.slice(place.formats.to);
}

/** The placeholder that a caret stands in, or else the only one. */
export function placeholderAt(source: string, caret?: number): Placeholder | undefined {
  const all = placeholdersOf(source);
  return (caret === undefined ? undefined : all.find((p) => p.from < caret && caret < p.to)) ?? (all.length === 1 ? all[0] : undefined);
}
