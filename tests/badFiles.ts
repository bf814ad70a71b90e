import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that no setting accepts, and what the message says of it. */
export type BadFile = readonly [name: string, make: (path: string) => void, says: RegExp];

const MEBIBYTE = 1024 * 1024;

export const BAD_FILES: readonly BadFile[] = [
  ["a named pipe that no one writes to", (path) => execFileSync("mkfifo", [path]), /is not a regular file/],
  ["a folder", (path) => mkdirSync(path), /is not a regular file/],
  [
    "a file larger than 1 MiB",
    (path) => writeFileSync(path, "a".repeat(MEBIBYTE + 1)),
    /is larger than 1048576 bytes.*QUARTERDECK_MAX_FILE_BYTES/,
  ],
  [
    "a file that is not UTF-8",
    (path) => writeFileSync(path, Buffer.from([0x61, 0xff])),
    /is not valid UTF-8/,
  ],
];

let made = 0;

/** Makes such a file in a folder; its path. */
export function badFile(folder: string, [, make]: BadFile): string {
  made += 1;
  const path = join(folder, `bad-${made}`);
  make(path);
  return path;
}
