// The pages of a report: small pictures in their order, and the settings of the
// page and of the report.

import { useEffect, useRef, useState } from "preact/hooks";
import { addPage, duplicatePage, movePage, removePage, setPage, setReport } from "./edit";
import { isLayouts } from "./layouts";
import { Field } from "./panel";
import type { State } from "./state";
import { t } from "../words";

const WIDE = 120;

/** Small pictures of the pages, taken from the canvas when it is still. */
export function Pages({ state }: { state: State }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [heights, measure] = useState<Record<number, number>>({});
  const { pages } = state.report.value;
  const drawn = state.drawn.value;
  useEffect(() => {
    const timer = setTimeout(() => frame.current && measure(takePictures(frame.current, state)), 120);
    return () => clearTimeout(timer);
  }, [drawn, pages.length]);
  const heightOf = (id: number) => heights[id] ?? Math.round(WIDE * Math.SQRT2);
  const key = (e: KeyboardEvent, i: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.altKey) movePage(state, i, i + by);
    const to = Math.max(0, Math.min(i + by, pages.length - 1));
    state.page.value = to;
    (e.currentTarget as HTMLElement).closest("ul")?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <section class="d-pages" aria-label={t("Pages")}>
      <div class="d-pictures">
        <iframe ref={frame} title={t("Pictures of the pages")} tabIndex={-1} aria-hidden="true" sandbox="allow-same-origin" src={`${state.api.base}/ui/canvas`} onLoad={() => frame.current && measure(takePictures(frame.current, state))} />
        <ul>
          {pages.map((p, i) => (
            <li key={p.id}>
              <button
                type="button"
                draggable
                aria-current={i === state.page.value ? "page" : undefined}
                onDragStart={(e) => e.dataTransfer?.setData("application/x-quire-page", String(i))}
                onDragOver={(e) => e.dataTransfer?.types.includes("application/x-quire-page") && e.preventDefault()}
                onDrop={(e) => movePage(state, Number(e.dataTransfer?.getData("application/x-quire-page")), i)}
                onKeyDown={(e) => key(e, i)}
                onClick={() => show(state, i)}
              >
                <span class="d-picture" style={{ width: `${WIDE}px`, height: `${heightOf(p.id)}px` }} />
                <span>{p.name}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div class="d-buttons">
        <button type="button" onClick={() => addPage(state)}>
          {t("Add page")}
        </button>
        <button type="button" onClick={() => duplicatePage(state)}>
          {t("Duplicate page")}
        </button>
        <button type="button" disabled={pages.length < 2} onClick={() => removePage(state)}>
          {t("Delete page")}
        </button>
      </div>
      <p class="d-hint">{t("Drag a page, or hold Alt and press an arrow, to move it.")}</p>
    </section>
  );
}

/** Shows a page's settings, and the page on the canvas. */
export function show(state: State, index: number): void {
  state.page.value = index;
  state.select([]);
  const id = state.report.value.pages[index]!.id;
  const sheet = state.stage?.doc.querySelector(`.q-page[data-page="${id}"]`);
  const view = state.stage?.frame.closest(".d-canvas");
  if (sheet && view) view.scrollTo({ top: sheet.getBoundingClientRect().top * state.stage!.zoom() - 16 });
}

/** Copies the first sheet of each page into a frame, drawn small. */
function takePictures(frame: HTMLIFrameElement, state: State): Record<number, number> {
  const from = state.stage?.doc;
  const doc = frame.contentDocument;
  if (!from || doc?.URL !== frame.src) return {}; // until it has loaded it is empty, with our policy, which drops styles
  const heights: Record<number, number> = {};
  const styles = [...from.head.querySelectorAll("style,link")].map((el) => doc.importNode(el, true));
  const look = doc.createElement("style");
  look.textContent = "body{margin:0!important;padding:0!important;display:block!important;width:auto!important;background:none!important}.q-page{box-shadow:none!important;margin:0!important}";
  doc.head.replaceChildren(...styles, look);
  doc.body.className = from.body.className;
  doc.body.replaceChildren();
  for (const page of state.report.value.pages) {
    const sheet = from.querySelector<HTMLElement>(`.q-page[data-page="${page.id}"]`);
    const holder = doc.createElement("div");
    const wide = sheet?.offsetWidth || 794;
    heights[page.id] = Math.round(((sheet?.offsetHeight || 1123) * WIDE) / wide);
    holder.style.cssText = `position:absolute;left:0;width:${WIDE}px;height:${heights[page.id]}px;overflow:hidden`;
    holder.dataset.picture = String(page.id);
    if (sheet) {
      const copy = doc.importNode(sheet, true);
      copy.style.transformOrigin = "0 0";
      copy.style.transform = `scale(${WIDE / wide})`;
      holder.append(copy);
    }
    doc.body.append(holder);
  }
  requestAnimationFrame(() => placePictures(frame, doc));
  return heights;
}

/** Puts each picture where its button is. */
function placePictures(frame: HTMLIFrameElement, doc: Document): void {
  const list = frame.parentElement;
  if (!list) return;
  const origin = list.getBoundingClientRect();
  const holders = [...doc.querySelectorAll<HTMLElement>("[data-picture]")];
  [...list.querySelectorAll<HTMLElement>(".d-picture")].forEach((el, i) => {
    const box = el.getBoundingClientRect();
    const holder = holders[i];
    if (holder) Object.assign(holder.style, { left: `${box.left - origin.left}px`, top: `${box.top - origin.top}px` });
  });
}

/** What is shown when nothing is selected: the settings of the page and of the report. */
export function Settings({ state }: { state: State }) {
  const report = state.report.value;
  const page = report.pages[state.page.value];
  const { schemas } = state;
  const template = state.addresses.preview === "";
  // The name of a template is in the bar above.
  const ofReport = (schemas.value[template ? "templates" : "report"] ?? []).filter((s) => !template || s.name !== "name");
  const layouts = isLayouts(report);
  const ofPage = schemas.value[layouts ? "layout" : "page"] ?? [];
  const merge = page?.type === "document-merge";
  const sub = page?.type === "subreport";
  const about = (name: string): boolean => {
    if (["document", "startPage", "endPage"].includes(name)) return merge;
    if (["report", "parameters", "repeat", "separateContents"].includes(name)) return sub;
    return true;
  };
  return (
    <form class="d-form" onSubmit={(e) => e.preventDefault()}>
      {page && ofPage.length > 0 && (
        <section aria-label={t("Page settings")} class="d-form" key={page.id}>
          <h2>{layouts ? t("Layout") : t("Page")}</h2>
          {ofPage
            .filter((s) => about(s.name))
            .map((s) => (
              <Field key={s.name} state={state} setting={s} value={page[s.name]} change={(v) => setPage(state, s.name, v)} path={`page.${page.id}.${s.name}`} />
            ))}
        </section>
      )}
      {!state.framed.value && (
        <section aria-label={template ? t("Template settings") : t("Report settings")} class="d-form">
          <h2>{template ? t("Template") : t("Report")}</h2>
          {ofReport.map((s) => (
            <Field key={s.name} state={state} setting={s} value={report[s.name]} change={(v) => setReport(state, s.name, v)} path={`report.${s.name}`} />
          ))}
        </section>
      )}
    </form>
  );
}
