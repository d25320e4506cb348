// Numbered lists go on counting on the next page.

/** Gives the rest of a list the number that follows the items already taken. */
export function continueList(first: HTMLOListElement, rest: HTMLOListElement): void {
  const open = rest.firstElementChild?.classList.contains("q-cut-start") ?? false;
  const step = first.reversed ? -1 : 1;
  let number = begin(first, rest, open) - step;
  for (const li of first.children) {
    if (li.tagName === "LI") number = li.hasAttribute("value") ? (li as HTMLLIElement).value : number + step;
  }
  // The item in which the list was cut is in both parts and counts once.
  rest.start = open ? number : number + step;
}

/** The number of the first item. A list that counts down begins with how many there are. */
function begin(first: HTMLOListElement, rest: HTMLOListElement, open: boolean): number {
  if (first.hasAttribute("start") || !first.reversed) return first.start;
  first.start = first.childElementCount + rest.childElementCount - (open ? 1 : 0);
  return first.start;
}
