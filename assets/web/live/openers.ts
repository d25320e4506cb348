// Who has open what a list lists.

/** A person who has something open. */
export interface Opener {
  userId: number;
  name: string;
  picture?: string;
}

/** Who has what open, by the IDs of the things. */
export type Openers = Record<string, Opener[]>;

/** So many are shown as faces; the others are counted. */
const SHOWN = 4;

/** The first letters of the first and the last word of a name. */
export function initials(name: string): string {
  const letters = name.trim().split(/\s+/u).map((word) => [...word][0] ?? "");
  return [letters[0], letters.length > 1 ? letters.at(-1) : ""].join("").toUpperCase();
}

/** Those with a face, and the names of those without. */
export function shownOf(people: readonly Opener[]): { shown: readonly Opener[]; rest: string; more: number } {
  const shown = people.slice(0, people.length > SHOWN ? SHOWN - 1 : SHOWN);
  const rest = people.slice(shown.length);
  return { shown, rest: rest.map((one) => one.name).join(", "), more: rest.length };
}

/** Shows them in the places of a page; one whose people are the same stays as it is. */
export function showOpeners(page: ParentNode, open: Openers): void {
  for (const place of page.querySelectorAll<HTMLElement>("[data-open]")) {
    const people = open[place.dataset["open"]!] ?? [];
    const now = JSON.stringify(people);
    if (place.dataset["people"] === now) continue;
    place.dataset["people"] = now;
    place.hidden = people.length === 0;
    const { shown, rest, more } = shownOf(people);
    place.replaceChildren(...shown.map((one) => item(one.name, one.picture ? pictureOf(one.picture) : letters(initials(one.name)))), ...(rest ? [item(rest, letters(`+${more}`))] : []));
  }
}

function item(name: string, face: HTMLElement): HTMLElement {
  const words = document.createElement("span");
  words.className = "hidden";
  words.textContent = name;
  const li = document.createElement("li");
  li.title = name;
  li.append(face, words);
  return li;
}

function letters(text: string): HTMLElement {
  const face = document.createElement("span");
  face.className = "face";
  face.ariaHidden = "true";
  face.textContent = text;
  return face;
}

function pictureOf(address: string): HTMLElement {
  const face = document.createElement("img");
  face.className = "face";
  face.src = address;
  face.alt = "";
  return face;
}
