import { readFile } from "node:fs/promises";

/** Why a text that is kept elsewhere cannot be had, in words that follow its name. */
export class NoText extends Error {
  override readonly name = "NoText";
}

/**
 * The text of a file without the line break at its end.
 * @throws {@link NoText} where there is none
 */
export async function textOfFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new NoText(`the file ${JSON.stringify(path)} cannot be read (${error.code ?? error.message})`);
  });
  if (text.trim() === "") throw new NoText(`the file ${JSON.stringify(path)} is empty`);
  return text.trim();
}

/**
 * The text of an environment variable.
 * @throws {@link NoText} where there is none
 */
export function textOfVariable(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const text = env[name] ?? "";
  if (text === "") throw new NoText(`the environment variable ${name} is not set`);
  return text;
}
