// What the bar of a column offers, in words.

import { say } from "../words";

export const OPTIONS = {
  formats: { auto: say("Automatic"), whole: say("Whole number"), decimal: say("Two decimals"), currency: say("Currency"), percentage: say("Percent"), date: say("Date") } as Record<string, string>,
  totals: { "": say("No total"), sum: say("Sum"), average: say("Average"), count: say("Count"), min: say("Smallest"), max: say("Largest") } as Record<string, string>,
  align: { left: say("Align left"), center: say("Centre"), right: say("Align right") },
  order: { none: say("Sort ascending"), ascending: say("Sort descending"), descending: say("Do not sort") },
};
