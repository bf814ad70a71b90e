import { ServiceError } from "../../http/errors";
import type { HttpRequest, HttpResponse } from "../../http/request";
import { OWN, type Replication } from "../../language/cluster";
import type { Send } from ".";

/** How long the lookup of the primary may take, in milliseconds. */
const ASKED_MS = 10_000;

/** The options for requests to the primary. */
interface PrimaryOptions {
  readonly replication: Replication;
  readonly service: string;
  readonly prefix: string;
  /** The primary that the settings name. */
  readonly named: string | undefined;
  readonly warn: (text: string) => void;
}

/**
 * Sends requests about objects to the primary, where objects are written. A copy elsewhere may be behind, and its indexes
 * cannot be used for a check. If the settings do not name the primary, one lookup finds it.
 */
export class Primary {
  #found: Promise<string | undefined> | undefined;

  /** @param next sends the requests, and the question which place is the primary */
  constructor(
    private readonly options: PrimaryOptions,
    private readonly next: Send,
  ) {}

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { replication } = this.options;
    if (request.isOfCopy) return this.next(request);
    const primary = await this.primary(request);
    if (primary === undefined) return this.next(request);
    const place = primary === OWN ? undefined : primary;
    return this.next({ ...request, query: { ...request.query, [replication.parameter]: place } });
  }

  /** The primary, or {@link OWN}; undefined if it cannot be determined. */
  async primary(request: Pick<HttpRequest, "label" | "secrets">): Promise<string | undefined> {
    const { named, replication } = this.options;
    if (named !== undefined || replication.asked.length === 0) return named;
    this.#found ??= this.#ask(request);
    try {
      return await this.#found;
    } catch (error) {
      // An unreachable server may be reachable later. The request itself reports the reason.
      this.#found = undefined;
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  async #ask({ label, secrets }: Pick<HttpRequest, "label" | "secrets">): Promise<string | undefined> {
    const { replication, service, prefix, warn } = this.options;
    let isRefused = false;
    for (const { path, tells } of replication.asked) {
      const answer = await this.next({
        label,
        method: "GET",
        path: prefix + path,
        nature: "read",
        expect: "text",
        grace: ASKED_MS,
        ...(secrets && { secrets }),
      });
      const told = answer.status === 200 ? tells(answer) : undefined;
      if (told !== undefined) return told;
      isRefused ||= answer.status === 403;
    }
    if (isRefused)
      warn(
        `${service}: the token lacks the permission to read which ${replication.place} is the primary, where objects are written. ` +
          `If the primary is not the ${replication.place} of this server, set ${replication.setting}.`,
      );
    return undefined;
  }
}
