// Every screen about people by axe, in both languages and without sideways
// scrolling; and what people do on them by the keyboard alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { faultsOfFocus, typist } from "./keys.mjs";
import { codeOf, password, startCompany, tour } from "./people.mjs";
import { startBrowser } from "./service.mjs";

/** What a page says, in all places where it does; parts in another language or in code, and what people entered, are no words of it. */
const words = () => {
  const said = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("script, style, pre, code, .report, [lang]:not(html)")) said.add(walker.currentNode.textContent);
  }
  for (const name of ["aria-label", "placeholder", "title", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) said.add(element.getAttribute(name));
  }
  return [...said].map((text) => text.replace(/\s+/g, " ").replace(/\d+/g, "0").trim()).filter((text) => /\p{L}{2}/u.test(text));
};

test("every screen, light and English, dark and German; the first by Tab", { timeout: 300_000 }, async (t) => {
  const browser = await startBrowser(t);
  const found = [];
  const look = async (options) => {
    const service = await startCompany(t);
    const page = await (await browser.newContext(options)).newPage();
    const said = new Map();
    page.on("pageerror", (error) => found.push(`${options.locale}: ${page.url()}: ${error.message}`));
    await tour(page, service, async (name) => {
      found.push(...(await faults(page, `${options.locale}: ${name}`)));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found.push(`${options.locale}: ${name} is ${wide} px wider than the screen`);
      said.set(name, await page.evaluate(words));
      if (options.locale === "en") found.push(...(await faultsOfFocus(page, name)));
      if (process.env.E2E_PICTURES) {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: join(process.env.E2E_PICTURES, `${String(said.size).padStart(2, "0")}-${name.replaceAll(" ", "-")}-${width}-${options.locale}-${options.colorScheme}.png`), fullPage: true });
        }
        await page.setViewportSize(options.viewport);
      }
    });
    return said;
  };
  const english = await look({ colorScheme: "light", locale: "en", viewport: { width: 1440, height: 900 } });
  const german = await look({ colorScheme: "dark", locale: "de", viewport: { width: 390, height: 900 } });

  const known = JSON.parse(readFileSync(join(import.meta.dirname, "../api/ui/texts/de.json"), "utf8"));
  // What somebody has named, what stands in settings, and what both languages say.
  const same = /^(in |: )?(root@|UTC$|API$|Esc$|PDF$|Quire|Example|Empty|Root$|A furniture maker|Ana |Zoe |Vesna |Ben |[A-Z]{2}$|Sales|Buyers|Night|Billing|Careful|(Administrator|Viewer|Author|Operator)( – |$)|Entra ID|\S+@\S+$|(https?|ldap):\/\/|(staff|it|staff, it|lost|nowhere|demo|quire|groups|openid email profile)$)/;
  for (const [name, texts] of german) {
    for (const text of texts) {
      if (english.get(name).includes(text) && known[text] !== text && !same.test(text)) found.push(`de: ${name} says in English: ${text}`);
    }
  }
  assert.deepEqual(found, []);
});

test("what people do, by the keyboard alone", { timeout: 300_000 }, async (t) => {
  const service = await startCompany(t);
  const context = await (await startBrowser(t)).newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Vienna", permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  page.on("pageerror", (error) => assert.fail(error));
  const { press, to, at, enter, go } = typist(page);
  const notice = async (text) => {
    assert.equal(await page.getByRole("status").textContent(), text);
    assert.equal((await at()).name, text, "the notice has not got the focus");
  };
  const goTo = async (name) => {
    await press("Control+k");
    await page.keyboard.type(name);
    await page.getByRole("option", { selected: true }).getByText(name, { exact: true }).waitFor();
    await go();
  };

  // Signing in: the field has the focus, and a wrong password the field after it.
  await page.goto(`${service.url}/sign-in`);
  assert.equal((await at()).name, "User name or email address");
  await to("Example Works", "Shift+Tab");
  await press("ArrowDown");
  await enter("User name or email address", "root@localhost");
  await enter("Password", "guess");
  await go();
  assert.equal((await at()).name, "Password");
  await page.keyboard.type(service.password);
  await go();
  await page.waitForURL(`${service.url}/`);

  // The first stop leads past the navigation.
  await press("Tab");
  assert.equal((await at()).name, "Skip to content");
  assert.ok((await at()).seen);
  await press("Enter", "Tab");
  assert.equal((await at()).name, "New workspace");

  // Search by Ctrl+K on every page, with the focus back where it was.
  await goTo("Users");
  await to("New user");
  await press("Control+k", "Escape");
  assert.equal((await at()).name, "New user");
  await press("Enter");
  await enter("Email address", "ana@example.com");
  await enter("Name", "Ana Jović");
  await go();
  const made = await at();
  assert.equal(made.name, "Password of ana@example.com");
  await to("Name or address").catch(() => to("Search"));
  await page.keyboard.type("ana@");
  await go();
  await to("Ana Jović");
  await go();

  // An account: changed, a menu that Escape closes, blocked and let in again, a link.
  await enter("Email address", "root@localhost");
  await go();
  assert.equal((await at()).name, "Email address", "the wrong field has not got the focus");
  await page.getByRole("alert").getByText("root@localhost").waitFor();
  await press("ControlOrMeta+A");
  await page.keyboard.type("ana.jovic@example.com");
  await go();
  await notice("The account was changed.");
  await to("Delete");
  await press("Enter");
  await to("Delete the account");
  await press("Escape");
  assert.equal((await at()).name, "Delete");
  assert.equal(await page.getByRole("button", { name: "Delete the account" }).isVisible(), false);
  await press("Enter", "Tab", "Tab");
  assert.equal(await page.locator(".menu[open]").count(), 0, "the menu stays open when the focus leaves it");
  await to("Block", "Shift+Tab");
  await go();
  await notice("The account is blocked: its sessions and access tokens work no more.");
  await to("Unblock Ana Jović");
  await go();
  await to("Edit Ana Jović");
  await go();
  await to("Make a link");
  await go();
  assert.match((await at()).value, /set-password/);
  await press("Tab", "Enter");
  await page.getByRole("button", { name: "Copied" }).waitFor();

  // A group, its people, and its role in a workspace.
  await goTo("Groups");
  await enter("Name", "Sales");
  await go();
  await enter("Email address", "ana.jovic@example.com");
  await go();
  await notice("The person is in the group.");
  await page.goto(`${service.url}/ws/empty/members`);
  await enter("Name of the group", "Sales");
  await to("Role");
  await page.keyboard.type("Operator");
  await to("Add group");
  await go();
  await to("Role of Sales");
  assert.equal(await page.evaluate(() => document.activeElement.selectedOptions[0].text), "Operator");
  await press("ArrowUp", "Tab");
  assert.equal((await at()).name, "Change the role of Sales");
  await go();
  await enter("Email address", "zoe@example.com");
  await go();
  assert.match((await at()).value, /invitation/);
  await to("Withdraw zoe@example.com");
  await go();
  await page.getByRole("status").getByText("invitation").waitFor();

  // What somebody may, and by what, in one place.
  await goTo("Users");
  await to("Ana Jović");
  await go();
  const may = page.locator("section", { hasText: "What Ana Jović may" });
  assert.match(await may.textContent(), /Empty[^]*by the group\s+Sales/);

  // Tokens: made with a scope, copied, revoked.
  await goTo("Access tokens");
  await enter("Name", "Billing server");
  await to(/^Make and fetch files/);
  await press("Space");
  await to("Create token");
  await go("Space");
  const token = (await at()).value;
  assert.match(token, /^qrt_/);
  await to("Copy token");
  await press("Enter");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
  await to("Revoke Billing server");
  await go();
  await notice("The token is revoked.");

  // A service account with a token, and a token for provisioning.
  await page.goto(`${service.url}/ws/empty/service-accounts`);
  await enter("Name", "Night run");
  await go();
  await page.waitForURL(/service-accounts\/\d+/);
  await goTo("Provisioning");
  await enter("Name", "Entra ID");
  await to("May take over accounts that are here already");
  await press("Space");
  await to("Create token");
  await go();
  assert.equal((await at()).name, "Token for provisioning");

  // Who may see a report: the arrows choose.
  await page.goto(`${service.url}/ws/demo/reports/2/access`);
  await to("Everybody whose role reads the reports of the workspace");
  await press("ArrowDown", "Tab");
  const rule = (await at()).name;
  await press("ArrowRight");
  await to("Save");
  await go();
  await page.goto(`${service.url}/ws/demo/reports/2/access`);
  assert.ok(await page.getByLabel("Only these roles, groups and people").isChecked(), rule);

  // The own profile: the zone of the browser, and a picture that is shown at once.
  await goTo("Profile");
  await to("Use the zone of this browser: Europe/Vienna");
  await press("Enter");
  assert.equal((await at()).value, "Europe/Vienna");
  await go();
  await notice("Your profile was saved.");

  // A second factor, and signing in with it; the menu of one's name is the last of the navigation.
  await goTo("Second factor");
  const key = await page.locator("#key").inputValue();
  await to("Key");
  await enter("Current password", service.password);
  await enter("Code", codeOf(key));
  await go();
  await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
  await to("I have kept them");
  await go();
  await to(/Root$/, "Shift+Tab");
  await press("Enter");
  await to("Sign out");
  await go();
  await to("Example Works", "Shift+Tab");
  await press("ArrowDown");
  await enter("User name or email address", "root@localhost");
  await enter("Password", service.password);
  await go();
  assert.equal((await at()).name, "Code");
  await page.keyboard.type("000000");
  await go();
  assert.equal((await at()).name, "Code");
  await page.keyboard.type(codeOf(key, 1));
  await go();
  await page.waitForURL(`${service.url}/`);

  // Who is invited makes an account and is in.
  await page.goto(`${service.url}/ws/demo/members`);
  await enter("Email address", "ben@example.com");
  await go();
  const invited = await (await (await startBrowser(t)).newContext()).newPage();
  const ben = typist(invited);
  await invited.goto(/http\S+invitation\S+/.exec(await service.mails.next("ben@example.com"))[0]);
  await ben.enter("Your name", "Ben Auer");
  await ben.enter("Password", password);
  assert.equal(await invited.locator("[data-rule].kept").count(), 4);
  await ben.enter("Password again", password);
  await ben.go();
  await invited.waitForURL(/\/ws\/demo/);

  // The last: an account is deleted, what it made stays.
  await page.goto(`${service.url}/users`);
  await to("Edit Ana Jović");
  await go();
  await to("Delete");
  await press("Enter");
  await to("Delete the account");
  await go();
  await notice("The account was deleted. What it made stays.");
});
