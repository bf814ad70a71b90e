import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** One way in which a compiler finds a package, and one kind of program that is deployed; see `npm run installs`. */
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
const installs = require("../../scripts/installs/kinds.cjs") as Installs;
const run = promisify(execFile);

/** The compilers that are here anyway: our own, and the older one that the check of the types brings. */
const COMPILERS = {
  newest: join(ROOT, "node_modules/typescript"),
  older: join(ROOT, "node_modules/@arethetypeswrong/core/node_modules/typescript"),
};

function versionOf(compiler: keyof typeof COMPILERS): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(COMPILERS[compiler], "package.json"), "utf8"),
  );
  return manifest.version;
}

let folder: string;
let packed: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "install-"));
  const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const name = execFileSync("npm", pack, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const modules = join(folder, "node_modules");
  const own = join(modules, "pulumi-quarterdeck");
  mkdirSync(own, { recursive: true });
  const tarball = join(folder, name.trim().split("\n").at(-1) ?? "");
  execFileSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  packed = readdirSync(own, { recursive: true, encoding: "utf8" });
  for (const installed of readdirSync(join(ROOT, "node_modules"))) {
    if (installed === "pulumi-quarterdeck" || installed.startsWith(".")) continue;
    symlinkSync(join(ROOT, "node_modules", installed), join(modules, installed), "junction");
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what is packed", () => {
  test("has its code, its types and its schema, and no traces of how it was made", () => {
    expect(packed).toEqual(
      expect.arrayContaining(["dist/sdk/index.js", "dist/sdk/index.d.ts", "dist/schema.json"]),
    );
    expect(packed.filter((file) => /\.map$|\.setup-stamp$|\.tsbuildinfo$|\.test\./.test(file))).toEqual([]);
  });
});

describe("the packed package, with the libraries' types checked", () => {
  test.each([
    ["node, CommonJS", "older"],
    ["nodenext, ES modules", "newest"],
    ["plain JavaScript", "older"],
  ] as const)(
    "compiles in a project that finds modules by %s, with the %s TypeScript",
    async (name, compiler) => {
      const kind = installs.KINDS.find((known) => known.name === name);
      if (kind === undefined) throw new Error(`no such kind: ${name}`);
      const place = join(folder, `${name}-${compiler}`.replace(/\W+/g, "-"));
      installs.layOut(place, kind, versionOf(compiler));
      const tsc = join(COMPILERS[compiler], "lib/tsc.js");
      const compiled = run(process.execPath, [tsc, "--noEmit", "--pretty", "false"], { cwd: place });
      await expect(
        compiled.then(
          () => "",
          ({ stdout }) => String(stdout),
        ),
      ).resolves.toBe("");
    },
    300_000,
  );
});

test.each(installs.DEPLOYED.filter(({ name }) => name !== "JavaScript, CommonJS"))(
  "the packed package comes up in a project of $name, is quiet, and goes",
  async (kind) => {
    const place = join(folder, kind.name.replace(/\W+/g, "-"));
    installs.layOutProject(place, kind, {}, versionOf("newest"));
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
