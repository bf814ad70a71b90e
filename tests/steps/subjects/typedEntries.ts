import fc from "fast-check";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import apiGateway from "../../../provider/services/mesh/kinds/apiGateway";
import exportedServices from "../../../provider/services/mesh/kinds/exportedServices";
import fileSystemCertificate from "../../../provider/services/mesh/kinds/fileSystemCertificate";
import httpRoute from "../../../provider/services/mesh/kinds/httpRoute";
import ingressGateway from "../../../provider/services/mesh/kinds/ingressGateway";
import inlineCertificate from "../../../provider/services/mesh/kinds/inlineCertificate";
import jwtProvider from "../../../provider/services/mesh/kinds/jwtProvider";
import mesh from "../../../provider/services/mesh/kinds/mesh";
import proxyDefaults from "../../../provider/services/mesh/kinds/proxyDefaults";
import serviceDefaults from "../../../provider/services/mesh/kinds/serviceDefaults";
import serviceIntentions from "../../../provider/services/mesh/kinds/serviceIntentions";
import serviceResolver from "../../../provider/services/mesh/kinds/serviceResolver";
import serviceRouter from "../../../provider/services/mesh/kinds/serviceRouter";
import serviceSplitter from "../../../provider/services/mesh/kinds/serviceSplitter";
import tcpRoute from "../../../provider/services/mesh/kinds/tcpRoute";
import terminatingGateway from "../../../provider/services/mesh/kinds/terminatingGateway";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { CERTIFICATE, PRIVATE_KEY } from "../../../testing/tests/stub/mesh-certificate";
import { switchesFor } from "../../dialect";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import { World } from "../world";

type Members = { [member: string]: Json };

/** A typed kind: its programs, and another user's edits with the service's names. */
interface Sample {
  readonly definition: Definition;
  readonly kind: string;
  readonly name: string;
  readonly specs: readonly Json[];
  /** Programs that need the enterprise edition. */
  readonly enterprise?: readonly Json[];
  readonly edits: readonly Members[];
  /** Entries that must exist first. */
  readonly first?: readonly Members[];
}

const headers = { "x-mesh-token": "manager", "content-type": "application/json" };
const HTTP: Members = { Kind: "service-defaults", Name: "web", Protocol: "http" };
const KEYS = Buffer.from('{"keys":[]}').toString("base64");
const parents = [{ name: "front", sectionName: "web" }];

const samples: readonly Sample[] = [
  {
    definition: serviceDefaults,
    kind: "service-defaults",
    name: "web",
    specs: [
      {},
      { protocol: "http", maxRequestHeadersKb: 96 },
      { protocol: "http", externalSNI: "web.example.com", meta: { team: "a", Protocol: "b" } },
      {
        protocol: "GRPC",
        upstreamConfig: {
          defaults: {
            connectTimeoutMs: 1000,
            passiveHealthCheck: { interval: "90s", baseEjectionTime: "2m0s", maxFailures: 3 },
          },
          overrides: [{ name: "db", limits: { maxConnections: 5 } }],
        },
      },
      {
        protocol: "tcp",
        transparentProxy: { dialedDirectly: true },
        mutualTLSMode: "strict",
        maxInboundConnections: 7,
      },
    ],
    enterprise: [
      {
        protocol: "http",
        rateLimits: {
          instanceLevel: { requestsPerSecond: 10, routes: [{ pathPrefix: "/a", requestsPerSecond: 1 }] },
        },
      },
    ],
    edits: [{ Protocol: "http2" }, { MaxInboundConnections: 3 }, { Meta: { touched: "yes" } }],
  },
  {
    definition: serviceIntentions,
    kind: "service-intentions",
    name: "web",
    first: [HTTP],
    specs: [
      { sources: [{ name: "a", action: "allow" }] },
      {
        sources: [
          { name: "b", action: "deny" },
          { name: "*", action: "deny" },
          { name: "a", action: "allow" },
        ],
      },
      {
        sources: [
          { name: "a", permissions: [{ action: "allow", http: { pathPrefix: "/", methods: ["get"] } }] },
          { name: "b", action: "deny", description: "not yet" },
        ],
      },
    ],
    edits: [{ Sources: [{ Name: "a", Action: "deny" }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: serviceResolver,
    kind: "service-resolver",
    name: "web",
    specs: [
      { connectTimeout: "15s" },
      {
        defaultSubset: "v1",
        subsets: { v1: { filter: "Service.Meta.version == 1", onlyPassing: true } },
        requestTimeout: "1m30s",
      },
      { failover: { "*": { datacenters: ["dc2"] } }, connectTimeout: "15000ms" },
      { loadBalancer: { policy: "ring_hash", hashPolicies: [{ field: "header", fieldValue: "x" }] } },
    ],
    edits: [{ ConnectTimeout: "20s" }, { Meta: { touched: "yes" } }],
  },
  {
    definition: serviceRouter,
    kind: "service-router",
    name: "web",
    first: [HTTP],
    specs: [
      {},
      {
        routes: [
          {
            match: {
              http: { pathPrefix: "/a", methods: ["get", "POST"], header: [{ name: "x", present: true }] },
            },
            destination: { service: "web", requestTimeout: "60s", numRetries: 2, retryOn: ["5xx"] },
          },
        ],
      },
    ],
    edits: [{ Routes: [{ Match: { HTTP: { PathExact: "/b" } } }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: serviceSplitter,
    kind: "service-splitter",
    name: "web",
    first: [HTTP, { ...HTTP, Name: "api" }],
    specs: [
      { splits: [{ weight: 100 }] },
      { splits: [{ weight: 33.333 }, { weight: 66.667, service: "api" }] },
      {
        splits: [
          { weight: 90, requestHeaders: { set: { "x-a": "b" } } },
          { weight: 10, service: "api" },
        ],
      },
    ],
    edits: [{ Splits: [{ Weight: 50 }, { Weight: 50, Service: "api" }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: ingressGateway,
    kind: "ingress-gateway",
    name: "edge",
    first: [HTTP],
    specs: [
      {},
      {
        listeners: [
          { port: 8080, protocol: "http", services: [{ name: "web", hosts: ["web.example.com"] }] },
        ],
      },
      {
        tls: { enabled: true, tlsMinVersion: "TLSv1_2" },
        listeners: [{ port: 9090, services: [{ name: "db" }] }],
      },
    ],
    edits: [{ TLS: { Enabled: true } }, { Meta: { touched: "yes" } }],
  },
  {
    definition: terminatingGateway,
    kind: "terminating-gateway",
    name: "exit",
    specs: [
      {},
      { services: [{ name: "legacy", caFile: "/ca.pem", sni: "legacy.example.com" }] },
      { services: [{ name: "*" }, { name: "legacy", caFile: "/a", certFile: "/b", keyFile: "/c" }] },
    ],
    edits: [{ Services: [{ Name: "other" }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: apiGateway,
    kind: "api-gateway",
    name: "front",
    specs: [
      { listeners: [{ name: "web", port: 8080, protocol: "http" }] },
      {
        listeners: [
          { name: "tcp", port: 9000, protocol: "tcp" },
          {
            name: "web",
            port: 8443,
            protocol: "http",
            hostname: "*.example.com",
            tls: { certificates: [{ name: "tls" }] },
          },
        ],
      },
    ],
    edits: [{ Listeners: [{ Name: "web", Port: 8081, Protocol: "http" }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: httpRoute,
    kind: "http-route",
    name: "route",
    specs: [
      { parents },
      {
        parents,
        hostnames: ["web.example.com"],
        rules: [
          {
            matches: [{ path: { match: "prefix", value: "/a" }, method: "GET" }],
            filters: { timeoutFilter: { requestTimeout: "60s" }, urlRewrite: { path: "/b" } },
            services: [{ name: "web", weight: 3 }],
          },
        ],
      },
      {
        parents,
        rules: [
          {
            matches: [
              {
                headers: [{ match: "exact", name: "x", value: "y" }],
                query: [{ match: "present", name: "q" }],
              },
            ],
            filters: { retryFilter: { numRetries: 2 }, headers: [{ add: { a: "b" } }] },
            responseFilters: { headers: [{ remove: ["c"] }] },
            services: [{ name: "web", filters: { timeoutFilter: { idleTimeout: "90s" } } }],
          },
          { filters: { retryFilter: { retryOn: ["5xx"] } }, services: [{ name: "web" }] },
        ],
      },
    ],
    edits: [{ Hostnames: ["other.example.com"] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: tcpRoute,
    kind: "tcp-route",
    name: "route",
    specs: [{ parents }, { parents: [{ kind: "api-gateway", name: "front" }], services: [{ name: "db" }] }],
    edits: [{ Services: [{ Name: "other" }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: inlineCertificate,
    kind: "inline-certificate",
    name: "tls",
    specs: [
      { certificate: CERTIFICATE, privateKey: PRIVATE_KEY },
      { certificate: CERTIFICATE, privateKey: PRIVATE_KEY, meta: { team: "a" } },
    ],
    edits: [{ Certificate: `${CERTIFICATE}\n` }, { Meta: { touched: "yes" } }],
  },
  {
    definition: exportedServices,
    kind: "exported-services",
    name: "default",
    specs: [
      {},
      { services: [{ name: "web", consumers: [{ peer: "east" }] }] },
      { services: [{ name: "*", consumers: [{ peer: "west" }] }] },
    ],
    enterprise: [
      { services: [{ name: "web", consumers: [{ peer: "east" }, { partition: "team" }] }] },
      { services: [{ name: "*", consumers: [{ samenessGroup: "all" }] }] },
    ],
    edits: [{ Services: [{ Name: "api", Consumers: [{ Peer: "west" }] }] }, { Meta: { touched: "yes" } }],
  },
  {
    definition: proxyDefaults,
    kind: "proxy-defaults",
    name: "global",
    specs: [
      {},
      {
        config: { protocol: "http", local_connect_timeout_ms: 100, Mode: "mine" },
        meshGateway: { mode: "local" },
      },
      {
        accessLogs: { enabled: true, type: "file", path: "/var/log/a", jsonFormat: "{}" },
        mode: "transparent",
      },
    ],
    edits: [{ Config: { protocol: "grpc" } }, { Meta: { touched: "yes" } }],
  },
  {
    definition: mesh,
    kind: "mesh",
    name: "mesh",
    specs: [
      {},
      { transparentProxy: { meshDestinationsOnly: true }, tls: { incoming: { tlsMinVersion: "TLSv1_2" } } },
      { http: { sanitizeXForwardedClientCert: true }, peering: { peerThroughMeshGateways: true } },
    ],
    edits: [
      { TransparentProxy: { MeshDestinationsOnly: true } },
      { ValidateClusters: true },
      { Meta: { touched: "yes" } },
    ],
  },
  {
    definition: jwtProvider,
    kind: "jwt-provider",
    name: "staff",
    specs: [
      { jsonWebKeySet: { local: { jwks: KEYS } } },
      {
        jsonWebKeySet: { local: { filename: "/keys.json" } },
        issuer: "https://login.example.com",
        audiences: ["web", "api"],
        clockSkewSeconds: 30,
        locations: [{ header: { name: "x-token", valuePrefix: "Bearer ", forward: true } }],
      },
      {
        jsonWebKeySet: {
          remote: {
            uri: "https://login.example.com/keys",
            requestTimeoutMs: 500,
            cacheDuration: "30m",
            fetchAsynchronously: true,
            retryPolicy: { numRetries: 2, retryPolicyBackOff: { baseInterval: "1s", maxInterval: "60s" } },
            jwksCluster: {
              discoveryType: "LOGICAL_DNS",
              connectTimeout: "5s",
              tlsCertificates: { trustedCA: { filename: "/ca.pem" } },
            },
          },
        },
        locations: [{ queryParam: { name: "token" } }, { cookie: { name: "token" } }],
        forwarding: { headerName: "x-payload" },
        cacheConfig: { size: 10 },
      },
    ],
    edits: [
      { JSONWebKeySet: { Local: { JWKS: KEYS } } },
      { ClockSkewSeconds: 7 },
      { Meta: { touched: "yes" } },
    ],
  },
  {
    definition: fileSystemCertificate,
    kind: "file-system-certificate",
    name: "tls",
    specs: [{}, { certificate: "/tls.crt", privateKey: "/tls.key" }, { meta: { team: "a" } }],
    edits: [{ Certificate: "/other.crt" }, { Meta: { touched: "yes" } }],
  },
];

function subjectOf({ definition, kind, name, specs, enterprise = [], edits, first = [] }: Sample): Subject {
  const path = `/v1/config/${kind}/${name}`;
  const isNamed = "name" in definition.fields;
  const put = async (world: World, body: Members) => {
    const answer = await world.send("PUT", "/v1/config", body, headers);
    expectAccepted(answer);
    // A request with an outdated index gets a success status with the body `false`.
    if (answer.text.trim() !== "true") throw new RejectedRequest(409, answer.text);
  };
  return {
    definition,
    isVariant: true,
    world: async () => {
      const service = new MeshService({
        seed: { tokens: { manager: { management: true } } },
        switches: { edition: "enterprise", ...switchesFor(definition) },
      });
      const world = new World(service, definition, { token: "manager" });
      for (const body of first) await put(world, body);
      return world;
    },
    programs: fc.record({
      ...(isNamed && { name: fc.constant(name) }),
      spec: fc.constantFrom(...specs, ...enterprise),
    }),
    edits: fc.constantFrom(...edits.map((value): Edit => ({ property: "spec", value }))),
    async edit(world, _resource, { value }) {
      const found = await world.send("GET", path, undefined, headers);
      expectAccepted(found);
      const { json } = found;
      // The stub answers an entry, and an edit is members of one.
      const { CreateIndex: _, ModifyIndex: __, Hash: ___, Status: ____, ...own } = json as Members;
      await put(world, { ...own, ...(value as Members) });
    },
    async takeAway(world) {
      const answer = await world.send("DELETE", path, undefined, headers);
      expectAccepted(answer);
    },
    createTakes: () => ["GET", "PUT", "GET"],
  };
}

/** One subject for every typed kind of configuration entry. */
export const typedEntrySubjects: readonly Subject[] = samples.map(subjectOf);

/** The same subjects, without programs that need the enterprise edition. */
export const communityEntrySubjects: readonly Subject[] = samples.map((sample) =>
  subjectOf({ ...sample, enterprise: [] }),
);
