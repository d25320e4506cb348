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

/** What fingers are to hit and is smaller than 44 pixels, with the label around it or what widens it; links within sentences are as high as these. */
export function small() {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((el) => (el.shadowRoot ? roots(el.shadowRoot) : []))];
  const all = roots(document).flatMap((root) => [...root.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]);
  const inSentence = (el) => el.matches("a") && getComputedStyle(el).display === "inline" && [...el.parentElement.childNodes].some((n) => n.nodeType === 3 && n.nodeValue.trim());
  const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && el.getBoundingClientRect().width > 1 && el.getBoundingClientRect().right > 0 && !el.disabled;
  const size = (el) => {
    const boxes = [el, ...(el.labels ?? [])].map((one) => one.getBoundingClientRect());
    const wider = getComputedStyle(el, "::after");
    const more = wider.content !== "none" && wider.position === "absolute" ? -2 * Math.min(0, parseFloat(wider.top)) : 0;
    const box = el.getBoundingClientRect();
    return [Math.max(...boxes.map((b) => b.width), box.width + more), Math.max(...boxes.map((b) => b.height), box.height + more)].map(Math.round);
  };
  return all
    .filter((el) => seen(el) && !inSentence(el))
    .map((el) => [el, ...size(el)])
    .filter(([el, width, height]) => height < 44 || (width < 44 && !el.matches("a:not(.button)"))) // words are as wide as they are
    .map(([el, width, height]) => `${el.tagName.toLowerCase()}${el.className && typeof el.className === "string" ? `.${el.className.trim().replaceAll(/\s+/g, ".")}` : ""} “${(el.textContent || el.getAttribute("aria-label") || el.name || "").trim().replaceAll(/\s+/g, " ").slice(0, 30)}” ${width} × ${height}`);
}
