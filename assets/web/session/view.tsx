// What people see of a session: how the saving goes, drafts that are offered,
// and both sides of a conflict.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Draft } from "./drafts";
import type { Choices, Clash, Side } from "./merge";
import type { Saving, Session } from "./session";
import { besideInWords, valueInWords } from "./words";
import { say, t } from "../words";

const SAVING: Record<Saving, string> = { saved: say("Saved"), changed: say("Not saved yet"), saving: say("Saving …"), offline: say("Not connected"), conflict: say("Changed by somebody else"), refused: say("Not saved"), gone: say("Deleted by somebody else") };

/** How the saving goes, in two words. */
export function SavingState({ saving, busy }: { saving: Saving; busy?: string | undefined }) {
  return (
    <span role="status" class={`d-saving d-${saving}`}>
      {busy ?? t(SAVING[saving])}
    </span>
  );
}

interface Words<T> {
  /** Where a clash is. */
  place(clash: Clash): string;
  /** What was changed between two states, a line each. */
  changes(before: T, after: T): string[];
}

/** What there is to tell of a session, with what can be done about it. */
export function SessionMessages<T extends object, M>({ session, words }: { session: Session<T, M>; words: Words<T> }) {
  const conflict = session.conflict.value;
  const saving = session.saving.value;
  const message = session.message.value;
  const [draft] = session.offers.value;
  const asked = useSignal(false);
  useEffect(() => {
    if (conflict?.draft) asked.value = true;
  }, [conflict?.draft]);
  return (
    <>
      {message && (
        <div class={`d-message ${saving === "saved" || saving === "changed" || saving === "saving" ? "d-told" : ""}`} role="alert">
          <span>{message}</span>
          {saving === "conflict" && (
            <span class="d-buttons">
              <button type="button" class="d-primary" onClick={() => (asked.value = true)}>
                {t("See both sides")}
              </button>
            </span>
          )}
          {saving === "gone" && (
            <span class="d-buttons">
              <button type="button" class="d-primary" onClick={() => void session.revive()}>
                {t("Bring it back")}
              </button>
            </span>
          )}
        </div>
      )}
      {draft && <Offer key={draft.place} session={session} draft={draft} more={session.offers.value.length - 1} words={words} />}
      {conflict && asked.value && (
        <BothSides
          session={session}
          words={words}
          close={() => ((asked.value = false), session.setAside())}
          apply={async (choices) => {
            asked.value = false;
            await session.resolve(choices);
            asked.value = session.conflict.value !== null; // a choice may bring another
          }}
        />
      )}
    </>
  );
}

/** A draft that is not part of what is edited: brought back, looked at, or thrown away. */
function Offer<T extends object, M>({ session, draft, more, words }: { session: Session<T, M>; draft: Draft<T>; more: number; words: Words<T> }) {
  const compared = useSignal(false);
  const when = draft.time > 0 ? new Date(draft.time).toLocaleString(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
  const lines = compared.value ? words.changes(draft.base ?? session.value.value, draft.value) : [];
  const blocked = session.saving.value === "conflict";
  return (
    <div class="d-message d-told d-offer" role="status">
      <span>
        {when ? t("There are edits of {0} in this browser that were never saved.", when) : t("There are edits in this browser that were never saved.")}
        {more > 0 && ` ${t("{0} more are kept.", more)}`}
      </span>
      <span class="d-buttons">
        <button type="button" class="d-primary" disabled={blocked} onClick={() => void session.bring(draft)}>
          {t("Restore")}
        </button>
        <button type="button" aria-expanded={compared.value} onClick={() => (compared.value = !compared.value)}>
          {t("Compare")}
        </button>
        <button type="button" onClick={() => session.discard(draft)}>
          {t("Discard")}
        </button>
      </span>
      {compared.value && <ul class="d-changes">{lines.length === 0 ? <li>{t("Nothing has changed since.")}</li> : lines.map((line, n) => <li key={n}>{line}</li>)}</ul>}
    </div>
  );
}

/** Both sides of each setting that was changed twice; one stays. */
function BothSides<T extends object, M>({ session, words, close, apply }: { session: Session<T, M>; words: Words<T>; close: () => void; apply: (choices: Choices) => Promise<void> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const chosen = useSignal<ReadonlyMap<string, Side>>(new Map());
  const { clashes, draft } = session.conflict.value!;
  useEffect(() => dialog.current!.showModal(), []);
  const choose = (keys: string[], side: Side) => (chosen.value = new Map([...chosen.value, ...keys.map((k): [string, Side] => [k, side])]));
  const [mine, theirs] = draft ? [t("From the draft"), t("As it is now")] : [t("Mine"), t("Theirs")];
  const all = clashes.map((c) => c.key);
  return (
    <dialog ref={dialog} class="d-dialog d-sides" aria-labelledby="sides-title" onClose={close}>
      <h2 id="sides-title">{draft ? t("The draft and what is here differ") : t("Two people changed the same")}</h2>
      <p class="d-hint">{clashes.length === 1 ? t("Everything else of both sides is kept. Which of these stays?") : t("Everything else of both sides is kept. Choose for each of these {0} which stays.", clashes.length)}</p>
      {clashes.length > 1 && (
        <div class="d-buttons">
          <button type="button" onClick={() => choose(all, "mine")}>
            {t("All: {0}", mine)}
          </button>
          <button type="button" onClick={() => choose(all, "theirs")}>
            {t("All: {0}", theirs)}
          </button>
        </div>
      )}
      <div class="d-clashes">
        {clashes.map((c, i) => (
          <fieldset key={c.key}>
            <legend>{words.place(c)}</legend>
            {c.kind === "value" && c.base !== undefined && <p class="d-help">{t("Before: {0}", valueInWords(c.base))}</p>}
            <div class="d-two">
              {(["mine", "theirs"] as const).map((side) => (
                <label key={side}>
                  <input type="radio" name={`clash-${i}`} checked={(chosen.value.get(c.key) ?? "mine") === side} onChange={() => choose([c.key], side)} />
                  <span>
                    <b>{side === "mine" ? mine : theirs}</b>
                    <span class="d-value">{said(c, side)}</span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div class="d-buttons d-end">
        <button type="button" onClick={() => dialog.current!.close()}>
          {t("Decide later")}
        </button>
        <button type="button" class="d-primary" onClick={() => void apply(new Map(clashes.map((c) => [c.key, chosen.value.get(c.key) ?? "mine"])))}>
          {t("Keep what is chosen")}
        </button>
      </div>
    </dialog>
  );
}

function said(clash: Clash, side: Side): string {
  const value = clash[side];
  const [mine, theirs] = besideInWords(clash.mine, clash.theirs);
  if (clash.kind === "removed") return value === undefined ? t("Removed") : t("Kept, with the changes: {0}", valueInWords(value));
  if (clash.kind === "place") return side === "mine" ? t("Where I moved it") : t("Where they moved it");
  return side === "mine" ? mine : theirs;
}
