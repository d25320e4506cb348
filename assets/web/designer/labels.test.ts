import assert from "node:assert/strict";
import { test } from "node:test";

import { setTexts } from "../words";
import { inWords } from "./labels";

const series = { name: "series", shape: "list", item: { label: "Series | one", settings: [{ name: "xField", shape: "string", help: "Where it stands." }] } };

test("what tells texts apart is not shown, in English neither", () => {
  assert.equal(inWords(series).item.label, "Series");
  setTexts({ "Series | one": "Reihe", "Where it stands.": "Wo es steht." });
  const { item } = inWords(series);
  setTexts(undefined);
  assert.deepEqual([item.label, item.settings[0]!.help], ["Reihe", "Wo es steht."]);
});
