// Prepares a checkout: installs the dependencies (including a recent Node), and compiles the package. Each half is skipped
// if its inputs have not changed, so a second run takes a fraction of a second.
//   node tools/setup.mjs                      prepares the checkout
//   node tools/setup.mjs demo.mjs [argument]  prepares it, then runs that script with the installed Node
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// npm also runs this before packing, with that command's settings in the environment. Remove them: a dry run must still
// install, and a workspace's pack must install for both packages.
const { npm_config_dry_run, npm_config_workspace, npm_config_workspaces, ...env } = process.env;
const quiet = { cwd: root, stdio: ["ignore", "inherit", "inherit"], env };

function once(stampFile, fingerprint, does, run) {
  const path = join(root, stampFile);
  if (existsSync(path) && readFileSync(path, "utf8") === fingerprint) return;
  console.log(`setup: ${does}`);
  run();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, fingerprint);
}

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function fingerprintOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** True if `npm ci` or `npm install` has installed exactly the locked packages. */
function isInstalled() {
  const installed = join(root, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  const [wanted, found] = [join(root, "package-lock.json"), installed].map(
    (file) => JSON.parse(readFileSync(file, "utf8")).packages,
  );
  return Object.entries(wanted).every(
    ([path, { integrity, optional }]) => path === "" || found[path]?.integrity === integrity || optional,
  );
}

const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (!isInstalled()) {
  console.log("setup: installing the locked dependencies");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], quiet);
}

/** Compiles a package from its sources, and converts the output to its published form. */
function compile(folder, from, files) {
  const made = [...from.flatMap(sources), ...files.map((file) => join(root, file))];
  once(join(folder, "dist/.setup-stamp"), fingerprintOf(made) + lock, `compiling ${folder}`, () => {
    // Delete outputs whose source no longer exists.
    rmSync(join(root, folder, "dist"), { recursive: true, force: true });
    execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", join(folder, "tsconfig.json")], quiet);
    execFileSync(join(root, "node_modules/.bin/node"), [join(root, "tools/published.mjs"), folder], quiet);
  });
}

// The SDK re-exports the testing package by its name, so compile that first.
compile(
  "testing",
  ["testing/engine", "testing/stub"],
  [
    "testing/index.ts",
    "testing/stack.ts",
    "testing/tsconfig.json",
    "testing/package.json",
    "tsconfig.json",
    "tools/published.mjs",
  ],
);
compile(
  ".",
  ["packages", "provider", "cli", "sdk", "tools/generate"],
  ["tsconfig.json", "package.json", "schema.json", "tools/published.mjs"],
);

const [script, ...args] = process.argv.slice(2);
if (script !== undefined) {
  // The calling shell may have only an older Node.
  const bin = join(root, "node_modules/.bin");
  const { status } = spawnSync(join(bin, "node"), [join(root, "tools", script), ...args], {
    stdio: "inherit",
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
  });
  process.exitCode = status ?? 1;
}
