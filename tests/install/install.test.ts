import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { preProcessFile } from "typescript";
import { catalog } from "../../provider/catalog";
import { type Installed, installPacked, PACKAGES } from "./packed";

/** A module resolution of the compiler, or a kind of deployed program; see `npm run verify -- installs`. */
interface Kind {
  readonly name: string;
}
interface Installs {
  readonly KINDS: readonly Kind[];
  readonly DEPLOYED: readonly Kind[];
  layOut(folder: string, kind: Kind, typescript: string): void;
  layOutProject(folder: string, kind: Kind, dependencies: object, typescript: string): void;
}

const ROOT = resolve(__dirname, "../..");
// A plain script, which has no types.
const installs = require("../../tools/installs/kinds.cjs") as Installs;
const run = promisify(execFile);

const TYPESCRIPT = join(ROOT, "node_modules/typescript");
const { version: TYPESCRIPT_VERSION }: { version: string } = JSON.parse(
  readFileSync(join(TYPESCRIPT, "package.json"), "utf8"),
);

/** The installed size, as npm counts it; see docs/decisions/2026-11-22-packages-and-size.md. */
const MOST_BYTES = 2_960_000 + 23_500 * (Object.keys(catalog).length - 46);

const OWN_PACKAGES = ["@pulumi/pulumi", "pulumi-quarterdeck-testing"];

function manifestOf(): { readonly exports: Readonly<Record<string, { readonly types?: string }>> } {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}

/** The other packages that a declaration file imports, directly or through this package, with the importing file. */
function packagesImportedBy(entry: string): string[] {
  const files = new Set([entry]);
  const found: string[] = [];
  for (const file of files) {
    const { importedFiles } = preProcessFile(readFileSync(file, "utf8"));
    for (const { fileName } of importedFiles) {
      const target = join(dirname(file), fileName);
      const own = [`${target}.d.ts`, join(target, "index.d.ts")].find(existsSync);
      if (own !== undefined) files.add(own);
      else if (!OWN_PACKAGES.includes(fileName)) found.push(`${file}: ${fileName}`);
    }
  }
  return found;
}

let installed: Installed;
let folder: string;
beforeAll(() => {
  installed = installPacked();
  folder = installed.folder;
}, 120_000);
afterAll(() => installed.remove());

const filesOf = (name: string) => installed.packed.get(name)?.files.map(({ path }) => path) ?? [];

describe("packed files", () => {
  test("of pulumi-quarterdeck contain code, types and schema, but not the stub or the engine", () => {
    const files = filesOf("pulumi-quarterdeck");
    expect(files).toEqual(
      expect.arrayContaining(["dist/sdk/index.js", "dist/sdk/index.d.ts", "dist/schema.json.gz"]),
    );
    const folders = new Set(
      files.filter((file) => file.startsWith("dist/")).map((file) => file.split("/")[1]),
    );
    expect([...folders].sort()).toEqual(["cli", "packages", "provider", "schema.json.gz", "sdk"]);
  });

  test("of pulumi-quarterdeck-testing contain the stub, the engine and a command, but not the provider", () => {
    const files = filesOf("pulumi-quarterdeck-testing");
    expect(files).toEqual(
      expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "bin/quarterdeck-stub.js"]),
    );
    const folders = new Set(
      files.filter((file) => file.startsWith("dist/")).map((file) => file.split("/")[1]),
    );
    expect([...folders].sort()).toEqual([
      "engine",
      "index.d.ts",
      "index.js",
      "stack.d.ts",
      "stack.js",
      "stub",
    ]);
  });

  test.each(PACKAGES)("of %s contain no build artifacts", (name) => {
    const traces = filesOf(name).filter((file) =>
      // A template's own test is part of the template.
      /\.map$|\.setup-stamp$|\.tsbuildinfo$|^(?!examples\/templates\/).*\.test\./.test(file),
    );
    expect(traces).toEqual([]);
  });

  test("of pulumi-quarterdeck do not exceed the documented size", () => {
    expect(installed.packed.get("pulumi-quarterdeck")?.unpackedSize).toBeLessThanOrEqual(MOST_BYTES);
  });
});

// A compiler with library type checks also checks the packages that the types import, with the program's options.
test.each(
  Object.entries(manifestOf().exports).flatMap(([entry, { types }]) => (types ? [[entry, types]] : [])),
)("the types of the entry %s import no package except the SDK and pulumi-quarterdeck-testing", (_, types) => {
  const root = join(folder, "node_modules/pulumi-quarterdeck");
  expect(packagesImportedBy(join(root, types))).toEqual([]);
});

describe("pulumi-quarterdeck-testing", () => {
  const printedBy = (program: string) =>
    run(process.execPath, ["-e", program], { cwd: folder }).then(
      ({ stdout }) => stdout.trim(),
      ({ stderr }) => String(stderr),
    );

  test("is re-exported by pulumi-quarterdeck/testing", async () => {
    await expect(
      printedBy('console.log(typeof require("pulumi-quarterdeck/testing").startStub)'),
    ).resolves.toBe("function");
  });

  test("is named in the error if it is not installed", async () => {
    const away = join(folder, "node_modules/away");
    renameSync(join(folder, "node_modules/pulumi-quarterdeck-testing"), away);
    try {
      await expect(printedBy('require("pulumi-quarterdeck/testing")')).resolves.toMatch(
        "Cannot find module 'pulumi-quarterdeck-testing'",
      );
    } finally {
      renameSync(away, join(folder, "node_modules/pulumi-quarterdeck-testing"));
    }
  });

  test("has a command that starts the mock servers", async () => {
    const bin = join(folder, "node_modules/pulumi-quarterdeck-testing/bin/quarterdeck-stub.js");
    const ports = ["control", "workspaces", "scheduler", "secrets", "mesh"].flatMap((name) => [
      `--${name}-port`,
      "0",
    ]);
    const serving = spawn(process.execPath, [bin, ...ports], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      let output = "";
      for await (const part of serving.stdout) {
        output += part;
        if (output.includes("Ctrl+C")) break;
      }
      const address = /^mesh +(\S+)/m.exec(output)?.[1];
      const answer = await fetch(`${address}/v1/config/mesh`, {
        headers: { "x-consul-token": "mesh-token" },
      });
      expect([answer.status, await answer.json()]).toEqual([200, []]);
    } finally {
      serving.kill();
    }
  });
});

// One module resolution; `npm run verify -- installs` compiles with each of them, and with every TypeScript version.
test("the packed packages compile with library type checks", async () => {
  const kind = installs.KINDS.find(({ name }) => name === "nodenext, ES modules");
  if (kind === undefined) throw new Error("no such kind");
  const place = join(folder, "compiled");
  installs.layOut(place, kind, TYPESCRIPT_VERSION);
  const tsc = join(TYPESCRIPT, "lib/tsc.js");
  const compiled = run(process.execPath, [tsc, "--noEmit", "--pretty", "false"], { cwd: place });
  await expect(
    compiled.then(
      () => "",
      ({ stdout }) => String(stdout),
    ),
  ).resolves.toBe("");
}, 300_000);

test.each(installs.DEPLOYED.filter(({ name }) => name === "JavaScript, ES modules"))(
  "a project of $name with the packed packages is deployed, shows no changes, and is destroyed",
  async (kind) => {
    const place = join(folder, kind.name.replace(/\W+/g, "-"));
    installs.layOutProject(place, kind, {}, TYPESCRIPT_VERSION);
    const env = { ...process.env, PULUMI_ENGINE: process.env.PULUMI_ENGINE ?? "embedded" };
    const deployed = run(process.execPath, ["drive.cjs"], { cwd: place, env });
    await expect(
      deployed.then(
        () => "",
        ({ stderr }) => String(stderr),
      ),
    ).resolves.toBe("");
  },
  180_000,
);
