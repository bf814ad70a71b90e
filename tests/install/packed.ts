import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** The package, and the package with which programs are tested. */
export const PACKAGES = ["pulumi-quarterdeck", "pulumi-quarterdeck-testing"] as const;
type Package = (typeof PACKAGES)[number];

const SOURCES: Readonly<Record<Package, string>> = {
  "pulumi-quarterdeck": ".",
  "pulumi-quarterdeck-testing": "testing",
};

/** npm's description of a tarball. */
export interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** A folder in which both packages are installed as published, with their dependencies. */
export interface Installed {
  readonly folder: string;
  readonly packed: ReadonlyMap<string, Packed>;
  remove(): void;
}

export function installPacked(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "install-"));
  const modules = join(folder, "node_modules");
  const packed = new Map(PACKAGES.map((name) => [name, install(name, modules, folder)]));
  for (const installed of readdirSync(join(ROOT, "node_modules"))) {
    if (installed in SOURCES || installed.startsWith(".")) continue;
    symlinkSync(join(ROOT, "node_modules", installed), join(modules, installed), "junction");
  }
  return { folder, packed, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packs a package, and unpacks it where a program finds it. */
function install(name: Package, modules: string, folder: string): Packed {
  const pack = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const output = execFileSync("npm", pack, {
    cwd: join(ROOT, SOURCES[name]),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [made] = Object.values(JSON.parse(output) as Record<string, Packed>);
  if (made === undefined) throw new Error(`nothing was packed: ${output}`);
  const own = join(modules, name);
  mkdirSync(own, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, made.filename), "-C", own, "--strip-components=1"]);
  return made;
}
