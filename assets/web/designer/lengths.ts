// Lengths as settings have them, and in pixels.

const PER_UNIT: Record<string, number> = { px: 1, pt: 96 / 72, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 };

/** How many pixels the unit of a length has; undefined for shares and for what is no length of the paper. */
function unitOf(length: unknown): { name: string; pixels: number } | undefined {
  const name = typeof length === "string" ? /[a-z]+$/.exec(length)?.[0] : undefined;
  const pixels = name ? PER_UNIT[name] : undefined;
  return name && pixels ? { name, pixels } : undefined;
}

/** Whether a length is of the paper, whatever it stands in. */
export const isFixed = (length: unknown): boolean => unitOf(length) !== undefined;

/** A length in the unit in which it was given before; pixels when there was none. */
export function inUnitOf(before: unknown, pixels: number): string {
  const unit = unitOf(before);
  return unit && unit.name !== "px" ? `${Math.round((pixels / unit.pixels) * 10) / 10}${unit.name}` : `${Math.round(pixels)}px`;
}

/** A length in pixels, a share being one of the whole; undefined for what is neither. */
export function pixelsOf(length: unknown, whole: number): number | undefined {
  const value = typeof length === "string" ? Number.parseFloat(length) : Number.NaN;
  if (Number.isNaN(value)) return undefined;
  if ((length as string).endsWith("%")) return (value / 100) * whole;
  const unit = unitOf(length);
  return unit && value * unit.pixels;
}
