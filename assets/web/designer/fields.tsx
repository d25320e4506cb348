// What the fields of forms have in common.

import { useContext, useRef, useState } from "preact/hooks";
import type { ComponentChild } from "preact";
import { TemplateField } from "../edit/field";
import type { Component, Setting, StepType } from "./api";
import { useCaret } from "./caret";
import { completing, faulty } from "./complete";
import { t } from "../words";

/** What fields need besides their value. */
export interface FormContext {
  readonly api: { readonly base: string; readonly workspace: string };
  readonly stepTypes: { readonly value: StepType[] };
  readonly components: { readonly value: Component[] };
}

export interface FieldProps {
  state: FormContext;
  setting: Setting;
  value: unknown;
  change: (value: unknown) => void;
  path: string;
}

/** The field of a setting. What holds settings is given it, as it is itself one of the fields. */
export type FieldOf = (props: FieldProps & { key?: string }) => ComponentChild;

/** What is to be mended in the whole of a form, by the id that its fields begin with. */
export function Faulty({ id }: { id: string }) {
  return (
    <>
      {useContext(faulty)(id).map((message) => (
        <p key={message} class="field-problem">
          {message}
        </p>
      ))}
    </>
  );
}

/** Tells that something inside of what is folded is to be mended. */
export function Mark({ path }: { path: string }) {
  const wrong = useContext(faulty)(`f-${path}`, true);
  return wrong.length > 0 ? (
    <>
      {" "}
      <span class="d-count" title={wrong.join("\n")}>
        {wrong.length}
      </span>
    </>
  ) : null;
}

/** A field whose text counts when it is left: until then nothing else writes into it. */
export function useLeft(value: string | number) {
  const [inside, go] = useState(false);
  return { value: inside ? undefined : value, onFocus: () => go(true), onBlur: () => go(false) };
}

export interface TextProps {
  id: string;
  label: string;
  help?: string | undefined;
  value: string;
  placeholder?: string | undefined;
  long?: boolean;
  color?: boolean;
  change: (value: string) => void;
}

export function Text({ id, label, help, value, placeholder, long, color, change }: TextProps) {
  const common = { id, value, placeholder, spellcheck: false, "aria-describedby": help ? `${id}-help` : undefined };
  const completions = useContext(completing);
  const field = useRef<HTMLInputElement>(null);
  useCaret(field);
  if (long) return <TemplateField id={id} label={label} help={help} value={value} placeholder={placeholder} completions={completions} change={change} multiline />;
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      <div class="d-line">
        <input ref={field} type="text" {...common} onInput={(e) => change(e.currentTarget.value)} />
        {color && <input type="color" class={value || placeholder ? "" : "d-unset"} aria-label={t("{0}: pick", label)} value={[value, placeholder ?? ""].find((c) => /^#[0-9a-f]{6}$/i.test(c)) ?? "#000000"} onInput={(e) => change(e.currentTarget.value)} />}
      </div>
      {help && (
        <p class="d-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
