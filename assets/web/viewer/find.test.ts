import assert from "node:assert/strict";
import { test } from "node:test";
import { foldAll, hitsIn, Reader } from "./find";

/** Where a text is found in pieces; "|" is where a block ends. */
function found(pieces: string[], wanted: string, most = 100): string[] {
  const reader = new Reader<string>();
  for (const piece of pieces) if (piece === "|") reader.break(); else reader.add(piece, piece);
  return hitsIn(reader.run, foldAll(wanted), most).map((h) => `${h.start.node}@${h.start.offset}-${h.end.node}@${h.end.offset}`);
}

test("case, accents and white space make no difference", () => {
  assert.deepEqual(found(["Émile visits\n   the ÉTÉ"], "ete"), ["Émile visits\n   the ÉTÉ@20-Émile visits\n   the ÉTÉ@23"]);
  assert.deepEqual(found(["Flat  rent"], "flat rent"), ["Flat  rent@0-Flat  rent@10"]);
  assert.deepEqual(found(["co\u00adoperate"], "cooperate"), ["co\u00adoperate@0-co\u00adoperate@10"]);
  assert.deepEqual(found(["ofﬁce"], "office"), ["ofﬁce@0-ofﬁce@5"]);
  assert.deepEqual(found(["😀 smile 😀"], "😀"), ["😀 smile 😀@0-😀 smile 😀@2", "😀 smile 😀@9-😀 smile 😀@11"]);
});

test("a word goes on across its letters, not across blocks", () => {
  assert.deepEqual(found(["In", "voice"], "invoice"), ["In@0-voice@5"]);
  assert.deepEqual(found(["In", "|", "voice"], "invoice"), []);
  assert.deepEqual(found(["Total ", "|", " due"], "total due"), []);
});

test("hits do not overlap, and no more are counted than asked for", () => {
  assert.equal(found(["aaaa"], "aa").length, 2);
  assert.equal(found(["aaaa"], "a", 3).length, 3);
  assert.equal(found(["aaaa"], "").length, 0);
  assert.equal(found(["a.c abc"], ".").length, 1);
});
