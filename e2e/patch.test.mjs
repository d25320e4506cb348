// An edit changes the page where it is; afterwards the page is as if it were drawn from nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, openDesigner, write } from "./designing.mjs";
import { until } from "./service.mjs";

const text = (id, value, props = {}) => ({ id, type: "text", props: { text: value, ...props } });
const elements = [
  { id: "h", type: "heading", props: { title: "Offer 2026-0117", level: "H2" } },
  { id: "row", type: "flow", props: { gap: "8px" }, children: [text("a", "Arc lounge chair", { grow: true }), text("b", "Total {$data.order.total:n;2}", { grow: true })] },
  { id: "i", type: "toc" },
  ...Array.from({ length: 30 }, (_, k) => ({ id: `p${k}`, type: "paragraph", props: { text: `Condition ${k}: delivery within ${k + 2} weeks.`, minHeight: "40px" } })),
];
const definition = { version: 1, name: "T", dataSources: [{ name: "order", type: "json", settings: { content: { total: 1234.5 } } }], pages: [{ id: 1, name: "One", elements }] };

test("after each edit the page equals one that is drawn from nothing", async (t) => {
  const { page, canvas, saved, faults } = await openDesigner(t, { name: "T", definition });
  await canvas.getByText("Condition 29").waitFor();
  const drawing = () => page.evaluate(() => document.querySelector("iframe[title=Report]").contentDocument.body.innerHTML);
  const drawnAnew = async (shown) => {
    await saved();
    const before = await drawing();
    await page.reload();
    await canvas.getByText(shown).first().waitFor();
    await until(async () => (await drawing()) === before, `${shown}: the page is not what it is when it is drawn from nothing`).catch(async (e) => {
      const after = await drawing();
      const from = [...before].findIndex((c, i) => c !== after[i]);
      throw new Error(`${e.message}\n${before.slice(from - 80, from + 120)}\n${after.slice(from - 80, from + 120)}`);
    });
  };
  const edit = async (was, label, value, shown = value) => {
    const { x, y } = await at(canvas.getByText(was).first(), 0.05);
    await page.mouse.click(x, y);
    await write(page, label, value);
    await canvas.getByText(shown).first().waitFor();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.waitForFunction((word) => document.querySelector("iframe[title=Report]").contentDocument.body.textContent.includes(word), shown);
  };
  // Marks what an edit is to leave as it is.
  const mark = () => page.evaluate(() => (document.querySelector("iframe[title=Report]").contentDocument.body.kept = true));
  const kept = () => page.evaluate(() => document.querySelector("iframe[title=Report]").contentDocument.body.kept === true);
  await mark();
  await edit("Arc lounge chair", "Text", "Arc lounge bench");
  assert.ok(await kept(), "all pages were made again for one word");
  await drawnAnew("Arc lounge bench");
  await edit("Total", "Text", "Sum {$data.order.total:n;0}", "Sum 1,235");
  await drawnAnew("Sum 1,235");
  // Another height: the pages are made again, and what follows moves.
  await edit("Condition 3:", "Text", `Condition 3: ${"as agreed in our talk of last week, ".repeat(12)}then.`, "then.");
  await until(async () => !(await kept()), "the pages are not made again");
  await drawnAnew("then.");
  // The heading is in the list of contents, too.
  await edit("Offer 2026-0117", "Title", "Offer 2026-0118");
  await until(async () => (await drawing()).split("Offer 2026-0118").length > 2, "the list of contents has the old title");
  await drawnAnew("Offer 2026-0118");
  assert.deepEqual(faults, []);
});
