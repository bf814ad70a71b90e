// Makes a checkout ready: dependencies (with a Node that is new enough), then the compiled package.
// Each half is skipped when its inputs have not changed, so a second run costs a fraction of a second.
//   node scripts/setup.mjs                      makes ready
//   node scripts/setup.mjs demo.mjs [argument]  makes ready, then runs that script on the Node that was installed
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// Before a package is packed this runs with the settings of that command, which are no settings of ours: a pack that is
// only rehearsed installs all the same, and one of a workspace installs for both.
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

const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
once("node_modules/.setup-stamp", lock, "installing the locked dependencies", () =>
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], quiet),
);

/** What a package is compiled from, where to, and what makes of that what is published. */
function compile(folder, from, files) {
  const made = [...from.flatMap(sources), ...files.map((file) => join(root, file))];
  once(join(folder, "dist/.setup-stamp"), fingerprintOf(made) + lock, `compiling ${folder}`, () => {
    // What no source makes any more would still be found.
    rmSync(join(root, folder, "dist"), { recursive: true, force: true });
    execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", join(folder, "tsconfig.json")], quiet);
    execFileSync(join(root, "node_modules/.bin/node"), [join(root, "scripts/published.mjs"), folder], quiet);
  });
}

// The SDK hands on what is for tests, by the name of its package.
compile(
  "testing",
  ["testing/engine", "testing/stub"],
  [
    "testing/index.ts",
    "testing/stack.ts",
    "testing/tsconfig.json",
    "testing/package.json",
    "tsconfig.json",
    "scripts/published.mjs",
  ],
);
compile(
  ".",
  ["packages", "provider", "stacks", "drift", "discover", "programs", "doctor", "sdk", "command", "generate"],
  ["tsconfig.json", "package.json", "schema.json", "scripts/published.mjs"],
);

const [script, ...args] = process.argv.slice(2);
if (script !== undefined) {
  // The shell that began this may know an older Node only.
  const bin = join(root, "node_modules/.bin");
  const { status } = spawnSync(join(bin, "node"), [join(root, "scripts", script), ...args], {
    stdio: "inherit",
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
  });
  process.exitCode = status ?? 1;
}
