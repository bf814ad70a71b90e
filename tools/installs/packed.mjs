import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The package and its testing package. */
export const PACKAGES = ["pulumi-quarterdeck", "pulumi-quarterdeck-testing"];

/** Packs both packages in a clean checkout without builds or installed dependencies; returns their tarballs by name. */
export function packed(cache) {
  for (const old of existsSync(cache) ? readdirSync(cache) : []) {
    if (old.endsWith(".tgz")) rmSync(join(cache, old));
  }
  const checkout = join(cache, "checkout");
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(checkout, { recursive: true });
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  for (const file of execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\0"))
    if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(checkout, file));
  const quiet = { cwd: checkout, stdio: ["ignore", "ignore", "inherit"] };
  const pack = ["pack", "--workspaces", "--include-workspace-root", "--loglevel=error"];
  execFileSync("npm", [...pack, "--pack-destination", cache], quiet);
  return Object.fromEntries(PACKAGES.map((name) => [name, renamed(cache, name)]));
}

/** Adds a content hash to the tarball's name, because package managers cache tarballs by file name. */
function renamed(cache, name) {
  const made = join(cache, `${name}-${version}.tgz`);
  const content = createHash("sha256").update(readFileSync(made)).digest("hex");
  const tarball = join(cache, `${name}-${content.slice(0, 16)}.tgz`);
  renameSync(made, tarball);
  return tarball;
}
