// The bundle assets/dist/designer.js: the designer of a report.

import { render } from "preact";
import { ReportDesk } from "./api";
import { App } from "./app";
import { State } from "./state";

const root = document.getElementById("designer");
if (root) {
  const { workspace = "", report = "", base = "", back = "/" } = root.dataset;
  const state = new State(new ReportDesk(base, workspace, report), `quire-draft-${workspace}-${report}`, { back, preview: `${base}/ws/${workspace}/reports/${report}` });
  state.open().then(
    () => render(<App state={state} />, root),
    (fault: unknown) => {
      root.textContent = `The report cannot be opened: ${fault instanceof Error ? fault.message : String(fault)}`;
      root.className = "problem";
    },
  );
}
