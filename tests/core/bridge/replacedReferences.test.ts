import { Call } from "../../../provider/core/bridge/call";
import { checkInputs, diffInputs } from "../../../provider/core/bridge/checking";
import { Going } from "../../../provider/core/bridge/notices";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { withMetadata } from "../../../provider/core/value/programInputs";
import configEntry from "../../../provider/services/mesh/configEntry";
import serviceRouter from "../../../provider/services/mesh/kinds/serviceRouter";
import job from "../../../provider/services/scheduler/job";
import workspace from "../../../provider/services/workspaces/workspace";
import type { StubService } from "../../../testing/stub/service";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { hostOf } from "./host";

/** The messages of one engine run, with the check and the diff of each resource. */
function pass(stub: StubService, settings: Values) {
  const lines: string[] = [];
  const going = new Going();
  const hostFor = (definition: Definition) => {
    const world = new World(stub, definition, settings);
    return { ...hostOf(() => world.connection, lines), going };
  };
  return {
    lines,
    check: async (definition: Definition, inputs: Values) => {
      const call = await Call.checking(definition, { inputs: withMetadata(inputs, {}) }, hostFor(definition));
      return checkInputs(call, { known: true }, undefined);
    },
    diff: async (resource: Resource, inputs: Values) => {
      const { id, outputs } = resource;
      const definition = resource.definition as Definition;
      const call = await Call.of(
        definition,
        { id, inputs: withMetadata(inputs, {}), outputs },
        hostFor(definition),
      );
      return diffInputs(call, undefined);
    },
  };
}

const mesh = () =>
  new MeshService({ switches: { dialect: "neutral" }, seed: { tokens: { manager: { management: true } } } });
const defaults = (name: string) => ({ kind: "service-defaults", name, spec: { Protocol: "http" } });

async function createResource(
  stub: StubService,
  definition: Definition,
  inputs: Values,
  settings: Values = {},
) {
  const resource = new Resource(new World(stub, definition, { token: "manager", ...settings }), definition);
  await resource.create(inputs);
  return resource;
}

describe("replacement of a Consul configuration entry", () => {
  const route = (service: string) => ({
    name: "web",
    spec: { routes: [{ destination: { service } }] },
  });
  const ENTRY_WARNING =
    /this object is replaced and deleted, but Consul service-router entry ".*web" refers to it/;
  const ROUTER_WARNING =
    /this object refers to Consul configuration entry ".*api", which this update replaces/;

  test("prints a warning at the entry if a router that was checked before refers to its service", async () => {
    const stub = mesh();
    const entry = await createResource(stub, configEntry, defaults("api"));
    const { check, diff, lines } = pass(stub, { token: "manager" });
    await check(serviceRouter, route("api"));
    expect(lines).toEqual([]);
    await diff(entry, defaults("other"));
    expect(lines).toEqual([expect.stringMatching(ENTRY_WARNING)]);
  });

  test("prints a warning at the router if the router is checked after the diff of the entry", async () => {
    const stub = mesh();
    const entry = await createResource(stub, configEntry, defaults("api"));
    const { check, diff, lines } = pass(stub, { token: "manager" });
    await diff(entry, defaults("other"));
    await check(serviceRouter, route("api"));
    expect(lines).toEqual([expect.stringMatching(ROUTER_WARNING)]);
  });

  test.each<[string, Values]>([
    [
      "a splitter",
      { kind: "service-splitter", name: "web", spec: { Splits: [{ Weight: 100, Service: "api" }] } },
    ],
    [
      "a resolver's redirect",
      { kind: "service-resolver", name: "web", spec: { Redirect: { Service: "api" } } },
    ],
    [
      "a resolver's failover",
      {
        kind: "service-resolver",
        name: "web",
        spec: { Failover: { "*": { Targets: [{ Service: "api" }] } } },
      },
    ],
    [
      "an ingress gateway",
      {
        kind: "ingress-gateway",
        name: "web",
        spec: { Listeners: [{ Port: 8080, Protocol: "http", Services: [{ Name: "api" }] }] },
      },
    ],
  ])("prints a warning if the entry is referenced by %s", async (_, inputs) => {
    const stub = mesh();
    const entry = await createResource(stub, configEntry, defaults("api"));
    const { check, diff, lines } = pass(stub, { token: "manager" });
    await check(configEntry, inputs);
    await diff(entry, defaults("other"));
    expect(lines).toEqual([expect.stringMatching(/refers to it/)]);
  });

  test("prints no warning if nothing refers to the entry any more, or the entry is updated in place", async () => {
    const stub = mesh();
    const entry = await createResource(stub, configEntry, defaults("api"));
    const { check, diff, lines } = pass(stub, { token: "manager" });
    await check(serviceRouter, route("other"));
    await diff(entry, defaults("other"));
    expect(lines).toEqual([]);
    const again = pass(stub, { token: "manager" });
    await again.check(serviceRouter, route("api"));
    await again.diff(entry, { ...defaults("api"), spec: { Protocol: "grpc" } });
    expect(again.lines).toEqual([]);
  });
});

describe("replacement of a Nomad job", () => {
  const web = (more: object = {}) => ({
    ID: "web",
    TaskGroups: [
      { Name: "front", Count: 2, Tasks: [{ Name: "server", Driver: "docker" }] },
      { Name: "cache", Count: 1, Tasks: [{ Name: "store", Driver: "docker" }] },
    ],
    ...more,
  });

  test.each<[string, Values, Values, string]>([
    [
      "stopped",
      {},
      { json: web({ ID: "other" }) },
      'job "default/web" will be stopped with the 3 allocations that it requests: a different job replaces it (jobId)',
    ],
    [
      "stopped and purged",
      { purge: true },
      { json: web(), namespace: "shop" },
      'job "default/web" will be stopped and purged with the 3 allocations that it requests: a different job replaces it (namespace)',
    ],
    [
      "left running",
      { deregisterOnDelete: false },
      { json: web({ ID: "other" }) },
      'job "default/web" keeps running and is no longer managed (deregisterOnDelete: false): a different job replaces it (jobId)',
    ],
  ])("the preview prints that the old job will be %s, and sends no request", async (_, own, news, text) => {
    const stub = new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } }, namespaces: ["shop"] },
      random: () => 0.5,
    });
    const resource = await createResource(stub, job, { json: web(), ...own });
    resource.world.requests.length = 0;
    const { diff, lines } = pass(stub, { token: "manager" });
    await diff(resource, { ...own, ...news });
    expect(lines).toEqual([expect.stringContaining(text)]);
    expect(resource.world.requests).toEqual([]);
  });

  test("the preview prints no rejection if the new job has a different type", async () => {
    const stub = new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } } },
      random: () => 0.5,
    });
    const resource = await createResource(stub, job, { json: web() });
    const { diff, lines } = pass(stub, { token: "manager" });
    await diff(resource, { json: web({ ID: "other", Type: "batch" }) });
    expect(lines.join("\n")).not.toContain("will refuse");
  });
});

test("the preview of a workspace replacement prints how many resources the workspace managed when last read", async () => {
  const stub = new WorkspacesService({
    switches: { dialect: "neutral" },
    seed: {
      tokens: { manager: { user: "olga", organizations: { acme: ["owners"], other: ["owners"] } } },
      organizations: { acme: {}, other: {} },
    },
  });
  const settings = { organization: "acme" };
  const resource = await createResource(stub, workspace, { name: "app" }, settings);
  const messageOf = async (inputs: Values, resourceCount: number) => {
    const { diff, lines } = pass(stub, { token: "manager", ...settings });
    resource.outputs = { ...resource.outputs, resourceCount };
    await diff(resource, { name: "app", ...inputs });
    return lines.join("\n");
  };
  expect(resource.outputs.resourceCount).toBe(0);
  expect(await messageOf({ organization: "other" }, 0)).toMatch(
    /workspace "app" will be deleted and replaced \(organization\)$/,
  );
  expect(await messageOf({ organization: "other" }, 12)).toMatch(
    /the workspace managed 12 resources when it was last read, and the delete is refused while any resource remains: destroy the resources first/,
  );
  expect(await messageOf({ description: "same place" }, 12)).toBe("");
});
