// The bundle assets/dist/designer.js: the designer of a report or a template.

import { render } from "preact";
import { ReportDesk } from "./api";
import { App } from "./app";
import { completing, completionsOf, giving } from "./complete";
import { givenNow } from "./inline";
import { State } from "./state";
import { TemplateDesk } from "./template";
import { loadTexts, t } from "../words";

const root = document.getElementById("designer");
if (root) {
  const { workspace = "", report = "", template = "", base = "", assets = "", back = "/" } = root.dataset;
  const desk = template ? new TemplateDesk(base, workspace, Number(template)) : new ReportDesk(base, workspace, report);
  const preview = template ? "" : `${base}/ws/${workspace}/reports/${report}`;
  const state = new State(desk, `quire-draft-${workspace}-${template ? `template-${template}` : report}`, { back, preview });
  loadTexts(assets).then(() => state.open()).then(
    () =>
      render(
        <completing.Provider value={completionsOf(state)}>
          <giving.Provider value={(field) => givenNow(state, field)}>
            <App state={state} />
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
