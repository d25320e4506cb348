import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** The modules below assets/web by their path without extension, and what each imports of them. */
function modules(): Map<string, string[]> {
  const files = readdirSync("assets/web", { recursive: true }).filter((f) => /\.tsx?$/.test(f) && !f.includes("node_modules") && !f.endsWith(".d.ts"));
  return new Map(files.map((f) => [f.replace(/\.tsx?$/, ""), importsOf(readFileSync(`assets/web/${f}`, "utf8"), f)]));
}

function importsOf(text: string, file: string): string[] {
  const found = [...text.matchAll(/^(?:import|export)\s[^;"]*?"(\.[^"]+)"/gm)];
  return found.map((m) => new URL(m[1]!, `http://host/${file}`).pathname.slice(1));
}

/** A way from a module back to itself that each of its modules imports the next of; none when there is none. */
function circle(all: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const walk = (name: string, way: string[]): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return [];
    for (const next of all.get(name) ?? []) {
      const found = walk(next, [...way, name]);
      if (found.length > 0) return found;
    }
    done.add(name);
    return [];
  };
  for (const name of all.keys()) {
    const found = walk(name, []);
    if (found.length > 0) return found;
  }
  return [];
}

test("no module imports itself through others, not even for types", () => {
  const all = modules();
  assert.ok(all.get("designer/main")!.length > 5);
  assert.deepEqual(circle(all), []);
});

test("circles are found", () => {
  assert.deepEqual(circle(new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", []], ["d", ["b"]]])), ["b", "d", "b"]);
  assert.deepEqual(importsOf('import type { A } from "./a";\nimport {\n  b,\n} from "../b";\nimport "preact";\nexport { c } from "./c";', "designer/x.ts"), ["designer/a", "b", "designer/c"]);
});
