// The step builder: what is done to rows, in order.

import type { Setting } from "./api";
import { type FieldOf, type FormContext, Mark } from "./fields";
import { useItemKeys } from "./itemkeys";
import { named, t } from "../words";

type Step = { type: string } & Record<string, unknown>;

/** Steps of a transformation; alone are those that need no other source, which is what elements may have. */
export function Steps({ Field, state, setting, label, value, change, path, alone }: { Field: FieldOf; state: FormContext; setting: Setting; label: string; value: unknown; change: (v: unknown) => void; path: string; alone: boolean }) {
  const steps = Array.isArray(value) ? (value as Step[]) : [];
  const types = state.stepTypes.value.filter((t) => t.alone || !alone);
  const { keys } = useItemKeys(steps);
  const put = (list: Step[]) => change(list.length > 0 ? list : undefined);
  const replace = (at: number, name: string, v: unknown) => {
    const { [name]: _, ...rest } = steps[at]!;
    put(steps.map((s, i) => (i !== at ? s : ((v === undefined || v === "" ? rest : { ...s, [name]: v }) as Step))));
  };
  const move = (at: number, by: number) => {
    const rest = steps.filter((_, i) => i !== at);
    put([...rest.slice(0, at + by), steps[at]!, ...rest.slice(at + by)]);
  };
  return (
    <fieldset class="d-list">
      <legend>{label}</legend>
      {setting.help && <p class="d-help">{setting.help}</p>}
      {steps.map((step, i) => {
        const type = types.find((t) => t.name === step.type);
        return (
          <details key={`${keys[i]} ${step.type}`} class="d-group">
            <summary>
              {`${i + 1}. ${type?.label ?? step.type}`}
              <Mark path={`${path}.${i}`} />
            </summary>
            {type && <p class="d-help">{type.help}</p>}
            {type?.settings.map((s) => (
              <Field key={s.name} state={state} setting={s} value={step[s.name]} change={(v) => replace(i, s.name, v)} path={`${path}.${i}.${s.name}`} />
            ))}
            <div class="d-buttons">
              <button type="button" disabled={i === 0} onClick={() => move(i, -1)}>
                {t("Up")}
              </button>
              <button type="button" disabled={i === steps.length - 1} onClick={() => move(i, 1)}>
                {t("Down")}
              </button>
              <button type="button" onClick={() => put(steps.filter((_, at) => at !== i))}>
                {t("Remove step")}
              </button>
            </div>
          </details>
        );
      })}
      <select aria-label={t("Add a step to {0}", named(label))} value="" onChange={(e) => e.currentTarget.value && put([...steps, { type: e.currentTarget.value }])}>
        <option value="">{t("Add a step …")}</option>
        {types.map((t) => (
          <option key={t.name} value={t.name}>
            {t.label}
          </option>
        ))}
      </select>
    </fieldset>
  );
}
