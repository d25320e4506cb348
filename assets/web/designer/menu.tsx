// The context menu, the list of all commands and the list of shortcuts.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Command, commands, possible } from "./commands";
import type { State } from "./state";
import { Icon } from "../ui/icon";
import { keysInWords } from "../ui/keys";
import { say, t } from "../words";

/** Groups of commands, as people see them. */
const GROUPS: Record<Command["group"], string> = { Edit: say("Edit"), Select: say("Select"), Page: say("Page"), View: say("View"), Report: say("Report"), Add: say("Add") };

/** Where a menu is open: that of elements, or of what can be seen, which stands above its button. */
const place = signal<{ x: number; y: number; view?: boolean } | null>(null);

/** Opens the context menu at a point of the window. */
export function openMenu(x: number, y: number): void {
  place.value = { x, y };
}

/** Opens the menu of what can be seen. */
export function ViewButton() {
  const open = place.value?.view === true;
  const show = (e: MouseEvent) => {
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
    place.value = open ? null : { x: box.left, y: box.top - 4, view: true };
  };
  return (
    <button type="button" class="d-chip" aria-haspopup="menu" aria-expanded={open} onPointerDown={(e) => e.stopPropagation()} onClick={show}>
      {t("View")}
      <Icon name="chevron-up" />
    </button>
  );
}

export function ContextMenu({ state }: { state: State }) {
  const list = useRef<HTMLDivElement>(null);
  const at = place.value;
  useEffect(() => {
    if (!at) return;
    const el = list.current!;
    const box = el.getBoundingClientRect();
    el.style.left = `${Math.min(at.x, innerWidth - box.width - 8)}px`;
    el.style.top = `${at.view ? at.y - box.height : Math.min(at.y, innerHeight - box.height - 8)}px`;
    el.querySelector("button")?.focus();
    const away = (e: Event) => !el.contains(e.target as Element) && !(e.target as Element).closest("[aria-haspopup=menu]") && close();
    addEventListener("pointerdown", away, true);
    return () => removeEventListener("pointerdown", away, true);
  }, [at]);
  if (!at) return null;
  const items = commands.filter((c) => (at.view ? c.group === "View" : c.menu) && (c.can?.(state) ?? true));
  const key = (e: KeyboardEvent) => {
    const buttons = [...list.current!.querySelectorAll("button")];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[e.key];
    if (e.key === "Escape" || e.key === "Tab") close();
    else if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div ref={list} class={`d-menu ${at.view ? "d-checks" : ""}`} role="menu" aria-label={at.view ? t("View") : t("What can be done")} onKeyDown={key}>
      {items.map((c) => (
        <button key={c.name} type="button" role={c.on ? "menuitemcheckbox" : "menuitem"} aria-checked={c.on?.(state)} tabIndex={-1} onClick={() => (close(), c.run(state))}>
          {at.view && (c.on?.(state) ? <Icon name="check" /> : <i />)}
          <span>{t(c.name)}</span>
          {c.keys && <kbd>{keysInWords(c.keys.split(" ")[0]!)}</kbd>}
        </button>
      ))}
    </div>
  );
}

function close(): void {
  place.value = null;
  document.querySelector<HTMLElement>(".d-canvas")?.focus({ preventScroll: true });
}

/** A window above the designer; the browser keeps the focus inside. */
export function Dialog({ title, close, children, wide }: { title: string; close: () => void; children: preact.ComponentChildren; wide?: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} class={`d-dialog ${wide ? "d-wide" : ""}`} aria-label={title} onClose={close} onKeyDown={(e) => e.stopPropagation()}>
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={() => dialog.current!.close()}>
          {t("Close")}
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** All commands by name: typing finds, arrows choose, Enter does. */
export function CommandList({ state, close }: { state: State; close: () => void }) {
  const [wanted, search] = useState("");
  const [at, choose] = useState(0);
  const found = possible(state).filter((c) => wanted.toLowerCase().split(" ").every((word) => t(c.name).toLowerCase().includes(word)));
  const chosen = Math.min(at, found.length - 1);
  const run = (c: Command | undefined) => {
    if (!c) return;
    close();
    c.run(state);
  };
  const key = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown") choose(Math.min(chosen + 1, found.length - 1));
    else if (e.key === "ArrowUp") choose(Math.max(chosen - 1, 0));
    else if (e.key === "Enter") run(found[chosen]);
    else return;
    e.preventDefault();
  };
  useEffect(() => document.getElementById(`command-${chosen}`)?.scrollIntoView({ block: "nearest" }), [chosen]);
  return (
    <Dialog title={t("All commands")} close={close}>
      <input type="search" autofocus list={undefined} role="combobox" aria-expanded="true" aria-controls="command-list" aria-activedescendant={found.length > 0 ? `command-${chosen}` : undefined} aria-label={t("Find a command")} placeholder={t("What do you want to do?")} value={wanted} onInput={(e) => (search(e.currentTarget.value), choose(0))} onKeyDown={key} />
      <ul id="command-list" role="listbox" aria-label={t("Commands")} class="d-commands">
        {found.map((c, i) => (
          <li key={c.name} id={`command-${i}`} role="option" aria-selected={i === chosen} onClick={() => run(c)} onPointerMove={() => choose(i)}>
            <span>{t(c.name)}</span>
            <small>{c.keys ? keysInWords(c.keys.split(" ")[0]!) : t(GROUPS[c.group])}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="d-hint">{t("Nothing is called that.")}</p>}
    </Dialog>
  );
}

export function Shortcuts({ close }: { close: () => void }) {
  const groups = [...new Set(commands.filter((c) => c.keys).map((c) => c.group))];
  return (
    <Dialog title={t("Keyboard shortcuts")} close={close} wide>
      <div class="d-shortcuts">
        {groups.map((group) => (
          <section key={group}>
            <h3>{t(GROUPS[group])}</h3>
            <dl>
              {commands
                .filter((c) => c.group === group && c.keys)
                .map((c) => (
                  <div key={c.name}>
                    <dt>{t(c.name)}</dt>
                    <dd>
                      {c.keys!.split(" ").map((k) => (
                        <kbd key={k}>{keysInWords(k)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{t("Pointer")}</h3>
          <dl>
            <div>
              <dt>{t("Add to the selection")}</dt>
              <dd>
                <kbd>{t("Shift+click")}</kbd>
              </dd>
            </div>
            <div>
              <dt>{t("Select what is around")}</dt>
              <dd>
                <kbd>{t("Alt+click")}</kbd>
              </dd>
            </div>
            <div>
              <dt>{t("Copy while dragging")}</dt>
              <dd>
                <kbd>{t("Alt+drag")}</kbd>
              </dd>
            </div>
            <div>
              <dt>{t("Write in place")}</dt>
              <dd>
                <kbd>{t("Double click")}</kbd>
              </dd>
            </div>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
