// The bundle assets/dist/preview.js: the paginator and what people need around
// the pages in a browser, alone or in a frame of another site.

import "../paginate/main";
import { Viewer } from "./viewer";

/** Longest wait for the browser to draw the progress state; hidden frames never draw. */
const PAINT_WAIT = 60;

async function start(doc: Document): Promise<void> {
  const viewer = new Viewer(doc);
  if (viewer.asks()) return;
  try {
    await painted();
    const { anchors, warnings } = await globalThis.quire.paginate();
    viewer.lay([...doc.querySelectorAll<HTMLElement>(".q-page")], anchors, warnings);
  } catch (fault) {
    viewer.failed();
    throw fault;
  }
}

function painted(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, PAINT_WAIT);
    requestAnimationFrame(() => setTimeout(done));
  });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start(document));
else void start(document);
