import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { SecretSource } from "../value/source";
import { NoText, textOfVariable } from "./tokens/texts";

/** Reads what stands at a source. @throws NoText where there is nothing */
export type ReadSource = (source: SecretSource) => Promise<string>;

/**
 * Reads secrets where they are kept, each time that one is asked for: it may be another one by then.
 * @param env the environment of the process
 * @param folder from which relative paths lead
 */
export function sourceReader(
  env: Readonly<Record<string, string | undefined>>,
  folder: () => string,
): ReadSource {
  return async (source) =>
    "fromEnv" in source
      ? textOfVariable(source.fromEnv, env)
      : secretInFile(resolve(folder(), source.fromFile));
}

/** The text of a file, without the line break with which editors end it; white space in it is the secret's own. */
async function secretInFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new NoText(`the file ${JSON.stringify(path)} cannot be read (${error.code ?? error.message})`);
  });
  const secret = text.replace(/\r?\n$/, "");
  if (secret.trim() === "") throw new NoText(`the file ${JSON.stringify(path)} is empty`);
  return secret;
}
