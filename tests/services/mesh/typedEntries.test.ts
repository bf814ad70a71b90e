import { z } from "zod";
import { catalog } from "../../../provider/catalog";
import { fieldsOf, innerSchema } from "../../../provider/core/language/fields";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import { kinds } from "../../../provider/services/mesh/entryDocument";
import fileSystemCertificate from "../../../provider/services/mesh/kinds/fileSystemCertificate";
import inlineCertificate from "../../../provider/services/mesh/kinds/inlineCertificate";
import jwtProvider from "../../../provider/services/mesh/kinds/jwtProvider";
import proxyDefaults from "../../../provider/services/mesh/kinds/proxyDefaults";
import serviceDefaults from "../../../provider/services/mesh/kinds/serviceDefaults";
import serviceIntentions from "../../../provider/services/mesh/kinds/serviceIntentions";
import serviceResolver from "../../../provider/services/mesh/kinds/serviceResolver";
import serviceRouter from "../../../provider/services/mesh/kinds/serviceRouter";
import serviceSplitter from "../../../provider/services/mesh/kinds/serviceSplitter";
import { KINDS } from "../../../testing/stub/services/mesh/kinds";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { CERTIFICATE, PRIVATE_KEY } from "../../../testing/tests/stub/mesh-certificate";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { expectNoChanges } from "../expectations";
import { setFate } from "../interference";

const headers = { "x-mesh-token": "manager", "content-type": "application/json" };

/** Every typed kind: its token, its definition, and the kind that it writes. */
const typed: readonly [string, Definition, string][] = Object.entries(catalog)
  .filter(([token]) => token.startsWith("mesh:") && token !== "mesh:ConfigEntry")
  .map(([token, load]): [string, Definition, string] => {
    // A kind of entry is an object.
    const definition = load() as Definition;
    return [token, definition, definition.life.reads.one.path];
  })
  .filter(([, , path]) => path.startsWith("/config/"))
  .map(([token, definition, path]) => [token, definition, path.split("/")[2] ?? ""]);

function entries(
  definition: Definition,
  dialect: "neutral" | "real" = "neutral",
  release: "1.22" | "later" = "1.22",
) {
  const service = new MeshService({
    switches: { dialect, release },
    seed: { tokens: { manager: { management: true } } },
  });
  const world = new World(service, definition, { token: "manager" });
  return { world, entry: new Resource(world, definition) };
}

/** A value of a schema in which every member occurs once. */
function sampleOf(schema: z.ZodType): Json {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(inner.shape).map(([name, member]) => [name, sampleOf(member as z.ZodType)]),
    );
  }
  if (inner instanceof z.ZodArray) return [sampleOf(inner.element as z.ZodType)];
  if (inner instanceof z.ZodRecord) return { key: sampleOf(inner.valueType as z.ZodType) };
  if (inner instanceof z.ZodEnum) return inner.options[0] as string;
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodNumber) return 1;
  return "1s";
}

test("every writable kind has a typed resource", () => {
  expect(typed.map(([, , kind]) => kind).sort()).toEqual(
    kinds.filter((kind) => kind !== "bound-api-gateway"),
  );
});

describe.each(typed)("%s", (_, definition, kind) => {
  const spec = definition.fields.spec ?? z.unknown();
  const own = KINDS.get(kind);

  test("sends only members that Consul knows", async () => {
    const { world } = entries(definition, "neutral", "later");
    const body = await sentBy(world, definition, { name: "x", spec: sampleOf(spec) });
    expect(body).toMatchObject({ Kind: kind });
    const answer = await world.send("PUT", "/v1/config", body, headers);
    expect(answer.text).not.toMatch(/invalid config key|decoding failed/i);
  });

  test("has exactly the members that Consul has", () => {
    const wires = new Set(Object.keys((sampleOnWire(definition) ?? {}) as object));
    // Clients may send this field, but the server ignores it.
    const isPassedOver = (name: string) => kind === "proxy-defaults" && name === "Protocol";
    const names = Object.keys(own?.ownFields ?? {}).filter((name) => !isPassedOver(name));
    expect([...wires].sort()).toEqual(names.sort());
  });

  test("reports the path of a misspelled member and suggests the correct name", () => {
    const { entry } = entries(definition);
    const [member = ""] = Object.keys((innerSchema(spec) as z.ZodObject).shape);
    const wrong = `${member}x`;
    const problems = entry.check({
      ...("name" in definition.fields && { name: "x" }),
      spec: { [wrong]: 1 },
    } as Values);
    expect(problems).toContainEqual({
      path: `spec.${wrong}`,
      reason: expect.stringContaining(`did you mean ${member}?`),
    });
  });
});

/** The body that a definition sends for these inputs. */
async function sentBy(world: World, definition: Definition, inputs: Values): Promise<Json> {
  const entry = new Resource(world, definition);
  setFate(world, /^PUT/, "request lost");
  await entry.create(inputs).catch(() => undefined);
  world.fate = () => "passes";
  return world.requests.find(({ method }) => method === "PUT")?.body ?? null;
}

function sampleOnWire(definition: Definition): Json {
  const { spec } = definition.fields;
  if (spec === undefined) return null;
  const { facts } = fieldOf(definition);
  return facts.spelling?.canonical(sampleOf(spec)) ?? null;
}

function fieldOf(definition: Definition) {
  const found = fieldsOf(definition).find(({ name }) => name === "spec");
  if (found === undefined) throw new Error("no spec");
  return found;
}

describe("typed entry", () => {
  const splitter = (weights: readonly number[]) => ({
    name: "web",
    spec: { splits: weights.map((weight, index) => ({ weight, service: `v${index}` })) },
  });

  test.each([
    [[100], true],
    [[33.33, 33.33, 33.34], true],
    [[50, 49.99], false],
    [[], false],
  ])("of kind service-splitter with the weights %j passes the check: %j", (weights, isAccepted) => {
    const { entry } = entries(serviceSplitter);
    expect(entry.check(splitter(weights)).length === 0).toBe(isAccepted);
  });

  test("of kind service-splitter fails without its service-defaults, and the error suggests dependsOn", async () => {
    const { entry } = entries(serviceSplitter);
    await expect(entry.create(splitter([100]))).rejects.toThrow(
      /does not permit advanced routing or splitting behavior[\s\S]*service-defaults[\s\S]*dependsOn/,
    );
  });

  test.each<[string, Values, RegExp]>([
    ["neither action nor permissions", { name: "a" }, /"a" has neither/],
    [
      "both action and permissions",
      { name: "a", action: "allow", permissions: [{ action: "deny", http: { pathPrefix: "/" } }] },
      /"a" has both/,
    ],
  ])("of kind service-intentions fails the check if a source has %s", (_, source, message) => {
    const { entry } = entries(serviceIntentions);
    const problems = entry.check({ name: "web", spec: { sources: [source] } });
    expect(problems).toEqual([{ path: "spec.sources", reason: expect.stringMatching(message) }]);
  });

  test.each<[string, Values, string, RegExp]>([
    ["no keys", { jsonWebKeySet: {} }, "spec.jsonWebKeySet", /exactly one of local and remote/],
    [
      "two local keys",
      { jsonWebKeySet: { local: { jwks: "e30=", filename: "/keys" } } },
      "spec.jsonWebKeySet.local",
      /exactly one of jwks and filename/,
    ],
    [
      "a location without a place",
      { jsonWebKeySet: { local: { jwks: "e30=" } }, locations: [{}] },
      "spec.locations",
      /exactly one of header, queryParam and cookie/,
    ],
  ])("of kind jwt-provider fails the check with %s", (_, spec, path, reason) => {
    const { entry } = entries(jwtProvider);
    expect(entry.check({ name: "staff", spec })).toEqual([{ path, reason: expect.stringMatching(reason) }]);
  });

  test("of kind jwt-provider equals its program if Consul returns durations as nanoseconds", async () => {
    const { entry } = entries(jwtProvider, "real");
    const remote = { uri: "https://login.example.com/keys", cacheDuration: "30m" };
    const program = { name: "staff", spec: { jsonWebKeySet: { remote } } };
    await entry.create(program);
    await expectNoChanges(entry, program);
  });

  test.each<[string, Values, Values]>([
    ["retryPolicy", {}, { retryPolicy: {} }],
    ["retryPolicyBackOff", { retryPolicy: {} }, { retryPolicy: { retryPolicyBackOff: {} } }],
    ["jwksCluster", {}, { jwksCluster: {} }],
    [
      "caCertificateProviderInstance",
      { jwksCluster: {} },
      { jwksCluster: { tlsCertificates: { caCertificateProviderInstance: {} } } },
    ],
  ])("of kind jwt-provider shows and writes an empty %s, which has a meaning", async (_, without, with_) => {
    const { entry } = entries(jwtProvider);
    const program = (remote: Values): Values => ({
      name: "keys",
      spec: { jsonWebKeySet: { remote: { uri: "https://keys.example.com", ...remote } } },
    });
    await entry.create(program(without));
    for (const remote of [with_, without]) {
      expect(entry.preview(program(remote)).changes).not.toEqual([]);
      await entry.up(program(remote));
      await expectNoChanges(entry, program(remote));
    }
  });

  test("of kind jwt-provider explains a delete that intentions block", async () => {
    const { entry, world } = entries(jwtProvider);
    const put = (body: Json) => world.send("PUT", "/v1/config", body, headers);
    await entry.create({ name: "staff", spec: { jsonWebKeySet: { local: { filename: "/keys" } } } });
    await put({ Kind: "service-defaults", Name: "web", Protocol: "http" });
    const http = { PathPrefix: "/" };
    const jwt = { Providers: [{ Name: "staff" }] };
    const permissions = [{ Action: "allow", HTTP: http, JWT: jwt }];
    await put({
      Kind: "service-intentions",
      Name: "web",
      Sources: [{ Name: "shop", Permissions: permissions }],
    });
    await expect(entry.delete()).rejects.toThrow(/referenced by an intention[\s\S]*dependsOn/);
  });

  test("of kind file-system-certificate does not treat the path of its key as a secret", () => {
    const program = { name: "tls", spec: { certificate: "/tls.crt", privateKey: "/tls.key" } };
    const secrets = new SecretMap(fileSystemCertificate, program);
    expect(secrets.holdsSecret(["spec", "privateKey"], "/tls.key")).toBe(false);
  });

  test("of kind inline-certificate marks its private key as secret under both member names", async () => {
    const { entry } = entries(inlineCertificate);
    const program = { name: "tls", spec: { certificate: CERTIFICATE, privateKey: PRIVATE_KEY } };
    await entry.create(program);
    for (const name of ["privateKey", "PrivateKey"]) {
      expect(new SecretMap(inlineCertificate, program).holdsSecret(["spec", name], PRIVATE_KEY)).toBe(true);
    }
    expect(new SecretMap(inlineCertificate, program).collect()).toEqual([PRIVATE_KEY]);
    expect(new SecretMap(inlineCertificate, program).holdsSecret(["spec", "certificate"], CERTIFICATE)).toBe(
      false,
    );
  });

  test("imported by its ID yields a program in camelCase that shows no changes", async () => {
    const { world, entry } = entries(serviceDefaults);
    await world.send(
      "PUT",
      "/v1/config",
      {
        Kind: "service-defaults",
        Name: "web",
        Protocol: "http",
        UpstreamConfig: { Defaults: { ConnectTimeoutMs: 5 } },
      },
      headers,
    );
    await entry.get("/default/service-defaults/web");
    expect(entry.inputs).toMatchObject({
      name: "web",
      spec: { protocol: "http", upstreamConfig: { defaults: { connectTimeoutMs: 5 } } },
    });
    expect(entry.check(entry.inputs)).toEqual([]);
    expect(entry.preview(entry.inputs).changes).toEqual([]);
  });

  test("reports conflicts and drift with the program's member names", async () => {
    const { world, entry } = entries(serviceDefaults);
    await entry.create({ name: "web", spec: { protocol: "http", maxInboundConnections: 5 } });
    const theirs = { Kind: "service-defaults", Name: "web", Protocol: "http", MaxInboundConnections: 9 };
    await world.send("PUT", "/v1/config", theirs, headers);
    const change = entry.update({ name: "web", spec: { protocol: "grpc", maxInboundConnections: 5 } });
    await expect(change).rejects.toThrow(/spec\.maxInboundConnections +5 +5 +9/);
    await entry.refresh();
    expect(entry.inputs.spec).toEqual({ protocol: "http", maxInboundConnections: 9 });
    expect(world.logged.join("\n")).toMatch(/spec\.maxInboundConnections +5 +9/);
  });

  test("of a kind with a fixed name has that name in its ID and no name property", async () => {
    const { entry } = entries(proxyDefaults);
    await entry.create({ spec: { config: { protocol: "http" } } });
    expect(entry.id).toBe("/default/proxy-defaults/global");
    expect(entry.check({ name: "other", spec: {} })).toEqual([
      { path: "name", reason: expect.stringContaining("unknown property") },
    ]);
  });
});

/** Creates an entry that another user can then change. */
async function createEntry(definition: Definition, program: Values) {
  const service = new MeshService({
    switches: { dialect: "neutral" },
    seed: { tokens: { manager: { management: true } } },
  });
  const world = new World(service, definition, { token: "manager" });
  await world.send("PUT", "/v1/config", HTTP, headers);
  const entry = new Resource(world, definition);
  await entry.create(program);
  return { world, entry, putAsOther: (body: Json) => world.send("PUT", "/v1/config", body, headers) };
}

const HTTP = { Kind: "proxy-defaults", Name: "global", Config: { protocol: "http" } };

/** The rows of the table in a message, as lists of cells. */
function rowsIn(text: string): string[][] {
  return text.split("\n").flatMap((line) => {
    const cells = line.trim().split(/ {2,}/);
    return line.startsWith("  ") && cells.length > 2 ? [cells] : [];
  });
}

async function conflictRows(step: Promise<unknown>): Promise<string[][]> {
  return rowsIn(String(await step.catch((error: Error) => error)));
}

async function driftRows({ world, entry }: Awaited<ReturnType<typeof createEntry>>): Promise<string[][]> {
  await entry.refresh();
  return rowsIn(world.logged.join("\n"));
}

const program: Values = {
  name: "web",
  spec: {
    routes: [
      { match: { http: { pathPrefix: "/admin" } }, destination: { service: "admin", requestTimeout: "5s" } },
      { match: { http: { pathPrefix: "/api" } }, destination: { service: "api", numRetries: 3 } },
      { match: { http: { pathExact: "/health" } }, destination: { service: "probe" } },
    ],
  },
};

const route = (prefix: string, destination: { [member: string]: Json }) => ({
  Match: { HTTP: { PathPrefix: prefix } },
  Destination: destination,
});
const admin = (timeout: string) => route("/admin", { Service: "admin", RequestTimeout: timeout });
const api = (retries: number) => route("/api", { Service: "api", NumRetries: retries });
const health = { Match: { HTTP: { PathExact: "/health" } }, Destination: { Service: "probe" } };
const router = (...Routes: Json[]) => ({ Kind: "service-router", Name: "web", Routes });

describe("another user's change to the routes of a service-router", () => {
  test("is reported per member, with the route's index in the program", async () => {
    const scene = await createEntry(serviceRouter, program);
    await scene.putAsOther(router(route("/new", { Service: "new" }), admin("30s"), api(3), health));
    const dropped = { ...program, spec: { routes: [] } };
    expect(await conflictRows(scene.entry.update(dropped))).toEqual([
      ["field", "base", "ours", "theirs"],
      ["spec.routes[+0].match.http.pathPrefix", "(none)", "(none)", '"/new"'],
      ["spec.routes[+0].destination.service", "(none)", "(none)", '"new"'],
      ["spec.routes[0].destination.requestTimeout", '"5s"', "(none)", '"30s"'],
    ]);
    expect(await driftRows(scene)).toEqual([
      ["field", "was", "is"],
      ["spec.routes[+0].match.http.pathPrefix", "(none)", '"/new"'],
      ["spec.routes[+0].destination.service", "(none)", '"new"'],
      ["spec.routes[0].destination.requestTimeout", '"5s"', '"30s"'],
    ]);
  });

  test("is reported as removed members, or as a changed position of a route", async () => {
    const scene = await createEntry(serviceRouter, program);
    await scene.putAsOther(router(health, admin("5s")));
    expect(await driftRows(scene)).toEqual([
      ["field", "was", "is"],
      ["spec.routes[1].match.http.pathPrefix", '"/api"', "(none)"],
      ["spec.routes[1].destination.service", '"api"', "(none)"],
      ["spec.routes[1].destination.numRetries", "3", "(none)"],
      ["spec.routes[0]", "(at 0)", "(at 1)"],
    ]);
  });
});

describe("another user's change to service-intentions", () => {
  const spec = {
    sources: [
      {
        name: "web",
        permissions: [
          { action: "allow", http: { pathPrefix: "/", methods: ["GET", "HEAD"] } },
          { action: "deny", http: { pathExact: "/admin" } },
        ],
      },
      { name: "batch", action: "allow" },
    ],
  };
  const theirs = {
    Kind: "service-intentions",
    Name: "api",
    Sources: [
      {
        Name: "web",
        Permissions: [
          { Action: "allow", HTTP: { PathPrefix: "/", Methods: ["GET", "HEAD", "POST"] } },
          { Action: "deny", HTTP: { PathExact: "/admin" } },
        ],
      },
      { Name: "batch", Action: "deny" },
    ],
  };

  test("is reported per source and per permission of a source", async () => {
    const scene = await createEntry(serviceIntentions, { name: "api", spec });
    await scene.putAsOther(theirs);
    const update = { name: "api", spec: { ...spec, jwt: { providers: [{ name: "okta" }] } } };
    expect(await conflictRows(scene.entry.update(update))).toEqual([
      ["field", "base", "ours", "theirs"],
      ['spec.sources["web"].permissions[0].http.methods[+2]', "(none)", "(none)", '"POST"'],
      ['spec.sources["batch"].action', '"allow"', '"allow"', '"deny"'],
    ]);
    expect(await driftRows(scene)).toEqual([
      ["field", "was", "is"],
      ['spec.sources["web"].permissions[0].http.methods[+2]', "(none)", '"POST"'],
      ['spec.sources["batch"].action', '"allow"', '"deny"'],
    ]);
  });

  test("is reported with the program's member names if a create finds the entry", async () => {
    const scene = await createEntry(serviceIntentions, { name: "api", spec });
    await scene.putAsOther(theirs);
    const other = new Resource(scene.world.another(), serviceIntentions);
    expect(await conflictRows(other.create({ name: "api", spec }))).toEqual([
      ["field", "the program", "the server"],
      ['spec.sources["web"].permissions[0].http.methods[+2]', "(none)", '"POST"'],
      ['spec.sources["batch"].action', '"allow"', '"deny"'],
    ]);
  });
});

const ADDRESS = { name: "web", namespace: "default" };
const DEFAULT = '["","default","default"]';

/** The references of an entry in the namespace `default`. */
const ofResolver = (redirect: { [member: string]: string }) =>
  serviceResolver.references?.from({ name: "web", spec: { redirect } }, ADDRESS);

test("a redirect to a service in the same namespace is a reference, whether or not it names the namespace", () => {
  for (const more of [{}, { namespace: "default" }, { partition: "default" }])
    expect(ofResolver({ service: "api", ...more })).toEqual([`${DEFAULT}service api`]);
});

test.each(["namespace", "partition", "datacenter", "peer"])(
  "a redirect with a different %s is no reference",
  (part) => {
    expect(ofResolver({ service: "api", [part]: "other" })).toEqual([]);
  },
);

test("only the splits of a splitter that stay in its namespace are references", () => {
  const splits = [
    { weight: 50, service: "a" },
    { weight: 50, service: "b", namespace: "other" },
  ];
  expect(serviceSplitter.references?.from({ name: "web", spec: { splits } }, ADDRESS)).toEqual([
    `${DEFAULT}service a`,
  ]);
});
