import { isDeepStrictEqual } from "node:util";
import { IssuedTokens } from "../../logins";
import { plain } from "../../plain";
import {
  BadRequest,
  type StubRequest,
  type StubResponse,
  type StubRoute,
  type StubService,
} from "../../service";
import { allows } from "./authority";
import { Arrived } from "./cluster";
import { type Arrival, dispatch } from "./dispatch";
import {
  noHandler,
  permissionError,
  Refusal,
  refusalResponse,
  unknownToken,
  unsupportedOperation,
} from "./errors";
import { answerOfLogin, type SecretsLogin } from "./logins";
import type { Verb } from "./operation";
import { Randomness } from "./randomness";
import { plant } from "./seeding";
import { type Capability, Seed, Switches, type Token } from "./settings";
import type { SecretsSwitches } from "./switches";
import { TemplateError } from "./template-functions";
import { isWithin, World } from "./world";
import { wrapResponse } from "./wrapping";

/** The start options of the Vault mock server: its switches and its initial seed. */
export interface SecretsOptions {
  readonly switches?: Partial<SecretsSwitches>;
  readonly seed?: unknown;
}

/** Part A of the Secrets Service and Configuration-Entry API, in memory. */
export class SecretsService implements StubService {
  readonly name = "secrets";
  /** Engines can be mounted at any path, so the server resolves the paths below `/v1` itself. */
  readonly routes: readonly StubRoute[];
  #switches: Switches;
  readonly #issued = new IssuedTokens<Token, SecretsLogin>();
  #world = new World();
  /** The state before the latest write, for stale reads. */
  #before = this.#world;
  /** The number of writes so far. */
  #writes = 0;
  readonly #initialSeed: Seed;
  readonly #randomness = new Randomness();

  constructor({ switches = {}, seed = {} }: SecretsOptions = {}) {
    this.#switches = Switches.parse(switches);
    this.#initialSeed = Seed.parse(seed);
    this.routes = METHODS.map((method) => ({
      method,
      path: "/v1/:path*",
      section: "A. Secrets service",
      handle: (request) => this.#serve(request),
    }));
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
  seed(seed: unknown): void {
    const next = this.#world.copy();
    const parsed = Seed.parse(seed);
    this.#issued.take(parsed.logins);
    plant(parsed, next, this.#randomness, this.#switches);
    this.#world = next;
    this.#before = next;
  }

  /** The complete state except the tokens, as plain data. */
  dump(): unknown {
    const { tokens: _secret, wrappings: __, ...rest } = this.#world;
    return plain(rest);
  }

  reset(): void {
    this.#world = new World(new Map(this.#world.tokens));
    plant(Seed.parse({ namespaces: { "": {} } }), this.#world, this.#randomness, this.#switches);
    this.seed(this.#initialSeed);
  }

  notFound(request: Omit<StubRequest, "params">): StubResponse {
    return refusalResponse(noHandler(request.path.replace(/^\/(v1\/)?/, "")));
  }

  badRequest(message: string): StubResponse {
    return refusalResponse(new Refusal(400, [message]));
  }

  /** The response to a body that is not JSON, with Vault's message in the dialect `real`. */
  #unreadable({ message }: BadRequest): StubResponse {
    return this.badRequest(this.#switches.dialect === "real" ? "error parsing JSON" : message);
  }

  #serve(request: StubRequest): StubResponse {
    const arrived = new Arrived(request, this.#switches, this.#writes);
    const isReal = this.#switches.dialect === "real";
    if (isReal && request.method === "GET" && request.params.path === "sys/leader") return arrived.leader();
    const response = this.#served(request, arrived);
    return { ...response, headers: { ...response.headers, ...arrived.headers(this.#writes) } };
  }

  #served(request: StubRequest, arrived: Arrived): StubResponse {
    let world: World | undefined;
    try {
      const ofLogin = this.#ofLogin(request);
      if (ofLogin !== undefined) return ofLogin;
      const { isBehind } = arrived;
      const own = isBehind && !isRead(request) ? this.#byItself(request) : undefined;
      if (own !== undefined) return own;
      const stale = request.stale || (isBehind && isRead(request));
      // Reading credentials changes the state too; only a stale read does not.
      world = stale ? this.#before : this.#world.copy();
      const response = this.#answer(request, verbOf(request), world);
      if (!stale) this.#keep(request, world);
      return response;
    } catch (error) {
      if (error instanceof Refusal) {
        if (error.isKept && world !== undefined) this.#keep(request, world);
        return refusalResponse(error);
      }
      if (error instanceof TemplateError) return this.badRequest(error.message);
      if (error instanceof BadRequest) return this.#unreadable(error);
      throw error;
    }
  }

  /** Only Vault has logins; the specification has none. */
  #ofLogin(request: StubRequest): StubResponse | undefined {
    if (this.#switches.dialect !== "real") return undefined;
    const path = trimSlashes(request.params.path ?? "");
    return answerOfLogin(request, path, header(request, "x-vault-token"), this.#issued);
  }

  /**
   * A standby's own response to a write that changes nothing in its state; undefined if the write would change something.
   */
  #byItself(request: StubRequest): StubResponse | undefined {
    const tried = this.#before.copy();
    try {
      const response = this.#answer(request, verbOf(request), tried);
      return isDeepStrictEqual(plain(tried), plain(this.#before)) ? response : undefined;
    } catch (error) {
      if (error instanceof Refusal && !error.isKept) return refusalResponse(error);
      throw error;
    }
  }

  #keep(request: StubRequest, world: World): void {
    if (!isRead(request)) {
      this.#before = this.#world;
      this.#writes += 1;
    }
    this.#world = world;
  }

  #answer(request: StubRequest, verb: Verb, world: World): StubResponse {
    const prefix = this.#switches.dialect === "neutral" ? "x-secrets" : "x-vault";
    const tokenText = header(request, `${prefix}-token`);
    const path = trimSlashes(request.params.path ?? "");
    const token = world.tokens.get(tokenText) ?? this.#issued.find(tokenText, request.now);
    if (token === undefined) throw unknownToken();
    const namespace = world.namespaces.get(trimSlashes(header(request, `${prefix}-namespace`)));
    if (namespace === undefined) throw noHandler(path);
    if (!isWithin(namespace.path, token.namespace)) throw permissionError();
    const below = trimSlashes(namespace.path.slice(token.namespace.length));
    const policyPath = below === "" ? path : `${below}/${path}`;
    if (!allows(token, world.policies, policyPath, CAPABILITIES[verb])) throw permissionError();
    const arrival: Arrival = {
      request,
      verb,
      world,
      namespace,
      token,
      tokenText,
      switches: this.#switches,
      randomness: this.#randomness,
    };
    const endpoint = dispatch(arrival, path);
    if (endpoint.isPrivileged && !allows(token, world.policies, policyPath, ["sudo"]))
      throw permissionError();
    return wrapResponse(endpoint.run(), { ...arrival, path });
  }
}

const isRead = ({ method }: StubRequest) => method === "GET" || method === "LIST";

const METHODS = ["GET", "LIST", "POST", "PUT", "DELETE", "PATCH"] as const;

const CAPABILITIES: Readonly<Record<Verb, readonly Capability[]>> = {
  read: ["read"],
  list: ["list"],
  write: ["create", "update"],
  patch: ["patch"],
  remove: ["delete"],
};

function verbOf({ method, query }: StubRequest): Verb {
  switch (method) {
    case "GET":
      return query.get("list") === "true" ? "list" : "read";
    case "LIST":
      return "list";
    case "POST":
    case "PUT":
      return "write";
    case "PATCH":
      return "patch";
    case "DELETE":
      return "remove";
    default:
      throw unsupportedOperation();
  }
}

function header({ headers }: StubRequest, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}
