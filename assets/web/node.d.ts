// What unit tests use of Node.js. The types of all of it would be everywhere,
// and what runs in browsers has none of it.

declare module "node:test" {
  export function test(name: string, body: (t: { diagnostic(message: string): void }) => void | Promise<void>): void;
}

declare module "node:assert/strict" {
  const assert: {
    (value: unknown, message?: string): asserts value;
    ok(value: unknown, message?: string): asserts value;
    equal<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
    throws(run: () => unknown, message: RegExp): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
    match(value: string, pattern: RegExp, message?: string): void;
    rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: RegExp): Promise<void>;
  };
  export default assert;
}

declare module "node:fs" {
  export function readdirSync(folder: string, options: { recursive: true }): string[];
  export function readFileSync(file: string, encoding: "utf8"): string;
}

declare var process: { env: Record<string, string | undefined> } | undefined;
