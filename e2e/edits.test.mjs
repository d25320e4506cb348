// No edit is lost: two people edit one report, one theme and one job at once,
// at random, with reloads, closed tabs, late and lost requests and conflicts.
// EDITS=500 makes more of them; SEED=… plays another game, the same each time.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { api, startService } from "./service.mjs";

const ws = "/api/ui/ws/demo";
const seed = Number(process.env.SEED ?? 1);

/** What the pages edit with, for Node. */
function built(t) {
  const folder = mkdtempSync(join(tmpdir(), "quire-edits-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("go", ["run", "./assets/build", "-tests", folder, "-ending", ".journey.ts", "assets"], { cwd: join(import.meta.dirname, "..") });
  return import(join(folder, "session", "edits.journey.mjs"));
}

/** One report, one theme and one job that both may edit. */
async function things(service) {
  const make = async (kind, definition) => ({ kind, id: (await (await api(service, "POST", `${ws}/${kind}`, definition)).json()).id });
  return [
    await make("reports", { name: "Shared" }),
    await make("themes", { name: "Shared", code: "shared" }),
    await make("jobs", { name: "Shared", code: "shared", active: false }),
  ];
}

test("two people edit, and no accepted edit is missing at the end", async (t) => {
  const { play } = await built(t);
  const service = await startService(t);
  const people = ["ana", "ben"].map((name) => ({ name, token: service.token }));
  const edits = Number(process.env.EDITS ?? 100);
  const outcome = await play({ url: service.url, workspace: "demo", people, things: await things(service), seed, edits });
  const { faults, ...counts } = outcome;
  t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`);
  assert.deepEqual(faults, [], `SEED=${seed} EDITS=${edits} repeats this`);
});
