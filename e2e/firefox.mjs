// Firefox for the journeys that are driven there, too: the browser of the
// distribution, by WebDriver BiDi.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { until } from "./service.mjs";

const executablePath = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);

/** Options of a test that asks for Firefox. */
export const inFirefox = { skip: executablePath || process.env.QUIRE_ALL === "1" ? false : "Firefox is not installed" };

/** Starts Firefox with a home of its own, into whose downloads it saves without asking. */
export async function startFirefox(t) {
  const home = mkdtempSync(join(tmpdir(), "quire-firefox-"));
  const downloads = join(home, "downloads");
  const browser = await puppeteer.launch({
    browser: "firefox", executablePath, headless: true, userDataDir: home, env: { ...process.env, HOME: home },
    extraPrefsFirefox: { "browser.download.folderList": 2, "browser.download.dir": downloads, "browser.download.alwaysOpenPanel": false },
  });
  t.after(async () => {
    await browser.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { browser, home, downloads };
}

/** A page of the browser or of a context, and what goes wrong in it. */
export async function newPage(of) {
  const page = await of.newPage();
  page.setDefaultTimeout(90_000); // a busy machine is no fault
  const faults = [];
  // A font or a picture was still on its way when the page was left: NS_BINDING_ABORTED. Of a picture Firefox
  // does not say which; those that are not there or are no pictures are told by tellBroken.
  const left = /download failed[^]* status=2152398850|Image corrupt or truncated/;
  const noted = (fault) => left.test(fault) || faults.push(fault);
  page.on("pageerror", (e) => noted(String(e)));
  page.on("console", (m) => m.type() === "error" && noted(m.text()));
  await page.evaluateOnNewDocument(tellBroken);
  await page.evaluateOnNewDocument(() => { try { localStorage.setItem("quire-toured", "yes"); } catch {} });
  await page.setViewport({ width: 1440, height: 900 });
  return { page, faults };
}

/** Tells of pictures that are not there or are none. The beginning of a cut one Firefox shows without a word. */
function tellBroken() {
  const broken = (img) => console.error(`a broken picture: ${img.src}`);
  const pictures = (type, judge) => addEventListener(type, (e) => e.target instanceof HTMLImageElement && judge(e.target), true);
  pictures("error", broken);
  pictures("load", (img) => {
    const { src } = img;
    img.decode().catch(() => img.isConnected && img.src === src && broken(img));
  });
}

/** Signs the root user in. */
export async function signIn(page, service) {
  await page.goto(service.url);
  await page.type("#email, input[type=email]", "root@localhost");
  await page.type("input[type=password]", service.password);
  await Promise.all([page.waitForNavigation(), page.click("main button")]);
}

/** What has a role and a name. */
export const role = (role, name) => `::-p-aria([name="${name}"][role="${role}"])`;

/** What people do with a page. */
export function hands(page) {
  const find = (selector) => page.waitForSelector(selector);
  const hand = {
    find,
    press: (name, kind = "button") => page.locator(role(kind, name)).click(),
    click: (selector) => page.locator(selector).click(),
    text: (text) => find(`::-p-text(${text})`),
    keys: async (...keys) => {
      for (const key of keys) {
        const [last, ...held] = key.split("+").reverse();
        for (const down of held) await page.keyboard.down(down);
        await page.keyboard.press(last);
        for (const down of held) await page.keyboard.up(down);
      }
    },
    /** Writes into a field in the place of what it has. */
    fill: async (selector, text) => {
      await page.locator(selector).click();
      await hand.keys("Control+a");
      await page.keyboard.type(text);
    },
    /** Writes into a field whose editor comes with the focus. */
    write: async (selector, text) => {
      await page.locator(selector).click();
      await page.waitForSelector(".cm-content:focus");
      await hand.keys("Control+a", "Delete");
      await page.keyboard.type(text);
    },
    /** Chooses from a list what it shows. */
    choose: async (selector, label) => {
      const list = await find(selector);
      const value = await until(() => list.evaluate((el, label) => [...el.options].find((o) => o.textContent.trim() === label)?.value, label), `${selector} does not offer ${label}`);
      await list.select(value);
    },
    drag: async (from, to) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
      await page.mouse.move(to.x, to.y, { steps: 5 });
      await page.mouse.up();
    },
  };
  return hand;
}

/** The canvas of the designer: what it shows, and where on the screen. */
export function canvas(page) {
  const ask = (does, ...args) => page.evaluate(`(${does})(document.querySelector("iframe.d-frame").contentDocument, ...${JSON.stringify(args)})`);
  const place = (selector, text = "") => ask(`(doc, selector, text) => {
    const found = [...doc.querySelectorAll(selector)].filter((el) => el.textContent.includes(text)).at(-1);
    if (!found) return null;
    const [frame, box] = [doc.defaultView.frameElement, found.getBoundingClientRect()];
    const outer = frame.getBoundingClientRect();
    const scale = outer.width / frame.offsetWidth;
    return { x: outer.x + box.x * scale, y: outer.y + box.y * scale, width: box.width * scale, height: box.height * scale };
  }`, selector, text);
  return {
    ask,
    shows: (text) => until(() => ask("(doc, text) => doc.body.textContent.includes(text)", text), `the canvas does not show ${text}`),
    /** Where something is once it rests: the canvas may just be painted anew. */
    place: async (selector, text) => {
      let before;
      return until(async () => {
        const [was, now] = [before, await place(selector, text)];
        before = JSON.stringify(now);
        return now && was === before && now;
      }, `the canvas has no ${selector} ${text} that rests`);
    },
  };
}

export const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
