// The bar above the canvas while header, footer and paper are edited, the question
// whose they shall be, and the name of the paper below the canvas.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { reason } from "./api";
import { bandsOf } from "./bands";
import { setPage } from "./edit";
import { editFrame, giveUpOwn, leaveFrame, type Shared, sharedTemplate, takeOwn } from "./framing";
import { optionWords } from "./labels";
import { Dialog } from "./menu";
import type { Page } from "./model";
import { inInches, MARGINS, marginsNamed, nameOfMargins, paperName, paperOf } from "./paper";
import { useShared } from "./references";
import type { State } from "./state";
import { t } from "../words";

const MODES = [
  { value: "portrait", icon: "rectangle-vertical" },
  { value: "landscape", icon: "rectangle-horizontal" },
];

/** Paper and margins of the layout that is shown; in a report also the way back to its pages. */
export function FrameBar({ state }: { state: State }) {
  if (!state.layouts.value) return null;
  const page = state.report.value.pages[state.page.value];
  if (!page) return null;
  const report = state.framed.value;
  return (
    <section class="d-framing" aria-label={t("Paper and margins")}>
      {report && <h2 class="hidden">{t("Header, footer, paper")}</h2>}
      <PaperFields state={state} page={page} />
      {report && (
        <>
          <span class="d-grow" />
          <GiveUp state={state} />
          <button type="button" class="d-primary" onClick={() => leaveFrame(state)}>
            {t("Back to the content")}
          </button>
        </>
      )}
    </section>
  );
}

function PaperFields({ state, page }: { state: State; page: Page }) {
  state.drawn.value; // margins are read from the sheet
  const settings = state.schemas.value.layout ?? [];
  const of = (name: string) => settings.find((s) => s.name === name);
  const size = String(page.size ?? of("size")?.default ?? "");
  const inches = inInches(size);
  const orientation = String(page.orientation ?? of("orientation")?.default ?? "");
  const bands = state.stage && bandsOf(state.stage, page.id);
  const margins = bands ? nameOfMargins(bands.margin, inches) : "own";
  return (
    <>
      <label>
        {t("Paper")}{" "}
        <select value={size} onChange={(e) => setPage(state, "size", e.currentTarget.value)}>
          {(of("size")?.enum ?? []).map((name) => (
            <option key={name} value={name}>
              {optionWords(name)}
            </option>
          ))}
        </select>
      </label>
      <span class="d-segments" role="group" aria-label={t("Orientation of the paper")}>
        {MODES.map(({ value, icon }) => (
          <button key={value} type="button" title={optionWords(value)} aria-label={optionWords(value)} disabled={size === "Custom"} aria-pressed={orientation === value} onClick={() => setPage(state, "orientation", value)}>
            <Icon name={icon} />
          </button>
        ))}
      </span>
      <label>
        {t("Margins")}{" "}
        <select value={margins} onChange={(e) => setPage(state, "margin", marginsNamed(e.currentTarget.value, inches))}>
          {Object.entries(MARGINS).map(([name, { words }]) => (
            <option key={name} value={name}>
              {t(words)}
            </option>
          ))}
          {margins === "own" && <option value="own">{t("As drawn | margins")}</option>}
        </select>
      </label>
    </>
  );
}

/** The way back to the template of the library, where that is there. */
function GiveUp({ state }: { state: State }) {
  const wanted = String(state.report.value.template ?? "").toLowerCase();
  const known = useShared(state, "templates");
  if (!known.some((template) => wanted === "" || template.code?.toLowerCase() === wanted)) return null;
  return (
    <button type="button" onClick={() => giveUpOwn(state)}>
      {t("Use the shared template again")}
    </button>
  );
}

/** Asks whether the template is changed for all reports, or this report gets its own. */
export function FrameQuestion({ state, close }: { state: State; close: () => void }) {
  const [shared, found] = useState<Shared | null>(null);
  const [fault, fail] = useState("");
  const own = (template: Shared) => (close(), takeOwn(state, template));
  useEffect(() => {
    sharedTemplate(state).then(
      (read) => (read.id === undefined ? own(read) : found(read)), // nobody else has it
      (e: unknown) => fail(reason(e)),
    );
  }, []);
  const { base, workspace } = state.api;
  return (
    <Dialog title={t("Header, footer and paper")} close={close}>
      {fault && <p class="field-problem">{fault}</p>}
      {shared && (
        <>
          <p>{t("They come from the template “{0}”, which other reports may use, too. What do you want to change?", shared.template.name)}</p>
          <div class="d-choices">
            <button type="button" onClick={() => own(shared)}>
              <b>{t("This report only")}</b>
              <small>{t("It gets a copy of the template, which you change here, on its pages.")}</small>
            </button>
            <a class="button" href={`${base}/ws/${workspace}/templates/${shared.id}/design`}>
              <b>{t("All reports of the template")}</b>
              <small>{t("Opens the template. Everything of this report is kept.")}</small>
            </a>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** The paper of the page that is shown; pressing leads to its settings. */
export function PaperChip({ state }: { state: State }) {
  state.drawn.value; // a report that is not drawn yet has no other paper
  const page = state.report.peek().pages[state.page.value];
  const bands = page && state.stage && bandsOf(state.stage, page.id);
  if (!bands) return null;
  return (
    <button type="button" class="d-chip d-sheet" title={t("Change paper, margins, header and footer")} onClick={() => editFrame(state, "header")}>
      {paperName(paperOf(bands.sheet.width, bands.sheet.height))}
    </button>
  );
}
