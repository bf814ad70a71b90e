import { resolve } from "node:path";
import type { SecretSource } from "../value/fingerprint";
import { textOfRegularFile, UnreadableFile } from "../value/regularFile";

/** The environment variables of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The reason why an external text cannot be read, worded to follow the name of the text. */
export class NoText extends Error {
  override readonly name = "NoText";
}

/**
 * The text of a file that is not empty.
 * @throws {@link NoText} if the file cannot be read or is empty
 */
async function namedText(path: string, env: Environment, signal?: AbortSignal): Promise<string> {
  const name = `the file ${JSON.stringify(path)}`;
  const text = await textOfRegularFile(path, env, signal).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? new NoText(`${name} ${error.message}`) : error;
  });
  if (text.trim() === "") throw new NoText(`${name} is empty`);
  return text;
}

/**
 * The same text without white space at its ends.
 * @throws {@link NoText} if the file cannot be read or is empty
 */
export async function textOfFile(path: string, env: Environment, signal?: AbortSignal): Promise<string> {
  return (await namedText(path, env, signal)).trim();
}

/**
 * The value of an environment variable.
 * @throws {@link NoText} if the variable is not set
 */
export function textOfVariable(name: string, env: Environment): string {
  const text = env[name] ?? "";
  if (text === "") throw new NoText(`the environment variable ${name} is not set`);
  return text;
}

/** Reads the text of a source, until the signal aborts. @throws NoText if the source has no text */
export type ReadSource = (source: SecretSource, signal?: AbortSignal) => Promise<string>;

/**
 * Reads secrets from their sources. Each call reads the source again, because the secret may have changed.
 * @param env the environment of the process
 * @param folder the folder for relative paths
 */
export function sourceReader(env: Environment, folder: () => string): ReadSource {
  return async (source, signal) => {
    if ("fromEnv" in source) return textOfVariable(source.fromEnv, env);
    // Removes the line break that editors add at the end of a file. Other white space belongs to the secret.
    const text = await namedText(resolve(folder(), source.fromFile), env, signal);
    return text.replace(/\r?\n$/, "");
  };
}
