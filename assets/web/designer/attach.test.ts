import assert from "node:assert/strict";
import { test } from "node:test";
import { use } from "./attach";

test("what is attached has a name that templates can read", () => {
  assert.deepEqual(use("sales", []), { name: "sales", reuse: "sales" });
  assert.deepEqual(use("Sales 2026", ["orders"]), { name: "sales2026", reuse: "Sales 2026" });
  assert.deepEqual(use("Umsätze nach Region", []), { name: "umsätzeNachRegion", reuse: "Umsätze nach Region" });
  assert.deepEqual(use("2026", []), { name: "from2026", reuse: "2026" });
  assert.deepEqual(use("sales", ["sales", "sales2"]), { name: "sales3", reuse: "sales" });
});
