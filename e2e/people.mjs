// A tour through every screen about people: signing in, one's own account, and
// what administrators do. It goes the same way in every language, by the names
// of fields and never by what they are called.

import { createHmac } from "node:crypto";
import { startMails } from "./mails.mjs";
import { startProvider } from "./provider.mjs";
import { importWorkspace, startService } from "./service.mjs";

export const password = "Correct-horse-7";

/** A service with mail, a provider, a directory that does not answer, and a report that only some see. */
export async function startCompany(t, settings = {}) {
  const mails = await startMails(t);
  const provider = await startProvider(t);
  const of = (n, settings) => Object.fromEntries(Object.entries(settings).map(([name, value]) => [`Sso__Providers__${n}__${name}`, value]));
  const service = await startService(t, (url) => ({
    PublicUrl: url,
    ...mails.settings,
    ...of(0, { Name: "company", Label: "Example Ltd", Issuer: provider.url, ClientId: "quire", Groups: "staff = demo:Viewer, it = *root, lost = nowhere:Viewer", RequiredGroups: "staff, it" }),
    ...of(1, { Name: "works", Type: "ldap", Preset: "openldap", Label: "Example Works", Ldap__Servers: "ldap://127.0.0.1:1", Ldap__StartTls: "false", Ldap__UserBase: "ou=people,dc=example,dc=com", Groups: "it = *root" }),
    ...settings,
  }));
  importWorkspace(t, service, { "workspace.json": { name: "Empty", code: "empty" } });
  return { ...service, mails, provider };
}

/** The code that an authenticator shows now for a key (RFC 6238). */
export function codeOf(key, ahead = 0) {
  const bits = [...key.replace(/[\s=]/g, "")].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac("sha1", secret).update(step).digest();
  return String((mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Fills a form by the names of its fields and sends it by its first button, or another. */
async function send(page, form, values = {}, button = "button:not([type=button])") {
  const at = page.locator(form).first();
  for (const [name, value] of Object.entries(values)) {
    const field = at.locator(`[name="${name}"]`).first();
    if (await field.evaluate((f) => f.tagName === "SELECT")) await field.selectOption(value);
    else if (await field.evaluate((f) => f.type === "checkbox")) await field.check();
    else await field.fill(value);
  }
  await Promise.all([page.waitForEvent("load"), at.locator(button).first().click()]);
}

/** Enters name and password; the place is that of Quire's own accounts, or the directory. */
async function enter(page, email, password, place = "last") {
  const places = page.locator("[name=place]");
  if (await places.count()) await places[place]().check();
  await send(page, "form[action$='/sign-in']", { email, password });
}

const leave = async (page) => {
  await page.evaluate(() => { for (const menu of document.querySelectorAll("details[open]")) menu.open = false; });
  await page.locator(".account summary").click();
  await Promise.all([page.waitForEvent("load"), page.locator(".account form[action$='/sign-out'] button").click()]);
};

/** Goes through the screens; see is told of each by its name when it is there. */
export async function tour(page, service, see) {
  const go = async (path) => page.goto(service.url + path);
  const look = async (name, path, then) => {
    await go(path);
    if (then) await then();
    await see(name);
  };
  const { person } = service.provider;

  await look("sign-in", "/sign-in");
  await look("wrong password", "/sign-in", () => enter(page, "root@localhost", "guess"));
  await look("a directory that does not answer", "/sign-in", () => enter(page, "ana", "guess", "first"));
  await look("forgotten password", "/forgotten");
  await send(page, "form", { email: "root@localhost" });
  await see("a link is on its way");
  const mailed = new URL(/http\S+set-password\S+/.exec(await service.mails.next("root@localhost"))[0]);
  await look("set password", mailed.pathname + mailed.search);
  await send(page, "form", { password: "shortest", repeated: "shortest" });
  await see("set password refused");
  await look("a link that is no good", "/invitation?token=none");
  service.provider.person = { ...person, groups: ["guests"] };
  await look("refused at the provider", "/auth/company");
  service.provider.person = person;

  await go("/sign-in");
  await enter(page, "root@localhost", service.password);
  await look("home", "/", () => page.locator(".account summary").click());
  await look("profile", "/profile");
  await send(page, "form[action$='/profile']", { timeZone: "Europe/Atlantis" });
  await see("profile refused");
  await send(page, "form[action$='/profile']", { timeZone: "Europe/Berlin" });
  await page.locator("[name=picture]").setInputFiles({ name: "me.txt", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await send(page, "form[action$='/picture']");
  await see("picture refused");
  await page.locator("[name=picture]").setInputFiles({ name: "me.png", mimeType: "image/png", buffer: await page.screenshot() });
  await send(page, "form[action$='/picture']");
  await see("profile with a picture");
  await look("password", "/password");
  await send(page, "form[action$='/password']", { current: "guess", password, repeated: password });
  await see("password refused");
  await look("devices", "/devices");
  await look("no tokens", "/tokens");
  await send(page, "form[action$='/tokens']", { name: "Billing server", scope: true });
  await see("a new token");
  await look("tokens", "/tokens");
  await look("tokens of everybody", "/tokens/all");
  await look("no such tokens", "/tokens/all?q=nobody");
  await look("second factor", "/second-factor");
  await send(page, "form:has([name=sealed])", { current: service.password, code: "123456" });
  await see("second factor refused");

  await look("no groups", "/groups");
  await send(page, "form[action$='/groups']", { name: "Sales" });
  await see("an empty group");
  const group = new URL(page.url()).pathname;
  await look("group not found", "/groups?q=none");
  await go("/users");
  await page.locator("details.fold summary").click();
  await see("new user");
  await send(page, "form[action$='/users']:not([role])", { email: "ana@example.com", name: "Ana Jović" });
  await see("a made password");
  await look("users", "/users");
  await look("user not found", "/users?q=nobody");
  await look("a user without a role", "/users/2");
  await go(group);
  await send(page, "form[action$='/people']", { email: "nobody@example.com" });
  await see("somebody unknown for a group");
  await send(page, "form[action$='/people']", { email: "ana@example.com" });
  await see("a group");
  await look("groups", "/groups");
  await look("members", "/ws/empty/members");
  await send(page, "form[action$='/groups']", { group: "Buyers" });
  await see("an unknown group for a workspace");
  await send(page, "form[action$='/groups']", { group: "Sales" });
  await send(page, "form[action$='/members']", { email: "ana@example.com" });
  await send(page, "form[action$='/members']", { email: "zoe@example.com" });
  await see("an invitation");
  const invitation = new URL(/http\S+invitation\S+/.exec(await service.mails.next("zoe@example.com"))[0]);
  await look("members and groups", "/ws/empty/members", () => page.locator("section details:not(.menu) summary").first().click());
  await look("joining as somebody else", `/invitation/join${invitation.search}`);
  await look("a user", "/users/2");
  await send(page, "form[action$='/users/2']", { email: "root@localhost" });
  await see("a taken address");
  await go("/users/2");
  await send(page, "form[action$='/password']", { password: "shortest" });
  await see("a password refused for somebody");
  await go("/users/2");
  await page.locator("summary.bad").click();
  await see("deleting a user");
  await send(page, "form[action$='/link']");
  await see("a link for a password");
  await go("/users");
  await send(page, "form[action$='/2/deactivate']");
  await see("a blocked user");
  await send(page, "form[action$='/2/activate']");
  await go("/users/2");
  await send(page, "form[action$='/password']", { password });

  await look("roles", "/ws/empty/roles");
  await page.locator("details.menu summary.bad").first().click();
  await see("deleting a role");
  await look("a built-in role", "/ws/empty/roles", () => page.locator("li:has(h2 .tag) a.button").click());
  await look("a role", "/ws/empty/roles/new");
  await send(page, "form:has([name=factor])", { name: "Careful", factor: true });
  await see("a made role");
  await look("no service accounts", "/ws/empty/service-accounts");
  await send(page, "form[action$='/service-accounts']", { name: "Night run" });
  await see("a service account");
  await send(page, "form:has([name=days])", { name: "Night", days: "30" });
  await see("a token of a service account");
  const night = new URL(page.url()).pathname.replace(/\/tokens$/, "");
  await go(night);
  await send(page, "form[action$='/block']");
  await see("a blocked service account");
  await look("service accounts", "/ws/empty/service-accounts");
  await look("no tokens for provisioning", "/provisioning");
  await send(page, "form[action$='/provisioning']", { name: "Entra ID" });
  await see("a token for provisioning");
  const scim = async (what, data) => (await page.request.post(`${service.url}/scim/v2/${what}`, { headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/scim+json" }, data })).json();
  const bearer = await page.locator("input.token").inputValue();
  const vesna = await scim("Users", { userName: "vesna@example.com", displayName: "Vesna Kos" });
  const buyers = await scim("Groups", { displayName: "Buyers", members: [{ value: vesna.id }] });
  await look("provisioning", "/provisioning");
  await look("who is provisioned", `/users/${vesna.id}`, () => page.locator("main .menu summary").first().click());
  await look("a provisioned group", `/groups/${buyers.id}`, () => page.locator("main .menu summary").first().click());
  await look("deleting a group in use", group);
  await look("providers", "/sso");
  await send(page, "form[action$='/works/look']", { name: "ana" });
  await see("a directory tried");
  await look("a provider tried", "/sso/company/try");
  service.provider.person = { ...person, groups: ["guests"] };
  await look("a provider tried in vain", "/sso/company/try");
  service.provider.person = person;
  await look("mail", "/mail");
  await look("access of a report", "/ws/demo/reports/2/access", () => page.locator("[value=some]").check());
  await leave(page);

  await look("invitation", invitation.pathname + invitation.search);
  await send(page, "form", { name: "Zoe Novak", password: "shortest", repeated: "shortest" });
  await see("invitation refused");
  await send(page, "form", { name: "Zoe Novak", password, repeated: password });
  await see("somebody new");
  await go("/second-factor");
  const key = await page.locator("#key").inputValue();
  await send(page, "form:has([name=sealed])", { current: password, code: codeOf(key) });
  await see("recovery codes");
  await look("second factor set up", "/second-factor");
  await send(page, "form[action$='/codes']", { code: "123456" });
  await see("recovery codes refused");
  await leave(page);
  await enter(page, "zoe@example.com", password);
  await see("asked for a code");
  await send(page, "form[action$='/sign-in/code']", { code: "000000" });
  await see("code refused");
  await look("signed in at the provider", "/auth/company");
  await see("an address that is taken");
  service.provider.person = { ...person, sub: "ben", name: "Ben Auer", email: "ben@example.com" };
  await look("coming from the provider", "/auth/company");
  await look("a second factor at the provider", "/second-factor");
  await look("a profile from the provider", "/profile");
  await look("a page that is not theirs", "/users");
  await go("/");
  service.provider.person = person;
  await page.route(`${service.provider.url}/end**`, (route) => route.abort("aborted")); // the page goes on by itself
  await leave(page);
  await see("signed out");
}
