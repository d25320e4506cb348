// What a run would begin with: how many entries, and the record of one.

import type { Desk } from "./desk";
import { t } from "../../words";

/** The record of an entry. Where it is manual the data is loaded when asked. */
export function Entries({ desk, manual }: { desk: Desk; manual?: boolean }) {
  const look = desk.look.value;
  const fault = desk.lookFault.value;
  const { job } = desk;
  return (
    <section class="j-entries" aria-label={t("Entries")}>
      <div class="d-buttons">
        <h3>{t("Entries")}</h3>
        <span class="d-grow" />
        {look && look.entries > 1 && <EntryNumber desk={desk} id="j-entry" most={look.entries} />}
        <button type="button" disabled={desk.busy.value} onClick={() => void desk.lookAt(true)}>
          {desk.busy.value ? t("Loading …") : manual && !look ? t("Look at the data") : t("Load anew")}
        </button>
      </div>
      <div role="status">
        {fault && <p class="field-problem">{fault}</p>}
        {look && !fault && <p class="j-count">{look.entries === 1 ? t("A run makes 1 entry.") : t("A run makes {0} entries.", look.entries)}</p>}
      </div>
      {look && !fault && job.repeat && look.entries > 0 && <Record record={look.record} />}
    </section>
  );
}

/** Which entry is looked at. */
export function EntryNumber({ desk, id, most }: { desk: Desk; id: string; most: number }) {
  const choose = (n: number) => {
    if (!Number.isInteger(n) || n < 1 || n > most) return;
    desk.entry.value = n;
    void desk.lookAt();
  };
  return (
    <label class="j-number" for={id}>
      {t("Entry")}
      <input id={id} type="number" min={1} max={most} value={desk.entry.value} onInput={(e) => choose(e.currentTarget.valueAsNumber)} />
    </label>
  );
}

/** The fields of a record with what they hold. */
function Record({ record }: { record: unknown }) {
  if (record === null || typeof record !== "object" || Array.isArray(record)) return <p class="d-hint">{t("{$record} is {0}.", JSON.stringify(record))}</p>;
  return (
    <div class="d-rows" tabIndex={0} role="region" aria-label={t("Fields of the record")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("In templates")}</th>
            <th scope="col">{t("Value")}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(record).map(([name, value]) => (
            <tr key={name}>
              <td>
                <code>{`{$record.${name}}`}</code>
              </td>
              <td>{brief(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
