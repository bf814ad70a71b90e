import fc from "fast-check";
import { catalog } from "../../provider/catalog";
import { modelOfBody, modelOfInputs } from "../../provider/core/diff/models";
import { type Field, fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import type { Secrecy } from "../../provider/core/state/conflictTable";
import { comparisonTable, conflictTable, driftTable } from "../../provider/core/state/conflictTable";
import type { Json } from "../../provider/core/value/json";
import type { Spelling } from "../../provider/core/value/spelling";
import configEntry from "../../provider/services/mesh/configEntry";
import { expectNoChanges } from "./expectations";
import { JobScene, typedWeb, web } from "./scheduler/job-scene";

/** One duration in several spellings, among them the nanoseconds that are sent on the wire. */
const spelled = fc.integer({ min: 1, max: 100_000 }).map((seconds) => {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return {
    nanoseconds: seconds * 1e9,
    spellings: [`${seconds}s`, `${minutes}m${rest}s`, seconds * 1e9] as const,
  };
});

/** Nests a value under a path of member names. */
function at(path: string, value: Json): { [member: string]: Json } {
  return path.split(".").reduceRight<Json>((inside, name) => ({ [name]: inside }), value) as {
    [member: string]: Json;
  };
}

function jobScene(): JobScene {
  return new JobScene({ dialect: "real" }, { switches: { dialect: "real", acl: false, injects: [] } });
}

const jsonWith = (connect: Json) => ({
  json: {
    ...web,
    TaskGroups: [{ ...web.TaskGroups[0], Services: [{ Name: "api", PortLabel: "80", Connect: connect }] }],
  },
});
const specWith = (connect: Json) => ({
  spec: {
    ...typedWeb,
    taskGroups: [{ ...typedWeb.taskGroups[0], services: [{ name: "api", portLabel: "80", connect }] }],
  },
});

describe("durations of a Connect gateway's proxy", () => {
  test.each([
    ["json", (value: Json) => jsonWith(at("Gateway.Proxy.ConnectTimeout", value))],
    ["spec", (value: Json) => specWith(at("gateway.proxy.connectTimeout", value))],
  ])(
    "are sent in nanoseconds, and a different spelling shows no changes: %s",
    async (_, written: (value: Json) => Values) => {
      await fc.assert(
        fc.asyncProperty(spelled, async ({ nanoseconds, spellings }) => {
          const scene = jobScene();
          await scene.resource.create(written(spellings[0]));
          expect(scene.registers[0]).toMatchObject({
            Job: {
              TaskGroups: [{ Services: [{ Connect: at("Gateway.Proxy.ConnectTimeout", nanoseconds) }] }],
            },
          });
          for (const value of spellings) expect(scene.resource.preview(written(value)).changes).toEqual([]);
          expect(await scene.resource.refresh()).toBe(true);
          for (const value of spellings) expect(scene.resource.preview(written(value)).changes).toEqual([]);
          expect(scene.resource.preview(written(nanoseconds + 1e9)).changes).toHaveLength(1);
        }),
        { numRuns: 15 },
      );
    },
  );

  test("ConnectTimeout defaults to 5 seconds", async () => {
    const scene = jobScene();
    await scene.resource.create(jsonWith(at("Gateway.Proxy.EnvoyGatewayNoDefaultBind", true)));
    const both = { EnvoyGatewayNoDefaultBind: true, ConnectTimeout: "5s" };
    expect(scene.resource.preview(jsonWith({ Gateway: { Proxy: both } })).changes).toEqual([]);
  });
});

/** Free-form maps: none of their keys is a duration, whatever its name. */
const FREE_FORM_MAPS = [
  ["Gateway.Proxy.Config", "gateway.proxy.config"],
  ["SidecarService.Proxy.Config", "sidecarService.proxy.config"],
] as const;

test.each(FREE_FORM_MAPS)(
  "ConnectTimeout in the free-form map %s is sent as written and not treated as a duration",
  async (wire, typed) => {
    for (const written of [
      (value: Json) => jsonWith(at(`${wire}.ConnectTimeout`, value)),
      (value: Json) => specWith(at(`${typed}.ConnectTimeout`, value)),
    ]) {
      const scene = jobScene();
      await scene.resource.create(written("1m30s"));
      expect(scene.registers[0]).toMatchObject({
        Job: { TaskGroups: [{ Services: [{ Connect: at(`${wire}.ConnectTimeout`, "1m30s") }] }] },
      });
      expect(scene.resource.preview(written("1m30s")).changes).toEqual([]);
      expect(scene.resource.preview(written("90s")).changes).toHaveLength(1);
      expect(scene.resource.preview(written(90e9)).changes).toHaveLength(1);
    }
  },
);

test("a typed job's multiregion, schedule and connect blocks are sent under Nomad's names", async () => {
  const scene = jobScene();
  const [front] = typedWeb.taskGroups;
  const spec = {
    ...typedWeb,
    multiregion: {
      strategy: { maxParallel: 1, onFailure: "fail_all" },
      regions: [{ name: "west", count: 2, datacenters: ["w1"], nodePool: "all", meta: { nodePool: "kept" } }],
    },
    taskGroups: [
      {
        ...front,
        tasks: [
          {
            name: "server",
            driver: "docker",
            schedule: { cron: { start: "0 8 * * *", end: "0 18", timezone: "UTC" } },
          },
        ],
        services: [
          {
            name: "api",
            portLabel: "80",
            connect: {
              sidecarService: {
                proxy: {
                  localServicePort: 80,
                  upstreams: [
                    {
                      destinationName: "db",
                      localBindPort: 81,
                      meshGateway: { mode: "local" },
                      config: { localBindPort: 1 },
                    },
                  ],
                  expose: { paths: [{ path: "/health", localPathPort: 80, listenerPort: "health" }] },
                  transparentProxy: { uid: "101", noDns: true, excludeOutboundCidrs: ["10.0.0.0/8"] },
                },
              },
              gateway: {
                proxy: { envoyGatewayBindAddresses: { all: { address: "0.0.0.0", port: 1 } } },
                ingress: {
                  tls: { enabled: true, tlsMinVersion: "TLSv1_2", sds: { clusterName: "c" } },
                  listeners: [
                    {
                      port: 8080,
                      protocol: "http",
                      services: [{ name: "web", hosts: ["a"], maxConnections: 0 }],
                    },
                  ],
                },
                terminating: { services: [{ name: "old", caFile: "/ca", sni: "old" }] },
                mesh: {},
              },
            },
          },
        ],
      },
    ],
  };
  expect(scene.resource.check({ spec })).toEqual([]);
  await scene.resource.create({ spec });
  expect(scene.registers[0]).toMatchObject({
    Job: {
      Multiregion: {
        Strategy: { MaxParallel: 1, OnFailure: "fail_all" },
        Regions: [
          { Name: "west", Count: 2, Datacenters: ["w1"], NodePool: "all", Meta: { nodePool: "kept" } },
        ],
      },
      TaskGroups: [
        {
          Tasks: [{ Schedule: { Cron: { Start: "0 8 * * *", End: "0 18", Timezone: "UTC" } } }],
          Services: [
            {
              Connect: {
                SidecarService: {
                  Proxy: {
                    LocalServicePort: 80,
                    Upstreams: [
                      {
                        DestinationName: "db",
                        LocalBindPort: 81,
                        MeshGateway: { Mode: "local" },
                        Config: { localBindPort: 1 },
                      },
                    ],
                    Expose: { Paths: [{ Path: "/health", LocalPathPort: 80, ListenerPort: "health" }] },
                    TransparentProxy: { UID: "101", NoDNS: true, ExcludeOutboundCIDRs: ["10.0.0.0/8"] },
                  },
                },
                Gateway: {
                  Proxy: { EnvoyGatewayBindAddresses: { all: { Address: "0.0.0.0", Port: 1 } } },
                  Ingress: {
                    TLS: { Enabled: true, TLSMinVersion: "TLSv1_2", SDS: { ClusterName: "c" } },
                    Listeners: [
                      {
                        Port: 8080,
                        Protocol: "http",
                        Services: [{ Name: "web", Hosts: ["a"], MaxConnections: 0 }],
                      },
                    ],
                  },
                  Terminating: { Services: [{ Name: "old", CAFile: "/ca", SNI: "old" }] },
                  Mesh: {},
                },
              },
            },
          ],
        },
      ],
    },
  });
  await expectNoChanges(scene.resource, { spec });
});

test("an empty MeshGateway of an upstream shows no changes, because Nomad always returns one", async () => {
  const scene = jobScene();
  const upstream = { DestinationName: "db", LocalBindPort: 81 };
  const written = (more: Json) =>
    jsonWith(at("SidecarService.Proxy.Upstreams", [Object.assign({}, upstream, more)]));
  await scene.resource.create(written({}));
  for (const MeshGateway of [null, {}, { Mode: "" }])
    expect(scene.resource.preview(written({ MeshGateway })).changes).toEqual([]);
  expect(scene.resource.preview(written({ MeshGateway: { Mode: "local" } })).changes).toHaveLength(1);
});

test("a gateway with an empty Mesh block shows no changes, but removing the block does", async () => {
  const scene = jobScene();
  await scene.resource.create(jsonWith({ Gateway: { Mesh: {} } }));
  expect(scene.resource.preview(jsonWith({ Gateway: { Mesh: {} } })).changes).toEqual([]);
  expect(scene.resource.preview(jsonWith({ Gateway: {} })).changes).toHaveLength(1);
});

test("the check of a typed job suggests the typed name for a block under Nomad's name", () => {
  const { resource } = jobScene();
  const problems = resource.check(specWith({ gateway: { Proxy: { ConnectTimeout: "5s" } } }));
  expect(problems.map(({ reason }) => reason)).toEqual([expect.stringContaining("did you mean proxy?")]);
});

describe("durations of a jwt-provider", () => {
  const PATHS = [
    "JSONWebKeySet.Remote.CacheDuration",
    "JSONWebKeySet.Remote.JWKSCluster.ConnectTimeout",
    "JSONWebKeySet.Remote.RetryPolicy.RetryPolicyBackOff.BaseInterval",
    "JSONWebKeySet.Remote.RetryPolicy.RetryPolicyBackOff.MaxInterval",
  ];

  test.each(PATHS)("all spellings of %s, and the nanoseconds that Consul returns, are equal", (path) => {
    fc.assert(
      fc.property(spelled, ({ nanoseconds, spellings }) => {
        const written = (value: Json) =>
          modelOfInputs(configEntry, { kind: "jwt-provider", name: "okta", spec: at(path, value) }).spec;
        const answer = { Kind: "jwt-provider", Name: "okta", ...at(path, nanoseconds) };
        expect(modelOfBody(configEntry, answer).spec).toEqual(written(spellings[0]));
        for (const value of spellings) expect(written(value)).toEqual(written(spellings[0]));
        expect(written(nanoseconds + 1e9)).not.toEqual(written(spellings[0]));
      }),
    );
  });
});

const open: Secrecy = {
  isSecret: () => false,
  isSecretKey: () => false,
  isCopy: () => false,
  shownPath: (path) => path,
  mask: (text) => text,
};

const isDuration = ({ doc }: Spelling) => doc.startsWith("Compared as a duration");

/** Every duration of every definition: the property, and the path inside its document. */
const durations = Object.entries(catalog).flatMap(([token, load]) =>
  fieldsOf(load()).flatMap((field): [string, Field, string[], Spelling][] => {
    const { spelling, document } = field.facts;
    const own =
      spelling && isDuration(spelling)
        ? [[`${token}.${field.name}`, field, [], spelling] as [string, Field, string[], Spelling]]
        : [];
    const inside = Object.entries(document?.spellings ?? {}).filter(([, each]) => isDuration(each));
    return [
      ...own,
      ...inside.map(([pattern, each]): [string, Field, string[], Spelling] => [
        `${token}.${field.name}.${pattern}`,
        field,
        pattern.split(".").map((segment) => (segment === "*" ? "0" : segment)),
        each,
      ]),
    ];
  }),
);

test("more than 20 properties and more than 40 document members are durations", () => {
  expect(durations.filter(([, , inside]) => inside.length === 0).length).toBeGreaterThan(20);
  expect(durations.filter(([, , inside]) => inside.length > 0).length).toBeGreaterThan(40);
});

test.each(durations)("%s is printed with its units in every table", (_, field, inside, spelling) => {
  const [eightHours, ninetyMinutes] = ["8h", "1h30m"].map((text) => spelling.canonical(text));
  if (eightHours === undefined || ninetyMinutes === undefined)
    throw new Error("a duration has no canonical value");
  const path = [field.name, ...inside];
  const difference = { path, field, base: eightHours, ours: eightHours, theirs: ninetyMinutes };
  for (const table of [driftTable, conflictTable, comparisonTable])
    expect(table([difference], open).at(-1)).toMatch(/"8h" .*"1h30m"$/);
});

test("a duration inside an added object is printed with its units", () => {
  const job = fieldsOf(catalog["scheduler:Job"]?.() ?? fail()).find(({ name }) => name === "json");
  if (job === undefined) throw new Error("a job has no json");
  const group = { RestartPolicy: { Delay: 28_800_000_000_000 } };
  const difference = {
    path: ["json", "TaskGroups", "g"],
    field: job,
    base: undefined,
    ours: undefined,
    theirs: group,
  };
  expect(driftTable([difference], open).join("\n")).toContain('"8h"');
});

function fail(): never {
  throw new Error("there is no such definition");
}
