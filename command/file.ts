import { readFileSync, writeFileSync } from "node:fs";
import { Refusal } from "./refusal";

/**
 * What a file holds that a person named; `-` is the standard input.
 * @throws Refusal where it cannot be read
 */
export function fileBytes(file: string): Uint8Array {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${Object(error).code})`);
  }
}

/** The same as text. */
export function fileText(file: string): string {
  return Buffer.from(fileBytes(file)).toString();
}

/**
 * Writes a file that a person named.
 * @throws Refusal where it cannot be written
 */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Refusal(`${file} cannot be written (${Object(error).code})`);
  }
}

/**
 * Writes a new file that a person named; the standard output where none was.
 * @throws Refusal where there is one already, or it cannot be written
 */
export function writeNew(file: string | undefined, text: string): void {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const { code } = Object(error);
    const why = code === "EEXIST" ? "is there already, and is left as it is" : `cannot be written (${code})`;
    throw new Refusal(`${file} ${why}`);
  }
}
