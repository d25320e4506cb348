// Finding by a few letters: "num" finds invoice.number, "invn" too.

/** How well a text fits what was typed: higher is better, null is not at all. Without anything typed everything fits. */
export function fits(typed: string, text: string): number | null {
  const wanted = typed.toLowerCase().replace(/[\s{}$]/g, "");
  const among = text.toLowerCase();
  if (wanted === "") return 0;
  const whole = among.indexOf(wanted);
  if (whole >= 0) return 1000 - text.length + (startsWord(text, whole) ? 500 : 0) + (among.slice(whole) === wanted ? 200 : 0);
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = among.indexOf(letter, at + 1);
    if (next < 0) return null;
    score += next === at + 1 ? 5 : startsWord(text, next) ? 4 : -1;
    at = next;
  }
  return score - text.length / 100;
}

/** Whether a word of a path begins at a place: after a dot, or with a capital letter. */
const startsWord = (text: string, at: number): boolean => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!) || /\p{Lu}/u.test(text[at]!);

/** Those of a list that fit, the best first; what fits alike stays in its order. */
export function fitting<T>(typed: string, list: T[], words: (item: T) => string): T[] {
  return list
    .flatMap((item, i) => {
      const score = fits(typed, words(item));
      return score === null ? [] : [{ item, score, i }];
    })
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ item }) => item);
}
