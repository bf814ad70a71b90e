import { StubClock } from "../../stub/clock";
import { MeshService } from "../../stub/services/mesh/service";
import type { Switches } from "../../stub/services/mesh/settings";
import { type Answered, type Sent, send } from "./in-process";
import { CERTIFICATE, PRIVATE_KEY } from "./mesh-certificate";

/** The tokens of the scene, by what they may do. */
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

interface Asked extends Sent {
  readonly as?: string;
}

/** Two datacenters with a few namespaces, and a caller for each right. Its clock is the test's. */
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

  /** Sends as the manager, unless `as` names another; `as: ""` sends no token. */
  send(
    method: string,
    path: string,
    body?: unknown,
    { as = TOKENS.manager, headers, ...sent }: Asked = {},
  ): Promise<Answered> {
    return send(this.service, method, `/v1${path}`, {
      clock: this.clock,
      ...sent,
      headers: { ...(as !== "" && { "x-mesh-token": as }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  get(path: string, asked?: Asked): Promise<Answered> {
    return this.send("GET", path, undefined, asked);
  }

  put(entry: unknown, query = "", asked?: Asked): Promise<Answered> {
    return this.send("PUT", `/config${query}`, entry, asked);
  }

  remove(path: string, asked?: Asked): Promise<Answered> {
    return this.send("DELETE", path, undefined, asked);
  }

  /** Writes an entry that must be accepted, and reads it back. */
  async existing(
    entry: { readonly Kind: string; readonly Name?: string },
    query = "",
  ): Promise<Answered["body"]> {
    const { status, body } = await this.put(entry, query);
    if (status !== 200 || body !== "true\n") throw new Error(`PUT answered ${status}: ${body}`);
    return this.entry(entry.Kind, entry.Name ?? entry.Kind, query);
  }

  /** Reads an entry that must be there. */
  async entry(kind: string, name: string, query = ""): Promise<Answered["body"]> {
    const { status, body } = await this.get(`/config/${kind}/${name}${query}`);
    if (status !== 200) throw new Error(`GET answered ${status}: ${body}`);
    return body;
  }

  /** The index of the check-and-set of an entry that must be there. */
  async indexOf(kind: string, name: string): Promise<number> {
    return (await this.entry(kind, name)).ModifyIndex;
  }
}

/** The scene of the test that runs: each test has a new one. */
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

/** A service that speaks HTTP, as routing and splitting need it. */
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

/** The least entry of each kind that can be written, without what another entry must say first. */
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

/** The kinds that can be written, as the specification lists them. */
// The keys of a literal are its type's.
export const WRITABLE_KINDS = Object.keys(SAMPLES) as WritableKind[];

/** What must be there before a router or a splitter of `web` can be. */
export const HTTP_WEB = { entries: [{ entry: { Kind: "service-defaults", Name: "web", Protocol: "http" } }] };
