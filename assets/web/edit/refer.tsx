// References in texts: a button at a field leads to the headings and captions of
// the report, of which the page, the words or the number can be printed.

import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { t } from "../words";

/** Something of the report that has a name. */
export interface Target {
  name: string;
  title: string;
}

/** What can be referred to now; null where texts refer to nothing. */
export const referring = createContext<(() => Target[]) | null>(null);

/** The button, and the chooser below it while it is open. */
export function Refer({ id, label, insert, focus }: { id: string; label: string; insert: (text: string) => void; focus: () => void }) {
  const there = useContext(referring);
  const [open, show] = useState(false);
  const [name, choose] = useState("");
  const [format, print] = useState("pageOf");
  const box = useRef<HTMLDivElement>(null);
  // At once, lest a key that follows goes to where the focus was.
  useLayoutEffect(() => void (open && box.current?.querySelector<HTMLElement>("select, button")?.focus()), [open]);
  if (!there) return null;
  const close = () => (show(false), focus());
  const all = open ? there() : [];
  const chosen = all.find((one) => one.name === name) ?? all[0];
  const put = () => {
    if (chosen) insert(`{['${chosen.name}']:${format}}`);
    close();
  };
  const key = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.preventDefault();
    e.stopPropagation();
    close();
  };
  return (
    <>
      <button type="button" class="d-refer" aria-expanded={open} title={t("Refer to a page, heading or figure")} onClick={() => (open ? close() : show(true))}>
        <Icon name="book-open" />
        <span class="hidden">{t("Refer to something in {0}", label)}</span>
      </button>
      {open && (
        <div ref={box} class="d-targets" role="group" aria-label={t("Refer to a page, heading or figure")} onKeyDown={key}>
          {chosen ? (
            <>
              <label for={`${id}-target`}>{t("Refer to")}</label>
              <select id={`${id}-target`} value={chosen.name} onChange={(e) => choose(e.currentTarget.value)}>
                {all.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
              </select>
              <label for={`${id}-format`}>{t("Print its")}</label>
              <select id={`${id}-format`} value={format} onChange={(e) => print(e.currentTarget.value)}>
                <option value="pageOf">{t("Page number")}</option>
                <option value="titleOf">{t("Words")}</option>
                <option value="numberOf">{t("Number, such as 2.1")}</option>
              </select>
            </>
          ) : (
            <p class="d-hint">{t("Nothing here has a name yet. Headings can be referred to as soon as they have a title, captions of figures and tables when they have an anchor.")}</p>
          )}
          <div class="d-buttons">
            {chosen && (
              <button type="button" class="d-primary" onClick={put}>
                {t("Insert")}
              </button>
            )}
            <button type="button" onClick={close}>
              {t("Cancel")}
            </button>
          </div>
        </div>
      )}
    </>
  );
}
