// Makes of what is compiled what is published: of the declarations those that an entry point leads to, which are all that
// a compiler asks for, of the SDK a service's classes and functions each loaded when a program first names it, and the
// schema without white space.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";

const require = createRequire(import.meta.url);

/** @param root the folder of the package, with its compiled `dist` */
export function publish(root) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [types]));
  const reached = new Set();
  for (const entry of entries) reach(resolve(root, entry), reached);
  for (const file of readdirSync(join(root, "dist"), { recursive: true })) {
    const path = resolve(root, "dist", file);
    if (path.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
  }
  for (const { name, parentPath } of readdirSync(join(root, "dist/sdk"), {
    recursive: true,
    withFileTypes: true,
  }))
    if (name === "index.js" && parentPath !== join(root, "dist/sdk")) loadLazily(join(parentPath, name));
  const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));
  writeFileSync(join(root, "dist/schema.json"), JSON.stringify(schema));
}

/** Of a file that hands on what other files export: each name is loaded when it is first read. */
function loadLazily(index) {
  const handedOn = [
    ...readFileSync(index, "utf8").matchAll(/^__exportStar\(require\("(.+)"\), exports\);$/gm),
  ];
  const lines = handedOn.flatMap(([, file]) =>
    Object.keys(require(join(dirname(index), file))).map(
      (name) => `lazily(${JSON.stringify(name)}, () => require(${JSON.stringify(file)}));`,
    ),
  );
  writeFileSync(index, `${LAZY}${lines.join("\n")}\n`);
}

const LAZY = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const lazily = (name, load) =>
  Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
`;

/** A declaration, and every declaration of ours that it names. */
function reach(path, reached) {
  if (reached.has(path)) return;
  reached.add(path);
  for (const fileName of namedIn(path)) {
    if (!fileName.startsWith(".")) continue;
    const base = resolve(dirname(path), fileName);
    const found = [`${base}.d.ts`, join(base, "index.d.ts")].find(existsSync);
    if (found === undefined) throw new Error(`${path} names ${fileName}, which is not there`);
    reach(found, reached);
  }
}

/** The modules that a declaration imports, exports from, or takes a type from in passing. */
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
