// Sums of one page of a table: what its rows come to at the end of the page, less what
// they came to at its beginning. Each row says the former, exactly, in data-sums.

/** How the format of a column writes numbers, as report/text/numbershape.go reads it. */
export interface Shape {
  plus: [string, string];
  minus: [string, string];
  point: string;
  group: string;
  sizes: [number, number];
  from: number;
  least: number;
  most: number;
  digits: string[];
}

/** The difference of two numbers in plain digits. */
export function difference(a: string, b: string): string {
  const places = Math.max(decimalsOf(a), decimalsOf(b));
  const sum = scaled(a, places) - scaled(b, places);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, "0");
  const at = digits.length - places;
  return `${sum < 0n ? "-" : ""}${digits.slice(0, at)}${places > 0 ? `.${digits.slice(at)}` : ""}`;
}

function decimalsOf(n: string): number {
  const point = n.indexOf(".");
  return point < 0 ? 0 : n.length - point - 1;
}

function scaled(n: string, places: number): bigint {
  return BigInt(n.replace(".", "") + "0".repeat(places - decimalsOf(n)));
}

/** A number in plain digits as the format writes it; halves go away from zero. */
export function written(n: string, s: Shape): string {
  let places = decimalsOf(n);
  let value = scaled(n, places);
  const below = value < 0n;
  if (below) value = -value;
  for (; places > s.most; places--) {
    const up = places === s.most + 1 && value % 10n >= 5n;
    value = value / 10n + (up ? 1n : 0n);
  }
  for (; places > s.least && value % 10n === 0n; places--) value /= 10n;
  value *= 10n ** BigInt(Math.max(0, s.least - places));
  places = Math.max(places, s.least);
  const digits = value.toString().padStart(places + 1, "0");
  const at = digits.length - places;
  const [before, behind] = below && value > 0n ? s.minus : s.plus;
  return before + grouped(digits.slice(0, at), s) + (places > 0 ? s.point + spelt(digits.slice(at), s) : "") + behind;
}

function grouped(whole: string, s: Shape): string {
  if (!s.group || whole.length < s.from) return spelt(whole, s);
  let [size] = s.sizes;
  let out = "";
  for (; whole.length > size; size = s.sizes[1]) {
    out = s.group + spelt(whole.slice(-size), s) + out;
    whole = whole.slice(0, -size);
  }
  return spelt(whole, s) + out;
}

function spelt(digits: string, s: Shape): string {
  return [...digits].map((d) => s.digits[Number(d)]).join("");
}

/** Writes into a row with sums of a page what lies between two states of them. */
export function showSums(row: Element, until: string[], from: string[]): void {
  row.querySelectorAll<HTMLElement>(".q-carry-value").forEach((place, i) => {
    place.textContent = written(difference(until[i] ?? "0", from[i] ?? "0"), JSON.parse(place.dataset.shape!) as Shape);
  });
}
