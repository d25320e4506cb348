// Whether the labels of a chart can be read when it is drawn smaller.

/** 5 pt: nothing is drawn smaller that was not asked to be. */
export const LEAST = 20 / 3;

/** Whether a share of the size that a chart is drawn in makes a label of it too small to read. */
export function illegible(svg: SVGSVGElement, share: number): boolean {
  const m = svg.getScreenCTM();
  const scale = share * (m ? Math.hypot(m.a, m.b) : 1);
  if (scale >= 0.99) return false;
  const view = svg.ownerDocument.defaultView!;
  return [...svg.querySelectorAll("text")].some((text) => {
    const size = parseFloat(view.getComputedStyle(text).fontSize);
    return size >= LEAST && size * scale < LEAST;
  });
}
