import { readBlockingQuery } from "../../blocking";
import { IssuedTokens } from "../../logins";
import {
  BadRequest,
  type StubRequest,
  type StubResponse,
  type StubRoute,
  type StubService,
} from "../../service";
import { policyReads, policyWrites } from "./acl/policies";
import { roleReads, roleWrites } from "./acl/roles";
import { tokenReads, tokenWrites } from "./acl/tokens";
import { type AgentEndpoint, agentEndpoints } from "./agent";
import { applyEntry } from "./apply-entry";
import { type Caller, identify, secretOf } from "./callers";
import { readConsistency, requireLeader } from "./consistency";
import { isWatched, reconcile } from "./controller";
import { Datacenters } from "./datacenters";
import { undecodable } from "./decode";
import { deleteEntry } from "./delete-entry";
import { requireParameters } from "./edition";
import { invalid, Refusal } from "./errors";
import { deleteKey, readKey, readKeys, writeKey } from "./key-value";
import { type Operation, type ReadEndpoint, readResponse, type WriteEndpoint } from "./operation";
import { RateLimiter } from "./rate-limit";
import { listEntries, readEntry } from "./read-entries";
import { plant } from "./seeding";
import { Seed, Switches, type Token } from "./settings";
import type { MeshSwitches } from "./switches";
import { applyTransaction } from "./transaction";
import { Waiting } from "./waiting";
import { type Datacenter, DEFAULT_PARTITION } from "./world";

/** The start options of the Consul mock server: its switches, its initial seed, and the jitter of blocking queries. */
export interface MeshOptions {
  readonly switches?: Partial<MeshSwitches>;
  readonly seed?: unknown;
  /** In [0, 1): the fraction of `wait/16` that a blocking query adds to its wait. */
  readonly random?: () => number;
}

const NO_SUCH_PATH = "Invalid URL path";
const SECTION = "B. Configuration entries (mesh catalog)";

/** Part B of the Secrets Service and Configuration-Entry API, in memory. */
export class MeshService implements StubService {
  readonly name = "mesh";
  readonly routes: readonly StubRoute[];
  #switches: Switches;
  readonly #initialSeed: Seed;
  readonly #random: () => number;
  readonly #limiter = new RateLimiter();
  readonly #tokens = new Map<string, Token>();
  readonly #issued = new IssuedTokens<Token>();
  readonly #namespaces = new Set<string>();
  readonly #partitions = new Set<string>();
  readonly #datacenters = new Datacenters();
  readonly #waiting = new Waiting();

  constructor({ switches = {}, seed = {}, random = Math.random }: MeshOptions = {}) {
    this.#switches = Switches.parse(switches);
    this.#initialSeed = Seed.parse(seed);
    this.#random = random;
    this.routes = [
      this.#route(applyEntry, (request) => this.#write(applyEntry, request)),
      this.#route(deleteEntry, (request) => this.#write(deleteEntry, request)),
      this.#route(listEntries, (request) => this.#read(listEntries, request)),
      this.#route(readEntry, (request) => this.#read(readEntry, request)),
      this.#route(readKeys, (request) => this.#read(readKeys, request)),
      this.#route(readKey, (request) => this.#read(readKey, request)),
      this.#route(writeKey, (request) => this.#write(writeKey, request)),
      this.#route(deleteKey, (request) => this.#write(deleteKey, request)),
      this.#route(applyTransaction, (request) => this.#write(applyTransaction, request)),
      // Before the token of any ID, which would match the caller's own.
      ...agentEndpoints.map((endpoint) =>
        this.#route(endpoint, (request) => this.#ofAgent(endpoint, request)),
      ),
      ...[...policyReads, ...roleReads, ...tokenReads].map((each) =>
        this.#route(each, (request) => this.#read(each, request)),
      ),
      ...[...policyWrites, ...roleWrites, ...tokenWrites].map((each) =>
        this.#route(each, (request) => this.#write(each, request)),
      ),
    ];
    this.reset();
  }

  get dialect(): "neutral" | "real" {
    return this.#switches.dialect;
  }

  /** Changes the named switches from now on; the others keep their values. */
  configure(switches: Readonly<Record<string, unknown>>): void {
    this.#switches = Switches.parse({ ...this.#switches, ...switches });
    if (!this.#datacenters.has(this.#switches.datacenter)) this.seed({});
  }

  /** Adds a seed to the server's state; {@link Seed} lists the possible members. */
  seed(seed: unknown, now = Date.now()): void {
    const { tokens, logins, datacenters, namespaces, partitions, ...places } = Seed.parse(seed);
    this.#issued.take(logins);
    const { datacenter: own, primaryDatacenter: primary } = this.#switches;
    const names = [own, ...(primary === "" ? [] : [primary]), ...datacenters];
    this.#datacenters.plant(names, this.#switches, (at) =>
      plant(places, (name = primary || own) => at(name), this.#switches, now),
    );
    for (const [secret, token] of Object.entries(tokens)) this.#tokens.set(secret, token);
    for (const name of ["default", ...namespaces]) this.#namespaces.add(name);
    for (const name of [DEFAULT_PARTITION, ...partitions]) this.#partitions.add(name);
    this.#waiting.wake();
  }

  /** The complete state except the tokens, by datacenter, as plain data. */
  dump(): unknown {
    return this.#datacenters.dump();
  }

  reset(): void {
    this.#datacenters.clear();
    this.#namespaces.clear();
    this.#partitions.clear();
    this.#limiter.reset();
    this.seed(this.#initialSeed);
  }

  notFound({ method, path }: Pick<StubRequest, "method" | "path">): StubResponse {
    const allowed = this.routes.filter((route) => fits(route.path, path)).map((route) => route.method);
    if (allowed.length === 0) return new Refusal(404, NO_SUCH_PATH).response;
    return new Refusal(405, `method ${method} not allowed`, { allow: allowed.join(",") }).response;
  }

  badRequest(message: string): StubResponse {
    return undecodable(message).response;
  }

  #route(
    { method, path }: Pick<StubRoute, "method" | "path">,
    answer: (request: StubRequest) => StubResponse | Promise<StubResponse>,
  ): StubRoute {
    return {
      method,
      path,
      section: SECTION,
      handle: async (request) => {
        try {
          return await answer(request);
        } catch (error) {
          if (error instanceof Refusal) return error.response;
          if (error instanceof BadRequest) return this.badRequest(error.message);
          throw error;
        }
      },
    };
  }

  /** Works on a copy, which replaces the datacenter only if the write succeeds. */
  #write({ write, isLocal = false }: WriteEndpoint, request: StubRequest): StubResponse {
    this.#admit(request);
    requireLeader(this.#switches);
    const { now } = request;
    this.#datacenters.catchUp(this.#switches, now);
    const own = this.#datacenterName(request);
    const name = isLocal ? own : this.#switches.primaryDatacenter || own;
    const before = this.#datacenters.at(name);
    const datacenter = before.copy();
    const { response, kind } = write(this.#operation(request, datacenter));
    if (datacenter.index === before.index) return response;
    if (this.#switches.reconciles && kind !== undefined && isWatched(kind))
      for (const each of datacenter.partitions) reconcile(each, now);
    this.#datacenters.keep(name, datacenter, this.#switches, now);
    this.#waiting.wake();
    return response;
  }

  /** The row "Blocking queries": a query for a later index waits until its result changes. */
  async #read({ read }: ReadEndpoint, request: StubRequest): Promise<StubResponse> {
    this.#admit(request);
    const consistency = readConsistency(request.query);
    const blocking = readBlockingQuery(request, this.#random, invalid);
    const name = this.#datacenterName(request);
    const look = () => {
      this.#datacenters.catchUp(this.#switches, request.clock.now());
      if (consistency !== "stale") requireLeader(this.#switches);
      const isBehind = request.stale || (consistency === "stale" && this.#switches.followersLag);
      const datacenter = this.#datacenters.at(name, isBehind);
      const operation = this.#operation(request, datacenter);
      const outcome = read(operation);
      const { index } = datacenter;
      return { index, stamp: outcome.stamp, response: readResponse(outcome, operation, consistency) };
    };
    const first = look();
    let latest = first;
    if (blocking === undefined || first.index > blocking.index) return first.response;
    while (latest.stamp === first.stamp) {
      if (request.clock.now() >= blocking.until || request.signal.aborted) break;
      await this.#waiting.nextChange(request, Math.min(blocking.until, this.#datacenters.nextCopy));
      latest = look();
    }
    return latest.response;
  }

  /** Consul's agent endpoints, which the specification does not have. */
  #ofAgent(endpoint: AgentEndpoint, request: StubRequest): StubResponse {
    if (this.#switches.dialect !== "real") throw new Refusal(404, NO_SUCH_PATH);
    return endpoint.answer({
      request,
      caller: () => this.#caller(request),
      secret: secretOf(request.headers, this.#switches),
      issued: this.#issued,
      switches: this.#switches,
    });
  }

  /** Looks up the caller among the seeded tokens and the issued tokens that are still valid. */
  #caller({ headers, now }: StubRequest): Caller {
    const get = (secret: string) => this.#tokens.get(secret) ?? this.#issued.find(secret, now);
    return identify({ get }, headers, this.#switches);
  }

  #admit(request: StubRequest): void {
    requireParameters(request, this.#switches);
    const caller = secretOf(request.headers, this.#switches);
    this.#limiter.admit(caller, request.now, this.#switches);
  }

  #operation(request: StubRequest, datacenter: Datacenter): Operation {
    return {
      request,
      caller: this.#caller(request),
      datacenter,
      namespaces: this.#namespaces,
      partitions: this.#partitions,
      switches: this.#switches,
    };
  }

  #datacenterName({ query }: StubRequest): string {
    return query.get("dc") || this.#switches.datacenter;
  }
}

/** True if the path matches the pattern, for any method. */
function fits(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern.split("/"), path.split("/")];
  const isOpen = pattern.endsWith("*");
  return (
    (isOpen ? parts.length >= wanted.length : parts.length === wanted.length) &&
    wanted.every((segment, index) => segment.startsWith(":") || segment === parts[index])
  );
}
