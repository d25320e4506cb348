// The field that a comment is written in. Behind an @ it offers people.

import { useRef, useState } from "preact/hooks";
import { begun, type Comments, fitting, mentionsIn, type Person } from "./comments";
import { initials } from "../live/openers";
import { t } from "../words";

interface ComposerProps {
  comments: Comments;
  id: string;
  label: string;
  /** What the button says that sends it. */
  verb: string;
  /** What is written is kept for this until it is sent. */
  about?: string;
  value?: string;
  /** Sends it; true when that was done. */
  send(text: string, mentions: number[]): Promise<boolean>;
  cancel?(): void;
}

export function Composer({ comments, id, label, verb, about = id, value = "", send, cancel }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, write] = useState(comments.begun.get(about) ?? value);
  const [cursor, place] = useState(0);
  const [at, point] = useState(0);
  const [busy, wait] = useState(false);
  const [closed, close] = useState("");
  const chosen = useRef(new Set<number>()).current;
  const name = begun(text, cursor);
  const offered = name && closed !== `${name.from}` ? fitting(comments.people.value, name.name) : [];
  const now = Math.min(at, offered.length - 1);
  const follow = () => {
    const { value, selectionStart } = field.current!;
    write(value);
    comments.begun.set(about, value);
    place(selectionStart);
    point(0);
  };
  const take = (person: Person) => {
    const end = `@${person.name} `;
    const after = text.slice(cursor).replace(/^ /, "");
    chosen.add(person.id);
    field.current!.value = text.slice(0, name!.from) + end + after;
    field.current!.setSelectionRange(name!.from + end.length, name!.from + end.length);
    field.current!.focus();
    follow();
  };
  const submit = async () => {
    if (busy || text.trim() === "") return;
    wait(true);
    await comments.greet();
    const done = await send(text, mentionsIn(text, comments.people.value, chosen));
    wait(false);
    if (!done) return;
    comments.begun.delete(about);
    write("");
  };
  const stop = () => {
    comments.begun.delete(about);
    cancel?.();
  };
  const key = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if ((e.ctrlKey || e.metaKey) && e.key === "Enter") void submit();
    else if (offered.length > 0 && step) point((now + step + offered.length) % offered.length);
    else if (offered.length > 0 && (e.key === "Enter" || e.key === "Tab") && !e.shiftKey) take(offered[now]!);
    else if (offered.length > 0 && e.key === "Escape") close(`${name!.from}`);
    else if (e.key === "Escape" && cancel) stop();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="d-composer">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        maxLength={10_000}
        value={text}
        placeholder={comments.names ? t("Write, and name people by @") : t("Write a comment")}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? `${id}-people` : undefined}
        aria-activedescendant={offered.length > 0 ? `${id}-${offered[now]!.id}` : undefined}
        onFocus={() => void comments.greet()}
        onInput={follow}
        onKeyUp={(e) => e.key.startsWith("Arrow") && place(field.current!.selectionStart)}
        onClick={() => place(field.current!.selectionStart)}
        onKeyDown={key}
      />
      {offered.length > 0 && (
        <ul id={`${id}-people`} role="listbox" aria-label={t("People")} class="d-people">
          {offered.map((p, i) => (
            <li key={p.id} id={`${id}-${p.id}`} role="option" aria-selected={i === now} onPointerDown={(e) => (e.preventDefault(), take(p))}>
              <Face {...p} />
              {p.name}
            </li>
          ))}
        </ul>
      )}
      <div class="d-buttons">
        <button type="button" class="d-primary" disabled={busy || text.trim() === ""} title={t("Ctrl+Enter")} onClick={() => void submit()}>
          {verb}
        </button>
        {cancel && (
          <button type="button" onClick={stop}>
            {t("Cancel")}
          </button>
        )}
      </div>
    </div>
  );
}

/** The picture of somebody, or the first letters of the name. */
export function Face({ name, picture }: { name: string; picture?: string }) {
  if (picture) return <img class="d-face" src={picture} alt="" />;
  return (
    <span class="d-face" aria-hidden="true">
      {initials(name)}
    </span>
  );
}
