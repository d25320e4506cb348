import type { Out } from "./types";

/** A node whose only child is a bare paragraph of one text says it itself. */
export function short(out: Out): Out {
  const only = out.children?.length === 1 ? out.children[0]! : undefined;
  if (out.children?.length === 0) delete out.children;
  if (only?.kind === "paragraph" && only.bare && only.text !== undefined && !only.anchors && !only.lines) {
    out.text = only.text;
    delete out.children;
  }
  return out;
}
