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
import { expectQuietLife } from "../steps/life";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { startDatacenters } from "./servers/consul";
import { ask, Begun, givenServer } from "./servers/server";

/** An entry, two programs for it, and what a person writes over it. */
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

/** What the controller says of a route moves its index, and that is told. */
const BY_THE_CONTROLLER = /^info: nothing of it moved but its index .*: by the service's own controller/;

const server = givenServer();

if (server?.program !== "consul") {
  test.skip("no datacenters are tried: the server is another one", () => undefined);
} else {
  const begun = new Begun();
  let [primary, copy, token] = ["", "", ""];

  beforeAll(async () => {
    ({ primary, copy, token } = await startDatacenters(begun));
  });

  afterAll(() => begun.end());

  /** A world by way of the copying datacenter's agent, where entries are waited for. */
  function worldOf({ definition }: Story, settings: Values = {}): World {
    const reached = { settings: { address: copy, dialect: "real" }, runtime: systemRuntime };
    const stub = { name: definition.service.name, reached } as unknown as StubService;
    return new World(
      stub,
      definition,
      { token, datacenter: "dc2", ...settings },
      { runtime: systemRuntime, createClient },
    );
  }

  const asManager = () => ({ headers: { "x-consul-token": token } });
  const shown = async (at: string, { kind, first }: Story) =>
    (await ask(`${at}/v1/config/${kind}/${first.name}`, asManager())) as Values;

  describe.each(STORIES.map((story) => [story.kind, story] as const))(
    `%s, by an agent that copies the primary datacenter (${server.version})`,
    (_, story) => {
      test("fifteen times created, updated, refreshed, found and deleted, with nothing to tell", async () => {
        for (let times = 0; times < 15; times++) {
          const world = worldOf(story);
          const resource = await expectQuietLife(world, story, story.first, story.second);
          expect(world.logged.filter((text) => !BY_THE_CONTROLLER.test(text))).toEqual([]);
          await resource.delete();
          expect(await resource.refresh()).toBe(false);
        }
      });

      test("thirty edits just before an up are conflicts, and none is lost", async () => {
        for (let times = 0; times < 30; times++) {
          const resource = new Resource(worldOf(story), story.definition);
          await resource.create(story.first);
          const body = { Kind: story.kind, ...story.edit };
          await ask(`${primary}/v1/config`, { method: "PUT", ...asManager(), body });
          await expect(resource.up(story.second)).rejects.toThrow(ConflictError);
          await resource.refresh();
          await resource.delete();
        }
      });
    },
  );

  test("what was written is in the resource's own datacenter when the step ends, under another index", async () => {
    const [story] = STORIES as readonly [Story];
    const resource = new Resource(worldOf(story), story.definition);
    await resource.create(story.first);
    const [here, there] = [await shown(copy, story), await shown(primary, story)];
    expect(here).toMatchObject({ Protocol: "http", Hash: there.Hash });
    expect(here.ModifyIndex).not.toBe(there.ModifyIndex);
    await resource.up(story.second);
    expect(await shown(copy, story)).toMatchObject({ Protocol: "grpc" });
    await resource.delete();
  });

  test("a token that may not read the agent is enough, and nothing is told", async () => {
    const [story] = STORIES as readonly [Story];
    await ask(`${primary}/v1/acl/policy`, {
      method: "PUT",
      ...asManager(),
      body: { Name: "services", Rules: 'service_prefix "" { policy = "write" }' },
    });
    const { SecretID } = (await ask(`${primary}/v1/acl/token`, {
      method: "PUT",
      ...asManager(),
      body: { Policies: [{ Name: "services" }] },
    })) as { SecretID: string };
    const world = worldOf(story, { token: SecretID });
    await (await expectQuietLife(world, story, story.first, story.second)).delete();
    expect(world.logged).toEqual([]);
  });
}
