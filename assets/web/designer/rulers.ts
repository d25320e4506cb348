// The marks of rulers: as many as there is room for, in steps that people count in.

/** A unit of rulers: its pixels, and steps between numbers, each with the parts that it is divided into. */
interface Unit {
  name: string;
  pixels: number;
  /** The least room between two numbers, in pixels of the screen. */
  room: number;
  steps: readonly (readonly [number, number])[];
}

export const MILLIMETRES: Unit = { name: "mm", pixels: 96 / 25.4, room: 34, steps: [[1, 2], [2, 4], [5, 10], [10, 10], [20, 4], [50, 5], [100, 10], [200, 4]] };
export const INCHES: Unit = { name: "in", pixels: 96, room: 64, steps: [[0.25, 4], [0.5, 8], [1, 8], [2, 4], [5, 5], [10, 10]] };

/** The least room between two marks, in pixels of the screen. */
const MARKS = 3.5;

/** A mark: where it is from the origin in pixels of the screen, how long it is among the others, and the number at it. */
export interface Mark {
  at: number;
  rank: "number" | "half" | "part";
  number?: string;
}

/** The marks between two places, in pixels of the screen from the origin. */
export function marksBetween(from: number, to: number, zoom: number, unit: Unit): Mark[] {
  const [step, parts] = unit.steps.find(([s]) => s * unit.pixels * zoom >= unit.room) ?? unit.steps.at(-1)!;
  const room = step * unit.pixels * zoom;
  const drawn = room / parts >= MARKS ? parts : parts % 2 === 0 && room / 2 >= MARKS ? 2 : 1;
  const found: Mark[] = [];
  for (let i = Math.ceil((from / room) * drawn - 1e-6); (i / drawn) * room <= to + 1e-6; i++) {
    const at = (i / drawn) * room;
    if (i % drawn === 0) found.push({ at, rank: "number", number: String(Number(((i / drawn) * step).toFixed(2))) });
    else found.push({ at, rank: (i * 2) % drawn === 0 ? "half" : "part" });
  }
  return found;
}

/** The first of some boxes, one below the other, that ends after a place. */
export function firstBelow(count: number, bottom: (i: number) => number, place: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bottom(middle) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
