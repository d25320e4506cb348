// The canvas: the report in a frame without scripts, and an overlay above it
// that does all the pointing.

import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { aids } from "./aids";
import { bandAt, BandMarks, pale } from "./bands";
import { EmptyPage } from "./emptyview";
import { isRow } from "./beside";
import { ChartStart } from "./chartstart";
import { dragEdge, dragElements, dragMarquee } from "./drag";
import { Drawer } from "./frame";
import { editFrame, leaveFrame } from "./framing";
import { Guides } from "./guidesview";
import { Inline, startWriting } from "./inline";
import { having, lockOf } from "./locks";
import { veil, Veils } from "./lockview";
import { openMenu } from "./menu";
import { find } from "./model";
import { foreignAt } from "./foreign";
import { originsAt } from "./origin";
import { Pins } from "./pins";
import { Frames } from "./presenceview";
import { Slash } from "./slash";
import { Spacing } from "./spacingview";
import { Splitters } from "./splitters";
import { scaled, Stage } from "./stage";
import { TextBar } from "./textbar";
import { columnAt, Touch } from "./touch";
import type { State } from "./state";
import { zoomBy } from "./zoom";
import { t } from "../words";

export function Canvas({ state }: { state: State }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const layout = useRef(signal(0)).current;
  const size = useRef(signal({ width: 800, height: 1100 })).current;
  const room = useRef(signal(0)).current;
  const loaded = useRef(signal(false)).current;
  const drawer = useRef<Drawer | null>(null);
  const followed = useRef<string | undefined>(undefined); // the element that was last brought into view; kept here, as one may be selected before anything is drawn
  const zoom = state.zoom.value || Math.min(1, room.value / size.value.width) || 1;
  const shown = useRef(zoom);
  shown.current = zoom;

  const leaveOut = () => {
    const doc = frame.current!.contentDocument!;
    veil(doc, having(state.report.peek(), "hidden").map((n) => n.id));
    pale(doc, state.framed.peek());
  };

  useEffect(() => {
    const el = frame.current!;
    const ready = () => {
      drawer.current ??= new Drawer(el, state, (all) => {
        leaveOut();
        size.value = all;
        layout.value++;
      });
      state.stage = new Stage(el, state, () => shown.current);
      loaded.value = true;
    };
    el.addEventListener("load", ready);
    if (el.contentDocument?.readyState === "complete" && el.contentDocument.title === "Canvas") ready();
    return () => el.removeEventListener("load", ready);
  }, []);

  useSignalEffect(() => {
    void state.report.value; // another part of it may be edited
    if (loaded.value) leaveOut();
  });

  useSignalEffect(() => {
    const report = state.whole;
    void state.drawnAs; // another language or value is another drawing
    if (loaded.value && report.pages.length > 0) drawer.current!.draw(report);
  });

  useEffect(() => {
    const around = frame.current!.closest(".d-canvas")!;
    const observer = new ResizeObserver(() => (room.value = around.clientWidth));
    observer.observe(around);
    return () => observer.disconnect();
  }, []);

  const { width, height } = size.value;
  return (
    <div class="d-stage" style={{ width: `${width * zoom}px`, height: `${height * zoom}px` }}>
      <iframe ref={frame} class="d-frame" title={t("Report")} tabIndex={-1} sandbox="allow-same-origin" src={`${state.api.base}/ui/canvas`} style={{ width: `${width}px`, height: `${height}px`, transform: zoom === 1 ? "none" : `scale(${zoom})` }} />
      {loaded.value && <Overlay state={state} zoom={zoom} layout={layout.value} followed={followed} />}
      {loaded.value && <BandMarks state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <EmptyPage state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && aids.value.guides && <Guides state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <Pins state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <Spacing state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <Touch state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <Splitters state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <ChartStart state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && <Inline state={state} zoom={zoom} layout={layout.value} />}
      {loaded.value && state.slash.value && <Slash state={state} zoom={zoom} />}
      {loaded.value && state.writing.value === null && !state.slash.value && <TextBar state={state} zoom={zoom} layout={layout.value} />}
    </div>
  );
}

/** Brings what is newly selected into view where nothing of it is to be seen, as soon as it is drawn. */
function useFollowed(stage: Stage, id: string | undefined, zoom: number, layout: number, followed: { current: string | undefined }): void {
  useEffect(() => {
    const box = id && followed.current !== id ? stage.boxes(id)[0] : undefined;
    if (id && !box) return; // it is not drawn yet
    followed.current = id;
    const view = stage.frame.closest(".d-canvas");
    if (!box || !view) return;
    const top = box.top * zoom;
    if (top + box.height * zoom < view.scrollTop || top > view.scrollTop + view.clientHeight) view.scrollTo({ top: top - view.clientHeight / 3 });
  }, [id, layout]);
}

/** What is drawn above the report. Boxes are measured at each drawing of it. */
function Overlay({ state, zoom, layout, followed }: { state: State; zoom: number; layout: number; followed: { current: string | undefined } }) {
  const stage = state.stage!;
  const selected = state.selected.value;
  useFollowed(stage, selected[0], zoom, layout, followed);
  const hovered = state.hovered.value;
  const node = state.node.value;
  const drop = state.drop.value;
  const hit = (e: PointerEvent | MouseEvent): string | null => stage.nodeAt(stage.point(e))?.id ?? null;
  const pointAt = (e: PointerEvent | MouseEvent) => {
    const { x, y } = stage.point(e);
    const hits = stage.doc.elementsFromPoint(x, y);
    state.origins.value = originsAt(hits);
    state.about.value = foreignAt(hits);
  };
  const click = (e: PointerEvent, id: string | null) => {
    if (!id) {
      state.select([]);
      return pointAt(e);
    }
    if (e.shiftKey) return state.select(selected.includes(id) ? selected.filter((s) => s !== id) : [...selected, id]);
    state.select([id]);
    if (e.altKey) return state.selectParent();
    pointAt(e);
    const column = columnAt(stage, state.node.value, stage.point(e));
    state.column.value = column === null ? null : { id, index: column };
  };
  const press = (e: PointerEvent) => {
    if (e.button !== 0) return;
    (e.currentTarget as HTMLElement).closest<HTMLElement>(".d-canvas")?.focus({ preventScroll: true });
    const id = hit(e);
    if (id) dragElements(state, e, inSelection(state, id) ? selected : [id], (up) => click(up, id));
    else dragMarquee(state, e, (up) => click(up, null));
  };
  /** Writes in an element; beside all of them header and footer are gone to, or the content between them. */
  const write = (e: MouseEvent) => {
    if (startWriting(state) || hit(e)) return;
    const band = bandAt(stage, stage.point(e));
    if (band) editFrame(state, band);
    else if (state.framed.value) leaveFrame(state);
  };
  const wheel = (e: WheelEvent) => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoomBy(state, e.deltaY < 0 ? 1 : -1);
  };
  const menu = (e: MouseEvent) => {
    e.preventDefault();
    const id = hit(e);
    if (id && !selected.includes(id)) state.select([id]);
    if (id) pointAt(e);
    openMenu(e.clientX, e.clientY);
  };
  const hover = hovered && !selected.includes(hovered) ? stage.boxes(hovered) : [];
  const over = hovered ? state.components.value.length && nameOf(state, hovered) : "";
  return (
    <div class="d-overlay" onPointerMove={(e) => (state.hovered.value = hit(e))} onPointerLeave={() => (state.hovered.value = null)} onPointerDown={press} onDblClick={write} onContextMenu={menu} onWheel={wheel} aria-hidden="true">
      {hover.map((b, i) => (
        <div key={`h${i}`} class="d-box d-hover" style={scaled(b, zoom)}>
          {i === 0 && <span class="d-label">{over}</span>}
        </div>
      ))}
      {selected.flatMap((id) =>
        stage.boxes(id).map((b, i) => (
          <div key={`${id}.${i}`} class="d-box d-selected" style={scaled(b, zoom)}>
            {i === 0 && selected.length === 1 && <span class="d-label">{nameOf(state, id)}</span>}
            {i === 0 && node && <Handles state={state} id={id} />}
          </div>
        )),
      )}
      <Veils state={state} zoom={zoom} />
      <Frames state={state} zoom={zoom} layout={layout} />
      {state.marquee.value && <div class="d-box d-marquee" style={scaled(state.marquee.value, zoom)} />}
      {state.snaps.value.map((g, i) => (
        <div key={`g${i}`} class="d-box d-guide" style={scaled(g, zoom, 1)} />
      ))}
      {drop && <div class={`d-box d-target ${drop.refused ? "d-no" : ""}`} style={scaled(drop.frame, zoom)} />}
      {drop && !drop.refused && !drop.whole && <div class="d-box d-insert" style={scaled(drop.line, zoom, 3)} />}
    </div>
  );
}

function nameOf(state: State, id: string): string {
  const node = state.nodeOf(id);
  return node ? state.labelOf(node) : "";
}

function inSelection(state: State, id: string): boolean {
  return state.selected.value.length > 0 && (state.selected.value.includes(id) || state.ancestorsOf(id).some((a) => state.selected.value.includes(a)));
}

/** Edges that can be dragged, where the component has a width and a height. Beside a neighbour in a row the splitter does it. */
function Handles({ state, id }: { state: State; id: string }) {
  const stage = state.stage!;
  const place = find(state.report.value, id);
  if (lockOf(state.report.value, id)) return null;
  const fromRight = stage.doc.documentElement.dir === "rtl";
  const splits = isRow(place?.parent ?? null) && place!.parent!.props?.wrap !== true && (fromRight ? place!.index > 0 : place!.index < place!.parent!.children!.length - 1);
  const settings = state.components.value.find((c) => c.name === state.nodeOf(id)?.type)?.settings ?? [];
  const [wide, high] = ["width", "height"].map((name) => settings.some((s) => s.name === name));
  return (
    <>
      {wide && !splits && <i class="d-handle d-right-edge" onPointerDown={(e) => dragEdge(state, e, id, "right")} />}
      {high && <i class="d-handle d-bottom-edge" onPointerDown={(e) => dragEdge(state, e, id, "bottom")} />}
      {wide && high && <i class="d-handle d-corner" onPointerDown={(e) => dragEdge(state, e, id, "corner")} />}
    </>
  );
}
