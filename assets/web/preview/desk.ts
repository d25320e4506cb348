// The desk that the pages lie on: as wide as the frame allows, or zoomed.
// Pages are scaled as pictures, so that no line of text breaks otherwise.

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3];

/** Lays the page boxes of the document on a desk and keeps its scale. */
export class Desk {
  private readonly frame: HTMLElement;
  private readonly desk: HTMLElement;
  /** The zoom asked for; null fits the width of the window. */
  private wanted: number | null = null;

  constructor(private readonly doc: Document, readonly pages: HTMLElement[]) {
    this.frame = doc.createElement("div");
    this.frame.className = "q-frame";
    this.desk = doc.createElement("div");
    this.desk.className = "q-desk";
    this.frame.append(this.desk);
    const first = pages[0];
    if (first) first.before(this.frame);
    else doc.body.append(this.frame);
    for (const page of pages) this.desk.append(page);
    doc.defaultView!.addEventListener("resize", () => this.layout());
    this.layout();
  }

  fit(): void {
    this.zoomTo(null);
  }

  zoomIn(): void {
    this.zoomTo(STEPS.find((s) => s > this.scale() + 0.01) ?? STEPS[STEPS.length - 1]!);
  }

  zoomOut(): void {
    this.zoomTo(STEPS.findLast((s) => s < this.scale() - 0.01) ?? STEPS[0]!);
  }

  /** Changes the zoom and keeps the middle of the window where it is. */
  private zoomTo(wanted: number | null): void {
    const view = this.doc.defaultView!;
    const before = this.scale();
    const middle = view.scrollY + view.innerHeight / 2;
    this.wanted = wanted;
    this.layout();
    view.scrollTo({ top: (middle * this.scale()) / before - view.innerHeight / 2, behavior: "instant" });
  }

  private scale(): number {
    if (this.wanted !== null) return this.wanted;
    const room = this.doc.documentElement.clientWidth;
    return Math.min(1, room / this.desk.offsetWidth);
  }

  private layout(): void {
    const scale = this.scale();
    this.desk.style.transform = scale === 1 ? "" : `scale(${scale})`;
    this.frame.style.width = `${this.desk.offsetWidth * scale}px`;
    this.frame.style.height = `${this.desk.offsetHeight * scale}px`;
  }
}
