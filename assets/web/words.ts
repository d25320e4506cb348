// The words of the interface. English is the text in the code and the key; the
// texts of another language are a file of texts/, loaded before anything is drawn.

type Texts = Record<string, string>;

let texts: Texts | undefined;

/** The texts in use; undefined for English. A module loaded later is given them. */
export const textsInUse = (): Texts | undefined => texts;

export function setTexts(found: Texts | undefined): void {
  texts = found;
}

/** Loads the texts of the page's language. Without them, everything stays English. */
export async function loadTexts(assets: string): Promise<void> {
  const { lang } = document.documentElement;
  if (lang === "" || lang === "en") return;
  const answer = await fetch(`${assets}/${lang}.json`).catch(() => undefined);
  if (answer?.ok) setTexts((await answer.json()) as Texts);
}

/**
 * An English text in the language of the page, with {0}, {1} … filled. What
 * follows " | " tells texts apart that only English says alike; it is not shown.
 */
export function t(english: string, ...args: unknown[]): string {
  return (texts?.[english] ?? english.split(" | ")[0]!).replace(/\{(\d)\}/g, (all, n: string) => (Number(n) < args.length ? String(args[Number(n)]) : all));
}

/** Marks a text that is translated where it is shown. */
export const say = (english: string): string => english;

/** A name inside of a sentence: English has it in small letters. */
export const named = (label: string): string => (texts ? label : label.toLowerCase());
