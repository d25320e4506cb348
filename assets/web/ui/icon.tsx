// Drawings that stand beside words which say the same, or in buttons that have a
// name of their own.

import inside from "icons";

export function Icon({ name }: { name: string }) {
  return <svg class="i" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={{ __html: inside[name] ?? "" }} />;
}
