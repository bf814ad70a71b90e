import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runsOf } from "../../redact/readable";

/** All files in a folder, those of the packages left out, which nobody writes. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    const stat = lstatSync(file);
    if (stat.isDirectory()) return filesIn(file);
    return stat.isFile() ? [file] : [];
  });
}

/** The secrets of which something stands in a file: plainly, as memory holds it, or escaped as texts are. */
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

/** Of a larger file (a core, a heap) only whole secrets are looked for. */
const LONGEST_TEXT = 4_000_000;
