import { mayBeSentAgain } from "../../http/again";
import { isLessSafe, originOf } from "../../http/baseUrl";
import type { Runtime } from "../../http/client";
import { ConnectionLost, ServiceError, Unreachable } from "../../http/errors";
import type { HttpAnswer, HttpRequest } from "../../http/request";
import type { ActiveServer, Cluster } from "../../language/cluster";
import type { Middleware, Send } from ".";

/** What it takes to ask a cluster. */
interface ClusterOptions {
  readonly cluster: Cluster;
  /** The service's name, and where the configuration says that it is. */
  readonly service: string;
  readonly address: string;
  /** The prefix of the service's paths. */
  readonly prefix: string;
  readonly runtime: Runtime;
  readonly warn: (message: string) => void;
}

/** Where a request goes: to the server at the address, or to another one. */
interface Place {
  readonly server?: string;
  /** Whether it is no cluster, as far as it says. */
  readonly isAlone?: boolean;
  /** Why what is answered there may be from before a write that was answered; nothing where it is not. */
  readonly whyBehind?: string;
}

/** Milliseconds for which it is believed which server is the active one: after them another one may be. */
export const BELIEVED_MS = 10_000;
/** Milliseconds that a cluster without an active server has to choose one. */
const CHOICE_MS = 10_000;
/** Milliseconds in which the active server must answer, where it is another one than the configured. */
const REACHED_MS = 3000;
/** Milliseconds between a write and what follows it at a server that may be behind, and cannot be made to wait. */
export const LAG_MS = 1000;
/** Milliseconds in which a cluster that lost its active server has another one, and how often it is looked for. */
export const TAKEOVER_MS = 60_000;
const LOOK_MS = 1000;

/**
 * Sends what one connection asks of a cluster so that its answer is of every write that was answered before: a standby
 * that is behind shows what was, and answers a write of what it does not know yet as done. A server that names its states
 * is asked for none from before the latest one; where none does, requests go to the active server. Where that cannot be
 * reached, requests wait a little after each write, and the person is told once that edits may be missed. What a server
 * hands back, because it cannot reach the active one, was not carried out, and is sent to the next one.
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
  /** Whether an active server was found at an address of its own: where it is no more, another one takes its place. */
  #hasReached = false;
  /** Addresses at which none was found. */
  readonly #unreached = new Set<string>();
  #warned = false;

  constructor(
    private readonly options: ClusterOptions,
    private readonly next: Send,
  ) {}

  async send(request: HttpRequest): Promise<HttpAnswer> {
    try {
      const answer = await this.#sent(request);
      return this.#kept(isHandedBack(answer) ? await this.#sentOn(answer, request) : answer);
    } finally {
      if (request.nature !== "read") this.#writtenAt = this.options.runtime.now();
    }
  }

  #kept(answer: HttpAnswer): HttpAnswer {
    const { state } = this.options.cluster;
    const answered = answer.headers[state.name];
    if (answered) this.#states = state.latest(this.#states, answered);
    return answer;
  }

  async #sent(request: HttpRequest): Promise<HttpAnswer> {
    const { grace, deadline = Number.POSITIVE_INFINITY } = request;
    if (grace === undefined && this.#isOver(request, deadline)) return this.next(request);
    const place = await this.#placeFor(request);
    try {
      return await this.#sentTo(place, request);
    } catch (error) {
      // The active server may have ended, and another one taken its place.
      const isGone = error instanceof Unreachable || error instanceof ConnectionLost;
      if (place.server === undefined || !isGone || error.unclear) throw error;
      this.#place = undefined;
      const next = await this.#placeFor(request);
      if (!(await mayBeSentAgain(request))) throw error;
      return this.#sentTo(next, request);
    }
  }

  async #sentTo({ server, whyBehind }: Place, request: HttpRequest): Promise<HttpAnswer> {
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

  /** What becomes of a request that a server handed back, once there is an active server that takes it. */
  async #sentOn(handedBack: HttpAnswer, request: HttpRequest): Promise<HttpAnswer> {
    let answer = handedBack;
    for (const end = this.#endOf(request); isHandedBack(answer) && !this.#isOver(request, end); ) {
      this.#place = undefined;
      // The active server is being replaced, so that none is where it was, but for now.
      this.#unreached.clear();
      try {
        const place = await this.#placeFor(request, true);
        if (place.isAlone || !(await mayBeSentAgain(request))) return answer;
        answer = await this.#sentTo(place, request);
      } catch (error) {
        // What did not reach the next one was not carried out either.
        if (!(error instanceof ServiceError) || error.unclear) throw error;
      }
      if (isHandedBack(answer)) await this.options.runtime.sleep(LOOK_MS);
    }
    return answer;
  }

  /** When the wait for another active server ends. */
  #endOf({ deadline = Number.POSITIVE_INFINITY }: HttpRequest): number {
    return Math.min(this.options.runtime.now() + TAKEOVER_MS, deadline - LOOK_MS);
  }

  #isOver({ signal }: HttpRequest, end: number): boolean {
    return signal?.aborted === true || this.options.runtime.now() >= end;
  }

  /**
   * Asked once for all; where servers name their states, nobody has to ask.
   * @param isAsked whether it is asked all the same
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
    if (active.address === undefined) return { whyBehind: "there is none at the moment" };
    const origin = originOf(active.address);
    if (origin === undefined || origin === originOf(address)) return {};
    const isSafe = !isLessSafe(active.address, address);
    // Behind one address there may be several servers, so that even the active one's own word is for this answer only.
    if (isSafe && (await this.#isReached(active.address, request))) return { server: active.address };
    if (active.isSelf) return {};
    return {
      whyBehind: isSafe
        ? `it cannot be reached at ${origin}, its own address`
        : `its own address, ${origin}, is no https address`,
    };
  }

  /** Whether the active server is found at its own address; where none ever was, each is tried once. */
  async #isReached(server: string, request: HttpRequest): Promise<boolean> {
    if (!this.#hasReached && this.#unreached.has(server)) return false;
    const own = await this.#activeAsked(request, { server, grace: REACHED_MS });
    const isReached = own?.isSelf === true;
    if (isReached) this.#hasReached = true;
    else this.#unreached.add(server);
    return isReached;
  }

  /** What a server says of the active one; undefined where it says nothing of the kind. */
  async #activeAsked(
    { label, secrets }: HttpRequest,
    where: Pick<HttpRequest, "server" | "grace">,
  ): Promise<ActiveServer | undefined> {
    const { cluster, prefix } = this.options;
    const { path, tells } = cluster.active;
    const isChoosing = (answer: HttpAnswer) => {
      const { isClustered, address } = tells(answer);
      return isClustered && address === undefined;
    };
    try {
      const answer = await this.next({
        label,
        method: "GET",
        path: prefix + path,
        // It takes no rights; and a token may be got by way of the server that is asked for here.
        bringsToken: true,
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
      `${service}: the server at this address is not the active one of its cluster, and ${why}. ` +
        "Its answers may be one write behind: an edit that somebody made a moment ago may be missed. " +
        "Set the connection's address to one that always leads to the active server.",
    );
  }
}

/** A server that cannot pass a request on to the active one says where that is: nothing was carried out. */
function isHandedBack({ status }: HttpAnswer): boolean {
  return status === 307 || status === 308;
}
