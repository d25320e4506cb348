// The bundle assets/dist/designer.js: the designer of a report or a template.

import { render } from "preact";
import { useRef } from "preact/hooks";
import { type Desk, ReportDesk } from "./api";
import { App } from "./app";
import { referring } from "../edit/refer";
import { completing, factsOf, faultsIn, faulty, giving } from "./complete";
import { fieldAtPath } from "./edit";
import { givenNow } from "./inline";
import { followAll } from "./news";
import { picking } from "./picker";
import { State } from "./state";
import { thisBrowser } from "../session/browser";
import { TemplateDesk } from "./template";
import { completionsOf, picks, targets } from "./values";
import { loadTexts, t } from "../words";

/** The designer, with what is to be mended at its fields. */
function Faults({ state }: { state: State }) {
  const report = state.report.value;
  const last = useRef({ text: "", faulty: faultsIn([]) });
  const faults = [...state.session.problems.value, ...state.warnings.value].map(({ path, message }) => ({ field: fieldAtPath(report, path), message }));
  const text = JSON.stringify(faults);
  // The same faults are the same value, so that fields are not drawn again for them.
  if (last.current.text !== text) last.current = { text, faulty: faultsIn(faults) };
  return (
    <faulty.Provider value={last.current.faulty}>
      <App state={state} />
    </faulty.Provider>
  );
}

const root = document.getElementById("designer");
if (root) {
  const { workspace = "", report = "", template = "", base = "", assets = "", back = "/" } = root.dataset;
  const desk: Desk = template ? new TemplateDesk(base, workspace, Number(template)) : new ReportDesk(base, workspace, report);
  const preview = template ? "" : `${base}/ws/${workspace}/reports/${report}`;
  const open = async () => {
    const [browser] = await Promise.all([thisBrowser(), loadTexts(assets)]);
    const state = new State(desk, `quire-draft-${workspace}-${template ? `template-${template}` : report}`, { back, preview }, browser);
    await state.open();
    followAll(state);
    const [, thread] = /^#thread-(\d+)$/.exec(location.hash) ?? [];
    if (thread && state.comments) {
      state.tab.value = "Comments";
      state.comments.chosen.value = Number(thread);
    }
    return state;
  };
  open().then(
    (state) =>
      render(
        <completing.Provider value={completionsOf(state)}>
          <giving.Provider value={(field) => givenNow(state, field)}>
            <picking.Provider value={(wanted, field) => picks(factsOf(state), wanted, field)}>
              <referring.Provider value={() => targets(state.report.value, state.components.value)}>
                <Faults state={state} />
              </referring.Provider>
            </picking.Provider>
          </giving.Provider>
        </completing.Provider>,
        root,
      ),
    (fault: unknown) => {
      root.textContent = t("This cannot be opened: {0}", fault instanceof Error ? fault.message : fault);
      root.className = "problem";
    },
  );
}
