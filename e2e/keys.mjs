// Going through pages by the keyboard alone.

/** What a page says of what has the focus: its name, whether the focus can be seen, and whether it lies open. */
const focused = () => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const box = at.getBoundingClientRect();
  const look = getComputedStyle(at);
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, innerHeight - box.y - 1));
  const name = (at.ariaLabel || [...(at.labels ?? [])].map((label) => label.innerText).join(" ") || at.innerText || at.title).replace(/\s+/g, " ").trim();
  return {
    name, value: at.value, place: at.dataset.stop,
    seen: look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2,
    open: box.width > 0 && top !== null && (at.contains(top) || top.contains(at) || [...(at.labels ?? [])].some((label) => label.contains(top))),
  };
};

/** Numbers what can have the focus in a part of the page, in the order of reading, and gives how many there are; of radio buttons the chosen one. */
const number = (part) => {
  let n = 0;
  for (const element of document.querySelectorAll(part + " :is(a[href], button, input, select, textarea, summary)")) {
    delete element.dataset.stop;
    const other = element.type === "radio" && !element.checked && [...document.getElementsByName(element.name)].some((r) => r.form === element.form && (r.checked || r.compareDocumentPosition(element) & 4));
    if (!element.disabled && !other && element.type !== "hidden" && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true })) element.dataset.stop = n++;
  }
  return n;
};

/** Tabs through the content of a page, and gives what is out of order, cannot be reached or cannot be seen. */
export async function faultsOfFocus(page, name, part = "#main") {
  await page.evaluate((part) => {
    const start = document.querySelector(part);
    const had = start.getAttribute("tabindex");
    start.tabIndex = -1;
    start.focus();
    if (had === null) start.addEventListener("blur", () => start.removeAttribute("tabindex"), { once: true });
  }, part);
  const stops = await page.evaluate(number, part); // after menus have closed
  const found = [];
  for (let n = 0; n < stops; n++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(focused);
    if (at?.place !== String(n)) return [...found, `${name}: Tab comes to “${at?.name}” (${at?.place}) as number ${n} of ${stops}`];
    if (!at.seen) found.push(`${name}: the focus cannot be seen on “${at.name}”`);
    if (!at.open) found.push(`${name}: something covers “${at.name}” when it has the focus`);
  }
  return found;
}

/** Somebody who has a page and a keyboard. */
export function typist(page) {
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  /** Tabs to what is called so; key is Shift+Tab to go back. */
  const to = async (name, key = "Tab") => {
    const passed = [];
    for (let n = 0; n < 80; n++) {
      const at = await page.evaluate(focused);
      if (at && (name instanceof RegExp ? name.test(at.name) : at.name === name)) return at;
      passed.push(at?.name);
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not reach “${name}” on ${page.url()}: ${passed.slice(0, 40).join(" | ")}`);
  };
  return {
    press, to,
    /** What has the focus, once something has it. */
    at: async () => {
      await page.waitForFunction(() => document.activeElement !== document.body, undefined, { timeout: 10_000 }).catch(() => {});
      return page.evaluate(focused);
    },
    /** Enters a text in place of what a field has. */
    enter: async (name, text) => {
      await to(name);
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(text);
    },
    /** Presses Enter, which loads a page. */
    go: (key = "Enter") => Promise.all([page.waitForEvent("load"), page.keyboard.press(key)]),
  };
}
