// Parts of a page are elements with data-part. They are compared with what the
// service says now and only replaced when that differs, so that what people do
// meanwhile, such as ticking a box, is not undone.

/** The IDs of what the page lists. */
export const shown = (root: ParentNode): Set<number> => new Set([...root.querySelectorAll<HTMLElement>("[data-listed]")].map((el) => Number(el.dataset["listed"])));

const said = new WeakMap<Element, string>();

/** Remembers what the service said of parts, before anybody changes them. */
export function remember(root: ParentNode): void {
  for (const part of root.querySelectorAll("[data-part]")) said.set(part, part.outerHTML);
}

/** Fetches a page of the same kind; undefined when it cannot be had now. */
export async function fetchPage(address: string): Promise<Document | undefined> {
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => undefined);
  if (!answer?.ok || answer.redirected) return undefined;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Brings the parts up to date; false when the service did not answer. */
export async function renew(root: HTMLElement): Promise<boolean> {
  const address = location.href;
  const page = await fetchPage(address);
  if (location.href !== address) return true; // another entry was chosen meanwhile, and is up to date
  const found = page?.querySelector<HTMLElement>("[data-events]");
  if (!found) return page !== undefined;
  replaceParts(root, found);
  return true;
}

/** Takes over the parts of another document that differ; those in use only when all is asked for. */
export function replaceParts(root: HTMLElement, from: HTMLElement, all = false): void {
  const fresh = [...from.querySelectorAll<HTMLElement>("[data-part]")];
  for (const part of fresh) {
    const old = document.getElementById(part.id);
    if (!old || !root.contains(old) || (said.get(old) ?? "") === part.outerHTML || (!all && isUsed(old))) continue;
    const html = part.outerHTML;
    const put = document.importNode(part, true);
    for (const el of put.querySelectorAll("[autofocus]")) el.removeAttribute("autofocus");
    keep(old, put);
    const rolled = old.querySelector("[data-entries]")?.scrollTop;
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    old.replaceWith(put);
    said.set(put, html);
    const list = put.querySelector("[data-entries]");
    if (list && rolled) list.scrollTop = rolled;
    if (focus) refocus(focus, put);
  }
}

/** Somebody writes into the part, or has opened something in it. */
const isUsed = (part: Element): boolean =>
  part.querySelector("details[open]") !== null || [...part.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input[type=text], input:not([type]), textarea")].some((el) => el.value !== el.defaultValue || el === document.activeElement);

/** Boxes that are ticked stay so, and choices that were made. */
function keep(old: Element, put: Element): void {
  const ticked = new Set([...old.querySelectorAll<HTMLInputElement>("input[type=checkbox]:checked")].map((el) => el.value));
  for (const box of put.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) box.checked = ticked.has(box.value);
  for (const choice of old.querySelectorAll<HTMLSelectElement>("select")) {
    const again = put.querySelector<HTMLSelectElement>(`#${CSS.escape(choice.id)}`);
    if (again && [...again.options].some((o) => o.value === choice.value)) again.value = choice.value;
  }
}

function refocus(was: Element, put: Element): void {
  const again = was.id ? put.querySelector<HTMLElement>(`#${CSS.escape(was.id)}`) : null;
  if (again) again.focus({ preventScroll: true });
  else if (put instanceof HTMLElement) {
    put.tabIndex = -1;
    put.focus({ preventScroll: true });
  }
}
