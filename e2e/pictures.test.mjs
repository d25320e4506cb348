// Each picture of the documentation can still be made of the program as it is, at the
// size at which it is kept. Pixels are not compared: fonts of another machine, or a new
// word on a screen, are no fault of the one that is kept. `make pictures` renews them.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { kept, pictures, studio } from "./pictures.mjs";
import { decode, shrink } from "./png.mjs";

test("every picture of the documentation is made, at its size", async (t) => {
  assert.deepEqual(readdirSync(kept).filter((name) => name.endsWith(".png")).sort(), Object.keys(pictures).sort(), "pictures that are kept, and those that can be made");
  const make = await studio(t);
  for (const name of Object.keys(pictures)) {
    await t.test(name, async () => {
      const [made, before] = [decode(await make(name)), decode(readFileSync(join(kept, name)))];
      assert.deepEqual([made.width, made.height], [before.width, before.height]);
      const colours = new Set(made.pixels);
      assert.ok(colours.size > 50, `${name} has ${colours.size} colours: nothing is on it`);
    });
  }
});

test("a smaller picture looks the same", () => {
  const png = readFileSync(join(kept, "..", "..", "examples", "gallery", "charts", "page-1.png"));
  const [before, smaller] = [decode(png), shrink(png)];
  const after = decode(smaller);
  const channels = (pixel) => [16, 8, 0].map((shift) => (pixel >> shift) & 255);
  const apart = (a, b) => Math.max(...channels(a).map((value, i) => Math.abs(value - channels(b)[i])));
  const furthest = before.pixels.reduce((most, pixel, i) => Math.max(most, apart(pixel, after.pixels[i])), 0);
  assert.ok(new Set(before.pixels).size > 256, "there are colours to leave out");
  assert.ok(furthest <= 32, `a pixel is ${furthest} of 255 from what it was`);
  assert.ok(smaller.length < png.length, `${png.length} bytes became ${smaller.length}`);
  assert.deepEqual(decode(shrink(smaller)).pixels, after.pixels, "256 colours stay as they are");
});
