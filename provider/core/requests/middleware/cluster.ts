import { ConnectionLost, ServiceError, Unreachable } from "../../http/errors";
import type { Runtime } from "../../http/options";
import type { HttpRequest, HttpResponse } from "../../http/request";
import { assertRepeatable } from "../../http/retry";
import { originOf } from "../../http/urls";
import type { ActiveServer, Cluster } from "../../language/cluster";
import type { Middleware, Send } from ".";

/** The options for requests to a cluster. */
interface ClusterOptions {
  readonly cluster: Cluster;
  /** The service's name, and its address in the configuration. */
  readonly service: string;
  readonly address: string;
  /** The prefix of the service's paths. */
  readonly prefix: string;
  readonly runtime: Runtime;
  readonly warn: (message: string) => void;
}

/** The target of a request: the server at the configured address, or a different one. */
interface Place {
  readonly server?: string;
  /** True if the server does not report that it belongs to a cluster. */
  readonly isAlone?: boolean;
  /** Why this server's responses may be older than a write that was already acknowledged; undefined if they cannot be older. */
  readonly whyBehind?: string;
}

/** How long a lookup of the active server is valid, in milliseconds. After that, a different server may be active. */
export const BELIEVED_MS = 10_000;
/** How long a cluster without an active server may take to choose one, in milliseconds. */
const CHOICE_MS = 10_000;
/** How long the active server may take to respond if it is not the configured one, in milliseconds. */
const REACHED_MS = 3000;
/**
 * The pause between a write and the next request to a server that may be behind and cannot be made to wait, in milliseconds.
 */
export const LAG_MS = 1000;
/** How long a cluster may take to replace a lost active server, and the interval between lookups, in milliseconds. */
export const TAKEOVER_MS = 60_000;
const LOOK_MS = 1000;

/**
 * Sends the requests of one connection so that each response reflects every acknowledged write. A standby that is behind
 * returns old data, and reports success for writes to objects that it does not know yet. If the server names its states,
 * requests ask for at least the latest state. Otherwise, requests are sent to the active server. If the active server cannot
 * be reached, requests wait briefly after each write, and one warning reports that edits may be missed. A server that cannot
 * reach the active one redirects a request. That request was not carried out, and is sent to the next active server.
 */
export function sendInCluster(options: ClusterOptions): Middleware {
  return (next) => {
    const cluster = new ClusterSender(options, next);
    return (request) => cluster.send(request);
  };
}

class ClusterSender {
  #states: readonly string[] = [];
  #place: { readonly since: number; readonly found: Promise<Place> } | undefined;
  #isAlone = false;
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** True once the active server was reached at its own address: if that server is lost, a different one replaces it. */
  #hasReached = false;
  /** Addresses at which no active server was reached. */
  readonly #unreached = new Set<string>();
  #warned = false;

  constructor(
    private readonly options: ClusterOptions,
    private readonly next: Send,
  ) {}

  async send(request: HttpRequest): Promise<HttpResponse> {
    try {
      const first = await this.#sent(request);
      const answer = isHandedBack(first) ? await this.#sentOn(first, request) : first;
      const { state } = this.options.cluster;
      const answered = answer.headers[state.name];
      if (answered) this.#states = state.latest(this.#states, answered);
      return answer;
    } finally {
      if (request.nature !== "read") this.#writtenAt = this.options.runtime.now();
    }
  }

  async #sent(request: HttpRequest): Promise<HttpResponse> {
    const { grace, deadline = Number.POSITIVE_INFINITY } = request;
    if (grace === undefined && this.#isOver(request, deadline)) return this.next(request);
    const place = await this.#placeFor(request);
    try {
      return await this.#sentTo(place, request);
    } catch (error) {
      // The active server may have ended, and a different one may have replaced it.
      const isGone = error instanceof Unreachable || error instanceof ConnectionLost;
      if (place.server === undefined || !isGone || error.outcome !== "notApplied") throw error;
      if (this.#isOver(request, this.#endOf(request))) throw error;
      this.#place = undefined;
      const next = await this.#placeFor(request);
      assertRepeatable(request, error);
      return this.#sentTo(next, request);
    }
  }

  async #sentTo({ server, whyBehind }: Place, request: HttpRequest): Promise<HttpResponse> {
    const { cluster, runtime } = this.options;
    const wait = this.#writtenAt + LAG_MS - runtime.now();
    if (whyBehind !== undefined && wait > 0) await runtime.sleep(wait);
    const { name, beside } = cluster.state;
    const asked = this.#states.length === 0 ? undefined : { [name]: [...this.#states], ...beside };
    return this.next({
      ...request,
      ...(asked && { headers: { ...request.headers, ...asked } }),
      ...(server !== undefined && { server }),
    });
  }

  /** Resends a request that a server redirected, as soon as an active server accepts it. */
  async #sentOn(handedBack: HttpResponse, request: HttpRequest): Promise<HttpResponse> {
    let answer = handedBack;
    for (const end = this.#endOf(request); isHandedBack(answer) && !this.#isOver(request, end); ) {
      this.#place = undefined;
      // The active server is being replaced, so failed lookups are only temporary.
      this.#unreached.clear();
      try {
        const place = await this.#placeFor(request, true);
        if (place.isAlone) return answer;
        assertRepeatable(request, answer);
        answer = await this.#sentTo(place, request);
      } catch (error) {
        // A request that did not reach the next server was not carried out either.
        if (!(error instanceof ServiceError) || error.outcome !== "notApplied") throw error;
      }
      if (isHandedBack(answer)) await this.options.runtime.sleep(LOOK_MS);
    }
    return answer;
  }

  /** The time at which the wait for a different active server ends. */
  #endOf({ attempts, deadline = Number.POSITIVE_INFINITY }: HttpRequest): number {
    const start = attempts?.startedAt ?? this.options.runtime.now();
    return Math.min(start + TAKEOVER_MS, deadline - LOOK_MS);
  }

  #isOver({ signal }: HttpRequest, end: number): boolean {
    return signal?.aborted === true || this.options.runtime.now() >= end;
  }

  /**
   * The target, looked up once for all requests. Servers that name their states need no lookup.
   * @param isAsked true if the lookup is needed even then
   */
  async #placeFor(request: HttpRequest, isAsked = false): Promise<Place> {
    if (this.#states.length > 0 && !isAsked) return {};
    if (this.#isAlone) return { isAlone: true };
    const now = this.options.runtime.now();
    if (this.#place === undefined || now - this.#place.since > BELIEVED_MS)
      this.#place = { since: now, found: this.#find(request) };
    return this.#place.found;
  }

  async #find(request: HttpRequest): Promise<Place> {
    for (const end = this.#endOf(request); ; await this.options.runtime.sleep(LOOK_MS)) {
      const place = await this.#found(request);
      if (place.whyBehind === undefined) return place;
      if (this.#hasReached && !this.#isOver(request, end)) continue;
      this.#warn(place.whyBehind);
      return place;
    }
  }

  async #found(request: HttpRequest): Promise<Place> {
    const { address } = this.options;
    const active = await this.#activeAsked(request, { grace: CHOICE_MS });
    this.#isAlone = active?.isClustered === false;
    if (!active?.isClustered) return { isAlone: true };
    if (active.address === undefined) return { whyBehind: "the cluster has no active server at the moment" };
    const origin = originOf(active.address);
    if (origin === undefined || origin === originOf(address)) return {};
    const isSafe = origin.startsWith("https:") || !originOf(address)?.startsWith("https:");
    // The address may be a load balancer, so `isSelf` is valid for this response only.
    if (isSafe && (await this.#isReached(active.address, request))) return { server: active.address };
    if (active.isSelf) return {};
    return {
      whyBehind: isSafe
        ? `the active server cannot be reached at its own address, ${origin}`
        : `the active server's own address, ${origin}, is not an https address`,
    };
  }

  /** True if the active server responds at its own address. Until one address has worked, each address is tried once. */
  async #isReached(server: string, request: HttpRequest): Promise<boolean> {
    if (!this.#hasReached && this.#unreached.has(server)) return false;
    const own = await this.#activeAsked(request, { server, grace: REACHED_MS });
    const isReached = own?.isSelf === true;
    if (isReached) this.#hasReached = true;
    else this.#unreached.add(server);
    return isReached;
  }

  /** Asks a server for the active one; undefined if the server does not report it. */
  async #activeAsked(
    { label, secrets }: HttpRequest,
    where: Pick<HttpRequest, "server" | "grace">,
  ): Promise<ActiveServer | undefined> {
    const { cluster, prefix } = this.options;
    const { path, tells } = cluster.active;
    const isChoosing = (answer: HttpResponse) => {
      const { isClustered, address } = tells(answer);
      return isClustered && address === undefined;
    };
    try {
      const answer = await this.next({
        label,
        method: "GET",
        path: prefix + path,
        // The endpoint needs no permissions, and the login for a token may itself need this lookup.
        skipsToken: true,
        nature: "read",
        repeatWhile: isChoosing,
        ...(secrets && { secrets }),
        ...where,
      });
      return tells(answer);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  #warn(why: string): void {
    const { service, warn } = this.options;
    if (this.#warned) return;
    this.#warned = true;
    warn(
      `${service}: the server at this address is not the active server of its cluster, and ${why}. ` +
        "Responses of this server may be one write behind, so Quarterdeck may miss a very recent change by someone else. " +
        "Set the connection's address to an address that always reaches the active server.",
    );
  }
}

/** A server that cannot forward a request to the active one redirects to it. The request was not carried out. */
function isHandedBack({ status }: HttpResponse): boolean {
  return status === 307 || status === 308;
}
