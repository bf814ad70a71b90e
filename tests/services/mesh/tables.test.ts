import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import serviceIntentions from "../../../provider/services/mesh/kinds/serviceIntentions";
import serviceRouter from "../../../provider/services/mesh/kinds/serviceRouter";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

const headers = { "x-mesh-token": "manager", "content-type": "application/json" };

/** An entry in a state, and what somebody else makes of it. */
async function written(definition: Definition, program: Values) {
  const service = new MeshService({
    switches: { dialect: "neutral" },
    seed: { tokens: { manager: { management: true } } },
  });
  const world = new World(service, definition, { token: "manager" });
  await world.send("PUT", "/v1/config", HTTP, headers);
  const entry = new Resource(world, definition);
  await entry.create(program);
  return { world, entry, theirs: (body: Json) => world.send("PUT", "/v1/config", body, headers) };
}

const HTTP = { Kind: "proxy-defaults", Name: "global", Config: { protocol: "http" } };

/** The rows of the table in a message, each as its cells. */
function rowsIn(text: string): string[][] {
  return text.split("\n").flatMap((line) => {
    const cells = line.trim().split(/ {2,}/);
    return line.startsWith("  ") && cells.length > 2 ? [cells] : [];
  });
}

async function refused(step: Promise<unknown>): Promise<string[][]> {
  return rowsIn(String(await step.catch((error: Error) => error)));
}

async function driftOf({ world, entry }: Awaited<ReturnType<typeof written>>): Promise<string[][]> {
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

describe("what somebody changed in the routes of a service is told", () => {
  test("by the member that moved in the route that moved, under its number in the program", async () => {
    const scene = await written(serviceRouter, program);
    await scene.theirs(router(route("/new", { Service: "new" }), admin("30s"), api(3), health));
    const dropped = { ...program, spec: { routes: [] } };
    expect(await refused(scene.entry.update(dropped))).toEqual([
      ["field", "base", "ours", "theirs"],
      ["spec.routes[+0].match.http.pathPrefix", "(none)", "(none)", '"/new"'],
      ["spec.routes[+0].destination.service", "(none)", "(none)", '"new"'],
      ["spec.routes[0].destination.requestTimeout", '"5s"', "(none)", '"30s"'],
    ]);
    expect(await driftOf(scene)).toEqual([
      ["field", "was", "is"],
      ["spec.routes[+0].match.http.pathPrefix", "(none)", '"/new"'],
      ["spec.routes[+0].destination.service", "(none)", '"new"'],
      ["spec.routes[0].destination.requestTimeout", '"5s"', '"30s"'],
    ]);
  });

  test("as removed, or as moved among the others", async () => {
    const scene = await written(serviceRouter, program);
    await scene.theirs(router(health, admin("5s")));
    expect(await driftOf(scene)).toEqual([
      ["field", "was", "is"],
      ["spec.routes[1].match.http.pathPrefix", '"/api"', "(none)"],
      ["spec.routes[1].destination.service", '"api"', "(none)"],
      ["spec.routes[1].destination.numRetries", "3", "(none)"],
      ["spec.routes[0]", "(at 0)", "(at 1)"],
    ]);
  });
});

describe("what somebody changed in who may call a service is told", () => {
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

  test("source by source, and in a source permission by permission", async () => {
    const scene = await written(serviceIntentions, { name: "api", spec });
    await scene.theirs(theirs);
    const update = { name: "api", spec: { ...spec, jwt: { providers: [{ name: "okta" }] } } };
    expect(await refused(scene.entry.update(update))).toEqual([
      ["field", "base", "ours", "theirs"],
      ['spec.sources["web"].permissions[0].http.methods[+2]', "(none)", "(none)", '"POST"'],
      ['spec.sources["batch"].action', '"allow"', '"allow"', '"deny"'],
    ]);
    expect(await driftOf(scene)).toEqual([
      ["field", "was", "is"],
      ['spec.sources["web"].permissions[0].http.methods[+2]', "(none)", '"POST"'],
      ['spec.sources["batch"].action', '"allow"', '"deny"'],
    ]);
  });

  test("with its values where a create finds it, in the names of the program", async () => {
    const scene = await written(serviceIntentions, { name: "api", spec });
    await scene.theirs(theirs);
    const other = new Resource(scene.world.another(), serviceIntentions);
    expect(await refused(other.create({ name: "api", spec }))).toEqual([
      ["field", "the program", "the service"],
      ['spec.sources["web"].permissions[0].http.methods[+2]', "(none)", '"POST"'],
      ['spec.sources["batch"].action', '"allow"', '"deny"'],
    ]);
  });
});
