// Runs, reviews, deliveries and the mail server in a browser, against the real service.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
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
  assert.deepEqual(await page.locator(".parts rect").evaluateAll((parts) => parts.map((p) => Number(p.getAttribute("width")))), [150, 0, 0, 0], "the bar is of all that are completed");
  await page.getByRole("link", { name: "Letter to Ana 1.pdf" }).first().waitFor();
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

test("entries are reviewed with the keyboard, one after the other and many at once", { timeout: 120_000 }, async (t) => {
  const service = await startService(t);
  const page = await open(t, service);
  await page.addInitScript(() => Object.defineProperty(navigator, "pdfViewerEnabled", { get: () => true }));
  await page.route("**/documents/*", (route) => route.fulfill({ contentType: "text/html", body: "<title>x</title>a document" })); // this browser has no viewer
  const people = Array.from({ length: 60 }, (_, i) => `Ana ${String(i + 1).padStart(2, "0")}`);
  await page.goto(await startRun(service, letters("reviewed", people, { reviewRequired: true })));
  await page.getByText("60 in review", { exact: true }).waitFor({ timeout: 60_000 });
  const list = page.getByRole("list").filter({ has: page.getByRole("checkbox") });
  const detail = page.getByRole("region", { name: "The chosen entry" });
  const frame = (name) => page.locator(`iframe[title="Letter to ${name}.pdf"]`).waitFor();
  await frame("Ana 01");
  await list.getByRole("link").first().focus();
  await page.keyboard.press("j");
  await frame("Ana 02");
  await page.keyboard.press("ArrowDown");
  await frame("Ana 03");
  await page.keyboard.press("k");
  await frame("Ana 02");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Ana 02/);
  assert.match(await list.locator("[aria-current]").textContent(), /Ana 02/);

  await detail.getByRole("button", { name: "Approve" }).press("Enter");
  await frame("Ana 03");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Ana 03/, "the next entry is not chosen");
  await detail.getByText("Reject", { exact: true }).press("Enter");
  await detail.getByLabel("Reason").fill("the address is wrong");
  await page.keyboard.press("Enter");
  await frame("Ana 04");
  await page.getByText("58 in review", { exact: true }).waitFor();

  await list.getByRole("checkbox", { name: "Choose entry 5", exact: true }).press("Space");
  await list.getByRole("checkbox", { name: "Choose entry 6", exact: true }).press("Space");
  await page.getByRole("button", { name: "Approve …" }).press("Enter");
  await page.getByRole("heading", { name: "Approve 2 entries?" }).waitFor();
  await page.getByRole("button", { name: "Approve 2 entries" }).press("Enter");
  await page.getByText("56 in review", { exact: true }).waitFor();

  await page.getByLabel("State").selectOption("errors");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.locator("#range").getByText("1 entry", { exact: true }).waitFor();
  await page.getByText("The address is wrong.").first().waitFor();
  await page.getByLabel("State").selectOption("");
  await page.getByLabel("Search").fill("ana 60");
  await page.keyboard.press("Enter");
  await frame("Ana 60");
  await page.getByLabel("Search").fill("");
  await page.keyboard.press("Enter");
  await page.getByText("1 to 50 of 60 entries").waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await frame("Ana 51");

  await page.getByRole("button", { name: "Approve and deliver all in review" }).click();
  await page.getByRole("button", { name: "Approve 56 entries" }).click();
  await page.getByText("59 completed", { exact: true }).waitFor();
  await page.getByText("1 with errors", { exact: true }).waitFor();
});

/** A mail server that takes everything but for one address, and tells what it got. */
async function startMail(t) {
  const got = [];
  const server = createServer((socket) => {
    let content;
    socket.on("error", () => {});
    const say = (text) => socket.write(`${text}\r\n`);
    say("220 post.test ESMTP");
    createInterface({ input: socket }).on("line", (line) => {
      if (content) {
        if (line !== ".") return void content.push(line);
        got.push(content.join("\n"));
        content = undefined;
        return say("250 taken");
      }
      if (/^RCPT TO:<nobody@/i.test(line)) return say("550 there is nobody of that name");
      if (/^DATA/i.test(line)) {
        content = [];
        return say("354 go on");
      }
      say(/^QUIT/i.test(line) ? "221 bye" : "250 ok");
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  return { port: server.address().port, got };
}

test("connections are filled in and tested, and a test mail is sent", { timeout: 120_000 }, async (t) => {
  const mail = await startMail(t);
  const settings = { SmtpServer__Host: "127.0.0.1", SmtpServer__Port: `${mail.port}`, SmtpServer__EnableSsl: "false", SmtpServer__From: "reports@example.com", Egress__AllowHosts: "127.0.0.1" };
  Object.assign(process.env, settings);
  const service = await startService(t);
  for (const name of Object.keys(settings)) delete process.env[name];
  const page = await open(t, service);

  await page.getByRole("link", { name: "Mail", exact: true }).click();
  await page.getByText("reports@example.com").first().waitFor();
  await page.getByLabel("To", { exact: true }).fill("nobody@example.com");
  await page.getByRole("button", { name: "Send the test mail" }).click();
  await page.getByRole("alert").getByText(/550 .?there is nobody of that name/).waitFor();
  await page.getByLabel("To", { exact: true }).fill("ana@example.com");
  await page.getByRole("button", { name: "Send the test mail" }).click();
  await page.getByText("The mail server took the test mail.").waitFor();
  assert.match(mail.got.join(), /Subject: Test mail of Quire/);

  await page.goto(`${service.url}/ws/demo/connections/new?type=email`);
  await page.getByLabel("Name", { exact: true }).fill("mails");
  await page.getByLabel("Host").fill("127.0.0.1");
  await page.getByLabel("Port").fill("1");
  await page.getByLabel("Encrypt").uncheck();
  await page.getByLabel("From", { exact: false }).first().fill("reports@example.com");
  await page.getByLabel("Password").fill("s3cret-word");
  await page.getByRole("button", { name: "Test the connection" }).click();
  await page.getByRole("alert").getByText("could not be reached").waitFor();
  assert.equal(await page.getByLabel("Password").inputValue(), "s3cret-word", "the test has emptied the form");
  await page.getByLabel("Port").fill(`${mail.port}`);
  await page.getByRole("button", { name: "Test the connection" }).click();
  await page.getByRole("status").getByText("It works").waitFor();
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByText("The connection was made.").waitFor();
  await page.getByRole("link", { name: "Edit mails" }).click();
  assert.equal(await page.getByLabel("Host").inputValue(), "127.0.0.1");
  assert.equal(await page.getByLabel("Password").inputValue(), "");
});
