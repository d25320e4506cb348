// The canvas: the service's own HTML in a frame without scripts, made into
// pages by the same paginator as preview and print, and an overlay above it that
// does all the pointing.

import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { paginate } from "../paginate/paginate";
import { find } from "./model";
import { Refused } from "./api";
import type { State } from "./state";

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** How wide the frame is at least, in pixels of the report. */
const GAP = 24;

export function Canvas({ state, base }: { state: State; base: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const layout = useRef(signal(0)).current;
  const size = useRef(signal({ width: 800, height: 1100 })).current;
  const loaded = useRef(signal(false)).current;
  const drawer = useRef<Drawer | null>(null);

  useEffect(() => {
    const el = frame.current!;
    const ready = () => {
      drawer.current ??= new Drawer(el, state, (width, height) => {
        size.value = { width, height };
        layout.value++;
      });
      loaded.value = true;
    };
    el.addEventListener("load", ready);
    if (el.contentDocument?.readyState === "complete" && el.contentDocument.title === "Canvas") ready();
    return () => el.removeEventListener("load", ready);
  }, []);

  useSignalEffect(() => {
    const report = state.report.value;
    if (loaded.value && report.pages.length > 0) drawer.current!.draw(report);
  });

  const room = useRef(signal(0)).current;
  useEffect(() => {
    const around = frame.current!.closest(".d-canvas")!;
    const observer = new ResizeObserver(() => (room.value = around.clientWidth));
    observer.observe(around);
    return () => observer.disconnect();
  }, []);

  const zoom = state.zoom.value || Math.min(1, room.value / size.value.width) || 1;
  const at = (e: PointerEvent | MouseEvent): string | null => {
    const doc = frame.current?.contentDocument;
    const box = frame.current!.getBoundingClientRect();
    if (!doc) return null;
    for (const el of doc.elementsFromPoint((e.clientX - box.left) / zoom, (e.clientY - box.top) / zoom)) {
      const id = nodeAt(el, state);
      if (id) return id;
    }
    return null;
  };
  const click = (e: MouseEvent) => {
    const id = at(e);
    state.source.value = null;
    if (!id) state.selected.value = [];
    else if (e.shiftKey) state.selected.value = state.selected.value.includes(id) ? state.selected.value.filter((s) => s !== id) : [...state.selected.value, id];
    else state.selected.value = [id];
    if (e.altKey) state.selectParent();
  };
  layout.value; // boxes are measured again after each drawing
  const doc = loaded.value ? frame.current!.contentDocument : null;
  const boxes = doc ? state.selected.value.flatMap((id) => boxesOf(doc, id)) : [];
  const hover = doc && state.hovered.value && !state.selected.value.includes(state.hovered.value) ? boxesOf(doc, state.hovered.value) : [];
  const label = state.node.value && state.components.value.find((c) => c.name === state.node.value!.type)?.label;
  const { width, height } = size.value;
  return (
    <div class="d-stage" style={{ width: `${width * zoom}px`, height: `${height * zoom}px` }}>
      <iframe ref={frame} class="d-frame" title="Report" sandbox="allow-same-origin" src={`${base}/ui/canvas`} style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${zoom})` }} />
      <div class="d-overlay" onPointerMove={(e) => (state.hovered.value = at(e))} onPointerLeave={() => (state.hovered.value = null)} onClick={click} aria-hidden="true">
        {hover.map((b, i) => (
          <div key={`h${i}`} class="d-box d-hover" style={scaled(b, zoom)} />
        ))}
        {boxes.map((b, i) => (
          <div key={`s${i}`} class="d-box d-selected" style={scaled(b, zoom)}>
            {i === 0 && label && <span class="d-label">{label}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

function scaled(b: Box, zoom: number) {
  return { left: `${b.left * zoom}px`, top: `${b.top * zoom}px`, width: `${b.width * zoom}px`, height: `${b.height * zoom}px` };
}

/** The element of the report that something in the frame belongs to. */
function nodeAt(el: Element, state: State): string | null {
  for (let at: Element | null = el.closest("[data-id]"); at; at = at.parentElement?.closest("[data-id]") ?? null) {
    const id = at.getAttribute("data-id")!;
    if (find(state.report.value, id)) return id;
  }
  return null;
}

/** Where an element is drawn: once for each part, as on several pages. */
function boxesOf(doc: Document, id: string): Box[] {
  const parts = [...doc.querySelectorAll(`[data-id="${CSS.escape(id)}"]`)];
  return parts.map((el) => el.getBoundingClientRect()).filter((r) => r.width > 0 && r.height > 0);
}

/** Draws reports into the frame: one at a time, and always the newest. */
class Drawer {
  private wanted: State["report"]["value"] | null = null;
  private busy = false;

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly state: State,
    private readonly drawn: (width: number, height: number) => void,
  ) {}

  draw(report: State["report"]["value"]): void {
    this.wanted = report;
    if (!this.busy) void this.run();
  }

  private async run(): Promise<void> {
    this.busy = true;
    try {
      while (this.wanted) {
        const report = this.wanted;
        this.wanted = null;
        await this.once(report);
      }
    } finally {
      this.busy = false;
    }
  }

  private async once(report: State["report"]["value"]): Promise<void> {
    try {
      const { html, warnings, sample } = await this.state.api.render(report);
      await this.fill(html);
      this.state.sample.value = sample ?? {};
      this.state.warnings.value = warnings;
    } catch (fault) {
      if (!(fault instanceof Refused)) return; // the saving tells of a lost connection
      this.state.warnings.value = fault.details.length > 0 ? fault.details : [{ path: "", message: fault.message }];
    }
  }

  /** The frame's own parser keeps inline styles, which ours would drop by our policy. */
  private async fill(html: string): Promise<void> {
    const view = this.frame.contentWindow as (Window & typeof globalThis) | null;
    const doc = this.frame.contentDocument;
    if (!view || !doc) return;
    const parsed = new view.DOMParser().parseFromString(html, "text/html");
    for (const script of parsed.querySelectorAll("script")) script.remove();
    for (const { name, value } of [...parsed.documentElement.attributes]) doc.documentElement.setAttribute(name, value);
    doc.head.replaceChildren(...[...parsed.head.childNodes].map((n) => doc.adoptNode(n)));
    doc.body.replaceWith(doc.adoptNode(parsed.body));
    await paginate(doc);
    const look = doc.createElement("style");
    look.textContent = `body{margin:0!important;padding:${GAP}px!important;display:flex;flex-direction:column;gap:${GAP}px;align-items:center;width:max-content;min-width:0}.q-page{background:#fff;box-shadow:0 1px 4px rgb(0 0 0/.25);flex:none}`;
    doc.head.append(look);
    this.drawn(doc.body.scrollWidth, doc.body.scrollHeight);
  }
}
