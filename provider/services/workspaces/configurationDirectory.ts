import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { create } from "tar";
import { UnreadableFile } from "../../core";
import { type IgnoredPaths, ignoredPaths } from "./terraformIgnore";

/** The file with the patterns of the paths that are not uploaded (HCP Terraform: Exclude files from upload). */
const IGNORE_FILE = ".terraformignore";

/** A file or a symbolic link of a configuration. */
interface Entry {
  /** Relative to the directory, with `/` as separator. */
  readonly path: string;
  /** Its line in the text from which the digest is computed. */
  readonly line: string;
}

/**
 * The SHA-256 of a configuration directory: of one line for each file, with its SHA-256, `x` if it is executable, and its path.
 * It depends on no other property of a file, and on no version of an archive format.
 * @throws UnreadableFile if the directory cannot be read, has no files, or contains something else than files
 */
export function digestOfDirectory(directory: string): string {
  return digestOf(entriesOf(directory));
}

/**
 * Packs a configuration directory into a `tar.gz` file.
 * @param sha256 the digest of the directory
 * @throws UnreadableFile if the directory cannot be read, or has another digest
 */
export function packDirectory(directory: string, target: string, sha256: string): void {
  const entries = entriesOf(directory);
  const paths = entries.map(({ path }) => path);
  create({ cwd: directory, file: target, gzip: true, portable: true, noDirRecurse: true, sync: true }, paths);
  // The second reading shows that no file was changed while it was packed.
  const other = [digestOf(entries), digestOfDirectory(directory)].find((digest) => digest !== sha256);
  if (other !== undefined) throw new UnreadableFile(`has the SHA-256 ${other}, and not ${sha256}`);
}

function digestOf(entries: readonly Entry[]): string {
  return sha256Of(entries.map(({ line }) => `${line}\n`).join(""));
}

const sha256Of = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

function entriesOf(directory: string): Entry[] {
  try {
    if (!statSync(directory).isDirectory()) throw new UnreadableFile("is not a directory");
    const paths = pathsIn(directory, "", ignoredPaths(ownRules(directory))).sort();
    if (paths.length === 0) throw new UnreadableFile("contains no files to upload");
    return paths.map((path) => ({ path, line: lineFor(directory, path) }));
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnreadableFile(`cannot be read (${code ?? message})`);
  }
}

/** The patterns of the program's own file. */
function ownRules(directory: string): string {
  try {
    return readFileSync(join(directory, IGNORE_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** The files and links below a folder of the directory that are not ignored. */
function pathsIn(directory: string, folder: string, ignored: IgnoredPaths): string[] {
  return readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((child) => {
    const path = folder === "" ? child.name : `${folder}/${child.name}`;
    if (child.isDirectory()) return ignored.hasFolder(path) ? [] : pathsIn(directory, path, ignored);
    return ignored.hasPath(path) ? [] : [path];
  });
}

function lineFor(directory: string, path: string): string {
  const local = join(directory, path);
  const facts = lstatSync(local);
  if (facts.isSymbolicLink()) {
    assertInside(directory, path);
    return `link ${readlinkSync(local)} ${path}`;
  }
  if (!facts.isFile()) throw new UnreadableFile(`contains ${path}, which is not a regular file`);
  return `${sha256Of(readFileSync(local))} ${(facts.mode & 0o100) === 0 ? "-" : "x"} ${path}`;
}

/** The server cannot follow a link that leaves the directory. */
function assertInside(directory: string, path: string): void {
  const target = relative(realpathSync(directory), realpathSync(join(directory, path)));
  if (target === ".." || target.startsWith(`..${sep}`))
    throw new UnreadableFile(`contains ${path}, a symbolic link to a path outside it`);
}
