import type { Runtime } from "../../../http/options";
import type { HttpRequest } from "../../../http/request";
import { textOfRegularFile, UnreadableFile } from "../../../value/regularFile";
import { type Held, type TokenSource, withoutToken } from "./withToken";

/** The options for a token in a file. */
export interface FromFileOptions {
  readonly service: string;
  readonly file: string;
  /** The setting that names the file. */
  readonly setting: string;
  readonly env: Environment;
  readonly runtime: Runtime;
}

/** A token in a file that someone else maintains and may replace. The file is read again after a rejection. */
export class FromFile implements TokenSource {
  constructor(private readonly options: FromFileOptions) {}

  async get(request: HttpRequest): Promise<Held> {
    const { service, file, setting, env, runtime } = this.options;
    try {
      const token = await textOfFile(file, env, request.signal);
      return {
        token,
        since: runtime.now(),
        endsAt: Number.POSITIVE_INFINITY,
        renewAt: Number.POSITIVE_INFINITY,
        isRenewable: false,
      };
    } catch (error) {
      if (!(error instanceof NoText)) throw error;
      const advice = `Correct ${setting}, or create the file.`;
      throw withoutToken(request, { service, why: error.message, advice });
    }
  }

  async renew(): Promise<undefined> {
    return undefined;
  }

  mayHaveAnother(): boolean {
    return true;
  }
}

/** The reason why an external text cannot be read, worded to follow the name of the text. */
export class NoText extends Error {
  override readonly name = "NoText";
}

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The text of a file that is not empty.
 * @throws {@link NoText} if the file cannot be read or is empty
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
