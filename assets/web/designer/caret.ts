// The caret of a plain field, when others change the text it stands in.

import { type RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Where a place in a text is after the text has become another one: before or behind what was changed. */
export function moved(before: string, after: string, at: number): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (at <= start) return at;
  return at >= before.length - end ? at + after.length - before.length : Math.min(at, after.length - end);
}

/** Keeps the caret of a field between the same letters when it is drawn with another text. */
export function useCaret(field: RefObject<HTMLInputElement | null>): void {
  const el = field.current;
  const known = el && document.activeElement === el ? { text: el.value, from: el.selectionStart ?? 0, to: el.selectionEnd ?? 0 } : null;
  useLayoutEffect(() => {
    if (!el || !known || el.value === known.text) return;
    el.setSelectionRange(moved(known.text, el.value, known.from), moved(known.text, el.value, known.to));
  });
}
