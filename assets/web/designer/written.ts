// A short text that is written where it stands.

import { useLayoutEffect, useRef } from "preact/hooks";

/** What such a field does: Enter and leaving it keep the text, Escape forgets it. */
export function useWritten(keep: (text: string) => void, done: (byKey: boolean) => void) {
  const field = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  useLayoutEffect(() => (field.current!.focus(), field.current!.select()), []);
  const leave = (kept: boolean, byKey: boolean) => {
    if (left.current) return;
    left.current = true;
    if (kept) keep(field.current!.value.trim());
    done(byKey);
  };
  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault();
    leave(e.key === "Enter", true);
  };
  return { ref: field, onKeyDown: key, onBlur: () => leave(true, false) };
}
