// Runs, reviews, deliveries and the mail server in a browser, against the real service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const letters = (code, names, more = {}) => ({
  name: `Letters ${code}`, code, active: true, repeat: "people",
  dataSources: [{ name: "people", type: "json", settings: { content: names.map((name) => ({ name })) } }],
  reports: [{ report: "letter", fileName: "Letter to {$record.name}" }], ...more,
});

/** Makes a job and gives the address of its run, which begins at once. */
async function startRun(service, job) {
  const { id } = await (await api(service, "POST", "/api/ui/ws/demo/jobs", job)).json();
  const { jobRunId } = await (await api(service, "POST", `/api/v1/ws/demo/jobs/${job.code}/runs`, {})).json();
  return `${service.url}/ws/demo/jobs/${id}/runs/${jobRunId}`;
}

/** A page that has signed in, and complains of faults in scripts. */
async function open(t, service, options = {}) {
  const browser = await startBrowser(t);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("pageerror", (fault) => assert.fail(fault));
  page.on("console", (line) => line.type() === "error" && !line.text().includes("Failed to load resource") && assert.fail(line.text()));
  await signIn(page, service);
  return page;
}

test("a run tells how it goes on, without being loaded again", { timeout: 120_000 }, async (t) => {
  process.env.Exports__Workers = "1";
  const service = await startService(t);
  delete process.env.Exports__Workers;
  const page = await open(t, service);
  const people = Array.from({ length: 150 }, (_, i) => `Ana ${i + 1}`);
  await page.goto(await startRun(service, letters("slow", people)));
  await page.evaluate(() => { globalThis.stayed = true; });
  const done = () => page.locator("#progress").evaluate((p) => p.value);
  const seen = new Set();
  await until(async () => { seen.add(await done()); return seen.has(100); }, "the progress does not reach its end");
  assert.ok(seen.size >= 4, `progress was seen at ${[...seen].join(", ")}`);
  await page.getByText("Finished", { exact: true }).waitFor();
  await page.getByText("150 completed", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Letter to Ana 1.pdf" }).waitFor();
  await page.getByRole("status").getByText("Finished: 150 completed").waitFor();
  assert.equal(await page.evaluate(() => globalThis.stayed), true, "the page was loaded again");
});

test("without scripts the page of a run is loaded again until the run has finished", { timeout: 120_000 }, async (t) => {
  const service = await startService(t);
  const page = await open(t, service, { javaScriptEnabled: false });
  await page.goto(await startRun(service, letters("plain", ["Ana", "Ben"])));
  await page.getByText("Finished", { exact: true }).waitFor();
  await page.getByText("2 completed", { exact: true }).waitFor();
});
