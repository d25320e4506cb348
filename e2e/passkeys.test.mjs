// Passkeys in a browser with an authenticator of its own, by the DevTools
// protocol: made, used in place of the password and after it, and removed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { binary, startBrowser, startService, until } from "./service.mjs";

/** A page of a fresh browser with an authenticator that knows its owner. */
async function withKey(t, options = {}) {
  const browser = await startBrowser(t);
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(60_000);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  const keys = async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return { page, devtools, authenticatorId, keys };
}

async function enter(page, service, email, password) {
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page) {
  await page.locator(".account summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/sign-in|signed-out/);
}

test("a passkey is made, signs in without a password and after it, and is removed", async (t) => {
  const service = await startService(t);
  const { page, devtools, authenticatorId, keys } = await withKey(t);
  await enter(page, service, "root@localhost", service.password);
  await page.waitForURL(`${service.url}/`);

  // The keyboard is enough to make one.
  await page.goto(`${service.url}/second-factor`);
  const make = page.getByLabel("Name of a new passkey");
  await make.focus();
  await page.keyboard.type("My laptop");
  await page.keyboard.press("Tab");
  await page.keyboard.type("guess");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("The current password is wrong").waitFor();
  assert.equal((await keys()).length, 0, "a key was made for a wrong password");
  await page.locator("#passkey-current").fill(service.password);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
  const codes = await page.locator("ul.codes code").allTextContents();
  assert.equal(codes.length, 10);
  assert.deepEqual(await faults(page, "recovery codes"), []);
  const [key] = await keys();
  assert.equal(key.rpId, "localhost");
  assert.equal(key.isResidentCredential, true);
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByRole("heading", { name: "My laptop" }).waitFor();
  assert.match(await page.getByRole("listitem").filter({ hasText: "My laptop" }).textContent(), /never/);

  // The same authenticator makes no second one.
  await page.getByLabel("Name of a new passkey").fill("Again");
  await page.locator("#passkey-current").fill(service.password);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByRole("alert").getByText("The browser made no passkey").waitFor();
  await signOut(page);

  // Without a password.
  await page.goto(`${service.url}/sign-in?next=/tokens`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${service.url}/tokens`);
  await page.goto(`${service.url}/second-factor`);
  assert.doesNotMatch(await page.getByRole("listitem").filter({ hasText: "My laptop" }).textContent(), /never/);
  await signOut(page);

  // After it.
  await enter(page, service, "root@localhost", service.password);
  await page.getByRole("button", { name: "Use a passkey" }).waitFor();
  assert.deepEqual(await faults(page, "asked for a passkey"), []);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(`${service.url}/`);
  await signOut(page);

  // Nobody who was not verified comes in without a password, but after it they do.
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").getByText("The browser gave no passkey").waitFor();
  await enter(page, service, "root@localhost", service.password);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(`${service.url}/`);
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });

  // A copy: the count goes back.
  const [held] = await keys();
  await signOut(page);
  await page.getByRole("link", { name: "Sign in" }).or(page.getByRole("button", { name: "Sign in with a passkey" })).first().waitFor();
  await devtools.send("WebAuthn.removeCredential", { authenticatorId, credentialId: held.credentialId });
  await devtools.send("WebAuthn.addCredential", { authenticatorId, credential: { ...held, signCount: 0 } });
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").getByText("This passkey seems to exist twice").waitFor();

  // A recovery code lets in, and the key is removed; then the password alone is asked for.
  await enter(page, service, "root@localhost", service.password);
  await page.getByLabel("Code").fill(codes[0]);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${service.url}/`);
  await page.goto(`${service.url}/second-factor`);
  const row = page.getByRole("listitem").filter({ hasText: "My laptop" });
  await row.getByText("Seems to exist twice").waitFor();
  await row.getByText("Remove", { exact: false }).first().click();
  await row.getByLabel("Current password").fill(service.password);
  await row.getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("The passkey is removed.").waitFor();
  await signOut(page);
  await enter(page, service, "root@localhost", service.password);
  await page.waitForURL(`${service.url}/`);
});

test("who needs a second factor makes a passkey on the way in", async (t) => {
  const service = await startService(t, { Accounts__SecondFactor: "required" });
  const { page } = await withKey(t, { colorScheme: "dark" });
  await enter(page, service, "root@localhost", service.password);
  await page.waitForURL(`${service.url}/sign-in/second-factor`);
  assert.deepEqual(await faults(page, "a second factor that is needed"), []);
  await page.getByLabel("Name of a new passkey").fill("Phone");
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.waitForURL(`${service.url}/`);
  await page.goto(`${service.url}/second-factor`);
  await page.getByRole("heading", { name: "Phone" }).waitFor();
  assert.deepEqual(await faults(page, "second factors"), []);
  const said = execFileSync(binary, ["user", "second-factor-off", "--data", service.data, "--user", "root@localhost"], { encoding: "utf8" });
  assert.match(said, /second factor/);
  await page.reload();
  await until(async () => (await page.getByRole("heading", { name: "Phone" }).count()) === 0, "a key is left");
});
