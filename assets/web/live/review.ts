// Reviewing: an entry is chosen in the list, and its document is shown beside.

import { fetchPage, replaceParts } from "./parts";

/** Shows the documents in frames, where the browser can. */
export function showDocuments(root: ParentNode): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-document]:empty, [data-document]:has(> noscript)")) {
    const { document: address, name, without } = place.dataset;
    if (!navigator.pdfViewerEnabled) {
      const words = document.createElement("p");
      words.className = "muted";
      words.textContent = without ?? "";
      place.replaceChildren(words);
      continue;
    }
    const frame = document.createElement("iframe");
    frame.src = address!;
    frame.title = name ?? "";
    place.replaceChildren(frame);
  }
}

/** Makes the list choose entries without loading the page again. */
export function startReview(root: HTMLElement): void {
  showDocuments(root);
  root.addEventListener("click", (e) => {
    const link = e.target instanceof Element && e.button === 0 && !e.metaKey && !e.ctrlKey && !e.shiftKey ? e.target.closest<HTMLAnchorElement>("[data-entries] a") : null;
    if (!link) return;
    e.preventDefault();
    void choose(root, link, true);
  });
  root.addEventListener("keydown", (e) => {
    const list = e.target instanceof Element ? e.target.closest<HTMLElement>("[data-entries]") : null;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[e.key];
    if (!list || step === undefined || e.metaKey || e.ctrlKey || e.altKey) return;
    const links = [...list.querySelectorAll<HTMLAnchorElement>("a")];
    const at = links.findIndex((link) => link.closest("li")!.contains(e.target as Element));
    const next = links[at + step];
    e.preventDefault();
    if (next) void choose(root, next, false);
  });
}

async function choose(root: HTMLElement, link: HTMLAnchorElement, go: boolean): Promise<void> {
  link.focus();
  link.scrollIntoView({ block: "nearest" });
  const address = link.href.replace(/#.*$/, "");
  history.replaceState(null, "", address);
  const page = await fetchPage(address);
  if (location.href.replace(/#.*$/, "") !== address) return; // another was chosen meanwhile
  const found = page?.querySelector<HTMLElement>("[data-events]");
  if (!found) {
    location.assign(address);
    return;
  }
  replaceParts(root, found, true);
  showDocuments(root);
  const detail = document.getElementById("detail");
  if (go && detail && detail.getBoundingClientRect().top > innerHeight - 100) detail.scrollIntoView({ block: "start" });
}
