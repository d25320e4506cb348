// The bundle assets/dist/preview.js: the paginator and what people need around
// the pages in a browser, alone or in a frame of another site.

import "../paginate/main";
import { firstPages } from "./early";
import { Viewer } from "./viewer";

/** Longest wait for the browser to draw the progress state; hidden frames never draw. */
const PAINT_WAIT = 60;

async function start(doc: Document): Promise<void> {
  const viewer = new Viewer(doc);
  if (viewer.asks()) return;
  try {
    await painted();
    const first = viewer.atFront ? await firstPages(doc) : null;
    if (first?.pages.length) {
      viewer.begin(first.pages);
      await painted();
    }
    const source = first?.goOn() ?? doc.body;
    const { anchors, warnings } = await globalThis.quire.paginate();
    viewer.lay([...source.querySelectorAll<HTMLElement>(".q-page")], anchors, warnings);
    if (first) source.remove();
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
