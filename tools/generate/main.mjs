// Generates schema.json, the SDK's classes and the reference from the definitions.
//   node tools/generate/main.mjs           writes stale files
//   node tools/generate/main.mjs --check   writes nothing; lists stale files, and fails if there are any
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const { formatted, root, sourcesBeside, stale } = require("../generated.cjs");
const { generatedFiles, MARK } = require("../../dist/tools/generate/index.js");
const { catalog } = require("../../dist/provider/catalog.js");
const { allFunctions } = require("../../dist/provider/functions.js");

const definitions = Object.values(catalog).map((load) => load());
const files = formatted(generatedFiles({ definitions, functions: allFunctions(), ...sourcesBeside() }));
const { differing, left } = stale(files, MARK);

if (process.argv.includes("--check")) {
  for (const path of [...differing, ...left]) console.error(`stale: ${path}`);
  if (differing.length + left.length > 0) {
    console.error("the generated files differ from the definitions; run: npm run generate");
    process.exitCode = 1;
  }
} else {
  for (const path of differing) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path));
    console.log(`written: ${path}`);
  }
  for (const path of left) {
    rmSync(join(root, path));
    console.log(`removed: ${path}`);
  }
}
