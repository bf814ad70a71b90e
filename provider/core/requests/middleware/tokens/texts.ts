import { textOfRegularFile, UnreadableFile } from "../../../http/regularFile";

/** Why a text that is kept elsewhere cannot be had, in words that follow its name. */
export class NoText extends Error {
  override readonly name = "NoText";
}

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The text of a file that is not empty.
 * @throws {@link NoText} where there is none
 */
export async function namedText(path: string, env: Environment, signal?: AbortSignal): Promise<string> {
  const name = `the file ${JSON.stringify(path)}`;
  const text = await textOfRegularFile(path, env, signal).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? new NoText(`${name} ${error.message}`) : error;
  });
  if (text.trim() === "") throw new NoText(`${name} is empty`);
  return text;
}

/**
 * The same without white space at its ends.
 * @throws {@link NoText} where there is none
 */
export async function textOfFile(path: string, env: Environment, signal?: AbortSignal): Promise<string> {
  return (await namedText(path, env, signal)).trim();
}

/**
 * The text of an environment variable.
 * @throws {@link NoText} where there is none
 */
export function textOfVariable(name: string, env: Environment): string {
  const text = env[name] ?? "";
  if (text === "") throw new NoText(`the environment variable ${name} is not set`);
  return text;
}
