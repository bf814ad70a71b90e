import { type Runtime, systemRuntime } from "../../provider/core/http/options";
import type { Json } from "../../provider/core/value/json";
import type {
  ServiceName,
  StubRequest,
  StubResponse,
  StubRoute,
  StubService,
} from "../../testing/stub/service";
import { theServer } from "./servers/server";

/** The maximum wait for a response of a real server. */
const TIMEOUT_MS = 30_000;

/** Translates another user's requests to the stub into requests to the real server. */
export interface Translation {
  readonly headers?: Readonly<Record<string, string>>;
  readonly tokens?: Readonly<Record<string, string>>;
  /** Prefixes of paths. */
  readonly paths?: Readonly<Record<string, string>>;
  /** Translates the body of another user's request. Requests of the provider are not translated. */
  body?(path: string, body: string): string;
}

/**
 * A real server in place of a stub, so that the same worlds and stories run on it. Its only route forwards every
 * request.
 */
export abstract class RealService implements StubService {
  abstract readonly name: ServiceName;
  readonly dialect = "real";
  /** The connection settings besides those of the stories, and the clock. */
  abstract readonly reached: {
    readonly settings: { readonly [name: string]: Json };
    readonly runtime: Runtime;
  };
  readonly routes: readonly StubRoute[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "LIST"].map((method) => ({
    method,
    path: "/:rest*",
    section: "",
    handle: (request) => this.forward(request),
  }));
  protected readonly translation: Translation = {};

  private readonly address = theServer().address;

  /** Ignores the seeds of a stub. On a real server the subjects create what they need. */
  // biome-ignore lint/complexity/noUselessConstructor: it has the parameter of a stub's constructor
  constructor(_?: object) {}

  notFound(): StubResponse {
    throw new Error("a real server answers for itself");
  }

  badRequest(): StubResponse {
    throw new Error("a real server answers for itself");
  }

  configure(): void {
    throw new Error("a real server has no switches");
  }

  seed(): void {
    throw new Error("a real server takes no seeds");
  }

  dump(): unknown {
    throw new Error("a real server shows what its API shows");
  }

  reset(): void {
    throw new Error("a real server is not reset");
  }

  private async forward({ method, path, query, headers, body, signal }: StubRequest): Promise<StubResponse> {
    const search = query.size > 0 ? `?${query}` : "";
    const text = body.length === 0 ? undefined : body.toString("utf8");
    const at = this.translatePath(path);
    const answer = await fetch(this.address + at + search, {
      method,
      headers: this.translateHeaders(headers as Record<string, string>),
      ...(text !== undefined && { body: this.isOtherUser(headers) ? this.translateBody(at, text) : text }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    };
  }

  private isOtherUser(sent: object): boolean {
    return Object.keys(this.translation.headers ?? {}).some((name) => name in sent);
  }

  private translateBody(path: string, body: string): string {
    return this.translation.body?.(path, body) ?? body;
  }

  private translatePath(path: string): string {
    const found = Object.entries(this.translation.paths ?? {}).find(([ours]) => path.startsWith(ours));
    return found === undefined ? path : found[1] + path.slice(found[0].length);
  }

  private translateHeaders(sent: Readonly<Record<string, string>>): Record<string, string> {
    const { headers = {}, tokens = {} } = this.translation;
    return Object.fromEntries(
      Object.entries(sent)
        .filter(([name]) => name !== "host")
        .map(([name, value]) => [headers[name] ?? name, tokens[value] ?? value]),
    );
  }
}

/** The real clock, with real waits. */
export const runtime: Runtime = systemRuntime;
