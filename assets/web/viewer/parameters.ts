// The parameters beside the report. Another value loads it anew in its place.

import { h, iconButton } from "./dom";
import { type Facts, type Field, labelOf } from "./facts";
import type { Words } from "./words";

/** So many choices are shown beside each other, if they are as short as this together. */
const FEW = 3;
const SHORT = 24;

export class Parameters {
  readonly el: HTMLElement;
  shown = false;
  changed: () => void = () => undefined;
  private readonly form: HTMLFormElement;
  private readonly fields: Field[];
  private readonly problem: HTMLElement;

  constructor(private readonly doc: Document, private readonly facts: Facts, private readonly words: Words, private readonly load: (params: Record<string, unknown>, focus: string) => void) {
    this.fields = facts.parameters.flatMap((g) => g.fields);
    this.problem = h(doc, "p", { class: "problem", role: "alert" });
    const actions = h(doc, "div", { class: "actions" },
      h(doc, "button", { type: "button", class: facts.asking ? "primary" : "plain", onclick: () => this.send("") }, facts.asking ? words.showReport : words.apply),
      facts.asking ? null : h(doc, "button", { type: "button", class: "plain", onclick: () => this.reset() }, words.reset));
    // The frame is sandboxed, so that no form can be sent: Enter does what the button does.
    this.form = h(doc, "form", { onkeydown: (e: KeyboardEvent) => this.entered(e) },
      ...facts.parameters.map((g) => (g.name ? h(doc, "fieldset", {}, h(doc, "legend", {}, g.name), ...g.fields.map((f) => this.field(f))) : h(doc, "div", { class: "group" }, ...g.fields.map((f) => this.field(f))))),
      actions, this.problem);
    this.el = h(doc, "aside", { class: "aside", "aria-label": words.parameters, hidden: true },
      h(doc, "div", { class: "head" }, h(doc, "strong", {}, words.parameters), iconButton(doc, "close", words.close, () => this.show(false), { class: "icon shut" })),
      this.form);
  }

  get any(): boolean {
    return this.fields.length > 0;
  }

  show(shown: boolean): void {
    this.shown = shown;
    this.el.hidden = !shown;
    this.changed();
  }

  /** Where the reader was before the report was loaded anew. */
  focus(name: string): void {
    const i = this.fields.findIndex((f) => f.name === name);
    if (i >= 0) (this.form.querySelector<HTMLElement>(`#p${i}`) ?? this.form.querySelector<HTMLElement>(`[name="p${i}"]:checked`))?.focus({ preventScroll: true });
  }

  /** The parameters of the address with the values of the fields. */
  values(): Record<string, unknown> {
    const params: Record<string, unknown> = { ...this.facts.given };
    const sent = new FormData(this.form);
    for (const [i, field] of this.fields.entries()) {
      delete params[field.name];
      const value = valueOf(sent, `p${i}`, field);
      if (value !== null) params[field.name] = value;
    }
    return params;
  }

  private entered(e: KeyboardEvent): void {
    const at = e.target;
    if (e.key !== "Enter" || !(at instanceof HTMLInputElement)) return;
    e.preventDefault();
    this.send(this.fields[Number(/^p(\d+)/.exec(at.name)?.[1])]?.name ?? "");
  }

  private send(focus: string): void {
    if (this.form.reportValidity()) this.load(this.values(), focus);
  }

  private reset(): void {
    const params: Record<string, unknown> = { ...this.facts.given };
    for (const field of this.fields) delete params[field.name];
    this.load(params, "");
  }

  /** A choice holds at once; where something else is still missing only if others depend on it. */
  private chosen(field: Field): void {
    if (field.leads || (!this.facts.asking && this.form.checkValidity())) this.load(this.values(), field.name);
  }

  private field(field: Field): HTMLElement {
    const id = `p${this.fields.indexOf(field)}`;
    const notes = [
      field.waits?.length ? h(this.doc, "p", { class: "hint", id: `${id}-hint` }, this.words.firstChoose(field.waits.join(", "))) : null,
      field.problem ? h(this.doc, "p", { class: "problem", id: `${id}-hint` }, field.problem) : null,
    ];
    const label = field.required && this.facts.asking ? `${field.label} *` : field.label;
    const several = isSegments(field) || field.kind === "months" || (field.kind === "choice" && field.multiple);
    if (several) return h(this.doc, "div", { class: "field", role: "group", "aria-labelledby": `${id}-label` }, h(this.doc, "span", { class: "label", id: `${id}-label` }, label), this.control(field, id), ...notes);
    return h(this.doc, "div", { class: "field" }, h(this.doc, "label", { for: id }, label), this.control(field, id), ...notes);
  }

  private control(field: Field, id: string): HTMLElement {
    const common = { id, name: id, required: field.required === true, "aria-invalid": field.problem ? "true" : null, "aria-describedby": field.problem || field.waits?.length ? `${id}-hint` : null };
    if (isSegments(field)) return this.segments(field, id);
    if (field.kind === "choice" && field.multiple) return this.checks(field, id);
    if (field.kind === "choice") return this.select(field, common);
    if (field.kind === "months") return this.months(field, id, common);
    const leads = field.leads ? () => this.chosen(field) : null;
    return h(this.doc, "input", { ...common, type: field.kind, value: field.value ?? "", step: field.kind === "number" ? "any" : null, onchange: leads });
  }

  private select(field: Field, common: Record<string, string | boolean | null>): HTMLElement {
    const options = (field.choices ?? []).map((c) => h(this.doc, "option", { value: c.value, selected: c.selected === true }, labelOf(field, c, this.words)));
    return h(this.doc, "select", { ...common, disabled: (field.waits?.length ?? 0) > 0, onchange: () => this.chosen(field) }, ...options);
  }

  private segments(field: Field, id: string): HTMLElement {
    const one = (value: string, label: string, checked: boolean) => h(this.doc, "label", {}, h(this.doc, "input", { type: "radio", name: id, value, checked, onchange: () => this.chosen(field) }), h(this.doc, "span", {}, label));
    return h(this.doc, "div", { class: "segments" }, ...(field.choices ?? []).map((c) => one(c.value, labelOf(field, c, this.words), c.selected === true)));
  }

  private checks(field: Field, id: string): HTMLElement {
    const one = (value: string, label: string, checked: boolean) => h(this.doc, "label", {}, h(this.doc, "input", { type: "checkbox", name: id, value, checked, onchange: () => field.leads && this.chosen(field) }), h(this.doc, "span", {}, label));
    return h(this.doc, "div", { class: "checks" }, ...(field.choices ?? []).map((c) => one(c.value, labelOf(field, c, this.words), c.selected === true)));
  }

  private months(field: Field, id: string, common: Record<string, string | boolean | null>): HTMLElement {
    const one = (name: string, value: string | undefined, label: string) => h(this.doc, "input", { ...common, id: name, name, type: "month", value: value ?? "", placeholder: "2026-01", pattern: "[0-9]{4}-[0-9]{2}", "aria-label": `${field.label}: ${label}` });
    return h(this.doc, "div", { class: "months" }, one(id, field.from, this.words.firstMonth), one(`${id}-to`, field.to, this.words.lastMonth));
  }
}

/** Whether the choices are few and short enough to stand beside each other. */
function isSegments(field: Field): boolean {
  const choices = field.choices ?? [];
  if (field.kind !== "choice" || field.multiple || choices.length < 2 || choices.length > FEW) return false;
  return choices.some((c) => c.selected) && choices.every((c) => c.value !== "") && choices.map((c) => c.label || c.value).join("").length <= SHORT;
}

function valueOf(sent: FormData, name: string, field: Field): unknown {
  if (field.kind === "months") {
    const [from, to] = [sent.get(name), sent.get(`${name}-to`)];
    return from || to ? { from: from ?? "", to: to ?? "" } : null;
  }
  if (field.multiple) {
    const all = sent.getAll(name);
    return all.length > 0 ? all : null;
  }
  const value = sent.get(name);
  return value === null || value === "" ? null : value;
}
