import type { StubRequest, StubResponse, StubRoute, StubService } from "../../service";
import { Seed, Switches } from "./settings";

export interface MeshOptions {
  readonly switches?: Partial<Switches>;
  readonly seed?: unknown;
}

type Entry = { readonly [member: string]: unknown };

const SECTION = "B. Configuration entries (mesh catalog)";

/** Part B of the Secrets Service and Configuration-Entry API, in memory. */
export class MeshService implements StubService {
  readonly name = "mesh";
  readonly routes: readonly StubRoute[];
  #switches: Switches;
  readonly #initialSeed: Seed;
  #tokens = new Map<string, { management: boolean }>();
  #entries = new Map<string, Entry>();
  #index = 1;

  constructor({ switches = {}, seed = {} }: MeshOptions = {}) {
    this.#switches = Switches.parse(switches);
    this.#initialSeed = Seed.parse(seed);
    const route = (
      method: string,
      path: string,
      handle: (request: StubRequest) => StubResponse,
    ): StubRoute => ({
      method,
      path,
      section: SECTION,
      handle: (request) => (this.#isAllowed(request) ? handle(request) : DENIED),
    });
    this.routes = [
      route("PUT", "/v1/config", (request) => this.#put(request)),
      route("GET", "/v1/config/:kind/:name", (request) => this.#read(request)),
      route("GET", "/v1/config/:kind", (request) => this.#list(request)),
      route("DELETE", "/v1/config/:kind/:name", (request) => this.#remove(request)),
    ];
    this.reset();
  }

  configure(switches: Readonly<Record<string, unknown>>): void {
    this.#switches = Switches.parse({ ...this.#switches, ...switches });
  }

  seed(seed: unknown): void {
    const { tokens, entries } = Seed.parse(seed);
    for (const [token, rights] of Object.entries(tokens)) this.#tokens.set(token, rights);
    for (const entry of entries) this.#store(entry);
  }

  dump(): unknown {
    return { entries: Object.fromEntries(this.#entries) };
  }

  reset(): void {
    this.#entries = new Map();
    this.#index = 1;
    this.seed(this.#initialSeed);
  }

  notFound(): StubResponse {
    return { status: 404, body: "Not found" };
  }

  badRequest(message: string): StubResponse {
    return { status: 400, body: `Request decoding failed: ${message}` };
  }

  #isAllowed({ headers }: StubRequest): boolean {
    const token = headers[this.#switches.dialect === "real" ? "x-consul-token" : "x-mesh-token"];
    return typeof token === "string" && this.#tokens.get(token)?.management === true;
  }

  #put(request: StubRequest): StubResponse {
    const sent = request.json() as Entry;
    const key = keyOf(String(sent.Kind), String(sent.Name));
    const before = this.#entries.get(key);
    if (before !== undefined && content(before) === content(sent)) return { status: 200, body: "true\n" };
    const cas = request.query.get("cas");
    if (cas !== null && cas !== String(before?.ModifyIndex ?? 0)) return { status: 200, body: "false\n" };
    this.#store(sent);
    return { status: 200, body: "true\n" };
  }

  #store(sent: Entry): void {
    const key = keyOf(String(sent.Kind), String(sent.Name));
    const before = this.#entries.get(key);
    this.#index++;
    this.#entries.set(key, {
      ...own(sent),
      CreateIndex: before?.CreateIndex ?? this.#index,
      ModifyIndex: this.#index,
    });
  }

  #read({ params }: StubRequest): StubResponse {
    const entry = this.#entries.get(keyOf(params.kind ?? "", params.name ?? ""));
    if (entry !== undefined) return { status: 200, body: entry };
    return { status: 404, body: `Config entry not found for "${params.kind}" / "${params.name}"` };
  }

  #list({ params }: StubRequest): StubResponse {
    return { status: 200, body: [...this.#entries.values()].filter(({ Kind }) => Kind === params.kind) };
  }

  #remove({ params, query }: StubRequest): StubResponse {
    const key = keyOf(params.kind ?? "", params.name ?? "");
    const before = this.#entries.get(key);
    const cas = query.get("cas");
    if (cas === null) {
      this.#entries.delete(key);
      return { status: 200, body: {} };
    }
    if (before === undefined) return { status: 200, body: "true\n" };
    if (cas !== String(before.ModifyIndex)) return { status: 200, body: "false\n" };
    this.#entries.delete(key);
    return { status: 200, body: "true\n" };
  }
}

const DENIED: StubResponse = { status: 403, body: "Permission denied" };

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}

function own({ CreateIndex: _, ModifyIndex: __, ...members }: Entry): Entry {
  return members;
}

function content(entry: Entry): string {
  return JSON.stringify(Object.entries(own(entry)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
