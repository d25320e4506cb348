// The faces of fonts.

/** Whether any of some letters is in a range of CSS. */
export function covers(range: string, letters: Set<number>): boolean {
  if (!range) return true;
  const parts = range.split(",").map((part) => {
    const [from, to] = part.trim().replace(/^U\+/i, "").split("-");
    const low = from!.replace(/\?/g, "0");
    const high = to ?? from!.replace(/\?/g, "F");
    return [parseInt(low, 16), parseInt(high, 16)] as const;
  });
  for (const c of letters) if (parts.some(([low, high]) => c >= low && c <= high)) return true;
  return false;
}
