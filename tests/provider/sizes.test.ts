import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(__dirname, "..", "..");
const linesIn = (path: string) => readFileSync(join(root, path), "utf8").split("\n").length - 1;

/** The lines of a file without its imports: one import of the core lists its names line by line. */
const linesOfCodeIn = (path: string) =>
  readFileSync(join(root, path), "utf8")
    .replace(/^import [^;]*;\n/gm, "")
    .split("\n").length - 1;

/** Resources whose pages in the specification are long, with the maximum number of code lines of each. */
const LONG: Readonly<Record<string, number>> = {
  "services/workspaces/workspace": 209,
  "services/scheduler/job": 215,
  "services/secrets/directoryConfig": 124,
  "services/secrets/recoveryKeyRekey": 117,
  "services/secrets/cloudRole": 135,
  "services/secrets/cloudRoot": 141,
  "services/mesh/configEntry": 121,
  "services/mesh/kinds/serviceResolver": 120,
};

test("no definition has more code lines than its limit", () => {
  const catalog = readFileSync(join(root, "provider/catalog.ts"), "utf8");
  const definitions = [...catalog.matchAll(/require\("\.\/(services\/[^"]+)"\)/g)].map(
    ([, path = ""]) => path,
  );
  expect(definitions.length).toBeGreaterThan(40);
  const long = definitions.filter((path) => linesOfCodeIn(`provider/${path}.ts`) > (LONG[path] ?? 111));
  expect(long).toEqual([]);
});

test("no source file has more than 250 lines", () => {
  const files = globSync("{provider,sdk/runtime,cli,tools,testing/{engine,stub}}/**/*.{ts,mjs,cjs}", {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => linesIn(path) > 250)).toEqual([]);
});

/** One name for each product, in two folders of the CLI. */
const PER_PRODUCT = ["mesh", "scheduler", "secrets", "workspaces"];

test("no two files of the core, the SDK's runtime, the CLI and the redactor export the same name", () => {
  const files = globSync("{provider/core,sdk/runtime,cli,packages}/**/*.ts", {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
  const filesByName = new Map<string, Set<string>>();
  for (const path of files)
    for (const [, name = ""] of readFileSync(join(root, path), "utf8").matchAll(
      /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm,
    ))
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(path));
  expect(filesByName.size).toBeGreaterThan(1000);
  const shared = [...filesByName].filter(([name, { size }]) => size > 1 && !PER_PRODUCT.includes(name));
  expect(shared).toEqual([]);
});

test("no chain of imports in the operations has more than 6 files", () => {
  const base = "provider/core/operations";
  const imported = new Map(
    globSync(`${base}/**/*.ts`, { cwd: root }).map((path) => {
      const specifiers = readFileSync(join(root, path), "utf8").matchAll(/ from "(\.[^"]+)";/g);
      return [path, [...specifiers].map(([, to = ""]) => `${join(dirname(path), to)}.ts`)] as const;
    }),
  );
  expect(imported.size).toBeGreaterThan(30);
  const longestFrom = (path: string): string[] =>
    (imported.get(path) ?? [])
      .filter((to) => imported.has(to))
      .map(longestFrom)
      .reduce((longest, chain) => (chain.length >= longest.length ? [path, ...chain] : longest), [path]);
  const chains = [...imported.keys()].map(longestFrom);
  expect(chains.filter(({ length }) => length > 6)).toEqual([]);
});
