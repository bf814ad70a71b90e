import { readBlockingQuery } from "../../blocking";
import { IssuedTokens } from "../../logins";
import { secretIdOf } from "../../secret-id";
import {
  BadRequest,
  type StubRequest,
  type StubResponse,
  type StubRoute,
  type StubService,
} from "../../service";
import { aclPolicyEndpoints } from "./acl-policies";
import { aclRoleEndpoints } from "./acl-roles";
import { aclTokenEndpoints } from "./acl-tokens";
import { metaHeaders, respond } from "./answer";
import { identify } from "./callers";
import { createJobEndpoints } from "./create-job";
import { deleteJobEndpoints } from "./delete-job";
import { invalid, Refusal, refusalResponse } from "./errors";
import { garbageEndpoints } from "./garbage";
import { hostVolumeEndpoints } from "./host-volumes";
import { Identifiers } from "./identifiers";
import { jobActivityEndpoints } from "./job-activity";
import { jobVersionEndpoints } from "./job-versions";
import { launchJobEndpoints } from "./launch-job";
import { namespaceEndpoints } from "./namespaces";
import { nodePoolEndpoints } from "./node-pools";
import { nodeEndpoints } from "./nodes";
import type { Endpoint, Outcome } from "./operation";
import { otherFamilyEndpoints } from "./other-families";
import { parseJobEndpoints } from "./parse-job";
import { planJobEndpoints } from "./plan-job";
import { readJobEndpoints } from "./read-jobs";
import { Region } from "./region";
import { scaleJobEndpoints } from "./scale-job";
import { plant } from "./seeding";
import { Seed, Switches, type Token } from "./settings";
import { subResourceOf } from "./sub-resources";
import type { SchedulerSwitches } from "./switches";
import { validateJobEndpoints } from "./validate-job";
import { variableEndpoints } from "./variables";
import { outcomeWithIndex } from "./waiting";

/** The start options of the Nomad mock server: its switches, its initial seed, and the jitter of blocking queries. */
export interface SchedulerOptions {
  readonly switches?: Partial<SchedulerSwitches>;
  readonly seed?: unknown;
  /** In [0, 1): the fraction of `wait/16` that a blocking query adds to its wait. */
  readonly random?: () => number;
}

const ENDPOINTS: readonly Endpoint[] = [
  ...createJobEndpoints,
  ...deleteJobEndpoints,
  ...readJobEndpoints,
  ...jobActivityEndpoints,
  ...jobVersionEndpoints,
  ...scaleJobEndpoints,
  ...planJobEndpoints,
  ...launchJobEndpoints,
  ...validateJobEndpoints,
  ...parseJobEndpoints,
  ...otherFamilyEndpoints,
  ...namespaceEndpoints,
  ...variableEndpoints,
  ...nodePoolEndpoints,
  ...aclPolicyEndpoints,
  ...aclRoleEndpoints,
  ...aclTokenEndpoints,
  ...hostVolumeEndpoints,
  ...nodeEndpoints,
  ...garbageEndpoints,
];

/** The Scheduler HTTP API, in memory. */
export class SchedulerService implements StubService {
  readonly name = "scheduler";
  readonly routes: readonly StubRoute[];
  /** Compresses every response with a body, however short (General conventions: Compression). */
  readonly compressesFrom = 1;
  #switches: Switches;
  readonly #tokens = new Map<string, Token>();
  readonly #issued = new IssuedTokens<Token>();
  readonly #regions = new Map<string, Region>();
  readonly #initialSeed: Seed;
  readonly #identifiers = new Identifiers();
  readonly #random: () => number;

  constructor({ switches = {}, seed = {}, random = Math.random }: SchedulerOptions = {}) {
    this.#switches = Switches.parse(switches);
    this.#initialSeed = Seed.parse(seed);
    this.#random = random;
    this.routes = [
      ...ENDPOINTS.map((endpoint) => ({
        method: endpoint.method,
        path: `/v1${endpoint.path}`,
        section: endpoint.section,
        handle: (request: StubRequest) => this.#serve(request, endpoint),
      })),
      {
        method: "POST",
        path: "/v1/acl/login",
        section: "Authentication",
        handle: (request) => this.#login(request),
      },
      {
        method: "GET",
        path: "/v1/regions",
        section: "API: regions",
        handle: () => ({ status: 200, body: [...this.#regions.keys()].sort() }),
      },
    ];
    this.reset();
  }

  get dialect(): "neutral" | "real" {
    return this.#switches.dialect;
  }

  /** Changes the named switches from now on; the others keep their values. */
  configure(switches: Readonly<Record<string, unknown>>): void {
    this.#switches = Switches.parse({ ...this.#switches, ...switches });
  }

  /** Adds a seed to the server's state; {@link Seed} lists the possible members. */
  seed(seed: unknown, now = Date.now()): void {
    const parsed = Seed.parse(seed);
    this.#issued.take(parsed.logins);
    for (const [secret, token] of Object.entries(parsed.tokens)) this.#tokens.set(secret, token);
    for (const name of [this.#switches.region, ...parsed.regions]) this.#regionNamed(name);
    const name = parsed.region ?? this.#switches.region;
    const region = this.#regionNamed(name);
    region.plant((writer) => plant(parsed, writer, name), this.#context(now));
  }

  /** The complete state except the tokens, by region, as plain data. */
  dump(): unknown {
    return Object.fromEntries([...this.#regions].map(([name, region]) => [name, region.dump()]));
  }

  reset(): void {
    for (const region of this.#regions.values()) region.close();
    this.#regions.clear();
    // An hour is enough for the seeded jobs to reach their final state before the first request.
    this.seed(this.#initialSeed, Date.now() - HOUR);
  }

  notFound({ path }: Pick<StubRequest, "path">): StubResponse {
    const isPath = this.routes.some((route) => fits(route.path, path));
    return this.#refuse(
      isPath
        ? new Refusal(405, "Invalid method")
        : new Refusal(404, this.#switches.dialect === "real" ? "" : "Invalid URL path: not found"),
    );
  }

  badRequest(message: string): StubResponse {
    return this.#refuse(new Refusal(400, message));
  }

  /** Nomad's login endpoint, which the specification does not have. */
  #login(request: StubRequest): StubResponse {
    if (this.#switches.dialect !== "real")
      return this.#refuse(new Refusal(404, "Invalid URL path: not found"));
    const issued = this.#issued.issue(request.json(), request.now);
    if (issued !== undefined) return { status: 200, body: secretIdOf(issued) };
    return this.#refuse(new Refusal(403, "Permission denied"));
  }

  /** The seeded tokens and the issued tokens that are valid at that time. */
  #tokensAt(now: number): Pick<ReadonlyMap<string, Token>, "get"> {
    return { get: (secret) => this.#tokens.get(secret) ?? this.#issued.find(secret, now) };
  }

  async #serve(request: StubRequest, endpoint: Endpoint): Promise<StubResponse> {
    try {
      const outcome = await this.#answer(request, endpoint);
      return respond(outcome, request, endpoint, this.#switches);
    } catch (error) {
      if (error instanceof Refusal) return this.#refuse(error);
      if (error instanceof BadRequest) return this.badRequest(error.message);
      throw error;
    }
  }

  async #answer(sent: StubRequest, found: Endpoint): Promise<Outcome> {
    const { request, endpoint } = subResourceOf(sent, found, ENDPOINTS, this.#switches);
    const name = this.#regionOf(request, endpoint);
    const region = this.#regions.get(name);
    // Only the target region can identify the caller.
    if (region === undefined) throw new Refusal(500, "No path to region");
    const caller = identify(this.#tokensAt(request.now), request.headers, this.#switches);
    const attempt = () => {
      const context = this.#context(request.clock.now());
      const namespace = request.query.get("namespace") || "default";
      return region.serve({ ...context, request, caller, namespace, region: name }, endpoint);
    };
    const query = endpoint.method === "GET" ? readBlockingQuery(request, this.#random, invalid) : undefined;
    if (query === undefined) return attempt();
    for (;;) {
      const since = region.changes;
      const { result, index } = await outcomeWithIndex(attempt);
      const isOver = request.clock.now() >= query.until || request.signal.aborted || region.isClosed;
      if (index > query.index || isOver) return result();
      await region.nextChange(request, query.until, since);
    }
  }

  /**
   * The region that serves the request. For a request with a body, Nomad treats `global` as the agent's own region, in the
   * query too.
   */
  #regionOf(request: StubRequest, { regionOf }: Endpoint): string {
    const { region: own, dialect } = this.#switches;
    const named = request.query.get("region");
    const isOwn = dialect === "real" && regionOf !== undefined && named === "global";
    return (isOwn ? own : named || regionOf?.(request)) || own;
  }

  #context(now: number) {
    return { switches: this.#switches, identifiers: this.#identifiers, now };
  }

  #regionNamed(name: string): Region {
    const region = this.#regions.get(name) ?? new Region();
    this.#regions.set(name, region);
    return region;
  }

  #refuse(refusal: Refusal): StubResponse {
    const headers = refusal.index === undefined ? {} : metaHeaders(refusal.index, this.#switches);
    return refusalResponse(refusal, headers);
  }
}

const HOUR = 3_600_000;

/** True if the path matches the pattern, for any method. */
function fits(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === parts.length &&
    wanted.every((segment, index) => segment.startsWith(":") || segment === parts[index])
  );
}
