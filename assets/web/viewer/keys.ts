// The keys of the viewer; what fields take is theirs.

import type { Desk } from "./desk";

export function addKeys(doc: Document, desk: Desk, search: () => void, close: () => boolean): void {
  doc.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const at = e.composedPath()[0];
    const writes = at instanceof Element && at.matches("input, select, textarea");
    if (e.key === "Escape" ? close() : !writes && run(e.key, doc, desk, search)) e.preventDefault();
  });
}

function run(key: string, doc: Document, desk: Desk, search: () => void): boolean {
  const back = doc.documentElement.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  const sideways = doc.documentElement.scrollWidth > doc.documentElement.clientWidth;
  if (key === "+" || key === "=") desk.zoomIn();
  else if (key === "-") desk.zoomOut();
  else if (key === "0") desk.zoomTo("auto");
  else if (key === "/") search();
  // Browsers glide, and drop a key that comes meanwhile.
  else if (key === "Home" || key === "End") doc.defaultView!.scrollTo({ top: key === "Home" ? 0 : doc.documentElement.scrollHeight, behavior: "instant" });
  else if ((key === "ArrowLeft" || key === "ArrowRight") && !sideways) desk.go(desk.current + (key === back ? -1 : 1));
  else return false;
  return true;
}
