// How others come to see a report: who may, the link for them, and a frame in a page
// of one's own.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { reason, type Sharing } from "./api";
import { Dialog } from "./menu";
import type { State } from "./state";
import { t } from "../words";

export function ShareButton({ state }: { state: State }) {
  return (
    <button type="button" onClick={() => (state.dialog.value = "share")}>
      <Icon name="users-round" />
      {t("Share")}
    </button>
  );
}

export function Share({ state, close }: { state: State; close: () => void }) {
  const [shared, show] = useState<Sharing | null>(null);
  const [fault, fail] = useState("");
  useEffect(() => {
    state.api.sharing!().then(show, (e: unknown) => fail(reason(e)));
  }, []);
  return (
    <Dialog title={t("Share {0}", state.whole.name)} close={close} wide>
      {fault && (
        <p class="field-problem" role="alert">
          {fault}
        </p>
      )}
      {!shared && !fault && <p class="d-hint">{t("Loading …")}</p>}
      {shared && (
        <div class="d-share">
          <Readers shared={shared} />
          <section>
            <h3>{t("Link")}</h3>
            <p class="d-hint">{t("It opens the report for people who may see it, once they have signed in. It gives nobody a right.")}</p>
            <Copied label={t("Link")} text={shared.link} />
          </section>
          <section>
            <h3>{t("In a page of your own")}</h3>
            <p class="d-hint">{t("Put this into the page, with a nonce in the place of NONCE: a value that opens this frame once, within a minute, so that nobody who looks needs an account.")}</p>
            <Copied label={t("Frame")} text={shared.frame} />
            <p class="d-hint">{t("Your server asks for a nonce whenever it serves the page, with an access token that stays there:")}</p>
            <Copied label={t("Request for a nonce")} text={shared.request} />
          </section>
        </div>
      )}
    </Dialog>
  );
}

function Readers({ shared: { restricted, readers, access } }: { shared: Sharing }) {
  return (
    <section>
      <h3>{t("Who may see it")}</h3>
      <p class="d-hint">{restricted ? t("Only some people of the workspace may see this report.") : t("Everybody whose role reads the reports of the workspace may see this report.")}</p>
      {readers && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Name")}</th>
              <th scope="col">{t("Kind")}</th>
              <th scope="col">{t("May")}</th>
            </tr>
          </thead>
          <tbody>
            {readers.map(({ name, email, kind, may }, i) => (
              <tr key={i}>
                <th scope="row">
                  {name} {email && email !== name && <small>{email}</small>}
                </th>
                <td>{kind}</td>
                <td>{may}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {access && (
        <a class="button" href={access} target="_blank" rel="noopener">
          {t("Change who may see it")}
        </a>
      )}
    </section>
  );
}

/** A text that is copied by one press; where the browser does not let a page do that it is selected, for its own keys. */
function Copied({ label, text }: { label: string; text: string }) {
  const [done, tell] = useState(false);
  const copy = async (e: MouseEvent) => {
    const field = (e.currentTarget as HTMLElement).parentElement!.querySelector("textarea")!;
    field.select();
    try {
      await navigator.clipboard.writeText(text);
      tell(true);
      setTimeout(() => tell(false), 2000);
    } catch {
      // it is selected
    }
  };
  return (
    <div class="d-line">
      <textarea readOnly rows={text.split("\n").length} aria-label={label} spellcheck={false} value={text} onFocus={(e) => e.currentTarget.select()} />
      <button type="button" aria-label={t("Copy: {0}", label)} onClick={copy}>
        {done ? t("Copied") : t("Copy")}
      </button>
      <span role="status" class="hidden">
        {done ? t("Copied") : ""}
      </span>
    </div>
  );
}
