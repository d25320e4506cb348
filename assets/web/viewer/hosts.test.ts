import assert from "node:assert/strict";
import { test } from "node:test";
import { isHost } from "./hosts";

const own = "https://reports.example.com";

test("who may show a preview may speak to it, as browsers read the same list", () => {
  for (const [origin, source, may] of [
    ["https://shop.example.com", "*", true],
    ["null", "*", true],
    ["https://shop.example.com", "https://shop.example.com", true],
    ["https://SHOP.example.com", "https://shop.example.com", true],
    ["http://shop.example.com", "https://shop.example.com", false],
    ["https://shop.example.com", "http://shop.example.com", true],
    ["https://shop.example.com:8443", "https://shop.example.com", false],
    ["https://shop.example.com:8443", "https://shop.example.com:8443", true],
    ["https://shop.example.com:8443", "https://shop.example.com:*", true],
    ["https://a.shop.example.com", "https://*.shop.example.com", true],
    ["https://shop.example.com", "https://*.shop.example.com", false],
    ["https://evilshop.example.com", "https://*.shop.example.com", false],
    ["https://shop.example.com.evil.com", "https://shop.example.com", false],
    ["https://portal.internal", "portal.internal", true],
    ["http://portal.internal", "portal.internal", false],
    ["null", "https://shop.example.com", false],
    [own, "'self'", true],
    ["https://other.example.com", "'self'", false],
  ] as const) assert.equal(isHost(origin, [source], own), may, `${origin} by ${source}`);
  assert.equal(isHost("https://shop.example.com", [], own), false);
  assert.equal(isHost("http://portal.internal", ["portal.internal"], "http://quire.internal"), true);
});
