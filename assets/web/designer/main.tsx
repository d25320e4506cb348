// The bundle assets/dist/designer.js: the designer of a report or a template.

import { render } from "preact";
import { ReportDesk } from "./api";
import { App } from "./app";
import { State } from "./state";
import { TemplateDesk } from "./template";

const root = document.getElementById("designer");
if (root) {
  const { workspace = "", report = "", template = "", base = "", back = "/" } = root.dataset;
  const desk = template ? new TemplateDesk(base, workspace, Number(template)) : new ReportDesk(base, workspace, report);
  const preview = template ? "" : `${base}/ws/${workspace}/reports/${report}`;
  const state = new State(desk, `quire-draft-${workspace}-${template ? `template-${template}` : report}`, { back, preview });
  state.open().then(
    () => render(<App state={state} />, root),
    (fault: unknown) => {
      root.textContent = `This cannot be opened: ${fault instanceof Error ? fault.message : String(fault)}`;
      root.className = "problem";
    },
  );
}
