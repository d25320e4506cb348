// What those who read parts of a document need of who reads it as a whole.

import type { Look, Looks } from "./looks";
import type { Out, Rect, State } from "./types";

export interface Around {
  readonly doc: Document;
  readonly state: State;
  readonly looks: Looks;
  /** What links and fields refer to. */
  readonly targets: Set<string>;
  /** The picture that an element is. */
  picture(el: Element, look: Look): Out | null;
  /** A place, from the corner of the sheet. */
  rect(r: { left: number; top: number; width: number; height: number }): Rect;
  box(el: Element): Rect;
  /** What a block holds; auto says whether pages may end inside. */
  blocks(el: Element, look: Look, auto: boolean): Out[];
  /** The text of a footnote, by its number in the text. */
  note(call: Element): Out[] | null;
  anchor(el: Element, out: Out): void;
}
