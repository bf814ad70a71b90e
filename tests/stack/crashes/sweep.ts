import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runsOf } from "../../redact/readable";

/** All files in a folder, without symbolic links such as the packages. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    const stat = lstatSync(file);
    if (stat.isDirectory()) return filesIn(file);
    return stat.isFile() ? [file] : [];
  });
}

/** The secrets that a file contains: plain, as in memory, or escaped as in text. */
export function foundIn(file: string, secrets: readonly string[]): readonly string[] {
  const bytes = readFileSync(file);
  const holds = (secret: string) =>
    (["utf8", "utf16le"] as const).some((encoding) => bytes.includes(Buffer.from(secret, encoding))) ||
    bytes.includes(Buffer.from(secret).toString("base64").slice(0, -4));
  const isText = bytes.length < LONGEST_TEXT;
  return secrets.filter(
    (secret) => holds(secret) || (isText && runsOf(secret, bytes.toString("utf8")).length > 0),
  );
}

/** A larger file (a core or heap dump) is searched only for complete secrets. */
const LONGEST_TEXT = 4_000_000;
