// A test of one delivery: the documents of one entry are made and delivered.

import { useState } from "preact/hooks";
import { inFull, type Desk } from "./desk";
import type { Delivery, Trial } from "./model";
import { t } from "../../words";

export function TryDelivery({ desk, delivery, index }: { desk: Desk; delivery: Delivery; index: number }) {
  const [entry, choose] = useState(1);
  const [real, address] = useState(false);
  const [busy, wait] = useState(false);
  const [trial, show] = useState<Trial | null>(null);
  const [fault, fail] = useState("");
  const mail = desk.choices.value?.destinations.find((d) => d.name === delivery.type)?.toPerson ?? false;
  const id = `try-delivery-${index}`;
  const start = async () => {
    wait(true);
    show(null);
    fail("");
    try {
      show(await desk.deliver(index, entry, mail && real));
    } catch (e) {
      fail(inFull(e));
    } finally {
      wait(false);
    }
  };
  return (
    <section class="j-trial" aria-label={t("Test delivery")}>
      <h3>{t("Test delivery")}</h3>
      <p class="d-help">{mail ? t("Makes the documents of one entry and sends them, with Test before the subject and the names. Cc and Bcc are left out.") : t("Makes the documents of one entry and delivers them, with Test before their names.")}</p>
      {mail && (
        <fieldset class="d-list">
          <legend>{t("Send to")}</legend>
          <label class="d-check">
            <input type="radio" name={`${id}-to`} checked={!real} onChange={() => address(false)} />
            <span>{t("me: {0}", desk.choices.value?.email ?? "")}</span>
          </label>
          <label class="d-check">
            <input type="radio" name={`${id}-to`} checked={real} onChange={() => address(true)} />
            <span>{t("the recipients of the entry")}</span>
          </label>
        </fieldset>
      )}
      <div class="d-buttons">
        <label class="j-number" for={id}>
          {t("Entry")}
          <input id={id} type="number" min={1} max={desk.look.value?.entries || undefined} value={entry} onInput={(e) => e.currentTarget.validity.valid && choose(e.currentTarget.valueAsNumber || 1)} />
        </label>
        <button type="button" disabled={busy} onClick={() => void start()}>
          {busy ? t("Delivering …") : t("Deliver a test")}
        </button>
      </div>
      <div role="status">
        {fault && <p class="field-problem">{fault}</p>}
        {trial && <Outcome trial={trial} />}
      </div>
    </section>
  );
}

function Outcome({ trial }: { trial: Trial }) {
  if (trial.skipped) return <p class="d-hint">{t("The condition does not hold for this entry: nothing was delivered.")}</p>;
  const { receipt } = trial;
  const items = receipt?.items ?? trial.documents.map((name) => ({ name, place: "" }));
  return (
    <div class="j-good">
      <p>{t("Delivered.")}</p>
      <ul>
        {items.map((item) => (
          <li key={item.name}>
            <strong>{item.name}</strong>
            {item.place && <> → {item.place}</>}
          </li>
        ))}
      </ul>
      {receipt?.reference && <p class="d-help">{t("Reference: {0}", receipt.reference)}</p>}
    </div>
  );
}
