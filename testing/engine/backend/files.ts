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

/** Reads a text file; undefined if it does not exist. */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** True for the error of a missing file or folder. */
export function isMissing(error: unknown): boolean {
  // `instanceof Error` would fail: a test runner's sandbox has its own `Error`.
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}

/**
 * Replaces a file atomically: even if this process dies, readers see either the old text or the new text. The text is
 * flushed to disk before the rename.
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
 * Writes a file like the CLI's file store, with a second file for its attributes. The CLI reads objects without attributes
 * too, but outdated attributes would contradict the text.
 */
export function writeObject(path: string, text: string): void {
  writeTextAtomically(`${path}${ATTRIBUTES}`, attributesOf(text));
  writeTextAtomically(path, text);
}

/** Removes a file and its attributes, if they exist. */
export function removeObject(path: string): void {
  rmSync(path, { force: true });
  rmSync(`${path}${ATTRIBUTES}`, { force: true });
}

/** The suffix of attribute files. */
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
