import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { isObject, type Json } from "../../../provider/core/value/json";
import configEntry from "../../../provider/services/mesh/configEntry";
import { typedKinds } from "../../../provider/services/mesh/kinds/all";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { rounds } from "../../rounds";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

type Members = { [member: string]: Json };

const scene = () => {
  const stub = new MeshService({
    seed: { tokens: { manager: { management: true } } },
    switches: { dialect: "real" },
  });
  return new Resource(new World(stub, configEntry, { token: "manager", dialect: "real" }), configEntry);
};

/** Entries in the names under which Consul stores them. The keys of the user's maps look like members. */
const entries: readonly (readonly [kind: string, name: string, spec: Members])[] = [
  [
    "service-defaults",
    "web",
    {
      Protocol: "http",
      ExternalSNI: "web.example.com",
      MaxInboundConnections: 5,
      LocalConnectTimeoutMs: 7,
      MutualTLSMode: "strict",
      Meta: { protocol: "x", external_sni: "y" },
      UpstreamConfig: {
        Defaults: { PassiveHealthCheck: { MaxFailures: 3, EnforcingConsecutive5xx: 50 } },
        Overrides: [{ Name: "db", ConnectTimeoutMs: 10, EnvoyListenerJSON: "{}" }],
      },
      EnvoyExtensions: [{ Name: "builtin/lua", Arguments: { proxy_type: "x", Name: "y" } }],
    },
  ],
  [
    "service-resolver",
    "web",
    {
      DefaultSubset: "only-passing",
      Subsets: { "only-passing": { OnlyPassing: true, Filter: "Service.Meta.v == 1" }, all: {} },
      LoadBalancer: { Policy: "ring_hash", RingHashConfig: { MinimumRingSize: 8 } },
    },
  ],
  [
    "proxy-defaults",
    "global",
    { Config: { protocol: "http", Mesh_Gateway: {} }, MeshGateway: { Mode: "local" } },
  ],
  [
    "service-intentions",
    "web",
    { Sources: [{ Name: "api", Action: "allow", Description: "why" }], Meta: { Sources: "none" } },
  ],
];

const snake = (name: string) =>
  name
    .replace(/([a-z])([0-9A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toLowerCase() + name.slice(1),
  snake,
];

/** Members whose value is a map with the user's keys. */
const OF_THE_USER = new Set(["Meta", "Arguments", "Config"]);
const BY_KEY = new Set(["Subsets"]);

function respelled(value: Json, spell: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((element) => respelled(element, spell));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (OF_THE_USER.has(name)) return [spell(name), member];
      if (BY_KEY.has(name) && isObject(member)) {
        const byKey = Object.entries(member).map(([key, entry]) => [key, respelled(entry, spell)] as const);
        return [spell(name), Object.fromEntries(byKey)];
      }
      return [spell(name), respelled(member, spell)];
    }),
  );
}

/** Intentions need a source. */
const optional = (spec: Members) => Object.keys(spec).filter((member) => member !== "Sources");

const choices = fc.infiniteStream(fc.constantFrom(...spellings));

describe.each(entries)("the members of a %s, in any spelling that Consul accepts", (kind, name, spec) => {
  const program = (own: Json): Values => ({ kind, name, spec: own });

  test("are equal to those under their own names", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.boolean(), async (choice, isText) => {
        const own = respelled(spec, (each) => choice.next().value(each));
        const written = program(isText ? JSON.stringify(own) : own);
        const entry = scene();
        expect(entry.check(written)).toEqual([]);
        await entry.create(written);
        expect(entry.preview(program(spec)).changes).toEqual([]);
        await entry.refresh();
        expect(entry.preview(written).changes).toEqual([]);
        expect(entry.inputs).toEqual(written);
        expect(configEntry.notes?.({ step: "create", inputs: written, changed: [] })).toEqual([]);
      }),
      { numRuns: rounds(60, 8) },
    );
  });

  test("are shown and removed if the program no longer writes them", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.constantFrom(...optional(spec)), async (choice, dropped) => {
        const { [dropped]: _, ...rest } = spec;
        // A default subset must be one of the subsets.
        if (dropped === "Subsets") delete rest.DefaultSubset;
        const spell = (each: string) => choice.next().value(each);
        const entry = scene();
        await entry.create(program(respelled(spec, spell)));
        const less = program(respelled(rest, spell));
        expect(entry.preview(less).changes.map(({ path }) => path[1])).toContain(dropped);
        await entry.up(less);
        await entry.refresh();
        expect(entry.preview(program(rest)).changes).toEqual([]);
        const again = new Resource(entry.world, configEntry);
        const imported = await again.get(`${kind}/${name}`);
        expect(Object.keys(imported.spec as Members)).not.toContain(dropped);
      }),
      { numRuns: rounds(60, 8) },
    );
  });
});

test.each([
  ["service-defaults", { Protcol: "http" }, "spec.Protcol"],
  ["service-resolver", { subsets: { v1: { fliter: "x" } } }, "spec.Subsets.v1.fliter"],
  ["service-router", { Routes: [{ match: { http: { path: "/" } } }] }, "spec.Routes[0].Match.HTTP.path"],
])("the preview of a %s reports the unknown member in %j", (kind, spec, path) => {
  const inputs = { kind, name: "web", spec };
  expect(configEntry.notes?.({ step: "create", inputs, changed: [] })).toEqual([
    `${path} is not a member of ${kind} that this package knows; Consul refuses unknown members`,
  ]);
});

test("every typed kind is in the list of kinds", () => {
  const tokens = Object.values(typedKinds).map(({ token }) => token);
  expect(new Set(tokens).size).toBe(Object.keys(typedKinds).length);
  expect(Object.keys(typedKinds)).toHaveLength(14);
});
