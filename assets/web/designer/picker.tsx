// The field for a source, a list or a field of rows: what there is, with its type
// and a value of the sample, found by a few letters.

import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import { fitting } from "./fuzzy";
import type { Kind, Pick, Wanted } from "./values";
import { t } from "../words";

/** What can be chosen for the field of an id; none where nothing is known. */
export const picking = createContext<(wanted: Wanted, field: string) => Pick[]>(() => []);

const ICONS: Record<Kind, string> = { text: "type", number: "hash", date: "calendar-clock", switch: "toggle-left", list: "table-2", object: "layers", empty: "minus" };
const MOST = 60;

/** An event at a field when something is dropped on it. */
export const PICKED = "quire-picked";

interface Props {
  id: string;
  label: string;
  help?: string | undefined;
  value: string;
  placeholder?: string | undefined;
  wanted: Wanted;
  change: (value: string) => void;
}

export function PickField({ id, label, help, value, placeholder, wanted, change }: Props) {
  const offer = useContext(picking);
  const input = useRef<HTMLInputElement>(null);
  const [open, show] = useState(false);
  const [typed, write] = useState<string | null>(null);
  const [at, go] = useState(0);
  const list = open ? fitting(typed ?? "", offer(wanted, id), (p) => p.value).slice(0, MOST) : [];
  const close = () => (show(false), write(null), go(0));
  const take = (picked: string) => (change(picked), close());
  const key = (e: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by !== undefined && !open) show(true);
    else if (by !== undefined) go((at + by + list.length) % Math.max(1, list.length));
    else if (e.key === "Enter" && list[at]) take(list[at].value);
    else if (e.key === "Escape" && open) close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    const el = input.current!;
    const dropped = (e: Event) => latest.current((e as CustomEvent<string>).detail);
    el.addEventListener(PICKED, dropped);
    return () => el.removeEventListener(PICKED, dropped);
  }, []);
  return (
    <div class="d-field d-pick">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={list.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={list[at] ? `${id}-${at}` : undefined}
        aria-describedby={help ? `${id}-help` : undefined}
        data-takes={wanted}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={(e) => (change(e.currentTarget.value), write(e.currentTarget.value), go(0), show(true))}
        onClick={() => show(true)}
        onBlur={close}
        onKeyDown={key}
      />
      <Options id={id} list={list} at={at} near={input} take={take} />
      {help && (
        <p class="d-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

export const KindIcon = ({ kind }: { kind: Kind }) => <Icon name={ICONS[kind]} />;

/** The list below a field: over everything, as a panel that scrolls would cut it off. */
export function Options({ id, list, at, near, take }: { id: string; list: Pick[]; at: number; near: { current: HTMLElement | null }; take: (value: string) => void }) {
  const box = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const el = box.current;
    const around = near.current?.getBoundingClientRect();
    if (!el || !around) return;
    const under = innerHeight - around.bottom > Math.min(el.scrollHeight, 280) + 12;
    el.style.left = `${Math.max(8, Math.min(around.left, innerWidth - el.offsetWidth - 8))}px`;
    el.style.top = under ? `${around.bottom + 4}px` : `${Math.max(8, around.top - el.offsetHeight - 4)}px`;
    el.children[at]?.scrollIntoView({ block: "nearest" });
  });
  if (list.length === 0) return null;
  return (
    <ul ref={box} id={`${id}-list`} class="d-options" role="listbox" aria-label={t("What there is")} onPointerDown={(e) => e.preventDefault()}>
      {list.map((p, i) => (
        <li key={p.value} id={`${id}-${i}`} role="option" aria-selected={i === at} onClick={() => take(p.value)}>
          <KindIcon kind={p.kind} />
          <span>{p.value}</span>
          <small>{p.sample}</small>
        </li>
      ))}
    </ul>
  );
}
