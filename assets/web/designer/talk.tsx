// The list of comments beside the canvas: what is said, answers, and what is settled.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Comment, type Comments, pieces, type Thread } from "./comments";
import { Composer, Face } from "./composer";
import { foreignIn, foreignName, shownAs } from "./foreign";
import { find } from "./model";
import type { State } from "./state";
import { Icon } from "../ui/icon";
import { ownerIn, selectorOf, TEMPLATE } from "../viewer/about";
import { t } from "../words";

/** Where a comment stands, in words; undefined when the element is gone. */
export function placeOf(state: State, element: string): string | undefined {
  if (element === "") return t("Report");
  const node = state.nodeOf(element) ?? find(state.whole, element)?.node;
  if (node) return state.labelOf(node);
  void state.drawn.value; // the pages tell what they show of others
  const el = state.stage?.doc.querySelector(selectorOf(element));
  return foreignName(element, el ? shownAs(el, (type) => state.labelOf({ id: "", type })) : undefined);
}

/** What a list of comments stands beside. */
export interface Talked {
  /** The element that a new comment is about; empty: the report. */
  on: string;
  /** What an element is called; undefined when it is gone. */
  called(element: string): string | undefined;
  reveal(element: string): void;
  begin(element: string, text: string, mentions: number[]): Promise<boolean>;
}

/** The key by which a comment is about an element of what is edited: while header and footer are, that is the template's. */
export const keyOfNode = (state: State, id: string): string => (state.framed.value ? `${TEMPLATE}/${id}` : id);

/** Leads to what a comment is about: an element that is edited here, or what the pages show of others. */
function show(state: State, key: string, to: (id: string) => void): void {
  const id = state.framed.value && ownerIn(key) === TEMPLATE ? key.slice(TEMPLATE.length + 1) : key;
  if (state.nodeOf(id)) return to(id);
  state.select([]);
  state.about.value = key;
}

export function Talk({ state, comments }: { state: State; comments: Comments }) {
  const selected = state.selected.value;
  void state.drawn.value;
  const own = selected.length === 1 ? keyOfNode(state, selected[0]!) : "";
  const others = state.stage && !state.framed.value && selected.length < 2 ? foreignIn(own ? state.stage.parts(own) : [state.stage.doc]) : new Map<string, Element>();
  const on = others.has(state.about.value ?? "") ? state.about.value! : own;
  const begin = async (element: string, text: string, mentions: number[]) => {
    await state.save(); // who is to read it has to find the element
    return comments.start(element, text, mentions);
  };
  const reveal = (element: string) => {
    if (!element) return;
    show(state, element, (id) => state.reveal(id));
  };
  return (
    <>
      {others.size > 0 && (
        <label class="t-about">
          {t("About")}
          <select value={on} onChange={(e) => (state.about.value = e.currentTarget.value)}>
            {[own, ...others.keys()].map((key) => (
              <option key={key} value={key}>
                {placeOf(state, key)}
              </option>
            ))}
          </select>
        </label>
      )}
      {ownerIn(on) !== null && others.has(on) && <p class="d-hint">{t("The comment stays with this report. What it is about is changed where it comes from.")}</p>}
      <TalkList comments={comments} beside={{ on, called: (element) => placeOf(state, element), reveal, begin }} />
    </>
  );
}

/** Why there is nothing to say here. */
export function NoTalk() {
  return <p class="d-hint">{t("Comments belong to reports. Open a report that uses this template and press what you mean on its pages: what the template brings can be commented on there.")}</p>;
}

export function TalkList({ comments, beside }: { comments: Comments; beside: Talked }) {
  const [settled, show] = useState(false);
  const list = useRef<HTMLElement>(null);
  const chosen = comments.chosen.value;
  const { on } = beside;
  useEffect(() => list.current?.querySelector(`[data-thread="${chosen}"]`)?.scrollIntoView({ block: "nearest" }), [chosen, comments.threads.value.length > 0]);
  useEffect(() => {
    if (!comments.wanted.value) return;
    comments.wanted.value = false;
    list.current?.querySelector<HTMLElement>("#comment-new")?.focus();
  }, [comments.wanted.value]);
  const all = comments.threads.value;
  const shown = settled ? all : all.filter((thread) => thread.resolved === null || thread.id === chosen);
  const resolved = all.length - comments.open.value.length;
  return (
    <section ref={list} class="d-talk" aria-label={t("Comments")}>
      <Composer key={on} comments={comments} id="comment-new" about={on} label={t("Comment on: {0}", beside.called(on) ?? "")} verb={t("Comment")} send={(text, mentions) => beside.begin(on, text, mentions)} />
      {comments.fault.value && (
        <p class="field-problem" role="alert">
          {comments.fault.value}
        </p>
      )}
      <div role="status">
        {comments.deleted.value !== null && (
          <p class="d-hint d-buttons">
            {t("The comment is deleted.")}
            <button type="button" onClick={() => void comments.bringBack()}>
              {t("Undo")}
            </button>
          </p>
        )}
      </div>
      {resolved > 0 && (
        <label class="d-check">
          <input type="checkbox" checked={settled} onChange={(e) => show(e.currentTarget.checked)} /> {t("Show resolved ({0})", resolved)}
        </label>
      )}
      {shown.length === 0 && <p class="d-hint">{t("Nothing is open. Select an element to say something about it.")}</p>}
      {shown.map((thread) => (
        <One key={thread.id} beside={beside} comments={comments} thread={thread} />
      ))}
    </section>
  );
}

function One({ beside, comments, thread }: { beside: Talked; comments: Comments; thread: Thread }) {
  const chosen = comments.chosen.value === thread.id;
  const place = beside.called(thread.element);
  const open = thread.resolved === null;
  const choose = () => {
    comments.chosen.value = thread.id;
    if (place !== undefined) beside.reveal(thread.element);
  };
  return (
    <article class={`d-thread ${chosen ? "d-chosen" : ""} ${open ? "" : "d-settled"}`} data-thread={thread.id} aria-label={t("Comments on {0}", place ?? t("an element that is gone"))}>
      <header>
        <button type="button" aria-expanded={chosen} onClick={choose}>
          {place ?? t("The element is gone")}
        </button>
        <button type="button" title={open ? t("Resolve") : t("Reopen")} aria-label={open ? t("Resolve") : t("Reopen")} onClick={() => void comments.settle(thread.id, open)}>
          <Icon name={open ? "check" : "undo-2"} />
        </button>
      </header>
      {thread.comments.map((c) => (
        <Said key={c.id} comments={comments} comment={c} />
      ))}
      {!open && <p class="d-hint">{thread.resolvedBy ? t("Resolved by {0}", thread.resolvedBy) : t("Resolved")}</p>}
      {chosen && open && <Composer comments={comments} id={`comment-answer-${thread.id}`} label={t("Reply")} verb={t("Reply")} send={(text, mentions) => comments.reply(thread.id, text, mentions)} />}
    </article>
  );
}

function Said({ comments, comment: c }: { comments: Comments; comment: Comment }) {
  const [edited, edit] = useState(false);
  const when = (time: string) => new Date(time).toLocaleString(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
  const name = c.user || t("Somebody whose account is gone");
  return (
    <div class="d-remark">
      <Face name={name} {...(c.picture ? { picture: c.picture } : {})} />
      <div>
        <p>
          <b>{name}</b>{" "}
          <small>
            <time dateTime={c.created}>{when(c.created)}</time>
            {c.edited && <span title={when(c.edited)}> · {t("changed")}</span>}
          </small>
        </p>
        {edited ? (
          <Composer comments={comments} id={`comment-${c.id}`} label={t("Change the comment")} verb={t("Save")} value={c.text} cancel={() => edit(false)} send={async (text, mentions) => (await comments.edit(c.id, text, mentions)) && (edit(false), true)} />
        ) : (
          <p class="d-words">{pieces(c.text, c.mentions).map((piece, i) => (typeof piece === "string" ? piece : <mark key={i}>@{piece.name}</mark>))}</p>
        )}
        {!edited && c.deletes && (
          <div class="d-buttons">
            {c.mine && (
              <button type="button" onClick={() => edit(true)}>
                {t("Edit")}
              </button>
            )}
            <button type="button" onClick={() => void comments.remove(c.id)}>
              {t("Delete")}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** How many threads are open. */
export function OpenMark({ comments }: { comments: Comments }) {
  const n = comments.open.value.length;
  if (n === 0) return null;
  return (
    <span class="d-talks">
      {n} <span class="hidden">{t("open")}</span>
    </span>
  );
}

/** Leads to what is said about an element. */
export function readAbout(state: State, comments: Comments, element: string): void {
  comments.chosen.value = comments.open.value.find((thread) => thread.element === element)?.id ?? null;
  state.tab.value = "Comments";
  show(state, element, (id) => state.select([id]));
}

/** Begins a comment on what is selected. */
export function writeAbout(state: State): void {
  if (!state.comments) return;
  state.tab.value = "Comments";
  state.comments.chosen.value = null;
  state.comments.wanted.value = true;
}
