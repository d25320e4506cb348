// Signing in at providers: that a browser brings its cookie when it comes back
// from another site by a form, and the pages about providers by axe.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { faults } from "./axe.mjs";
import { inFirefox, newPage, startFirefox } from "./firefox.mjs";
import { startProvider } from "./provider.mjs";
import { startBrowser, startService } from "./service.mjs";

const certificate = "MIIBejCCASGgAwIBAgIUbap3eZbJbHtNIS5ScV8LZrkKBHwwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHY29tcGFueTAgFw0yNjExMjQwNzU5NDhaGA8yMTI2MTAzMTA3NTk0OFowEjEQMA4GA1UEAwwHY29tcGFueTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGWACWrkG22hY3f8guClaprVwyebwB9HxmTxH+aW+q63ZOpBbToVfuE4bn8rqLwGXAtsA6LrIu5KHEgIoe5xJxSjUzBRMB0GA1UdDgQWBBSJZsHYLYlAeW5lf7oQcruw7//qYDAfBgNVHSMEGDAWgBSJZsHYLYlAeW5lf7oQcruw7//qYDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIGQ4M2anTtO8cHP/Fnsc4N8S9QZ94df/mgrHaHixPPaXAiBuKdyEADf7vUseMR0AGDAvsNWwhH2CoYofCSjZo3RN+g==";

/** A provider of SAML at 127.0.0.1, which is another site than localhost, and a service that has it. It has browsers come back, with an answer that nobody signed. */
async function startBoth(t) {
  let url, back;
  const server = createServer((request, response) => {
    const state = new URL(request.url, url).searchParams.get("RelayState");
    response.setHeader("Content-Type", state ? "text/html; charset=utf-8" : "application/xml");
    response.end(state
      ? `<title>Provider</title><form method="post" action="${back}"><input type="hidden" name="SAMLResponse" value="PGEvPg=="><input type="hidden" name="RelayState" value="${state}"></form><script>document.forms[0].submit()</script>`
      : `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${url}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
          <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}/sign-in"/></IDPSSODescriptor></EntityDescriptor>`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  url = `http://127.0.0.1:${server.address().port}`;
  const provider = (n, settings) => Object.fromEntries(Object.entries(settings).map(([name, value]) => [`Sso__Providers__${n}__${name}`, value]));
  const service = await startService(t, (at) => ({
    PublicUrl: at,
    ...provider(0, { Name: "works", Type: "saml", Label: "Example Works", Issuer: url, Metadata: `${url}/metadata`, Groups: "staff = demo:Viewer, it = *root, gone = nowhere:Viewer", RequiredGroups: "staff, it" }),
    ...provider(1, { Name: "company", Preset: "keycloak", Label: "Example Ltd", Issuer: "https://login.example.com/realms/company", ClientId: "quire", Enabled: "false" }),
    ...provider(2, { Name: "lost", Type: "saml", Label: "Example Lost", Issuer: url, Metadata: "http://127.0.0.1:1/metadata" }),
  }));
  back = `${service.url}/auth/works/callback`;
  return service;
}

// Without the cookie the page says that another browser has begun.
const withCookie = "What Example Works sent is not accepted";

test("Chromium comes back from another site with its cookie", async (t) => {
  const service = await startBoth(t);
  const page = await (await startBrowser(t)).newPage();
  await page.goto(`${service.url}/sign-in`);
  await page.getByText("Continue with Example Works").click();
  await page.getByText(withCookie).waitFor();
  assert.equal(new URL(page.url()).origin, service.url);
});

test("Firefox comes back from another site with its cookie", inFirefox, async (t) => {
  const service = await startBoth(t);
  const { page } = await newPage((await startFirefox(t)).browser);
  await page.goto(`${service.url}/auth/works`);
  await page.waitForFunction((text) => document.body?.textContent.includes(text), {}, withCookie);
});

for (const [colorScheme, locale] of [["light", "en"], ["dark", "de"]]) {
  test(`the pages about providers in ${colorScheme}, ${locale}`, async (t) => {
    const service = await startBoth(t);
    const page = await (await (await startBrowser(t)).newContext({ colorScheme, locale, viewport: { width: 1440, height: 900 } })).newPage();
    const found = [];
    await page.goto(`${service.url}/sign-in`);
    found.push(...(await faults(page, "sign-in")));
    await page.goto(`${service.url}/sign-in`);
    await page.locator("[name=email]").fill("root@localhost");
    await page.locator("[name=password]").fill(service.password);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.includes("sign-in"));
    await page.goto(`${service.url}/sso`);
    await page.getByText(locale === "de" ? "nicht lesbar" : "cannot be read").waitFor();
    assert.equal(await page.getByText(`${service.url}/auth/works/logout`).count(), 1);
    found.push(...(await faults(page, "providers")));
    const words = await page.locator("main").innerText();
    if (locale === "de") assert.doesNotMatch(words, /\b(Metadata were|Our entity|Certificate|until)\b/);
    await page.goto(`${service.url}/sso/works/try`);
    await page.waitForURL("**/sso/works/tried**");
    found.push(...(await faults(page, "tried")));
    assert.deepEqual(found, []);
  });
}

for (const [colorScheme, locale, width] of [["light", "en", 1440], ["dark", "de", 390]]) {
  test(`people who sign in at a provider alone are sent there, and root users come in beside it, in ${colorScheme}, ${locale}`, async (t) => {
    const provider = await startProvider(t);
    const service = await startService(t, (url) => ({
      PublicUrl: url, Sso__LocalSignIn: "false", Sso__AutoRedirect: "company",
      ...Object.fromEntries(Object.entries({ Name: "company", Label: "Example Ltd", Issuer: provider.url, ClientId: "quire", Groups: "staff = demo:Viewer" }).map(([name, value]) => [`Sso__Providers__0__${name}`, value])),
    }));
    const page = await (await (await startBrowser(t)).newContext({ colorScheme, locale, viewport: { width, height: 900 } })).newPage();
    page.on("pageerror", (error) => assert.fail(error));
    const look = async (name) => {
      assert.deepEqual(await faults(page, name), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${name} is wider than the screen`);
      if (process.env.E2E_PICTURES) await page.screenshot({ path: join(process.env.E2E_PICTURES, `alone-${name.replaceAll(" ", "-")}-${width}-${locale}-${colorScheme}.png`) });
    };

    // There and back without a choice.
    await page.goto(`${service.url}/ws/demo`);
    await page.waitForURL(`${service.url}/ws/demo`);
    assert.ok((await page.locator(".account").textContent()).includes("Ana Jović"));

    // Signing out ends on a page that stays.
    await page.locator(".account summary").click();
    await page.locator(".account form[action$='/sign-out'] button").click();
    await page.getByText("Signed out at the provider.").waitFor();
    await page.goto(`${service.url}/sign-in`);
    assert.equal(page.url(), `${service.url}/sign-in`);
    await look("sign-in");

    // A root user by the keyboard: the provider, then the way beside it.
    await page.keyboard.press("Tab");
    assert.ok((await page.evaluate(() => document.activeElement.href)).includes("/auth/company?"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#email").waitFor();
    await look("for administrators");
    await page.keyboard.press("Tab");
    await page.keyboard.type("root@localhost");
    await page.keyboard.press("Tab");
    await page.keyboard.type("guess");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await look("wrong password");
    assert.equal(await page.evaluate(() => document.activeElement.id), "password");
    await page.keyboard.type(service.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.url}/`);
    await page.goto(`${service.url}/users`);
    await page.getByRole("link", { name: "Ana Jović", exact: true }).click();
    await look("a user of the provider");
  });
}
