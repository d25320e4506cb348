import assert from "node:assert/strict";
import { test } from "node:test";
import { bestLines, type Box } from "./breaks";

const LETTER = 5;
const SPACE = 3;

/** The boxes of a text in which | shows where words may be divided. */
function boxes(text: string): Box[] {
  return text.split(" ").flatMap((word, w) => word.split("|").map((part, i, all) => ({
    width: part.length * LETTER,
    before: w > 0 && i === 0 ? 1 : 0,
    within: 0,
    ends: true,
    hyphen: i < all.length - 1 ? LETTER : 0,
  })));
}

/** The lines of a text; undefined where the browser's are left. */
function set(text: string, width: number, indent = 0): string[] | undefined {
  const parts = text.replaceAll("|", "| ").split(" ");
  return bestLines(boxes(text), width, indent, SPACE)?.map(({ from, to }) => parts.slice(from, to).join(" ").replaceAll("| ", "").replace(/\|$/, "-"));
}

for (const { name, text, width, indent, want } of [
  { name: "a word goes down so that the next line is not nearly empty", text: "aaa bb cc ddddd", width: 30, want: ["aaa", "bb cc", "ddddd"] },
  { name: "no paragraph ends with a piece of a word", text: "any year of the Care Period, by three months’ no|tice.", width: 230, want: ["any year of the Care Period, by three months’", "notice."] },
  { name: "what is fine already is left to the browser", text: "It was not a sad sight. Behind the shed lay six tonnes", width: 112, want: undefined },
  { name: "an indent makes the first line shorter", text: "the lines of a text with an indent are these, whatever", width: 112, indent: 40, want: ["the lines of a", "text with an indent are", "these, whatever"] },
  { name: "a word wider than a line is left to the browser", text: "the Donaudampfschifffahrtsgesellschaft of old", width: 100, want: undefined },
]) {
  test(name, () => assert.deepEqual(set(text, width, indent), want));
}

test("the lines of any text are whole, in order, and no wider than their spaces shrink", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 200; i++) {
    const all = Array.from({ length: 2 + random(60) }, (_, at) => ({ width: LETTER * (1 + random(9)), before: at > 0 ? random(2) : 0, within: random(9) ? 0 : 1, ends: random(8) > 0, hyphen: random(3) ? 0 : LETTER }));
    const width = 60 + random(200);
    const lines = bestLines(all, width, 0, SPACE) ?? [];
    let at = 0;
    for (const { from, to, grow, spaces } of lines) {
      assert.equal(from, at);
      assert.ok(to > from && (to === all.length || all[to - 1]!.ends));
      assert.ok(grow >= -0.3 * SPACE - 1e-9);
      const letters = all.slice(from, to).reduce((sum, b) => sum + b.width, to < all.length ? all[to - 1]!.hyphen : 0);
      assert.ok(letters + spaces * (SPACE + grow) <= width + 1e-6, `${letters} and ${spaces} spaces in ${width}`);
      at = to;
    }
    if (lines.length > 0) assert.equal(at, all.length);
  }
});
