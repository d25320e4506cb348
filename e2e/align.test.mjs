// Aligning, distributing and equal widths, in the panel and by keys.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { faults as axeFaults } from "./axe.mjs";
import { at, openDesigner, place } from "./designing.mjs";
import { until } from "./service.mjs";

const box = (id, text, props = {}) => ({ id, type: "text", props: { text, background: "#eef", ...props } });

test("elements are aligned and distributed as far as their place allows", async (t) => {
  const elements = [
    { id: "row", type: "flow", props: { height: "30mm" }, children: [box("a", "Sender", { width: "30mm" }), box("b", "Receiver", { width: "40mm" }), box("c", "Date", { width: "20mm" })] },
    box("d", "Stamp", { width: "50mm" }),
    box("e", "Whole width"),
  ];
  const { page, canvas, stored, faults } = await openDesigner(t, { name: "Offer", definition: { version: 1, name: "Offer", pages: [{ id: 1, name: "One", elements }] } });
  const drawn = (text) => place(canvas.locator(".q-text", { hasText: text }));
  const click = async (text, ...more) => {
    await page.mouse.click(...Object.values(await at(canvas.locator(".q-text", { hasText: text }), 0.5, 0.2)));
    for (const next of more) {
      await page.keyboard.down("Shift");
      await page.mouse.click(...Object.values(await at(canvas.locator(".q-text", { hasText: next }), 0.5, 0.2)));
      await page.keyboard.up("Shift");
    }
  };
  /** What is saved comes to be so; what is not set is null. */
  const becomes = async (what, wanted) => {
    let last;
    const seen = async () => (last = JSON.parse(JSON.stringify(what((await stored()).pages[0].elements) ?? null)));
    await until(async () => isDeepStrictEqual(await seen(), wanted), "").catch(() => assert.deepEqual(last, wanted));
  };
  await canvas.getByText("Sender").waitFor();
  await click("Sender", "Receiver");
  const bar = page.getByRole("group", { name: "Align", exact: true });
  await bar.getByRole("button", { name: "Distribute in the row" }).click();
  await becomes(([row]) => row.props, { height: "30mm", justifyItems: "space-between" });
  const [row, a, b, c] = [await place(canvas.locator(".q-flow")), await drawn("Sender"), await drawn("Receiver"), await drawn("Date")];
  const gaps = [b.x - a.x - a.width, c.x - b.x - b.width];
  assert.ok(gaps[0] > 20 && Math.abs(gaps[0] - gaps[1]) < 1 && Math.abs(row.x + row.width - c.x - c.width) < 1, `the gaps are ${gaps}`);
  await page.keyboard.press("Alt+v");
  await becomes(([r]) => r.props, { height: "30mm", justifyItems: "space-between", alignItems: "center" });
  const middle = await drawn("Sender");
  assert.ok(Math.abs(middle.y + middle.height / 2 - row.y - row.height / 2) < 1, "it does not stand at half height");
  assert.equal(await bar.getByRole("button", { name: "Align at half height" }).getAttribute("aria-pressed"), "true");
  await bar.getByRole("button", { name: "Equal widths in the row" }).click();
  await becomes(([r]) => [r.props, r.children.map((n) => [n.props.grow, n.props.width])], [{ height: "30mm", alignItems: "center" }, [[true, null], [true, null], [true, null]]]);
  assert.ok(Math.abs((await drawn("Sender")).width - (await drawn("Date")).width) < 1);
  assert.ok(await bar.getByRole("button", { name: "Distribute in the row" }).isDisabled(), "a row that is full has no room to share out");
  assert.deepEqual(await axeFaults(page, "align"), []);
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "Undo", exact: true }).click();
  await becomes(([r]) => r.props, { height: "30mm" });

  await click("Stamp");
  await page.keyboard.press("Alt+d");
  await until(async () => { const d = await drawn("Stamp"); return Math.abs(d.x + d.width - row.x - row.width) < 1; }, "it does not stand at the right");
  await page.keyboard.press("Alt+h");
  await until(async () => { const d = await drawn("Stamp"); return Math.abs(d.x + d.width / 2 - row.x - row.width / 2) < 1; }, "it does not stand in the middle");
  await becomes((all) => all[1].props.margin, "0 auto");
  await page.keyboard.press("Alt+a");
  await becomes((all) => all[1].props.margin, null);
  await click("Whole width");
  await bar.getByRole("button", { name: "Align right" }).click();
  await becomes((all) => all[2].props.textAlign, "right");
  assert.ok(await bar.getByRole("button", { name: "Align at the top" }).isDisabled(), "what stands in no row has no height to be aligned in");
  assert.deepEqual(faults, []);
});
