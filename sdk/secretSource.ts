/**
 * Where a secret is, in place of the secret: an environment variable, or a file. Plain data, so that every language can write
 * it; the provider reads it at each step that needs it, and no state ever holds what it says.
 */
export type SecretSource = { readonly fromEnv: string } | { readonly fromFile: string };

/**
 * The secret that an environment variable holds, where the engine runs.
 * @param name the variable's name
 */
export function fromEnv(name: string): SecretSource {
  return { fromEnv: name };
}

/**
 * The secret that a file holds, where the engine runs; a line break at its end is left out.
 * @param path absolute, or from the program's folder
 */
export function fromFile(path: string): SecretSource {
  return { fromFile: path };
}
