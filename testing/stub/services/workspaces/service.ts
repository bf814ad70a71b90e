import type { StubRequest, StubResponse, StubRoute, StubService } from "../../service";
import { BadRequest } from "../../service";
import { agentTokenEndpoints } from "./agent-tokens";
import { archivistRoutes } from "./archivist";
import { identify } from "./callers";
import { configurationVersionEndpoints } from "./configuration-versions";
import { deletionEndpoints } from "./deletion";
import { requireContentType } from "./documents";
import { Refusal, refusalResponse } from "./errors";
import { gpgKeyEndpoints } from "./gpg-keys";
import { Identifiers } from "./identifiers";
import { lockEndpoints } from "./locking";
import { notificationEndpoints } from "./notifications";
import { oauthClientEndpoints } from "./oauth-clients";
import type { Endpoint } from "./operation";
import { organizationObjectEndpoints } from "./organization-objects";
import { projectTagEndpoints } from "./project-tag-bindings";
import { providerPlatformEndpoints } from "./provider-platforms";
import { providerVersionEndpoints } from "./provider-versions";
import { publicRegistryRoutes } from "./public-registry";
import { RateLimiter } from "./rate-limit";
import { registryProviderEndpoints } from "./registry-providers";
import { remoteStateConsumerEndpoints } from "./remote-state-consumers";
import { retentionEndpoints } from "./retention";
import { runTriggerEndpoints } from "./run-triggers";
import { runEndpoints } from "./runs";
import { plant } from "./seeding";
import { Seed, Switches } from "./settings";
import { sshKeyEndpoints } from "./ssh-key";
import { stateOutputEndpoints } from "./state-outputs";
import type { WorkspacesSwitches } from "./switches";
import { NO_ROUTE, tagBindingEndpoints } from "./tag-bindings";
import { tagEndpoints } from "./tags";
import { teamAccessEndpoints } from "./team-access";
import { variableEndpoints } from "./variables";
import { workspaceEndpoints } from "./workspace-endpoints";
import { World } from "./world";

/** The start options of the HCP Terraform mock server: its switches and its initial seed. */
export interface WorkspacesOptions {
  readonly switches?: Partial<WorkspacesSwitches>;
  readonly seed?: unknown;
}

/** Identifies the product; the neutral API has no such endpoint. HCP Terraform answers with this version of its API. */
const ping: Endpoint = {
  method: "GET",
  path: "/ping",
  section: "API: stability policy",
  handle: ({ switches }) =>
    switches.dialect === "real"
      ? {
          status: 204,
          headers: { "tfp-api-version": "2.6", "tfp-appname": "HCP Terraform" },
          body: undefined,
        }
      : NO_ROUTE,
};

const ENDPOINTS: readonly Endpoint[] = [
  ping,
  ...workspaceEndpoints,
  ...deletionEndpoints,
  ...lockEndpoints,
  ...sshKeyEndpoints,
  ...remoteStateConsumerEndpoints,
  ...tagEndpoints,
  ...tagBindingEndpoints,
  ...projectTagEndpoints,
  ...retentionEndpoints,
  ...registryProviderEndpoints,
  ...variableEndpoints,
  ...organizationObjectEndpoints,
  ...gpgKeyEndpoints,
  ...providerVersionEndpoints,
  ...providerPlatformEndpoints,
  ...configurationVersionEndpoints,
  ...runEndpoints,
  ...stateOutputEndpoints,
  ...agentTokenEndpoints,
  ...oauthClientEndpoints,
  ...runTriggerEndpoints,
  ...notificationEndpoints,
  ...teamAccessEndpoints,
];

/** The Workspace and Private Registry API, in memory. */
export class WorkspacesService implements StubService {
  readonly name = "workspaces";
  readonly routes: readonly StubRoute[];
  #switches: Switches;
  #world = new World();
  /** The state before the latest write, for stale reads. */
  #before = this.#world;
  readonly #initialSeed: Seed;
  readonly #identifiers = new Identifiers();
  readonly #limiter = new RateLimiter();

  constructor({ switches = {}, seed = {} }: WorkspacesOptions = {}) {
    this.#switches = Switches.parse(switches);
    this.#initialSeed = Seed.parse(seed);
    this.routes = [
      ...ENDPOINTS.map((endpoint) => this.#route(endpoint)),
      ...publicRegistryRoutes((request, answer) =>
        this.#serve(request, (world) => answer(world, identify(world, request.headers))),
      ),
      ...archivistRoutes((request, answer) => this.#serve(request, answer, true)),
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
    const next = this.#world.copy();
    plant(Seed.parse(seed), next, this.#switches, this.#identifiers, now);
    this.#world = next;
    this.#before = next;
  }

  /** The complete state except the tokens, as plain data. */
  dump(): unknown {
    const { tokens: _secret, ...rest } = this.#world;
    return Object.fromEntries(Object.entries(rest).map(([name, map]) => [name, Object.fromEntries(map)]));
  }

  reset(): void {
    const tokens = this.#world.tokens;
    this.#world = new World(new Map(tokens));
    this.#limiter.reset();
    this.seed(this.#initialSeed);
  }

  notFound(): StubResponse {
    return this.#refuse(new Refusal(404, [{ status: "404", title: "not found" }]));
  }

  badRequest(message: string): StubResponse {
    return this.#refuse(new Refusal(422, [{ status: "422", title: "malformed body", detail: message }]));
  }

  #route(endpoint: Endpoint): StubRoute {
    return {
      method: endpoint.method,
      path: endpoint.path.startsWith("/api/") ? endpoint.path : `/api/v2${endpoint.path}`,
      section: endpoint.section,
      handle: (request) =>
        this.#serve(request, (world) =>
          endpoint.handle({
            request,
            world,
            caller: identify(world, request.headers),
            switches: this.#switches,
            identifiers: this.#identifiers,
          }),
        ),
    };
  }

  /**
   * Responds from a copy of the state; the copy replaces the state only if the request succeeds.
   * @param isOpen the URL alone gives access, without a token
   */
  #serve(request: StubRequest, answer: (world: World) => StubResponse, isOpen = false): StubResponse {
    const reads = request.method === "GET";
    const world = reads ? (request.stale ? this.#before : this.#world) : this.#world.copy();
    try {
      if (!isOpen) identify(world, request.headers);
      const limits = isOpen ? {} : this.#limiter.admit(request, this.#switches.rateLimit);
      if (!isOpen) requireContentType(request);
      const response = answer(world);
      if (!reads) {
        this.#before = this.#world;
        this.#world = world;
      }
      return { ...response, headers: { ...limits, ...response.headers } };
    } catch (error) {
      if (error instanceof Refusal) return this.#refuse(error);
      if (error instanceof BadRequest) return this.badRequest(error.message);
      throw error;
    }
  }

  #refuse(refusal: Refusal): StubResponse {
    return refusalResponse(refusal, this.#switches.errorForm);
  }
}
