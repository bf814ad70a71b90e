import { compileFilter, FilterError } from "../../filter";
import type { StubRequest, StubResponse, StubRoute, StubService } from "../../service";
import { BadRequest } from "../../service";
import { decode } from "./decoding";
import { requireSound, requireWholeChains } from "./discovery-chain";
import { Datacenter, type Entry } from "./entries";
import { failed, invalid, notThere, Refusal } from "./errors";
import { KINDS } from "./kinds";
import { normalised } from "./normalising";
import { presented } from "./presenting";
import { mayRead, requireRead, requireWrite } from "./rights";
import { Seed, Switches, type Token } from "./settings";
import { waitOf } from "./waiting";

/** How the mesh service starts: its switches, and what it knows before the first request. */
export interface MeshOptions {
  readonly switches?: Partial<Switches>;
  readonly seed?: unknown;
  /** The jitter of blocking queries, in [0, 1). */
  readonly random?: () => number;
}

const SECTION = "B. Configuration entries (mesh catalog)";
const EVERYTHING: Token = {
  management: true,
  rules: { service: {}, intentions: {} },
  namespace: "default",
};

/** Where a request looks, and as whom. */
interface Place {
  readonly token: Token;
  readonly datacenter: string;
  readonly namespace: string;
}

/** Part B of the Secrets Service and Configuration-Entry API, in memory. */
export class MeshService implements StubService {
  readonly name = "mesh";
  readonly routes: readonly StubRoute[];
  #switches: Switches;
  readonly #initialSeed: Seed;
  readonly #random: () => number;
  #tokens = new Map<string, Token>();
  #namespaces = new Set<string>();
  #datacenters = new Map<string, Datacenter>();
  /** The entries before the latest write, for stale reads. */
  #before = new Map<string, Datacenter>();
  readonly #waiting = new Set<() => void>();
  readonly #recent = new Map<string, { second: number; count: number }>();

  constructor({ switches = {}, seed = {}, random = Math.random }: MeshOptions = {}) {
    this.#switches = Switches.parse(switches);
    this.#initialSeed = Seed.parse(seed);
    this.#random = random;
    this.routes = [
      this.#route("PUT", "/v1/config", (request, place) => this.#put(request, place)),
      this.#route("GET", "/v1/config/:kind/:name", (request, place) => this.#read(request, place)),
      this.#route("GET", "/v1/config/:kind", (request, place) => this.#list(request, place)),
      this.#route("DELETE", "/v1/config/:kind/:name", (request, place) => this.#remove(request, place)),
    ];
    this.reset();
  }

  configure(switches: Readonly<Record<string, unknown>>): void {
    this.#switches = Switches.parse({ ...this.#switches, ...switches });
  }

  /** Adds to what the service knows; see {@link Seed} for what can be given. */
  seed(seed: unknown): void {
    const { tokens, datacenters, namespaces, entries, touches } = Seed.parse(seed);
    for (const [secret, token] of Object.entries(tokens)) this.#tokens.set(secret, token);
    for (const name of ["default", ...namespaces]) this.#namespaces.add(name);
    for (const name of [this.#switches.datacenter, ...datacenters]) {
      if (!this.#datacenters.has(name)) this.#datacenters.set(name, new Datacenter());
    }
    for (const { datacenter, namespace, entry } of entries) {
      this.#at(datacenter ?? this.#switches.datacenter).store(namespace, this.#spelled(decode(entry)));
    }
    for (const { datacenter, namespace, kind, name } of touches) {
      this.#at(datacenter ?? this.#switches.datacenter).touch(namespace, kind, name);
    }
    this.#before = new Map([...this.#datacenters].map(([name, datacenter]) => [name, datacenter.copy()]));
    this.#wake();
  }

  /** Everything that the service knows but its tokens, as plain data. */
  dump(): unknown {
    return Object.fromEntries(
      [...this.#datacenters].map(([name, { index, entries }]) => [
        name,
        { index, entries: Object.fromEntries(entries) },
      ]),
    );
  }

  reset(): void {
    this.#datacenters = new Map();
    this.#namespaces = new Set();
    this.#recent.clear();
    this.seed(this.#initialSeed);
  }

  notFound(): StubResponse {
    return { status: 404, headers: { "content-type": "text/plain" }, body: "Invalid URL path" };
  }

  badRequest(message: string): StubResponse {
    return invalid(`Request decoding failed: ${message}`).response;
  }

  #route(
    method: string,
    path: string,
    handle: (request: StubRequest, place: Place) => StubResponse | Promise<StubResponse>,
  ): StubRoute {
    return {
      method,
      path,
      section: SECTION,
      handle: async (request) => {
        try {
          return await handle(request, this.#placeOf(request));
        } catch (error) {
          if (error instanceof Refusal) return error.response;
          if (error instanceof BadRequest) return this.badRequest(error.message);
          throw error;
        }
      },
    };
  }

  /** The caller's rights, and the datacenter and namespace by their order of precedence. */
  #placeOf(request: StubRequest): Place {
    const { query } = request;
    const secret = this.#header(request, "token");
    const token = this.#switches.acl ? this.#tokens.get(secret) : EVERYTHING;
    if (token === undefined && secret !== "") throw new Refusal(403, "ACL not found");
    this.#admit(secret, request.now);
    const datacenter = query.get("dc") || this.#switches.datacenter;
    if (!this.#datacenters.has(datacenter)) throw failed("No path to datacenter");
    const own = token ?? { ...EVERYTHING, management: false };
    const namespace = query.get("ns") || this.#header(request, "namespace") || own.namespace;
    if (!this.#namespaces.has(namespace)) throw invalid(`Namespace "${namespace}" does not exist`);
    return { token: own, datacenter, namespace };
  }

  #admit(secret: string, now: number): void {
    const { rateLimit } = this.#switches;
    if (rateLimit === null) return;
    const second = Math.floor(now / 1000);
    const recent = this.#recent.get(secret);
    const count = recent?.second === second ? recent.count + 1 : 1;
    this.#recent.set(secret, { second, count });
    if (count > rateLimit)
      throw new Refusal(
        429,
        "Your IP is issuing too many concurrent connections, please rate limit your calls",
      );
  }

  #put(request: StubRequest, { token, datacenter: name, namespace }: Place): StubResponse {
    const entry = this.#spelled(decode(request.json()));
    if ((KINDS[entry.Kind]?.write.length ?? 0) === 0) {
      throw invalid(`Config entry kind ${entry.Kind} is not writable`);
    }
    requireWrite(token, entry.Kind, entry.Name);
    requireSound(entry);
    const datacenter = this.#at(name);
    const before = datacenter.find(namespace, entry.Kind, entry.Name);
    // Writing exactly what is stored answers true whatever the cas, and leaves the index.
    if (before !== undefined && same(before.entry, entry)) return said(true);
    const cas = casOf(request);
    if (cas !== undefined && cas !== (before?.modifyIndex ?? 0)) return said(false);
    this.#change(name, (copy) => copy.store(namespace, entry), namespace);
    return said(true);
  }

  #remove(request: StubRequest, { token, datacenter: name, namespace }: Place): StubResponse {
    const { kind = "", name: entryName = "" } = request.params;
    requireKnown(kind);
    if ((KINDS[kind]?.write.length ?? 0) === 0) throw invalid(`Config entry kind ${kind} is not writable`);
    requireWrite(token, kind, entryName);
    const before = this.#at(name).find(namespace, kind, entryName);
    const cas = casOf(request);
    if (cas !== undefined) {
      if (before === undefined) return said(true);
      if (cas !== before.modifyIndex) return said(false);
    }
    this.#change(name, (copy) => copy.remove(namespace, kind, entryName), namespace);
    return cas === undefined ? { status: 200, body: {} } : said(true);
  }

  async #read(request: StubRequest, place: Place): Promise<StubResponse> {
    const { kind = "", name = "" } = request.params;
    requireKnown(kind);
    requireRead(place.token, kind, name);
    const find = () => this.#seen(request, place).find(place.namespace, kind, name);
    await this.#until(request, () => find()?.modifyIndex ?? this.#seen(request, place).deletedAt);
    const found = find();
    if (found === undefined) throw notThere(kind, name);
    return this.#answer(request, place, presented(found, this.#switches.adds), found.modifyIndex);
  }

  async #list(request: StubRequest, place: Place): Promise<StubResponse> {
    const { kind = "" } = request.params;
    requireKnown(kind);
    const filter = filterOf(request);
    const all = () => this.#seen(request, place).ofKind(place.namespace, kind);
    const index = () =>
      Math.max(1, this.#seen(request, place).deletedAt, ...all().map(({ modifyIndex }) => modifyIndex));
    await this.#until(request, index);
    const shown = all().filter(({ entry }) => mayRead(place.token, kind, entry.Name));
    const answered = shown.map((stored) => presented(stored, this.#switches.adds)).filter(filter);
    const isFiltered = shown.length < all().length;
    return this.#answer(request, place, answered, index(), isFiltered);
  }

  #answer(
    request: StubRequest,
    _place: Place,
    body: unknown,
    index: number,
    isFiltered = false,
  ): StubResponse {
    const { lastContactMilliseconds, knownLeader } = this.#switches;
    const prefix = this.#switches.dialect === "real" ? "X-Consul" : "X-Mesh";
    const mode = request.query.has("consistent")
      ? "consistent"
      : request.query.has("stale")
        ? "stale"
        : "default";
    return {
      status: 200,
      headers: {
        [`${prefix}-Index`]: String(index),
        [`${prefix}-LastContact`]: String(mode === "stale" ? lastContactMilliseconds : 0),
        [`${prefix}-KnownLeader`]: String(knownLeader),
        [`${prefix}-Effective-Consistency`]: mode,
        ...(isFiltered && { [`${prefix}-Results-Filtered-By-ACLs`]: "true" }),
      },
      body,
    };
  }

  /** Waits for an index past the one that was asked for, as long as the query says. */
  async #until(request: StubRequest, index: () => number): Promise<void> {
    const wait = waitOf(request, this.#random);
    if (wait === undefined) return;
    while (index() <= wait.index && request.clock.now() < wait.until && !request.signal.aborted) {
      const changed = Promise.withResolvers<void>();
      const stop = new AbortController();
      this.#waiting.add(changed.resolve);
      await Promise.race([
        changed.promise,
        request.clock.until(wait.until, AbortSignal.any([request.signal, stop.signal])),
      ]);
      stop.abort();
      this.#waiting.delete(changed.resolve);
    }
  }

  /** Makes one change on a copy, which counts only if every rule between entries still holds. */
  #change(name: string, run: (copy: Datacenter) => void, namespace: string): void {
    const datacenter = this.#at(name);
    const copy = datacenter.copy();
    run(copy);
    requireWholeChains(copy, namespace);
    this.#before.set(name, datacenter);
    this.#datacenters.set(name, copy);
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  #seen(request: StubRequest, { datacenter }: Place): Datacenter {
    return (request.stale ? this.#before.get(datacenter) : undefined) ?? this.#at(datacenter);
  }

  #at(name: string): Datacenter {
    const datacenter = this.#datacenters.get(name);
    if (datacenter === undefined) throw failed("No path to datacenter");
    return datacenter;
  }

  #spelled(entry: Entry): Entry {
    return this.#switches.normalises ? normalised(entry) : entry;
  }

  #header({ headers }: StubRequest, role: "token" | "namespace"): string {
    const value = headers[`${this.#switches.dialect === "real" ? "x-consul" : "x-mesh"}-${role}`];
    return typeof value === "string" ? value : "";
  }
}

function requireKnown(kind: string): void {
  if (KINDS[kind] === undefined) throw invalid(`invalid config entry kind: ${kind}`);
}

/** An absent `cas` means unconditional, whatever default the table gives. */
function casOf({ query }: StubRequest): number | undefined {
  const text = query.get("cas");
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw invalid("Failed to parse cas value: not a number");
  return Number(text);
}

function filterOf({ query }: StubRequest): (item: unknown) => boolean {
  const expression = query.get("filter") ?? "";
  if (expression === "") return () => true;
  try {
    return compileFilter(expression, new Set(["Meta"]));
  } catch (error) {
    if (error instanceof FilterError)
      throw invalid(`Failed to create boolean expression evaluator: ${error.message}`);
    throw error;
  }
}

function said(truth: boolean): StubResponse {
  return { status: 200, headers: { "content-type": "application/json" }, body: `${truth}\n` };
}

function same(a: Entry, b: Entry): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([x], [y]) => (x < y ? -1 : 1)))
      : part,
  );
}
