// The history of a report: what changed in each version, and a way back.

import { useRef, useState } from "preact/hooks";
import { Refused, type Version } from "./api";
import { changes } from "./compare";
import type { State } from "./state";
import { Icon } from "../ui/icon";
import { t } from "../words";

export function Versions({ state }: { state: State }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [versions, show] = useState<Version[]>([]);
  const [fault, fail] = useState("");
  const [compared, compare] = useState<{ revision: number; lines: string[] } | null>(null);
  const attempt = (work: () => Promise<void>) => {
    fail("");
    work().catch((e: unknown) => fail(e instanceof Refused ? e.message : t("The service cannot be reached.")));
  };
  const open = () => {
    compare(null);
    show([]);
    dialog.current!.showModal();
    attempt(async () => {
      await state.save();
      show(await state.api.versions!());
    });
  };
  const look = (revision: number) => attempt(async () => compare({ revision, lines: changes((await state.api.version!(revision)).definition, state.report.value) }));
  const restore = (revision: number) =>
    attempt(async () => {
      await state.restore(revision);
      dialog.current!.close();
    });
  return (
    <>
      <button type="button" onClick={open}>
        <Icon name="history" />
        {t("Versions")}
      </button>
      <dialog ref={dialog} class="d-dialog" aria-labelledby="versions-title">
        <h2 id="versions-title">{t("Versions")}</h2>
        {fault && (
          <p class="field-problem" role="alert">
            {fault}
          </p>
        )}
        {versions.length === 0 && !fault && <p class="d-hint">{t("This report has not been saved yet.")}</p>}
        <ul>
          {versions.map((v, i) => (
            <li key={v.revision}>
              <span>
                {new Date(v.saved).toLocaleString(document.documentElement.lang)} {v.user && `· ${v.user}`} {i === 0 && `· ${t("now")}`}
              </span>
              {i > 0 && (
                <span class="d-buttons">
                  <button type="button" onClick={() => look(v.revision)}>
                    {t("Compare")}
                  </button>
                  <button type="button" onClick={() => restore(v.revision)}>
                    {t("Restore")}
                  </button>
                </span>
              )}
              {compared?.revision === v.revision && (
                <ul class="d-changes">
                  {compared.lines.length === 0 ? <li>{t("Nothing has changed since.")}</li> : compared.lines.map((line, n) => <li key={n}>{line}</li>)}
                </ul>
              )}
            </li>
          ))}
        </ul>
        <form method="dialog">
          <button>{t("Close")}</button>
        </form>
      </dialog>
    </>
  );
}
