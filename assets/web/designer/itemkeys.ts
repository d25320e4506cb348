// Keys of the items of a list, by which each keeps its fields, its focus and whether it
// is open when others put something before it.

import { useRef } from "preact/hooks";
import { sameItems } from "../session/merge";

export class ItemKeys {
  private items: unknown[] = [];
  private keys: number[] = [];
  /** The key of the item that is new next. */
  next = 0;

  /** The keys of the items as they are now. */
  of(items: unknown[]): number[] {
    if (items === this.items) return this.keys;
    this.keys = sameItems(this.items, items).map((at) => (at < 0 ? this.next++ : this.keys[at]!));
    this.items = items;
    return this.keys;
  }
}

export function useItemKeys(items: unknown[]): { keys: number[]; next: number } {
  const known = useRef<ItemKeys | null>(null);
  known.current ??= new ItemKeys();
  return { keys: known.current.of(items), next: known.current.next };
}
