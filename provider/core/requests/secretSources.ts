import { resolve } from "node:path";
import type { SecretSource } from "../value/sealing";
import { namedText, textOfVariable } from "./middleware/tokens/fromFile";

/** Reads what stands at a source, until the signal stops it. @throws NoText where there is nothing */
export type ReadSource = (source: SecretSource, signal?: AbortSignal) => Promise<string>;

/**
 * Reads secrets where they are kept, each time that one is asked for: it may be another one by then.
 * @param env the environment of the process
 * @param folder from which relative paths lead
 */
export function sourceReader(
  env: Readonly<Record<string, string | undefined>>,
  folder: () => string,
): ReadSource {
  return async (source, signal) => {
    if ("fromEnv" in source) return textOfVariable(source.fromEnv, env);
    // Without the line break with which editors end a file; other white space in it is the secret's own.
    const text = await namedText(resolve(folder(), source.fromFile), env, signal);
    return text.replace(/\r?\n$/, "");
  };
}
