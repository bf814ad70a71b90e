import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** The text of a file, or undefined where there is none. */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** True for the error of a file or folder that is not there. */
export function isMissing(error: unknown): boolean {
  // Not `instanceof Error`: a test runner's sandbox has an `Error` of its own.
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}

/**
 * Replaces a file as a whole: readers see the old text or the new one, never a part, whenever this process
 * dies. The text is on the disk before its name is.
 */
export function writeTextAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  const file = openSync(draft, "wx");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/**
 * A file as the CLI's file store keeps one: with a second file beside it that holds its attributes. The CLI
 * reads objects without one too, but an outdated one would contradict the text.
 */
export function writeObject(path: string, text: string): void {
  writeTextAtomically(`${path}${ATTRIBUTES}`, attributesOf(text));
  writeTextAtomically(path, text);
}

/** Removes a file and its attributes; nothing happens where there is none. */
export function removeObject(path: string): void {
  rmSync(path, { force: true });
  rmSync(`${path}${ATTRIBUTES}`, { force: true });
}

/** The end of the name of the files that hold attributes. */
export const ATTRIBUTES = ".attrs";

function attributesOf(text: string): string {
  return `${JSON.stringify({
    "user.cache_control": "",
    "user.content_disposition": "",
    "user.content_encoding": "",
    "user.content_language": "",
    "user.content_type": "text/plain; charset=utf-8",
    "user.metadata": null,
    md5: createHash("md5").update(text).digest("base64"),
  })}\n`;
}
