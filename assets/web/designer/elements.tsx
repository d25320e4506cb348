// Elements inside of a setting, such as those of a table's cell: a list of
// forms, as they are not on the canvas by themselves.

import type { Component, Setting } from "./api";
import type { FieldOf, FormContext } from "./fields";
import { named, t } from "../words";

type Inner = { type: string; props?: Record<string, unknown> } & Record<string, unknown>;

interface ElementsProps {
  Field: FieldOf;
  state: FormContext;
  label: string;
  help: string | undefined;
  value: unknown;
  change: (value: unknown) => void;
  path: string;
  /** Whether there is one element instead of a list. */
  single?: boolean;
}

export function Elements({ Field, state, label, help, value, change, path, single }: ElementsProps) {
  const list = (single ? (value ? [value] : []) : Array.isArray(value) ? value : []) as Inner[];
  const offered = state.components.value.filter((c) => !c.template);
  const put = (changed: Inner[]) => change(changed.length === 0 ? undefined : single ? changed[0] : changed);
  const add = (type: string) => type && put([...list, { type }]);
  return (
    <fieldset class="d-list">
      <legend>{label}</legend>
      {help && <p class="d-help">{help}</p>}
      {list.map((inner, i) => (
        <details key={`${i} ${inner.type}`} class="d-group">
          <summary>{offered.find((c) => c.name === inner.type)?.label ?? inner.type}</summary>
          <One Field={Field} state={state} component={offered.find((c) => c.name === inner.type)} inner={inner} change={(changed) => put(list.map((old, at) => (at === i ? changed : old)))} path={`${path}.${i}`} />
          <div class="d-buttons">
            {!single && (
              <button type="button" disabled={i === 0} onClick={() => put(list.map((old, at) => (at === i - 1 ? inner : at === i ? list[i - 1]! : old)))}>
                {t("Up")}
              </button>
            )}
            <button type="button" onClick={() => put(list.filter((_, at) => at !== i))}>
              {t("Remove")}
            </button>
          </div>
        </details>
      ))}
      {(!single || list.length === 0) && (
        <select aria-label={t("Add to {0}", named(label))} value="" onChange={(e) => add(e.currentTarget.value)}>
          <option value="">{t("Add an element …")}</option>
          {offered.map((c) => (
            <option key={c.name} value={c.name}>
              {c.label}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}

/** The settings of one inner element; what it holds itself follows below. */
function One({ Field, state, component, inner, change, path }: { Field: FieldOf; state: FormContext; component: Component | undefined; inner: Inner; change: (changed: Inner) => void; path: string }) {
  const set = (s: Setting, value: unknown) => {
    const { [s.name]: _, ...rest } = inner.props ?? {};
    const { props: __, ...bare } = inner;
    const props = value === undefined || value === "" ? rest : { ...inner.props, [s.name]: value };
    change((Object.keys(props).length > 0 ? { ...bare, props } : bare) as Inner);
  };
  const contain = (children: unknown) => {
    const { children: _, ...bare } = inner;
    change((children === undefined ? bare : { ...bare, children }) as Inner);
  };
  if (!component) return <p class="d-hint">{t("This component is not known here.")}</p>;
  return (
    <>
      {component.settings.map((s) => (
        <Field key={s.name} state={state} setting={s} value={inner.props?.[s.name]} change={(v) => set(s, v)} path={`${path}.${s.name}`} />
      ))}
      {component.container && <Elements Field={Field} state={state} label={t("Inside")} help={undefined} value={inner.children} change={contain} path={`${path}.children`} />}
    </>
  );
}
