// A setting that names a picture: one of the managed files, chosen or brought along.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, reason } from "./api";
import type { FormContext } from "./fields";
import { t } from "../words";

interface File_ {
  name: string;
  contentType: string;
}

/** The managed files of the workspace; null where they may not be read. */
const files = signal<File_[] | null | undefined>(undefined);

const addressOf = ({ api }: FormContext): string => `${api.base}/api/ui/ws/${api.workspace}/files`;

/** Asks for the files, once. */
export function readPictures(state: FormContext): void {
  if (files.value === undefined) ask<File_[]>("GET", addressOf(state)).then((found) => (files.value = found), () => (files.value = null));
}

/** The names of the pictures among the files, as far as they are known. */
export const pictures = (): string[] => (files.value ?? []).filter((f) => f.contentType.startsWith("image/")).map((f) => f.name);

interface Props {
  state: FormContext;
  path: string;
  value: string;
  change: (v: unknown) => void;
  /** The field itself. */
  children: ComponentChildren;
}

export function Picture({ state, path, value, change, children }: Props) {
  const [fault, fail] = useState("");
  useEffect(() => readPictures(state), []);
  const offered = pictures();
  const upload = async (input: HTMLInputElement) => {
    const chosen = input.files?.[0];
    const replaces = files.value?.some((f) => f.name === chosen?.name);
    if (!chosen || (replaces && !confirm(t("There is a file {0} already. Every report that shows it will show the new one. Replace it?", chosen.name)))) {
      input.value = "";
      return;
    }
    const form = new FormData();
    form.append("file", chosen);
    try {
      files.value = await ask<File_[]>("POST", addressOf(state), form);
      change(chosen.name);
      fail("");
    } catch (e) {
      fail(reason(e));
    }
    input.value = ""; // so that the same file can be chosen again
  };
  return (
    <>
      {children}
      {files.value && (
        <div class="d-buttons d-picked">
          <select aria-label={t("Choose a picture")} value={offered.includes(value) ? value : ""} onChange={(e) => e.currentTarget.value && change(e.currentTarget.value)}>
            <option value="">{t("Choose a picture …")}</option>
            {offered.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <label class="d-upload">
            {t("Upload …")}
            <input id={`${path}-upload`} class="hidden" type="file" accept="image/*" onChange={(e) => void upload(e.currentTarget)} />
          </label>
        </div>
      )}
      {fault && (
        <p class="field-problem" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
