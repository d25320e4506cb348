// Colours of computed styles as six or eight hexadecimal digits; none is "".

const known = new Map<string, string>();
let context: CanvasRenderingContext2D | null = null;

/** The colour, as much of it as opacity leaves. */
export function hex(css: string, opacity: number): string {
  let color = known.get(css);
  if (color === undefined) known.set(css, (color = resolved(css)));
  if (color === "" || opacity >= 1) return color;
  const alpha = (color.length === 8 ? parseInt(color.slice(6), 16) : 255) * opacity;
  return alpha < 1 ? "" : color.slice(0, 6) + digits(alpha);
}

function resolved(css: string): string {
  const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css);
  if (m) return joined(Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 255 : Number(m[4]) * 255);
  const s = /^color\(srgb (-?[\d.e-]+) (-?[\d.e-]+) (-?[\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(css);
  if (s) return joined(Number(s[1]) * 255, Number(s[2]) * 255, Number(s[3]) * 255, s[4] === undefined ? 255 : Number(s[4]) * 255);
  return painted(css);
}

/** The colour as a canvas paints it: whatever the browser knows is one. */
function painted(css: string): string {
  context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) return "";
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = "#0000";
  context.fillStyle = css;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
  return joined(r, g, b, a);
}

function joined(r: number, g: number, b: number, a: number): string {
  if (a < 1) return "";
  return digits(r) + digits(g) + digits(b) + (a < 254.5 ? digits(a) : "");
}

function digits(v: number): string {
  return Math.round(Math.min(255, Math.max(0, v))).toString(16).padStart(2, "0").toUpperCase();
}
