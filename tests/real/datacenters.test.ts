import { createClient } from "../../provider/core/http/client";
import { systemRuntime } from "../../provider/core/http/options";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { ConflictError } from "../../provider/core/state/errors";
import exportedServices from "../../provider/services/mesh/kinds/exportedServices";
import httpRoute from "../../provider/services/mesh/kinds/httpRoute";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import serviceIntentions from "../../provider/services/mesh/kinds/serviceIntentions";
import type { StubService } from "../../testing/stub/service";
import { expectLifecycleWithoutChanges } from "../steps/lifecycle";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { startDatacenters } from "./servers/consul";
import { givenServer, sendRequest, Teardown } from "./servers/server";

/** A configuration entry, two programs for it, and another user's edit. */
interface Story {
  readonly definition: AnyDefinition;
  readonly kind: string;
  readonly first: Values;
  readonly second: Values;
  readonly edit: object;
}

const allowing = (name: string) => ({ sources: [{ name, action: "allow" }] });
const parents = [{ name: "front" }];
const consumedBy = (peer: string) => ({ services: [{ name: "web", consumers: [{ peer }] }] });

const STORIES: readonly Story[] = [
  {
    definition: serviceDefaults,
    kind: "service-defaults",
    first: { name: "web", spec: { protocol: "http" } },
    second: { name: "web", spec: { protocol: "grpc" } },
    edit: { Name: "web", Protocol: "tcp" },
  },
  {
    definition: serviceIntentions,
    kind: "service-intentions",
    first: { name: "web", spec: allowing("shop") },
    second: { name: "web", spec: allowing("cart") },
    edit: { Name: "web", Sources: [{ Name: "theirs", Action: "deny" }] },
  },
  {
    definition: httpRoute,
    kind: "http-route",
    first: { name: "web", spec: { parents, hostnames: ["one.example"] } },
    second: { name: "web", spec: { parents, hostnames: ["two.example"] } },
    edit: { Name: "web", Parents: [{ Name: "front" }], Hostnames: ["theirs.example"] },
  },
  {
    definition: exportedServices,
    kind: "exported-services",
    first: { name: "default", spec: consumedBy("one") },
    second: { name: "default", spec: consumedBy("two") },
    edit: { Name: "default", Services: [{ Name: "web", Consumers: [{ Peer: "theirs" }] }] },
  },
];

/** The controller of Consul updates the status of a route, which changes its index. The provider reports that. */
const BY_THE_CONTROLLER = /^info: only the index of the object changed .*: Consul's own controller/;

const server = givenServer();

if (server?.program !== "consul") {
  test.skip("datacenter tests need a Consul server", () => undefined);
} else {
  const teardown = new Teardown();
  let [primary, secondary, token] = ["", "", ""];

  beforeAll(async () => {
    ({ primary, copy: secondary, token } = await startDatacenters(teardown));
  });

  afterAll(() => teardown.run());

  /** A world of the secondary datacenter's agent, where reads wait for replication. */
  function worldOf({ definition }: Story, settings: Values = {}): World {
    const reached = { settings: { address: secondary, dialect: "real" }, runtime: systemRuntime };
    const stub = { name: definition.service.name, reached } as unknown as StubService;
    return new World(
      stub,
      definition,
      { token, datacenter: "dc2", ...settings },
      { runtime: systemRuntime, createClient },
    );
  }

  const authorized = () => ({ headers: { "x-consul-token": token } });
  const readEntry = async (at: string, { kind, first }: Story) =>
    (await sendRequest(`${at}/v1/config/${kind}/${first.name}`, authorized())) as Values;

  describe.each(STORIES.map((story) => [story.kind, story] as const))(
    `%s through an agent of the secondary datacenter (${server.version})`,
    (_, story) => {
      test("shows no changes in 15 lifecycles and logs only index changes by the controller", async () => {
        for (let times = 0; times < 15; times++) {
          const world = worldOf(story);
          const resource = await expectLifecycleWithoutChanges(world, story, story.first, story.second);
          expect(world.logged.filter((text) => !BY_THE_CONTROLLER.test(text))).toEqual([]);
          await resource.delete();
          expect(await resource.refresh()).toBe(false);
        }
      });

      test("reports each of 30 edits before an update as a conflict", async () => {
        for (let times = 0; times < 30; times++) {
          const resource = new Resource(worldOf(story), story.definition);
          await resource.create(story.first);
          const body = { Kind: story.kind, ...story.edit };
          await sendRequest(`${primary}/v1/config`, { method: "PUT", ...authorized(), body });
          await expect(resource.up(story.second)).rejects.toThrow(ConflictError);
          await resource.refresh();
          await resource.delete();
        }
      });
    },
  );

  test("a write is replicated to the resource's datacenter when the step ends, under a different index", async () => {
    const [story] = STORIES as readonly [Story];
    const resource = new Resource(worldOf(story), story.definition);
    await resource.create(story.first);
    const [here, there] = [await readEntry(secondary, story), await readEntry(primary, story)];
    expect(here).toMatchObject({ Protocol: "http", Hash: there.Hash });
    expect(here.ModifyIndex).not.toBe(there.ModifyIndex);
    await resource.up(story.second);
    expect(await readEntry(secondary, story)).toMatchObject({ Protocol: "grpc" });
    await resource.delete();
  });

  test("a token without permission to read the agent is sufficient and logs nothing", async () => {
    const [story] = STORIES as readonly [Story];
    await sendRequest(`${primary}/v1/acl/policy`, {
      method: "PUT",
      ...authorized(),
      body: { Name: "services", Rules: 'service_prefix "" { policy = "write" }' },
    });
    const { SecretID } = (await sendRequest(`${primary}/v1/acl/token`, {
      method: "PUT",
      ...authorized(),
      body: { Policies: [{ Name: "services" }] },
    })) as { SecretID: string };
    const world = worldOf(story, { token: SecretID });
    await (await expectLifecycleWithoutChanges(world, story, story.first, story.second)).delete();
    expect(world.logged).toEqual([]);
  });
}
