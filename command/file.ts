import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Refusal } from "./refusal";

/**
 * What a file holds that a person named; `-` is the standard input, for which it waits.
 * @throws Refusal where it cannot be read
 */
export async function fileBytes(file: string): Promise<Uint8Array> {
  try {
    return await (file === "-" ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * The same of a file, as text.
 * @throws Refusal where it cannot be read
 */
export function fileText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown) =>
  new Refusal(`${file} cannot be read (${Object(error).code})`);

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
