import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import { isObject, type Json } from "../../provider/core/value/json";
import { formatPath } from "../../provider/core/value/path";
import configEntry from "../../provider/services/mesh/configEntry";
import proxyDefaults from "../../provider/services/mesh/kinds/proxyDefaults";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import serviceResolver from "../../provider/services/mesh/kinds/serviceResolver";
import job from "../../provider/services/scheduler/job";
import cloudRole from "../../provider/services/secrets/cloudRole";
import queueRole from "../../provider/services/secrets/queueRole";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { rounds } from "../rounds";
import { expectAccepted } from "./rejectedRequest";
import { Resource } from "./resource";
import { World } from "./world";

type Members = { [member: string]: Json };

/** A map with the user's keys in one definition, and how it is written by a program and by someone else. */
interface Place {
  readonly definition: Definition;
  readonly world: () => World;
  /** A program with this map, and with one of two values of another property. */
  readonly program: (map: Members, other: boolean) => Values;
  /** The map in a program. */
  readonly mapIn: (inputs: Values) => Json | undefined;
  /** What someone else reads of the map, and writes. */
  readonly read: (world: World) => Promise<Members>;
  readonly write: (world: World, map: Members) => Promise<void>;
  /** An entry that is not empty. */
  readonly entry: Json;
  /** The ways to write an empty entry. */
  readonly empty: readonly Json[];
  readonly keys: readonly string[];
  /** The ID by which the object is imported. */
  readonly id: string;
}

const real = { dialect: "real" } as const;
const mesh = { token: "manager", "x-consul-token": "manager", "content-type": "application/json" };
const nomad = { "x-nomad-token": "manager", "content-type": "application/json" };
const vault = { "x-vault-token": "root", "content-type": "application/json" };
const engines = { tokens: { root: {} } };
const seed = { tokens: { manager: { management: true } } };

async function get(world: World, path: string, headers: Record<string, string>): Promise<Members> {
  const answer = await world.send("GET", path, undefined, headers);
  expectAccepted(answer);
  // Each of these paths answers an object.
  return answer.json as Members;
}

async function send(world: World, method: string, path: string, body: Json, headers: Record<string, string>) {
  expectAccepted(await world.send(method, path, body, headers));
}

/** The value at a path of an object. */
function at(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>(
    // Lists are indexed by number, and objects by name.
    (found, segment) => (found as Members | undefined | null)?.[segment as string],
    value,
  );
}

function withAt(value: Json | undefined, [segment, ...rest]: readonly (string | number)[], part: Json): Json {
  if (segment === undefined) return part;
  if (typeof segment === "number") {
    const list = Array.isArray(value) ? value : [];
    return list.map((each, index) => (index === segment ? withAt(each, rest, part) : each));
  }
  const own: Members = isObject(value) ? value : {};
  return { ...own, [segment]: withAt(own[segment], rest, part) };
}

/** A map in a configuration entry. */
function inEntry(
  definition: Definition,
  entry: { kind: string; name: string; base: Members; typed: Members },
  path: readonly (string | number)[],
  more: Pick<Place, "entry" | "empty" | "keys">,
): Place {
  const { kind, name, base, typed } = entry;
  const isTyped = definition !== configEntry;
  const camel = (segment: string | number) =>
    typeof segment === "string" && isTyped ? segment.charAt(0).toLowerCase() + segment.slice(1) : segment;
  const inSpec = path.map(camel);
  return {
    ...more,
    definition,
    id: `${kind}/${name}`,
    world: () =>
      new World(new MeshService({ seed, switches: real }), definition, { token: "manager", ...real }),
    program: (map, other) => {
      const meta = { note: other ? "one" : "another" };
      const spec = withAt({ ...(isTyped ? typed : base), [isTyped ? "meta" : "Meta"]: meta }, inSpec, map);
      const isNamed = "name" in definition.fields;
      return { ...(!isTyped && { kind }), ...(isNamed && { name }), spec };
    },
    mapIn: ({ spec }) => at(spec, inSpec),
    read: async (world) => (at(await get(world, `/v1/config/${kind}/${name}`, mesh), path) ?? {}) as Members,
    async write(world, map) {
      const {
        CreateIndex: _,
        ModifyIndex: __,
        Hash: ___,
        ...own
      } = await get(world, `/v1/config/${kind}/${name}`, mesh);
      await send(world, "PUT", "/v1/config", withAt(own, path, map), mesh);
    },
  };
}

const resolver = { kind: "service-resolver", name: "web", base: {}, typed: {} };
const subsets = {
  entry: { filter: "Service.Meta.v == 1" },
  empty: [{}],
  keys: ["all", "v1", "v2"],
};
const proxies = { kind: "proxy-defaults", name: "global", base: {}, typed: {} };
const extended = {
  kind: "service-defaults",
  name: "web",
  base: { EnvoyExtensions: [{ Name: "builtin/lua", Arguments: {} }] },
  typed: { envoyExtensions: [{ name: "builtin/lua", arguments: {} }] },
};
const free = {
  entry: { inner: { deep: {} }, list: [{}, 1] },
  empty: [{}, [], ""],
  keys: ["x", "a.b", "constructor", "protocol_settings"],
};

/** A map in a job. */
function inJob(
  form: "json" | "spec",
  path: readonly (string | number)[],
  written: readonly (string | number)[],
  more: Pick<Place, "entry" | "empty" | "keys">,
): Place {
  const check = form === "json" ? { Name: "up", Type: "http", Path: "/", Interval: 10e9, Timeout: 2e9 } : {};
  const base =
    form === "json"
      ? {
          ID: "web",
          TaskGroups: [
            {
              Name: "web",
              Tasks: [{ Name: "server", Driver: "docker", Config: { image: "web:1" } }],
              Services: [
                {
                  Name: "web",
                  PortLabel: "80",
                  Provider: "consul",
                  Checks: [check],
                  Connect: { SidecarService: {} },
                },
              ],
            },
          ],
        }
      : {
          id: "web",
          taskGroups: [
            {
              name: "web",
              tasks: [{ name: "server", driver: "docker", config: { image: "web:1" } }],
              services: [
                {
                  name: "web",
                  portLabel: "80",
                  provider: "consul",
                  checks: [{ name: "up", type: "http", path: "/", interval: 10e9, timeout: 2e9 }],
                  connect: { sidecarService: {} },
                },
              ],
            },
          ],
        };
  return {
    ...more,
    definition: job,
    id: "default/web",
    world: () =>
      new World(new SchedulerService({ seed, switches: real, random: () => 0.5 }), job, {
        token: "manager",
        ...real,
      }),
    program: (map, other) => ({
      purge: true,
      [form]: withAt({ ...base, [form === "json" ? "Priority" : "priority"]: other ? 50 : 60 }, written, map),
    }),
    mapIn: (inputs) => at(inputs.json ?? inputs.spec, inputs.json === undefined ? written : path),
    read: async (world) => (at(await get(world, "/v1/job/web", nomad), path) ?? {}) as Members,
    async write(world, map) {
      const Job = withAt(await get(world, "/v1/job/web", nomad), path, map);
      await send(world, "POST", "/v1/jobs", { Job }, nomad);
    },
  };
}

/** A map in a role of RabbitMQ, as an object or as JSON text. */
function inQueueRole(
  property: "vhosts" | "vhostTopics",
  isText: boolean,
  more: Pick<Place, "entry" | "empty" | "keys">,
  inner: readonly string[] = [],
): Place {
  const wire = property === "vhosts" ? "vhosts" : "vhost_topics";
  const path = "/v1/rabbitmq/roles/app";
  const parsed = (value: Json | undefined): Json | undefined =>
    typeof value === "string" ? JSON.parse(value === "" ? "{}" : value) : value;
  return {
    ...more,
    definition: queueRole,
    id: "rabbitmq/app",
    world: () =>
      new World(new SecretsService({ seed: engines, switches: real }), queueRole, {
        token: "root",
        ...real,
      }),
    program(map, other) {
      const value = withAt({}, inner, map);
      return {
        name: "app",
        tags: other ? "management" : "monitoring",
        [property]: isText ? JSON.stringify(value, null, 2) : value,
      };
    },
    mapIn: (inputs) => at(parsed(inputs[property]), inner),
    async read(world) {
      const { data } = await get(world, path, vault);
      return (at(data, [wire, ...inner]) ?? {}) as Members;
    },
    async write(world, map) {
      // The path answers an object under `data`.
      const { data } = (await get(world, path, vault)) as { data: Members };
      const now = withAt(data, [wire, ...inner], map) as Members;
      const body = {
        tags: now.tags ?? "",
        vhosts: JSON.stringify(now.vhosts),
        vhost_topics: JSON.stringify(now.vhost_topics),
      };
      await send(world, "POST", path, body, vault);
    },
  };
}

const vhosts = { entry: { read: ".*" }, empty: [{}], keys: ["/", "app", "constructor"] };
const topics = { entry: { "amq.topic": { read: ".*" } }, empty: [{}], keys: ["/", "app"] };
const exchanges = { entry: { write: "^a" }, empty: [{}], keys: ["events", "amq.topic"] };

const inPolicy: Place = {
  definition: cloudRole,
  id: "aws/app",
  world: () =>
    new World(new SecretsService({ seed: engines, switches: real }), cloudRole, {
      token: "root",
      ...real,
    }),
  program: (map, other) => ({
    name: "app",
    credentialType: "iam_user",
    userPath: other ? "/a/" : "/b/",
    policyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Condition: map }] },
  }),
  mapIn: ({ policyDocument }) => at(policyDocument, ["Statement", 0, "Condition"]),
  async read(world) {
    const { policy_document: text } = (await get(world, "/v1/aws/roles/app", vault)).data as Members;
    return (at(JSON.parse(String(text)), ["Statement", 0, "Condition"]) ?? {}) as Members;
  },
  write: (world, map) =>
    send(
      world,
      "POST",
      "/v1/aws/roles/app",
      {
        policy_document: JSON.stringify({
          Version: "2012-10-17",
          Statement: [{ Effect: "Allow", Condition: map }],
        }),
      },
      vault,
    ),
  entry: { "aws:SourceIp": "10.0.0.0/8" },
  empty: [{}, []],
  keys: ["StringEquals", "IpAddress"],
};

const CONFIG = ["TaskGroups", 0, "Tasks", 0, "Config"];
const config = ["taskGroups", 0, "tasks", 0, "config"];
const HEADER = ["TaskGroups", 0, "Services", 0, "Checks", 0, "Header"];
const header = ["taskGroups", 0, "services", 0, "checks", 0, "header"];
const PROXY = ["TaskGroups", 0, "Services", 0, "Connect", "SidecarService", "Proxy", "Config"];
const inHeader = { entry: ["a"], empty: [[]], keys: ["X-A", "X-B"] };

const places: readonly (readonly [string, Place])[] = [
  ["the virtual hosts of a RabbitMQ role", inQueueRole("vhosts", false, vhosts)],
  ["the virtual hosts of a RabbitMQ role as JSON text", inQueueRole("vhosts", true, vhosts)],
  ["the virtual hosts with topics of a RabbitMQ role", inQueueRole("vhostTopics", false, topics)],
  ["the topic exchanges of a RabbitMQ role", inQueueRole("vhostTopics", false, exchanges, ["/"])],
  ["the topic exchanges of a RabbitMQ role as JSON text", inQueueRole("vhostTopics", true, exchanges, ["/"])],
  ["the conditions of an AWS policy", inPolicy],
  ["the subsets of a service resolver", inEntry(serviceResolver, resolver, ["Subsets"], subsets)],
  [
    "the subsets of a service resolver in a generic entry",
    inEntry(configEntry, resolver, ["Subsets"], { ...subsets, entry: { Filter: "Service.Meta.v == 1" } }),
  ],
  ["the configuration of proxy defaults", inEntry(proxyDefaults, proxies, ["Config"], free)],
  ["the configuration of proxy defaults in a generic entry", inEntry(configEntry, proxies, ["Config"], free)],
  [
    "the arguments of an Envoy extension",
    inEntry(serviceDefaults, extended, ["EnvoyExtensions", 0, "Arguments"], free),
  ],
  [
    "the arguments of an Envoy extension in a generic entry",
    inEntry(configEntry, extended, ["EnvoyExtensions", 0, "Arguments"], free),
  ],
  ["a driver's configuration in a JSON job", inJob("json", CONFIG, CONFIG, free)],
  ["a driver's configuration in a typed job", inJob("spec", CONFIG, config, free)],
  ["the headers of a check in a JSON job", inJob("json", HEADER, HEADER, inHeader)],
  ["the headers of a check in a typed job", inJob("spec", HEADER, header, inHeader)],
  ["the configuration of a sidecar's proxy", inJob("json", PROXY, PROXY, free)],
];

const RUNS = rounds(60, 8);

describe.each(places)("an empty entry of %s", (_, place) => {
  const { definition, program, mapIn, read, write, keys, entry, empty } = place;
  const key = fc.constantFrom(...keys);
  const value = fc.constantFrom<Json>(entry, ...empty);
  const map = fc.dictionary(key, value, { minKeys: 1 });
  const withEmpty = fc.tuple(map, key, fc.constantFrom<Json>(...empty));
  const without = (whole: Members, name: string) =>
    Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name));
  const keysOf = (found: Json | undefined) => Object.keys(isObject(found) ? found : {}).sort();

  async function created(inputs: Values) {
    const resource = new Resource(place.world(), definition);
    expect(resource.check(inputs)).toEqual([]);
    await resource.create(inputs);
    return resource;
  }

  const shownIn = (resource: Resource, inputs: Values) =>
    resource.preview(inputs).changes.map(({ path }) => formatPath(path));

  test("is written, and shows no changes afterward", async () => {
    await fc.assert(
      fc.asyncProperty(map, async (entries) => {
        const inputs = program(entries, true);
        const resource = await created(inputs);
        expect(keysOf(await read(resource.world))).toEqual(keysOf(entries));
        expect(shownIn(resource, inputs)).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(shownIn(resource, inputs)).toEqual([]);
        expect(resource.inputs).toEqual(inputs);
      }),
      { numRuns: RUNS },
    );
  });

  test("is shown and sent if the program adds it, and if the program removes it", async () => {
    await fc.assert(
      fc.asyncProperty(withEmpty, async ([entries, name, nothing]) => {
        const [less, more] = [without(entries, name), { ...without(entries, name), [name]: nothing }];
        for (const [from, to] of [
          [less, more],
          [more, less],
        ] as const) {
          const resource = await created(program(from, true));
          expect(shownIn(resource, program(to, true))).not.toEqual([]);
          await resource.up(program(to, true));
          expect(keysOf(await read(resource.world))).toEqual(keysOf(to));
          await resource.refresh();
          expect(shownIn(resource, program(to, true))).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("is drift if someone else adds it or removes it", async () => {
    await fc.assert(
      fc.asyncProperty(withEmpty, async ([entries, name, nothing]) => {
        const [less, more] = [without(entries, name), { ...without(entries, name), [name]: nothing }];
        for (const [from, to] of [
          [less, more],
          [more, less],
        ] as const) {
          const inputs = program(from, true);
          const resource = await created(inputs);
          await write(resource.world, to);
          await resource.refresh();
          expect(shownIn(resource, inputs)).not.toEqual([]);
          expect(keysOf(mapIn(resource.inputs))).toEqual(keysOf(to));
          await resource.up(inputs);
          expect(keysOf(await read(resource.world))).toEqual(keysOf(from));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("is a conflict if someone else adds it or removes it without a refresh afterward", async () => {
    await fc.assert(
      fc.asyncProperty(withEmpty, async ([entries, name, nothing]) => {
        const [less, more] = [without(entries, name), { ...without(entries, name), [name]: nothing }];
        for (const [from, to] of [
          [less, more],
          [more, less],
        ] as const) {
          const resource = await created(program(from, true));
          await write(resource.world, to);
          await expect(resource.update(program(from, false))).rejects.toThrow("conflict");
          expect(keysOf(await read(resource.world))).toEqual(keysOf(to));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("is kept if another property changes", async () => {
    await fc.assert(
      fc.asyncProperty(map, async (entries) => {
        const resource = await created(program(entries, true));
        await resource.up(program(entries, false));
        expect(keysOf(await read(resource.world))).toEqual(keysOf(entries));
        expect(shownIn(resource, program(entries, false))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("is imported", async () => {
    await fc.assert(
      fc.asyncProperty(map, async (entries) => {
        const { world } = await created(program(entries, true));
        const imported = new Resource(world, definition);
        const taken = await imported.get(place.id);
        expect(keysOf(mapIn(taken))).toEqual(keysOf(entries));
        expect(keysOf(mapIn(imported.inputs))).toEqual(keysOf(entries));
        expect(shownIn(imported, imported.inputs)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
