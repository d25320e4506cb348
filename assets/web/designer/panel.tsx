// The property panel: a form drawn from the settings of the component.

import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { CodeField, JsonField, RichTextField, TemplateField } from "../edit/field";
import { AlignBar } from "./alignview";
import type { Setting } from "./api";
import { Elements } from "./elements";
import { Faulty, type FieldProps, Mark, Text } from "./fields";
import { completing, giving, languageOf } from "./complete";
import { ChartFields, isUnbegun } from "./chartstart";
import { lockOf } from "./locks";
import { MarksOf } from "./lockview";
import { useItemKeys } from "./itemkeys";
import type { Node } from "./model";
import { setAll } from "./edit";
import { humanise, optionWords } from "./labels";
import { PickField } from "./picker";
import { Picture } from "./picture";
import { Reference } from "./references";
import { withName } from "./rename";
import { Steps } from "./steps";
import type { State } from "./state";
import type { Wanted } from "./values";
import { named, say, t } from "../words";

export function Panel({ state }: { state: State }) {
  const [wanted, search] = useState("");
  const nodes = state.selected.value.flatMap((id) => state.nodeOf(id) ?? []);
  const [node] = nodes;
  if (!node) return <p class="d-hint">{t("The element is gone.")}</p>;
  const fits = (s: Setting): boolean => `${s.name} ${s.label ?? ""}`.toLowerCase().includes(wanted.toLowerCase());
  const shown = commonSettings(state, nodes).filter(fits);
  const groups = [...new Set(shown.map((s) => s.group ?? ""))];
  const component = state.components.value.find((c) => c.name === node.type);
  const held = nodes.some((n) => lockOf(state.report.value, n.id) !== null);
  const fields = (list: Setting[]) => list.map((s) => <Option key={s.name} state={state} setting={s} nodes={nodes} />);
  return (
    <form class="d-form" key={state.selected.value.join()} onSubmit={(e) => e.preventDefault()}>
      <h2>{nodes.length > 1 ? t("{0} elements", nodes.length) : (component?.label ?? node.type)}</h2>
      <p class="d-hint">{nodes.length > 1 ? t("What is changed here changes in all of them.") : component?.help}</p>
      <MarksOf state={state} nodes={nodes} />
      {!held && <AlignBar state={state} />}
      <div class="d-form" inert={held}>
        {nodes.length === 1 && !isUnbegun(state, node) && <Faulty id={`f-${node.id}`} />}
        {nodes.length === 1 && <ChartFields state={state} node={node} />}
        <input type="search" placeholder={t("Find a setting")} aria-label={t("Find a setting")} value={wanted} onInput={(e) => search(e.currentTarget.value)} />
        {groups.map((group) => {
          const list = shown.filter((s) => (s.group ?? "") === group);
          const title = GROUPS[group];
          if (!title || wanted !== "") return fields(list);
          const set = list.some((s) => nodes.some((n) => n.props?.[s.name] !== undefined));
          return (
            <details key={group} class="d-group" open={set}>
              <summary>{t(title)}</summary>
              {fields(list)}
            </details>
          );
        })}
        {wanted === "" && nodes.length === 1 && (
          <details class="d-group" open={node.visible !== undefined || node.repeat !== undefined || node.name !== undefined}>
            <summary>{t("Name, visibility, repetition")}</summary>
            <Common state={state} node={node} />
          </details>
        )}
      </div>
    </form>
  );
}

/** What people call the settings that many components have. */
const GROUPS: Record<string, string> = { Font: say("Type | of letters"), Box: say("Size, space and frame") };

/** The settings that all of some elements have. */
function commonSettings(state: State, nodes: Node[]): Setting[] {
  const [first, ...others] = nodes.map((n) => state.components.value.find((c) => c.name === n.type)?.settings ?? []);
  return (first ?? []).filter((s) => others.every((list) => list.some((o) => o.name === s.name && o.shape === s.shape)));
}

/** A setting with a dot where it differs from the default; pressing it brings the default back. */
function Option({ state, setting, nodes }: { state: State; setting: Setting; nodes: Node[] }) {
  const values = nodes.map((n) => n.props?.[setting.name]);
  const mixed = new Set(values.map((v) => JSON.stringify(v))).size > 1;
  const set = values.some((v) => v !== undefined);
  const change = (v: unknown) => setAll(state, nodes.map((n) => n.id), setting.name, v);
  const label = setting.label || humanise(setting.name);
  return (
    <div class={`d-option ${set ? "d-set" : ""}`}>
      {set && <button type="button" class="d-dot" title={t("Back to the default of {0}", label)} aria-label={t("Back to the default of {0}", label)} onClick={() => change(undefined)} />}
      {setting.editor === "columns" && nodes.length === 1 && <Generate state={state} node={nodes[0]!} change={change} />}
      <Field state={state} setting={setting} value={mixed ? undefined : values[0]} change={change} path={`${nodes[0]!.id}.${setting.name}`} />
      {mixed && <p class="d-help">{t("Mixed: what you enter goes into all.")}</p>}
    </div>
  );
}

/** Makes a column for each field of the rows that the source gives now. */
function Generate({ state, node, change }: { state: State; node: Node; change: (v: unknown) => void }) {
  const row = rowAt(state, node.props?.source);
  if (!row) return null;
  return (
    <button type="button" onClick={() => change(columnsOf(row))}>
      {t("Generate columns")}
    </button>
  );
}

/** The first row of a source such as $data.orders.lines, as far as the canvas knows it. */
function rowAt(state: State, source: unknown): object | undefined {
  if (typeof source !== "string") return undefined;
  const [root, ...steps] = source.trim().split(".");
  if (root !== "$data") return undefined;
  const value = steps.reduce<unknown>((v, step) => members(v)[step], state.sample.value);
  return Array.isArray(value) ? value.find((v): v is object => v !== null && typeof v === "object") : undefined;
}

/** A column for each plain value of a row. */
export function columnsOf(row: object): { field: string; title: string }[] {
  return Object.entries(row)
    .filter(([, v]) => v === null || typeof v !== "object")
    .map(([field]) => ({ field, title: humanise(field) }));
}

/** What every element has. */
function Common({ state, node }: { state: State; node: Node }) {
  const completions = useContext(completing);
  const show = (when: string) =>
    state.set(
      node.id,
      t("Change {0}", "visible"),
      (n) => {
        const { visible: _, ...rest } = n;
        return when === "" ? rest : { ...rest, visible: when };
      },
      `${node.id}.visible`,
    );
  const repeat = (source: string) =>
    state.set(
      node.id,
      t("Change repetition"),
      (n) => {
        const { repeat: old, ...rest } = n;
        return source === "" ? rest : { ...rest, repeat: { ...old, source } };
      },
      `${node.id}.repeat`,
    );
  return (
    <>
      <Text id={`${node.id}-name`} label={t("Name in the outline")} value={node.name ?? ""} change={(v) => state.set(node.id, t("Rename"), (n) => withName(n, v), `${node.id}.name`)} />
      <CodeField id={`${node.id}-visible`} language="expression" multiline={false} completions={completions} label={t("Visible when")} help={t("An expression such as {$params.showAll}; empty is always.")} value={node.visible ?? ""} change={show} />
      <CodeField id={`${node.id}-repeat`} language="expression" multiline={false} completions={completions} label={t("Repeat for")} help={t("An array such as $data.orders; the item is $it.record.")} value={node.repeat?.source ?? ""} change={repeat} />
    </>
  );
}

/** Settings of a report for which the first of the library stands when nothing is chosen. */
const STANDARD = ["report.template", "report.language"];

/** A field with what is to be mended in it. */
export function Field(props: FieldProps) {
  return (
    <>
      <Input {...props} />
      <Faulty id={`f-${props.path}`} />
    </>
  );
}

function Input({ state, setting, value, change, path }: FieldProps) {
  const label = setting.label || humanise(setting.name);
  const id = `f-${path}`;
  switch (setting.shape) {
    case "boolean":
      return <Switch id={id} label={label} help={setting.help} value={value ?? setting.default === "true"} change={change} />;
    case "integer":
    case "number":
      return <Number_ id={id} setting={setting} label={label} value={value} change={change} />;
    case "object":
      if (setting.settings) return <Group state={state} setting={setting} label={label} value={value} change={change} path={path} />;
      if (setting.editor === "element") return <Elements Field={Field} state={state} label={label} help={setting.help} value={value} change={change} path={path} single />;
      break;
    case "array":
      if (setting.editor === "steps") return <Steps Field={Field} state={state} setting={setting} label={label} value={value} change={change} path={path} alone={!path.startsWith("source-")} />;
      if (setting.item?.editor === "element") return <Elements Field={Field} state={state} label={label} help={setting.help} value={value} change={change} path={path} />;
      if (setting.item?.settings || setting.item?.shape === "string") return <List state={state} setting={setting} label={label} value={value} change={change} path={path} />;
      break;
    case "string":
      if (setting.editor?.startsWith("ref:")) return <Reference state={state} id={id} label={label} help={setting.help} kind={setting.editor.slice(4)} value={typeof value === "string" ? value : ""} change={change} standard={STANDARD.includes(path)} />;
      if (setting.editor === "report") return <Reference state={state} id={id} label={label} help={setting.help} kind="reports" value={typeof value === "string" ? value : ""} change={change} />;
      if (setting.enum) return <Choice id={id} setting={setting} label={label} value={value} change={change} />;
      if (setting.means === "picture") return <Picture state={state} path={path} value={typeof value === "string" ? value : ""} change={change}><Editor id={id} setting={setting} label={label} value={typeof value === "string" ? value : ""} change={change} /></Picture>;
      if (wantedBy(setting)) return <PickField id={id} label={label} help={setting.help} value={typeof value === "string" ? value : ""} placeholder={setting.default} wanted={wantedBy(setting)!} change={change} />;
      if (isLong(setting)) return <Editor id={id} setting={setting} label={label} value={typeof value === "string" ? value : ""} change={change} />;
      return <Text id={id} label={label} help={setting.help} value={typeof value === "string" ? value : ""} placeholder={setting.default} color={setting.editor === "color"} change={change} />;
  }
  return <JsonField id={id} label={label} help={setting.help} value={value} change={change} />;
}

/** What a setting names of the data; steps say of their fields only what they are called. */
function wantedBy({ editor, name }: Setting): Wanted | undefined {
  if (editor === "binding") return "list";
  if (editor === "source") return "source";
  return editor === "field" || (!editor && /^(field|\w+Field)$/.test(name)) ? "field" : undefined;
}

function isLong(setting: Setting): boolean {
  return ["template", "tex", "html", "code", "css", "expression", "rich-text"].includes(setting.editor ?? "");
}

/** A setting that has an editor of its own. */
function Editor({ setting, ...field }: { id: string; setting: Setting; label: string; value: string; change: (value: string) => void }) {
  const completions = useContext(completing);
  const common = { ...field, help: setting.help, current: useContext(giving)(field.id) };
  if (setting.editor === "rich-text") return <RichTextField {...common} />;
  if (setting.editor === "template") return <TemplateField {...common} completions={completions} placeholder={setting.default} multiline={/^(text|body|items)$/.test(setting.name)} />;
  return <CodeField {...common} language={languageOf(setting)} completions={completions} placeholder={setting.default} />;
}

function Switch({ id, label, help, value, change }: { id: string; label: string; help?: string | undefined; value: unknown; change: (v: unknown) => void }) {
  return (
    <div class="d-field">
      <label class="d-check">
        <input id={id} type="checkbox" checked={value === true} onChange={(e) => change(e.currentTarget.checked)} /> {label}
      </label>
      {help && <p class="d-help">{help}</p>}
    </div>
  );
}

function Number_({ id, setting, label, value, change }: { id: string; setting: Setting; label: string; value: unknown; change: (v: unknown) => void }) {
  const read = (text: string) => (text === "" ? undefined : Number(text));
  return (
    <div class="d-field">
      <label for={id}>{label}</label>
      <input id={id} type="number" step={setting.shape === "integer" ? 1 : "any"} min={setting.min} max={setting.max} placeholder={setting.default} value={value === undefined ? "" : String(value)} onInput={(e) => e.currentTarget.validity.valid && change(read(e.currentTarget.value))} />
      {setting.help && <p class="d-help">{setting.help}</p>}
    </div>
  );
}

/** As many letters as a list beside its name shows. */
const BESIDE = 18;

function Choice({ id, setting, label, value, change }: { id: string; setting: Setting; label: string; value: unknown; change: (v: unknown) => void }) {
  const long = setting.enum!.some((e) => optionWords(e).length > BESIDE);
  return (
    <div class={long ? "d-field d-above" : "d-field"}>
      <label for={id}>{label}</label>
      <select id={id} value={typeof value === "string" ? value : ""} onChange={(e) => change(e.currentTarget.value)}>
        <option value="">{setting.default ? t("{0} (default)", optionWords(setting.default)) : t("Default")}</option>
        {[...new Set([...setting.enum!, typeof value === "string" ? value : ""])].filter((e) => e !== "").map((e) => (
          <option key={e} value={e}>
            {optionWords(e)}
          </option>
        ))}
      </select>
      {setting.help && <p class="d-help">{setting.help}</p>}
    </div>
  );
}

function members(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** An object with a member changed; undefined when nothing is left. */
function withMember(value: unknown, name: string, member: unknown): Record<string, unknown> | undefined {
  const { [name]: _, ...rest } = members(value);
  const changed = member === undefined || member === "" ? rest : { ...members(value), [name]: member };
  return Object.keys(changed).length > 0 ? changed : undefined;
}

function Group({ state, setting, label, value, change, path }: FieldProps & { label: string }) {
  return (
    <details class="d-group" open={value !== undefined}>
      <summary>
        {label}
        <Mark path={path} />
      </summary>
      {setting.settings!.map((s) => (
        <Field key={s.name} state={state} setting={s} value={members(value)[s.name]} change={(v) => change(withMember(value, s.name, v))} path={`${path}.${s.name}`} />
      ))}
    </details>
  );
}

function List({ state, setting, label, value, change, path }: FieldProps & { label: string }) {
  const items = Array.isArray(value) ? value : [];
  const item = setting.item!;
  const { keys, next } = useItemKeys(items);
  const [fresh, open] = useState(-1);
  const list = useRef<HTMLFieldSetElement>(null);
  // What was just added is what is filled next.
  useEffect(() => list.current?.querySelector<HTMLElement>(`:scope > details:nth-of-type(${keys.indexOf(fresh) + 1}) :is(input, textarea, select)`)?.focus(), [fresh]);
  const replace = (i: number, v: unknown) => change(items.map((old, at) => (at === i ? (v ?? (item.settings ? {} : "")) : old)));
  const move = (i: number, by: number) => {
    const rest = items.filter((_, at) => at !== i);
    change([...rest.slice(0, i + by), items[i], ...rest.slice(i + by)]);
  };
  const drop = (i: number) => {
    open(-1);
    change(items.length > 1 ? items.filter((_, at) => at !== i) : undefined);
  };
  return (
    <fieldset class="d-list" ref={list}>
      <legend>{label}</legend>
      {items.map((v, i) => (
        <details key={keys[i]} class="d-group" open={keys[i] === fresh}>
          <summary>
            {swatchOf(v) && <i class="d-swatch" style={{ background: swatchOf(v) }} />}
            {titleOf(v, i, item.label)}
            <Mark path={`${path}.${i}`} />
          </summary>
          <div class="d-buttons">
            <button type="button" disabled={i === 0} onClick={() => move(i, -1)}>
              {t("Up")}
            </button>
            <button type="button" disabled={i === items.length - 1} onClick={() => move(i, 1)}>
              {t("Down")}
            </button>
            <button type="button" onClick={() => drop(i)}>
              {t("Remove")}
            </button>
          </div>
          {item.settings ? (
            item.settings.map((s) => <Field key={s.name} state={state} setting={s} value={members(v)[s.name]} change={(m) => replace(i, withMember(v, s.name, m))} path={`${path}.${i}.${s.name}`} />)
          ) : wantedBy(item) ? (
            <PickField id={`f-${path}.${i}`} label={label} value={String(v ?? "")} wanted={wantedBy(item)!} change={(text) => replace(i, text)} />
          ) : (
            <Text id={`f-${path}.${i}`} label={t("Text")} value={String(v ?? "")} long change={(text) => replace(i, text)} />
          )}
        </details>
      ))}
      <button type="button" onClick={() => (change([...items, item.settings ? {} : ""]), open(next))}>
        {item.label ? t("Add {0}", named(item.label)) : t("Add to {0}", named(label))}
      </button>
    </fieldset>
  );
}

/** The colour that an item of a list stands for. */
function swatchOf(v: unknown): string | undefined {
  const { value, color } = members(v);
  return [v, value, color].find((c): c is string => typeof c === "string" && /^(#|rgb|hsl)/i.test(c));
}

/** What an item of a list is called: its most telling member. */
function titleOf(v: unknown, i: number, called = t("Item")): string {
  if (typeof v === "string") return v || `${called} ${i + 1}`;
  for (const name of ["title", "name", "key", "field", "text", "value", "type"]) {
    const found = members(v)[name];
    if (typeof found === "string" && found) return found;
  }
  return `${called} ${i + 1}`;
}
