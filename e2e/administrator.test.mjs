// What a new administrator does by the documentation alone, from an empty folder:
// docs/sso.md ("Keycloak, step by step") and docs/deployment.md ("To invite by
// mail"). Presses and entries are counted, and the time that they take a browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startMails } from "./mails.mjs";
import { binary, startBrowser, until } from "./service.mjs";

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** A folder in which Quire is started and stopped, with what its settings.json says and nothing else. */
async function startFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), "quire-administrator-"));
  const port = await freePort();
  const quire = { url: `http://localhost:${port}`, password: "", starts: 0 };
  let server;
  const stop = async () => {
    if (!server) return;
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await ended;
  };
  t.after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  quire.start = async (settings) => {
    await stop();
    writeFileSync(join(folder, "settings.json"), JSON.stringify({ Address: `127.0.0.1:${port}`, PublicUrl: quire.url, ...settings }));
    server = spawn(binary, ["serve"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
    server.stdout.setEncoding("utf8").on("data", (text) => { quire.password ||= /password:\s+(\S+)/.exec(text)?.[1] ?? ""; });
    quire.starts++;
    await until(async () => (await fetch(`${quire.url}/readyz`)).ok, "Quire does not start");
  };
  return quire;
}

/** Presses and enters, and counts. */
function hands() {
  const done = { presses: 0, entries: 0 };
  return {
    done,
    press: (at) => (done.presses++, at.click()),
    enter: (at, value) => (done.entries++, at.fill(value)),
  };
}

async function signIn(page, quire) {
  await page.goto(`${quire.url}/sign-in`);
  await page.getByLabel("Email address").fill("root@localhost");
  await page.getByLabel("Password", { exact: true }).fill(quire.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${quire.url}/`);
}

const seconds = (began) => `${Math.round((Date.now() - began) / 1000)} s`;

test("three colleagues are invited by mail", { timeout: 180_000 }, async (t) => {
  const mails = await startMails(t);
  const quire = await startFolder(t);
  const browser = await startBrowser(t);
  const began = Date.now();
  await quire.start({ SmtpServer: { Host: "127.0.0.1", Port: Number(mails.settings.SmtpServer__Port), EnableSsl: false, From: "reports@example.com" } });
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  await signIn(page, quire);
  const { done, press, enter } = hands();
  await press(page.getByRole("link", { name: "Mail", exact: true }));
  await enter(page.getByLabel("To", { exact: true }), "root@example.com");
  await press(page.getByRole("button", { name: "Send the test mail" }));
  await mails.next("root@example.com");
  await press(page.getByRole("link", { name: "Home" }));
  await press(page.getByRole("link", { name: "Quire demo" }).first());
  await press(page.getByRole("link", { name: "Members" }));
  const colleague = hands();
  for (const [who, role, sees, lacks] of [["lea", "Viewer", "Exports", "Jobs"], ["tim", "Author", "Connections", "Service accounts"], ["uta", "Operator", "Jobs", "Connections"]]) {
    await enter(page.getByLabel("Email address"), `${who}@example.com`);
    await page.locator("#role").selectOption({ label: role });
    done.entries++;
    await press(page.getByRole("button", { name: "Add member" }));
    await page.getByText("It was sent by mail").waitFor();
    const theirs = await (await browser.newContext({ locale: "en" })).newPage();
    await theirs.goto(/http\S+invitation\S+/.exec(await mails.next(`${who}@example.com`))[0]);
    await colleague.enter(theirs.getByLabel("Your name"), who);
    await colleague.enter(theirs.getByLabel("Password", { exact: true }), "Correct-horse-7");
    await colleague.enter(theirs.getByLabel("Password again"), "Correct-horse-7");
    await colleague.press(theirs.getByRole("button", { name: "Create account and join" }));
    await theirs.waitForURL(`${quire.url}/ws/demo`);
    const places = await theirs.locator(".rail nav").allInnerTexts().then((all) => all.join(" "));
    assert.ok(places.includes(sees) && !places.includes(lacks), `${who} as ${role} sees ${places}`);
  }
  t.diagnostic(`three colleagues are in the workspace: ${done.presses} presses and ${done.entries} entries of the administrator, ${colleague.done.presses + colleague.done.entries} of the three together, ${seconds(began)} from the start of Quire`);
});

const keycloak = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "quire", "keycloak", "keycloak");
const skip = process.env.QUIRE_KEYCLOAK && existsSync(keycloak) ? false : "make check-sso starts Keycloak";

/** A Keycloak with the realm of a company: people in groups, and nothing that knows Quire. */
async function startKeycloak(t) {
  const [port, watch] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const server = spawn("sh", [join(keycloak, "bin", "kc.sh"), "start-dev", "--db=dev-mem", "--cache=local", "--http-host=127.0.0.1", `--http-port=${port}`, `--http-management-port=${watch}`], {
    env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: "admin", KC_BOOTSTRAP_ADMIN_PASSWORD: "admin-of-the-journey", JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx512m" }, stdio: "ignore", detached: true,
  });
  t.after(() => process.kill(-server.pid, "SIGKILL")); // it has nothing to keep
  const realms = `${url}/realms/master`;
  for (let tries = 0; tries < 4; tries++) { // it may take minutes
    try { await until(async () => (await fetch(`${realms}/.well-known/openid-configuration`)).ok, "Keycloak does not start"); break; } catch (error) { if (tries === 3) throw error; }
  }
  const { access_token: token } = await (await fetch(`${realms}/protocol/openid-connect/token`, { method: "POST", body: new URLSearchParams({ client_id: "admin-cli", username: "admin", password: "admin-of-the-journey", grant_type: "password" }) })).json();
  const person = (username, firstName, group) => ({ username, enabled: true, email: `${username}@example.com`, emailVerified: true, firstName, lastName: "Company", groups: [`/${group}`], credentials: [{ type: "password", value: `pw-${username}`, temporary: false }] });
  const made = await fetch(`${url}/admin/realms`, {
    method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ realm: "company", enabled: true, groups: ["it", "reporting", "guests"].map((name) => ({ name })), users: [person("jan", "Jan", "it"), person("mira", "Mira", "reporting"), person("gus", "Gus", "guests")] }),
  });
  assert.equal(made.status, 201);
  return url;
}

test("from an empty folder to people who sign in at Keycloak, with their roles", { skip, timeout: 600_000 }, async (t) => {
  const at = await startKeycloak(t);
  const quire = await startFolder(t);
  const browser = await startBrowser(t);
  const enterThere = async (page, who) => {
    await page.locator("#username").fill(who);
    await page.locator("#password").fill(`pw-${who}`);
    await page.locator("#kc-login").click();
  };
  const began = Date.now();
  await quire.start({}); // step 1
  const there = await (await browser.newContext({ locale: "en", viewport: { width: 1300, height: 900 } })).newPage();
  there.setDefaultTimeout(60_000);
  await there.goto(`${at}/admin/master/console/#/company/clients`);
  await there.locator("#username").fill("admin");
  await there.locator("#password").fill("admin-of-the-journey");
  await there.keyboard.press("Enter");

  const { done, press, enter } = hands();
  const button = (name) => there.getByRole("button", { name, exact: true }).first();
  // Step 2.
  await press(there.getByText("Create client", { exact: true }).first());
  await enter(there.getByTestId("clientId"), "quire");
  await press(button("Next"));
  await press(there.locator("#kc-authentication-switch, [data-testid=authentication]").first().locator("xpath=ancestor-or-self::label"));
  await press(button("Next"));
  await enter(there.getByTestId("redirectUris0"), `${quire.url}/auth/company/callback`);
  await enter(there.locator("[data-testid*=logout][data-testid$=uris0]").first(), `${quire.url}/sign-in`);
  await press(button("Save"));
  // Step 3.
  await there.getByText("Logout settings").first().waitFor();
  const front = there.locator("[data-testid='frontchannelLogout'], #kc-frontchannelLogout-switch").first();
  if (await front.isChecked()) await press(front.locator("xpath=ancestor-or-self::label"));
  await enter(there.locator("input[id*='backchannel'][id*='url']").first(), `${quire.url}/auth/company/backchannel-logout`);
  await press(button("Save"));
  await there.getByText("Client successfully updated").first().waitFor();
  // Step 4.
  await press(there.getByRole("tab", { name: "Client scopes" }));
  await press(there.getByRole("link", { name: "quire-dedicated" }));
  await press(button("Configure a new mapper"));
  await press(there.getByText("Group Membership", { exact: true }));
  await enter(there.getByTestId("name"), "groups");
  await enter(there.getByLabel("Token Claim Name"), "groups");
  await press(button("Save"));
  await there.getByText(/Mapping successfully|created/i).first().waitFor();
  // Step 5.
  await press(there.getByRole("link", { name: "Client details" }).or(there.getByRole("link", { name: "Clients" })).first());
  if (!(await there.getByRole("tab", { name: "Credentials" }).count())) await press(there.getByRole("link", { name: "quire", exact: true }));
  await press(there.getByRole("tab", { name: "Credentials" }));
  const secret = await there.locator("#kc-client-secret").first().inputValue();
  assert.ok(secret.length >= 32, "no secret");
  const provider = { Name: "company", Preset: "keycloak", Label: "Example Ltd", Issuer: `${at}/realms/company`, ClientId: "quire", ClientSecret: secret, Groups: ["reporting = demo:Viewer", "it = *root"], Enabled: false };
  await quire.start({ Sso: { Providers: [provider] } });

  // Step 6: it is tried, by three people of the company.
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  page.setDefaultTimeout(30_000);
  await signIn(page, quire);
  await page.getByRole("link", { name: "Single sign-on" }).click();
  for (const [who, says] of [["jan", /Jan Company would come in[^]*root user/i], ["mira", /Mira Company would come in[^]*Viewer/i], ["gus", /would not come in[^]*None of your groups leads to a role here/i]]) {
    await page.context().clearCookies({ domain: "127.0.0.1" });
    await page.goto(`${quire.url}/sso`);
    await page.getByRole("link", { name: "Try it" }).click();
    await enterThere(page, who);
    await page.waitForURL(/tried/);
    assert.match(await page.locator("main").innerText(), says);
  }
  await quire.start({ Sso: { Providers: [{ ...provider, Enabled: true }] } });
  let first = "";
  for (const [who, path] of [["jan", "/users"], ["mira", "/ws/demo"]]) {
    const theirs = await (await browser.newContext({ locale: "en" })).newPage();
    await theirs.goto(`${quire.url}/sign-in`);
    await theirs.getByText("Continue with Example Ltd").click();
    await enterThere(theirs, who);
    await theirs.waitForURL(`${quire.url}/`);
    first ||= seconds(began);
    assert.equal((await theirs.goto(quire.url + path)).status(), 200);
    if (who === "mira") assert.equal((await theirs.goto(`${quire.url}/users`)).status(), 403);
    await theirs.goto(`${quire.url}/`);
    await theirs.locator(".account summary").click();
    await theirs.getByRole("button", { name: "Sign out" }).click();
    await theirs.waitForURL(`${quire.url}/sign-in`);
    await theirs.getByText("Continue with Example Ltd").click();
    await theirs.locator("#username").waitFor(); // signed out there, too
  }
  const guest = await (await browser.newContext({ locale: "en" })).newPage();
  await guest.goto(`${quire.url}/auth/company`);
  await enterThere(guest, "gus");
  await guest.getByText("None of your groups leads to a role here.").waitFor();
  t.diagnostic(`from an empty folder to the first sign-in at Keycloak: ${done.presses} presses and ${done.entries} entries there, ${quire.starts} starts of Quire, ${first}`);
});
