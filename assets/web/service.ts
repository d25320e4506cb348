// How the service is asked, and how it refuses.

import { t } from "./words";

/** Something to mend, by its path in what was sent. */
export interface Fault {
  path: string;
  message: string;
}

/** What went wrong, as the service words it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: Fault[],
    /** Who has saved meanwhile, where that is why and it is known. */
    readonly by = "",
  ) {
    super(message);
  }
}

/** Asks the service; what it refuses is thrown. */
export async function ask<T>(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  const form = body instanceof FormData;
  const init: RequestInit = { method, headers: { ...headers, ...(body === undefined || form ? {} : { "Content-Type": "application/json" }) } };
  if (body !== undefined) init.body = form ? body : JSON.stringify(body);
  const answer = await fetch(url, init);
  if (answer.status === 204) return undefined as T;
  const value = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, value?.error ?? t("the service answered {0}", answer.status), value?.details ?? [], value?.by);
  return value as T;
}

/** The revision that a change is based on. */
export function based(revision: number): Record<string, string> {
  return { "If-Match": `"${revision}"` };
}

/** What went wrong, for people. */
export function reason(fault: unknown): string {
  return fault instanceof Refused ? fault.message : t("The service cannot be reached.");
}
