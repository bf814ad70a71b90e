import { resolve } from "node:path";
import type { SecretSource } from "../value/fingerprint";
import { namedText, textOfVariable } from "./middleware/tokens/fromFile";

/** Reads the text of a source, until the signal aborts. @throws NoText if the source has no text */
export type ReadSource = (source: SecretSource, signal?: AbortSignal) => Promise<string>;

/**
 * Reads secrets from their sources. Each call reads the source again, because the secret may have changed.
 * @param env the environment of the process
 * @param folder the folder for relative paths
 */
export function sourceReader(
  env: Readonly<Record<string, string | undefined>>,
  folder: () => string,
): ReadSource {
  return async (source, signal) => {
    if ("fromEnv" in source) return textOfVariable(source.fromEnv, env);
    // Removes the line break that editors add at the end of a file. Other white space belongs to the secret.
    const text = await namedText(resolve(folder(), source.fromFile), env, signal);
    return text.replace(/\r?\n$/, "");
  };
}
