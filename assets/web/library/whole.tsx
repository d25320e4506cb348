// A definition as one JSON document.

import { useState } from "preact/hooks";
import type { Definition } from "./kinds";
import type { Library } from "./state";
import { t } from "../words";

interface WholeProps {
  library: Library;
  label: string;
  /** What is said when the text is no object. */
  object: string;
  /** What speaks against a definition; empty when nothing does. */
  check: (wanted: Definition) => Promise<string>;
}

/** All of a definition but name and code. What is no JSON, or is refused, changes nothing. */
export function Whole({ library, label, object, check }: WholeProps) {
  const { name, code, ...rest } = library.value.value!;
  const text = JSON.stringify(rest, null, 2);
  const [fault, fail] = useState("");
  const [written, write] = useState<string | null>(null);
  const apply = async () => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(written ?? text);
    } catch (e) {
      return fail(placeOf(e, written ?? text));
    }
    if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) return fail(object);
    const wanted = { ...parsed, name, ...(code ? { code } : {}) } as Definition;
    const refused = await check(wanted);
    if (refused) return fail(refused);
    fail("");
    write(null);
    library.commit(wanted);
  };
  return (
    <div class="d-form">
      <div class="d-field">
        <label for="whole-json">{label}</label>
        <textarea id="whole-json" class="l-json" spellcheck={false} aria-invalid={fault !== ""} value={written ?? text} onInput={(e) => write(e.currentTarget.value)} />
        <p class="field-problem" role="alert">
          {fault}
        </p>
      </div>
      <div class="d-buttons">
        <button type="button" class="d-primary" disabled={written === null} onClick={() => void apply()}>
          {t("Apply")}
        </button>
        <button type="button" disabled={written === null} onClick={() => (write(null), fail(""))}>
          {t("Forget the changes")}
        </button>
      </div>
    </div>
  );
}

/** Where JSON breaks off, with line and column. */
function placeOf(e: unknown, text: string): string {
  const message = e instanceof Error ? e.message : String(e);
  const at = /position (\d+)/.exec(message);
  if (!at) return message;
  const before = text.slice(0, Number(at[1])).split("\n");
  return `${t("Line {0}, column {1}", before.length, before.at(-1)!.length + 1)}: ${message}`;
}
