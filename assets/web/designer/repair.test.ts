import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "./model";
import { repaired } from "./repair";

const report = {
  name: "Prices",
  pages: [
    {
      id: 1,
      name: "",
      elements: [
        { id: "title", type: "heading", props: { level: "H4", title: "Prices", fontFamily: "Lora" } },
        { id: "box", type: "flow", children: [{ id: "list", type: "data-table", props: { columns: [{ field: "name" }, { field: "price", align: "center" }] } }] },
      ],
    },
  ],
} as unknown as Report;

const title = (r: Report) => r.pages[0]!.elements![0]!.props;
const table = (r: Report) => r.pages[0]!.elements![1]!.children![0]!.props;
const repair = (path: string, value: unknown) => repaired(report, { label: "", path, value });

test("a setting gets another value, or goes", () => {
  assert.deepEqual(title(repair("pages[0].elements[0].props.level", "H2")), { level: "H2", title: "Prices", fontFamily: "Lora" });
  assert.deepEqual(title(repair("pages[0].elements[0].props.fontFamily", null)), { level: "H4", title: "Prices" });
});

test("what lies deeper is changed alone", () => {
  assert.deepEqual(table(repair("pages[0].elements[1].children[0].props.columns[1].align", null)), { columns: [{ field: "name" }, { field: "price" }] });
  assert.deepEqual(table(repair("pages[0].elements[1].children[0].props.footer.enabled", true)), { columns: [{ field: "name" }, { field: "price", align: "center" }], footer: { enabled: true } });
  assert.deepEqual(table(report), { columns: [{ field: "name" }, { field: "price", align: "center" }] }, "the report of before stays");
});

test("what is not there any more stays away", () => {
  assert.equal(repair("pages[0].elements[7].props.level", "H2"), report);
  assert.equal(repair("dataSources[0].name", "x"), report);
});
