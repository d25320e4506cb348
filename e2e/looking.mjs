// What pictures of the screens showed and a program can see, too; each is run in the page.

/** Words that their box cuts, without a title that has all of them. */
export function cutWords() {
  const cuts = (el) => {
    const { overflowX, textOverflow } = getComputedStyle(el);
    return el.checkVisibility({ visibilityProperty: true }) && el.clientWidth > 1 && el.scrollWidth > el.clientWidth + 1 && overflowX !== "visible" && textOverflow === "ellipsis" && !el.closest("[title]");
  };
  return [...document.querySelectorAll("body *:not(input, select)")].filter(cuts).map((el) => `“${el.textContent.trim()}”`);
}

/** What moves, or would when it changes; asked for less motion, nothing does. */
export function moving() {
  const moves = (el, part) => {
    const { transitionProperty, transitionDuration, animationName } = getComputedStyle(el, part);
    return animationName !== "none" || (transitionProperty !== "none" && parseFloat(transitionDuration) > 0);
  };
  return [...document.querySelectorAll("body *")].flatMap((el) => [null, "::before", "::after"].filter((part) => moves(el, part)).map((part) => `${el.tagName.toLowerCase()}.${el.className}${part ?? ""}`));
}
