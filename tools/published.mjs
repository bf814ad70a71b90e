// Converts the compiled output of a package to its published form. It keeps only the declarations that an entry point
// reaches, because compilers need no others. The SDK loads a service's classes and functions when a program first uses them.
// Comments are removed from the code, because the sources contain them. The schema is compressed, because a plugin returns
// it only once, for the SDK generator of another language.
//   node tools/published.mjs [folder of the package]
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import ts from "typescript";

const require = createRequire(import.meta.url);

const root = join(import.meta.dirname, "..", process.argv[2] ?? ".");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [types]));
const reached = new Set();
for (const entry of entries) reach(resolve(root, entry));
for (const file of readdirSync(join(root, "dist"), { recursive: true })) {
  const path = resolve(root, "dist", file);
  if (path.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
}

for (const index of globSync(join(root, "dist/sdk/*/index.js"))) loadLazily(index);
for (const file of globSync(join(root, "dist/**/*.js"))) withoutComments(file);

if (existsSync(join(root, "schema.json"))) {
  const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));
  writeFileSync(join(root, "dist/schema.json.gz"), gzipSync(JSON.stringify(schema), { level: 9 }));
}

/** Replaces re-exports of complete modules with getters that load a name when it is first read. */
function loadLazily(index) {
  const lazy = readFileSync(index, "utf8").replace(
    /^__exportStar\(require\("(.+)"\), exports\);$/gm,
    (_, file) =>
      Object.keys(require(join(dirname(index), file)))
        .map(
          (name) =>
            `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => require("${file}").${name} });`,
        )
        .join("\n"),
  );
  writeFileSync(index, lazy);
}

/** Removes comments; the sources and the declarations still contain them. */
function withoutComments(file) {
  const compilerOptions = {
    removeComments: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  };
  writeFileSync(file, ts.transpileModule(readFileSync(file, "utf8"), { compilerOptions }).outputText);
}

/** A declaration file, and every declaration file of this package that it refers to. */
function reach(path) {
  if (reached.has(path)) return;
  reached.add(path);
  for (const fileName of namedIn(path)) {
    if (!fileName.startsWith(".")) continue;
    const base = resolve(dirname(path), fileName);
    const found = [`${base}.d.ts`, join(base, "index.d.ts")].find(existsSync);
    if (found === undefined) throw new Error(`${path} names ${fileName}, which is not there`);
    reach(found);
  }
}

/** The modules that a declaration imports, re-exports or uses in an import type. */
function namedIn(path) {
  const names = [];
  const visit = (node) => {
    const named = ts.isImportTypeNode(node) ? node.argument.literal : node.moduleSpecifier;
    if (named !== undefined && ts.isStringLiteral(named)) names.push(named.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return names;
}
