import { StubClock } from "../../stub/clock";
import { MeshService } from "../../stub/services/mesh/service";
import type { Switches } from "../../stub/services/mesh/settings";
import { type Answered, type Sent, send } from "./in-process";
import { CERTIFICATE, PRIVATE_KEY } from "./mesh-certificate";

/** The tokens of the scene, by their permissions. */
export const TOKENS = {
  manager: "token-manager",
  serviceWriter: "token-service-writer",
  serviceReader: "token-service-reader",
  intentionsWriter: "token-intentions-writer",
  intentionsReader: "token-intentions-reader",
  meshWriter: "token-mesh-writer",
  meshReader: "token-mesh-reader",
  operatorWriter: "token-operator-writer",
  operatorReader: "token-operator-reader",
  stranger: "token-stranger",
  teamMember: "token-team-member",
} as const;

export type TokenName = keyof typeof TOKENS;

const SEED = {
  tokens: {
    [TOKENS.manager]: { management: true },
    [TOKENS.serviceWriter]: { rules: { servicePrefix: { "": "write" } } },
    [TOKENS.serviceReader]: { rules: { servicePrefix: { "": "read" } } },
    [TOKENS.intentionsWriter]: { rules: { intentionsPrefix: { "": "write" } } },
    [TOKENS.intentionsReader]: { rules: { intentionsPrefix: { "": "read" } } },
    [TOKENS.meshWriter]: { rules: { mesh: "write" } },
    [TOKENS.meshReader]: { rules: { mesh: "read" } },
    [TOKENS.operatorWriter]: { rules: { operator: "write" } },
    [TOKENS.operatorReader]: { rules: { operator: "read" } },
    [TOKENS.stranger]: { accessor: "accessor-stranger" },
    [TOKENS.teamMember]: { management: true, namespace: "team" },
  },
  datacenters: ["dc2"],
  namespaces: ["team", "other"],
};

interface RequestOptions extends Sent {
  readonly as?: string;
}

/** Two datacenters with a few namespaces and a token for each permission. The test controls its clock. */
export class Scene {
  readonly service: MeshService;
  readonly clock = new StubClock(() => START);

  constructor(switches: Partial<Switches> = {}, seed: object = {}) {
    this.service = new MeshService({
      switches: { dialect: "neutral", ...switches },
      seed: { ...SEED, ...seed },
      random: () => 0.5,
    });
  }

  /** Sends a request as the manager, or as the token `as`; an empty `as` sends no token. */
  send(
    method: string,
    path: string,
    body?: unknown,
    { as = TOKENS.manager, headers, ...sent }: RequestOptions = {},
  ): Promise<Answered> {
    return send(this.service, method, `/v1${path}`, {
      clock: this.clock,
      ...sent,
      headers: { ...(as !== "" && { "x-mesh-token": as }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  get(path: string, options?: RequestOptions): Promise<Answered> {
    return this.send("GET", path, undefined, options);
  }

  put(entry: unknown, query = "", options?: RequestOptions): Promise<Answered> {
    return this.send("PUT", `/config${query}`, entry, options);
  }

  remove(path: string, options?: RequestOptions): Promise<Answered> {
    return this.send("DELETE", path, undefined, options);
  }

  /** Writes an entry and returns it as read; throws if the stub rejects it. */
  async existing(
    entry: { readonly Kind: string; readonly Name?: string },
    query = "",
  ): Promise<Answered["body"]> {
    const { status, body } = await this.put(entry, query);
    if (status !== 200 || body !== "true\n") throw new Error(`PUT returned ${status}: ${body}`);
    return this.entry(entry.Kind, entry.Name ?? entry.Kind, query);
  }

  /** Reads an entry; throws if it does not exist. */
  async entry(kind: string, name: string, query = ""): Promise<Answered["body"]> {
    const { status, body } = await this.get(`/config/${kind}/${name}${query}`);
    if (status !== 200) throw new Error(`GET returned ${status}: ${body}`);
    return body;
  }

  /** The ModifyIndex of an entry, for `cas`; throws if the entry does not exist. */
  async indexOf(kind: string, name: string): Promise<number> {
    return (await this.entry(kind, name)).ModifyIndex;
  }
}

/** The scene of the current test; each test gets a new scene. */
export let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});

export const START = Date.UTC(2030, 0, 1);
export const SECOND = 1_000;
export const MINUTE = 60_000;

export function defaults(name: string, fields: object = {}) {
  return { Kind: "service-defaults", Name: name, ...fields };
}

/** A service with the protocol http, which routers and splitters need. */
export function httpService(name: string) {
  return defaults(name, { Protocol: "http" });
}

export function splitter(name: string, fields: object = {}) {
  return { Kind: "service-splitter", Name: name, Splits: [{ Weight: 100 }], ...fields };
}

export function intentions(name: string, ...sources: object[]) {
  return { Kind: "service-intentions", Name: name, Sources: sources };
}

export const TRUE = "true\n";
export const FALSE = "false\n";

/** A minimal entry of each writable kind. `HTTP_WEB` adds the entry that some of them need. */
export const SAMPLES = {
  "api-gateway": {
    Kind: "api-gateway",
    Name: "front",
    Listeners: [{ Name: "web", Port: 8080, Protocol: "http" }],
  },
  "exported-services": {
    Kind: "exported-services",
    Name: "default",
    Services: [{ Name: "web", Consumers: [{ Peer: "other-cluster" }] }],
  },
  "http-route": {
    Kind: "http-route",
    Name: "orders",
    Parents: [{ Name: "front" }],
    Rules: [{ Services: [{ Name: "orders" }] }],
  },
  "ingress-gateway": {
    Kind: "ingress-gateway",
    Name: "ingress",
    Listeners: [{ Port: 8080, Services: [{ Name: "shop" }] }],
  },
  "inline-certificate": {
    Kind: "inline-certificate",
    Name: "web",
    Certificate: CERTIFICATE,
    PrivateKey: PRIVATE_KEY,
  },
  "file-system-certificate": {
    Kind: "file-system-certificate",
    Name: "web",
    Certificate: "/web.crt",
    PrivateKey: "/web.key",
  },
  "jwt-provider": {
    Kind: "jwt-provider",
    Name: "staff",
    JSONWebKeySet: { Remote: { URI: "https://login.example.com/keys", CacheDuration: "30m" } },
    Forwarding: { HeaderName: "x-payload" },
  },
  mesh: { Kind: "mesh", Name: "mesh", TransparentProxy: { MeshDestinationsOnly: true } },
  "proxy-defaults": { Kind: "proxy-defaults", Name: "global", Config: { protocol: "http" } },
  "service-defaults": { Kind: "service-defaults", Name: "web", Protocol: "http" },
  "service-intentions": {
    Kind: "service-intentions",
    Name: "web",
    Sources: [{ Name: "shop", Action: "allow" }],
  },
  "service-resolver": { Kind: "service-resolver", Name: "web", ConnectTimeout: "15s" },
  "service-router": { Kind: "service-router", Name: "web", Routes: [] },
  "service-splitter": { Kind: "service-splitter", Name: "web", Splits: [{ Weight: 100 }] },
  "tcp-route": { Kind: "tcp-route", Name: "db", Parents: [{ Name: "front" }], Services: [{ Name: "db" }] },
  "terminating-gateway": { Kind: "terminating-gateway", Name: "outside", Services: [{ Name: "billing" }] },
} as const;

export type WritableKind = keyof typeof SAMPLES;

/** The writable kinds, in the order of the specification. */
// `Object.keys` returns `string[]`; a literal has no other keys than its type.
export const WRITABLE_KINDS = Object.keys(SAMPLES) as WritableKind[];

/** A seed with the http service that a router or a splitter of `web` needs. */
export const HTTP_WEB = { entries: [{ entry: { Kind: "service-defaults", Name: "web", Protocol: "http" } }] };
