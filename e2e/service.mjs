// Starts the built service on a free port with its data in a temporary folder,
// and a browser; both end with the test that asked for them.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";

export const binary = join(import.meta.dirname, "..", "bin", "quire");

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Starts the service with settings of the environment, which may depend on its address; password is the root user's. */
export async function startService(t, settings = {}) {
  const data = mkdtempSync(join(tmpdir(), "quire-e2e-"));
  const port = await freePort();
  const password = "e2e-secret-1";
  const url = `http://localhost:${port}`;
  const env = { ...process.env, RootUser__Password: password, ...(typeof settings === "function" ? settings(url) : settings) };
  const server = spawn(binary, ["serve", "--addr", `127.0.0.1:${port}`, "--data", data], { env, stdio: ["ignore", "ignore", process.env.E2E_LOG ? "inherit" : "ignore"] });
  t.after(async () => {
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  });
  await until(async () => (await fetch(`${url}/readyz`)).ok, "the service is not ready");
  const token = execFileSync(binary, ["token", "create", "--data", data, "--user", "root@localhost", "--name", "e2e"], { encoding: "utf8" }).trim();
  return { url, token, password, data };
}

/** Runs what is no test but starts a service or a browser as tests do, and ends these whatever becomes of it. */
export async function script(work) {
  const ends = [];
  try {
    await work({ after: (end) => ends.push(end) });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Imports a workspace of report files: {"reports/x.json": {…}, …}. */
export function importWorkspace(t, service, files) {
  const folder = mkdtempSync(join(tmpdir(), "quire-bundle-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  execFileSync(binary, ["workspace", "import", "--data", service.data, folder]);
}

/** Asks again until it holds, and gives what it gave, for at most a minute unless told otherwise: a busy machine is no fault. */
export async function until(holds, complaint, most = 60_000) {
  const end = Date.now() + most;
  for (;;) {
    try {
      const held = await holds();
      if (held) return held;
    } catch {}
    if (Date.now() > end) throw new Error(complaint);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Starts the browser that the service uses too. */
export async function startBrowser(t, { toured = true, args = [] } = {}) {
  const executablePath = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
  const browser = await chromium.launch({
    executablePath,
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", ...args],
  });
  t.after(() => browser.close());
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    if (toured) await context.addInitScript(() => { try { localStorage.setItem("quire-toured", "yes"); } catch {} }); // no tour, please
    return context;
  };
  return browser;
}

/** Serves one page on another origin: shop.localhost is another site than localhost. */
export async function startShop(t, page) {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(page());
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  return `http://shop.localhost:${server.address().port}/`;
}

/** Asks the API with the token, as a customer's server does. */
export async function api({ url, token }, method, path, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Signs the root user in. */
export async function signIn(page, service) {
  await page.goto(service.url);
  await page.getByLabel(/e-?mail/i).fill("root@localhost");
  await page.getByLabel(/password/i).fill(service.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.includes("sign-in"));
}
