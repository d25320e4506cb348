// Two people talk about a report, each in a browser of their own: threads pinned
// to elements, people named, answers, what is settled, and what becomes of a
// comment whose element moves, is renamed or goes. Issue 18, point 7.

import assert from "node:assert/strict";
import { test } from "node:test";
import { faults as flaws } from "./axe.mjs";
import { reports } from "./designing.mjs";
import { startMails } from "./mails.mjs";
import { api, signIn, startBrowser, startService, until } from "./service.mjs";

const definition = {
  version: 1,
  name: "Offer",
  pages: [{ id: 1, name: "One", elements: [
    { id: "title", type: "heading", props: { title: "Offer 2026" } },
    { id: "total", type: "text", props: { text: "4,200.00 EUR" } },
    { id: "terms", type: "text", props: { text: "Payable within 30 days." } },
  ] }],
};

test("two people talk about an element, and both see it at once", async (t) => {
  const mails = await startMails(t);
  const service = await startService(t, (url) => ({ PublicUrl: url, ...mails.settings }));
  const { id } = await (await api(service, "POST", reports, { name: "Offer", definition })).json();
  const browser = await startBrowser(t);
  const root = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(root, service);
  // Ana is an administrator of the workspace.
  await root.goto(`${service.url}/users`);
  await root.locator("details.fold summary").click();
  await root.locator("form[action$='/users']:not([role]) [name=email]").fill("ana@example.com");
  await root.locator("form[action$='/users']:not([role]) [name=name]").fill("Ana Jović");
  await Promise.all([root.waitForEvent("load"), root.locator("form[action$='/users']:not([role]) button:not([type=button])").click()]);
  const password = await root.locator("input.token, input[readonly]").first().inputValue();
  await root.goto(`${service.url}/ws/demo/members`);
  const adding = root.locator("form[action$='/members']").first();
  await adding.locator("[name=email]").fill("ana@example.com");
  await adding.locator("select[name=role]").selectOption({ label: "Administrator" });
  await Promise.all([root.waitForEvent("load"), adding.locator("button:not([type=button])").first().click()]);

  const ana = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await ana.goto(`${service.url}/sign-in`);
  await ana.getByLabel(/e-?mail/i).fill("ana@example.com");
  await ana.getByLabel(/password/i).fill(password);
  await ana.getByRole("button", { name: "Sign in", exact: true }).click();
  await ana.waitForURL((url) => !url.pathname.includes("sign-in"));
  const faults = [];
  for (const page of [root, ana]) {
    page.on("pageerror", (e) => faults.push(String(e)));
    await page.goto(`${service.url}/ws/demo/reports/${id}/design`);
    await page.getByRole("region", { name: "Outline" }).getByRole("button", { name: /4,200/ }).waitFor();
  }
  const talk = (page) => page.getByRole("region", { name: "Comments" });

  // From the keyboard, on what is selected; a name is offered behind an @.
  await root.getByRole("region", { name: "Outline" }).getByRole("button", { name: /4,200/ }).click();
  await root.keyboard.press("Control+Alt+m");
  const field = talk(root).getByRole("textbox", { name: "Comment on: Text" });
  await until(() => field.evaluate((el) => el === document.activeElement), "the comment is not begun");
  await root.keyboard.type("Is this right, @jov");
  await talk(root).getByRole("option", { name: "Ana Jović" }).waitFor();
  assert.deepEqual(await flaws(root, "naming"), [], "axe, while somebody is named");
  await root.keyboard.press("Enter");
  await root.keyboard.type("?");
  assert.equal(await field.inputValue(), "Is this right, @Ana Jović ?");
  await root.keyboard.press("Control+Enter");
  await talk(root).getByRole("article", { name: "Comments on Text" }).waitFor();

  // The other one is told by mail and sees it without a reload: in the list, on the canvas, in the outline.
  const letter = await mails.next("ana@example.com");
  const [address] = /http\S+\/design#thread-\d+/.exec(letter) ?? [];
  assert.ok(address, letter);
  const pin = ana.getByRole("button", { name: "Comments on Text: 1" });
  await pin.waitFor();
  await ana.locator("[data-node=total] .d-talks").waitFor();
  await ana.getByRole("tab", { name: "Comments 1 open" }).waitFor();
  await pin.click();
  await talk(ana).locator("mark", { hasText: "@Ana Jović" }).waitFor();
  assert.deepEqual(await flaws(ana, "comments"), [], "axe, with comments");

  // She answers, changes her answer, deletes it and takes that back.
  await talk(ana).getByRole("textbox", { name: "Reply" }).fill("No, 4,300");
  await talk(ana).getByRole("button", { name: "Reply" }).click();
  await talk(root).getByText("No, 4,300").waitFor();
  assert.equal(await talk(root).getByRole("button", { name: "Edit" }).count(), 1, "only one's own is changed");
  await talk(ana).getByRole("button", { name: "Edit" }).click();
  await talk(ana).getByRole("textbox", { name: "Change the comment" }).fill("No, 4,400");
  await talk(ana).getByRole("button", { name: "Save" }).click();
  await talk(root).getByText("No, 4,400").waitFor();
  await talk(ana).getByRole("button", { name: "Delete" }).last().click();
  await talk(root).getByText("No, 4,400").waitFor({ state: "detached" });
  await talk(ana).getByRole("button", { name: "Undo" }).click();
  await talk(root).getByText("No, 4,400").waitFor();

  // What she saves is there as well, and the comment stays with an element that moves and is renamed.
  await ana.locator("[data-node=total]").click();
  await ana.keyboard.press("Alt+ArrowUp");
  await ana.locator("details", { hasText: "Name, visibility" }).last().locator("summary").click();
  await ana.getByRole("textbox", { name: "Name in the outline" }).fill("Sum");
  await until(async () => (await root.locator("[data-node]").evaluateAll((all) => all.map((b) => b.dataset.node).join())) === "total,title,terms", "what she saved is not shown");
  await talk(root).getByRole("article", { name: "Comments on Sum" }).waitFor();
  await root.getByRole("button", { name: "Comments on Sum: 1" }).waitFor();

  // It is settled: no mark is left; and opened again.
  await talk(root).getByRole("button", { name: "Resolve" }).click();
  await pin.waitFor({ state: "detached" });
  await talk(ana).getByText("Resolved by").waitFor();
  await talk(ana).getByRole("button", { name: "Reopen" }).click();
  await root.getByRole("button", { name: "Comments on Sum: 1" }).waitFor();

  // The element goes: the comment is kept, and says so.
  await root.locator("[data-node=total]").click();
  await root.keyboard.press("Delete");
  await talk(ana).getByText("The element is gone").waitFor();
  assert.equal(await ana.locator(".d-pin").count(), 0);
  await root.getByRole("button", { name: "Undo", exact: true }).first().click();
  await ana.getByRole("button", { name: "Comments on Sum: 1" }).waitFor();

  // The link of the mail opens the thread.
  await ana.goto(address);
  await ana.reload();
  await talk(ana).locator(".d-chosen").getByText("Is this right").waitFor();
  assert.deepEqual(faults, []);
  if (process.env.PICTURES) await pictures(ana, service, process.env.PICTURES);
});

async function pictures(page, service, folder) {
  await page.locator("[data-node=total]").click();
  await page.screenshot({ path: `${folder}/light.png` });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: `${folder}/dark.png` });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setExtraHTTPHeaders({ "Accept-Language": "de" });
  await page.reload();
  await page.locator(".d-thread").waitFor();
  await page.screenshot({ path: `${folder}/de.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${folder}/390.png` });
}
