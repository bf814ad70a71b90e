import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Refusal } from "./refusal";

/**
 * Reads a file that the user named; `-` reads standard input to its end.
 * @throws Refusal if the file cannot be read
 */
export async function fileBytes(file: string): Promise<Uint8Array> {
  try {
    return await (file === "-" ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * Reads a file that the user named, as text.
 * @throws Refusal if the file cannot be read
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
 * Writes a file that the user named.
 * @throws Refusal if the file cannot be written
 */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Refusal(`${file} cannot be written (${Object(error).code})`);
  }
}

/**
 * Writes a new file that the user named, or standard output if the user named none.
 * @throws Refusal if the file exists or cannot be written
 */
export function writeNew(file: string | undefined, text: string): void {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  createNew(file, "written", () => writeFileSync(file, text, { flag: "wx" }));
}

/**
 * Creates a new folder that the user named.
 * @throws Refusal if the folder exists or cannot be created
 */
export function makeNewFolder(folder: string): void {
  createNew(folder, "created", () => mkdirSync(folder));
}

function createNew(path: string, done: "written" | "created", create: () => void): void {
  try {
    create();
  } catch (error) {
    const { code } = Object(error);
    const why = code === "EEXIST" ? "already exists, and was not changed" : `cannot be ${done} (${code})`;
    throw new Refusal(`${path} ${why}`);
  }
}
