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

/** Longest wait for an answer of a real server. */
const PATIENCE_MS = 30_000;

/** What a person of the stub's stories sends, in the real product's words. */
export interface Translation {
  readonly headers?: Readonly<Record<string, string>>;
  readonly tokens?: Readonly<Record<string, string>>;
  /** Beginnings of paths. */
  readonly paths?: Readonly<Record<string, string>>;
  /** What a person writes, whom the stub's names give away; what the provider writes is passed on as it is. */
  body?(path: string, body: string): string;
}

/**
 * A real server in the place of a stub: the same worlds, and so the same stories, run on it. It has one route, which
 * passes everything on.
 */
export abstract class RealService implements StubService {
  abstract readonly name: ServiceName;
  readonly dialect = "real";
  /** What its connections are told beside the stories' own settings, and the time that it lives in. */
  abstract readonly reached: {
    readonly settings: { readonly [name: string]: Json };
    readonly runtime: Runtime;
  };
  readonly routes: readonly StubRoute[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "LIST"].map((method) => ({
    method,
    path: "/:rest*",
    section: "",
    handle: (request) => this.passOn(request),
  }));
  protected readonly translation: Translation = {};

  private readonly address = theServer().address;

  /** The stories give a stub its seeds; here the subjects prepare the server. */
  // biome-ignore lint/complexity/noUselessConstructor: it takes what a stub takes
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

  private async passOn({ method, path, query, headers, body, signal }: StubRequest): Promise<StubResponse> {
    const asked = query.size > 0 ? `?${query}` : "";
    const text = body.length === 0 ? undefined : body.toString("utf8");
    const at = this.translated(path);
    const answer = await fetch(this.address + at + asked, {
      method,
      headers: this.headersOf(headers as Record<string, string>),
      ...(text !== undefined && { body: this.isPerson(headers) ? this.ofPerson(at, text) : text }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    };
  }

  private isPerson(sent: object): boolean {
    return Object.keys(this.translation.headers ?? {}).some((name) => name in sent);
  }

  private ofPerson(path: string, body: string): string {
    return this.translation.body?.(path, body) ?? body;
  }

  private translated(path: string): string {
    const found = Object.entries(this.translation.paths ?? {}).find(([ours]) => path.startsWith(ours));
    return found === undefined ? path : found[1] + path.slice(found[0].length);
  }

  private headersOf(sent: Readonly<Record<string, string>>): Record<string, string> {
    const { headers = {}, tokens = {} } = this.translation;
    return Object.fromEntries(
      Object.entries(sent)
        .filter(([name]) => name !== "host")
        .map(([name, value]) => [headers[name] ?? name, tokens[value] ?? value]),
    );
  }
}

/** The machine's own clock, and waits that are real. */
export const runtime: Runtime = systemRuntime;
