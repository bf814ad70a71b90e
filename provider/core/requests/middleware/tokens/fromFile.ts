import type { Runtime } from "../../../http/client";
import type { HttpRequest } from "../../../http/request";
import { type Held, type TokenSource, withoutToken } from "./held";
import { type Environment, NoText, textOfFile } from "./texts";

/** What it takes to read a token from a file. */
export interface FromFileOptions {
  readonly service: string;
  readonly file: string;
  /** The setting that names the file. */
  readonly setting: string;
  readonly env: Environment;
  readonly runtime: Runtime;
}

/** A token that somebody else keeps in a file, and may put another one in its place: it is read anew once one is refused. */
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
      const advice = `Correct ${setting}, or have the file written.`;
      throw withoutToken(request, { service, why: error.message, advice });
    }
  }

  async renewed(): Promise<undefined> {
    return undefined;
  }

  mayHaveAnother(): boolean {
    return true;
  }
}
