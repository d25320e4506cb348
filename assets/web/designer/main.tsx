// The bundle assets/dist/designer.js: the designer of a report.

import { render } from "preact";
import { Api } from "./api";
import { App } from "./app";
import { completing, completionsOf } from "./complete";
import { State } from "./state";

const root = document.getElementById("designer");
if (root) {
  const { workspace = "", report = "", base = "", back = "/" } = root.dataset;
  const state = new State(new Api(base, workspace, report), `quire-draft-${workspace}-${report}`);
  state.open().then(
    () =>
      render(
        <completing.Provider value={completionsOf(state)}>
          <App state={state} base={base} back={back} preview={`${base}/ws/${workspace}/reports/${report}`} />
        </completing.Provider>,
        root,
      ),
    (fault: unknown) => {
      root.textContent = `The report cannot be opened: ${fault instanceof Error ? fault.message : String(fault)}`;
      root.className = "problem";
    },
  );
}
