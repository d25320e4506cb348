import assert from "node:assert/strict";
import { test } from "node:test";
import { begun, fitting, mentionsIn, pieces } from "./comments";

const people = [
  { id: 1, name: "Ana" },
  { id: 2, name: "Ana Jović" },
  { id: 3, name: "Ben Okoro" },
  { id: 4, name: "Ben Okoro" },
];

test("a name is begun behind an @ that no letter stands before", () => {
  assert.deepEqual(begun("Ask @an", 7), { from: 4, name: "an" });
  assert.deepEqual(begun("@", 1), { from: 0, name: "" });
  assert.deepEqual(begun("(@Ana Jo", 8), { from: 1, name: "Ana Jo" });
  assert.equal(begun("ana@example.com", 15), null);
  assert.equal(begun("@Ana\nhere", 9), null);
});

test("names are offered by the beginning of any of their words", () => {
  assert.deepEqual(fitting(people, "jo").map((p) => p.id), [2]);
  assert.deepEqual(fitting(people, "ana j").map((p) => p.id), [2]);
  assert.deepEqual(fitting(people, "").map((p) => p.id), [1, 2, 3, 4]);
  assert.deepEqual(fitting(people, "ben okoro"), []);
});

test("the longest name is meant, and everybody once", () => {
  assert.deepEqual(mentionsIn("@Ana Jović and @Ana: see @Ana Jović", people), [2, 1]);
  assert.deepEqual(mentionsIn("nobody @", people), []);
  assert.deepEqual(mentionsIn("@Ben Okoro", people), [3]);
  assert.deepEqual(mentionsIn("@Ben Okoro", people, new Set([4])), [4]);
});

test("a text is shown in pieces", () => {
  assert.deepEqual(pieces("Hi @Ana, and @you", [people[0]!]), ["Hi ", people[0], ", and @you"]);
  assert.deepEqual(pieces("@Ana", [people[0]!]), [people[0]]);
  assert.deepEqual(pieces("", people), []);
});
