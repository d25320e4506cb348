// The editors are large, so they are loaded when a field first needs one.

import type { CodeModule, RichModule } from "./types";

/** Modules that are there or on their way, by name. A failed one is asked for again. */
const modules = new Map<string, Promise<unknown>>();

function designer(): DOMStringMap {
  return document.getElementById("designer")?.dataset ?? {};
}

/** The nonce that styles made by editors must carry. */
export const styleNonce = (): string => designer().nonce ?? "";

let attempts = 0;

function load<M>(file: string): Promise<M> {
  let found = modules.get(file) as Promise<M> | undefined;
  if (!found) {
    // Browsers remember a module that could not be fetched, hence another address.
    const again = attempts > 0 ? `?again=${attempts}` : "";
    found = import(`${designer().assets ?? ""}/${file}${again}`) as Promise<M>;
    modules.set(file, found);
    found.catch(() => {
      attempts++;
      modules.delete(file);
    });
  }
  return found;
}

export const loadCode = (): Promise<CodeModule> => load("editor.js");
export const loadRich = (): Promise<RichModule> => load("rich.js");
