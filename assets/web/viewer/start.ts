// From the document as it came to its pages in the viewer.

import { paginate } from "../paginate/paginate";
import { firstPages } from "./early";
import { type Around, Viewer } from "./viewer";

/** Longest wait for the browser to draw the progress state; hidden frames never draw. */
const PAINT_WAIT = 60;

async function make(doc: Document, around: Around): Promise<void> {
  const viewer = new Viewer(doc, around);
  if (viewer.asks()) return;
  try {
    await painted();
    const first = viewer.atFront ? await firstPages(doc) : null;
    if (first?.pages.length) {
      viewer.begin(first.pages);
      await painted();
    }
    const source = first?.goOn() ?? doc.body;
    const { anchors, warnings } = await paginate(doc);
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

/** Shows the document as soon as the browser has it. */
export function start(doc: Document, around: Around): void {
  if (doc.readyState === "loading") doc.addEventListener("DOMContentLoaded", () => void make(doc, around));
  else void make(doc, around);
}
