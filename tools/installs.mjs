// Packs both packages from a clean checkout without builds or installed dependencies, installs them like a user, and reports
// the result of each combination:
//   every module resolution × every TypeScript version, with library type checks, except errors of Pulumi's SDK itself;
//   every package manager × every kind of program, deployed with the embedded engine against the stub.
// `-- --typescript 5.4,6.0` compiles with these versions only.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PACKAGES, packed } from "./installs/packed.mjs";
import { print } from "./installs/table.mjs";

const { KINDS, DEPLOYED, layOut, layOutProject } = createRequire(import.meta.url)("./installs/kinds.cjs");
const root = join(import.meta.dirname, "..");
const cache = join(root, ".cache/installs");
const TYPESCRIPTS = ["5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "6.0"];

/** The TypeScript version of the deployed projects. */
const DEPLOYED_WITH = "5.9";

/** The package's version range for `@pulumi/pulumi`. */
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const SDK = manifest.peerDependencies["@pulumi/pulumi"];

/** The package managers with their versions, install arguments and configuration files. */
const MANAGERS = {
  npm: { run: ["npm"], args: ["install", "--no-audit", "--no-fund", "--loglevel=error"] },
  pnpm: {
    tool: "pnpm",
    file: "bin/pnpm.mjs",
    args: ["install", "--ignore-scripts", `--store-dir=${join(cache, "pnpm-store")}`],
  },
  "yarn 1": {
    tool: "yarn-classic",
    file: "bin/yarn.js",
    // Two concurrent runs would corrupt the store.
    args: [
      "install",
      "--ignore-scripts",
      "--non-interactive",
      "--silent",
      `--mutex=file:${join(cache, "yarn-mutex")}`,
    ],
  },
  "yarn 4": {
    tool: "yarn-modern",
    file: "bin/yarn.js",
    args: ["install", "--mode=skip-build"],
    files: { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn.lock": "" },
  },
};

const TOOLS = {
  ...Object.fromEntries(
    TYPESCRIPTS.map((version) => [`typescript-${version}`, `npm:typescript@~${version}.0`]),
  ),
  pnpm: "^12.21.0",
  "yarn-classic": "npm:yarn@^1.22.22",
  "yarn-modern": "npm:@yarnpkg/cli-dist@^4.18.1",
};

const { values: flags } = parseArgs({ options: { typescript: { type: "string" } } });
const asked = flags.typescript?.split(",") ?? TYPESCRIPTS;

const settingOfNpm = (name) => execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();
const registry = settingOfNpm("registry");
const authorities = settingOfNpm("cafile");
// New projects need new lockfiles, even if a pipeline forbids changes to existing lockfiles.
const environment = {
  ...process.env,
  npm_config_registry: registry,
  YARN_REGISTRY: registry,
  YARN_NPM_REGISTRY_SERVER: registry,
  // The other managers trust the same authorities as npm.
  ...(authorities !== "null" && { NODE_EXTRA_CA_CERTS: authorities, YARN_HTTPS_CA_FILE_PATH: authorities }),
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  YARN_CHECKSUM_BEHAVIOR: "ignore",
  CI: "",
};

/** Runs a command to its end; returns its output if it failed, undefined if it succeeded. */
function failureOf(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    const keep = (chunk) => {
      printed += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const timer = setTimeout(() => child.kill("SIGKILL"), 600_000);
    child.on("error", (error) => keep(String(error)));
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve(status === 0 ? undefined : printed.trim() || `ended with status ${status}`);
    });
  });
}

/** Errors that only the connection to the registry causes. */
const LOST_ON_THE_WAY =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET|EAI_AGAIN|ENETUNREACH|socket hang up|Socket closed|RequestError|network timeout/;

/** Like `failureOf`, for an install: if the registry cannot be reached, it tries again, at most twice. */
async function failureOfInstall(...command) {
  for (let tries = 1; ; tries += 1) {
    const failure = await failureOf(...command);
    if (failure === undefined || tries > 2 || !LOST_ON_THE_WAY.test(failure)) return failure;
    console.error("installs: the registry could not be reached; once more");
  }
}

async function must(what, ...command) {
  const failure = await failureOfInstall(...command);
  if (failure !== undefined) throw new Error(`${what}: ${failure}`);
}

async function tools() {
  const folder = join(cache, "tools");
  mkdirSync(folder, { recursive: true });
  const wanted = JSON.stringify({ name: "tools", private: true, dependencies: TOOLS }, null, 2);
  const file = join(folder, "package.json");
  if (existsSync(file) && readFileSync(file, "utf8") === wanted && existsSync(join(folder, ".done")))
    return folder;
  writeFileSync(file, wanted);
  console.log("installs: fetching the compilers and the package managers");
  const args = [
    "install",
    "--ignore-scripts",
    "--no-bin-links",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  await must("the tools", "npm", args, folder);
  writeFileSync(join(folder, ".done"), "");
  return folder;
}

/** Processes all pieces with limited concurrency, and returns the results in their order. */
async function all(pieces, work) {
  const results = new Array(pieces.length);
  const waiting = [...pieces.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next[0]] = await work(next[1]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  return results;
}

function fresh(name) {
  const folder = join(cache, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

const dependenciesOf = (tarballs, sdk = SDK) => ({
  dependencies: { "@pulumi/pulumi": sdk, [PACKAGES[0]]: `file:${tarballs[PACKAGES[0]]}` },
  devDependencies: {
    "@types/node": "^22",
    [PACKAGES[1]]: `file:${tarballs[PACKAGES[1]]}`,
    typescript: `~${DEPLOYED_WITH}.0`,
  },
});

async function compileAll(tarballs, toolbox) {
  const folder = fresh("compile");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...dependenciesOf(tarballs) }));
  await must("the programs' dependencies", "npm", MANAGERS.npm.args, folder);
  const cells = KINDS.flatMap((kind) => asked.map((version) => ({ kind, version })));
  return all(cells, async ({ kind, version }) => {
    const place = join(folder, `${kind.name.replace(/\W+/g, "-")}-${version}`);
    layOut(place, kind, version);
    const tsc = join(toolbox, "node_modules", `typescript-${version}`, "lib/tsc.js");
    const compiled = (project) =>
      failureOf(process.execPath, [tsc, "--noEmit", "--pretty", "false", "-p", project], place);
    const failure = await compiled("tsconfig.json");
    if (failure === undefined) return { row: kind.name, column: version };
    const [errors, withoutUs] = [failure, await compiled("sdk.json")].map(errorsIn);
    const isTheirs = errors.length > 0 && errors.every((line) => withoutUs.includes(line));
    return { row: kind.name, column: version, ...(isTheirs ? { theirs: withoutUs[0] } : { failure }) };
  });
}

/** The lines of a compiler's output that contain an error. */
function errorsIn(printed) {
  return (printed ?? "").split("\n").filter((line) => /error/i.test(line));
}

async function deployAll(tarballs, toolbox) {
  const cells = Object.keys(MANAGERS).flatMap((manager) => DEPLOYED.map((kind) => ({ manager, kind })));
  return all(cells, async ({ manager, kind }) => {
    const folder = fresh(`deploy-${manager}-${kind.name}`.replace(/\W+/g, "-"));
    layOutProject(folder, kind, dependenciesOf(tarballs), DEPLOYED_WITH);
    const { tool, file, args, files = {} } = MANAGERS[manager];
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const command =
      tool === undefined
        ? ["npm", args]
        : [process.execPath, [join(toolbox, "node_modules", tool, file), ...args]];
    const failure =
      (await failureOfInstall(...command, folder)) ??
      copiesOf(folder) ??
      (await failureOf(process.execPath, ["drive.cjs"], folder));
    return { row: kind.name, column: manager, failure };
  });
}

/** Returns an error unless the program and the package use the same copy of Pulumi's SDK. */
function copiesOf(folder) {
  const program = createRequire(join(folder, "package.json"));
  const own = createRequire(program.resolve("pulumi-quarterdeck"));
  const copies = new Set([program, own].map((from) => from.resolve("@pulumi/pulumi")));
  return copies.size === 1 ? undefined : `${copies.size} copies of @pulumi/pulumi: ${[...copies].join(", ")}`;
}

const began = Date.now();
const tarballs = packed(cache);
const toolbox = await tools();
const deployed = await deployAll(tarballs, toolbox);
print("installs and comes up", deployed);
const compiled = await compileAll(tarballs, toolbox);
print("compiles (TypeScript)", compiled);

for (const { row, column, theirs } of compiled)
  if (theirs !== undefined)
    console.log(`\n${row} × ${column}: @pulumi/pulumi does not compile alone: ${theirs}`);
const failed = [...compiled, ...deployed].filter(({ failure }) => failure !== undefined);
for (const { row, column, failure } of failed)
  console.log(`\n${row} × ${column}:\n${failure.slice(0, 3000)}`);
const count = compiled.length + deployed.length;
console.log(
  `\ninstalls: ${count - failed.length} of ${count} work as the SDK alone does (${Math.round((Date.now() - began) / 1000)} s)`,
);
process.exit(failed.length === 0 ? 0 : 1);
