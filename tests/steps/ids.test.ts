import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import configEntry from "../../provider/services/mesh/configEntry";
import meshEntry from "../../provider/services/mesh/kinds/mesh";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { scene } from "../services/workspaces/workspace-scene";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import { WORKSPACE_ID, workspaceWorld } from "./subjects/ofWorkspace";
import { World } from "./world";

/** A mesh with the same entry in two datacenters and namespaces. */
function mesh(definition: Definition, settings: Values = {}) {
  const entry = (Protocol: string) => ({ Kind: "service-defaults", Name: "web", Protocol });
  const seed = {
    tokens: { manager: { management: true } },
    datacenters: ["dc2"],
    namespaces: ["team"],
    entries: [
      { entry: entry("http") },
      { entry: { Kind: "mesh" } },
      { datacenter: "dc2", namespace: "team", entry: entry("grpc") },
    ],
  };
  return new Resource(
    new World(new MeshService({ switches: { dialect: "neutral" }, seed }), definition, {
      token: "manager",
      ...settings,
    }),
    definition,
  );
}

describe("the import of a Consul configuration entry", () => {
  const reads: readonly (readonly [Definition, string, Values, string, string])[] = [
    [configEntry, "service-defaults/web", {}, "/default/service-defaults/web", "http"],
    [serviceDefaults, "service-defaults/web", {}, "/default/service-defaults/web", "http"],
    [
      configEntry,
      "service-defaults/web",
      { datacenter: "dc2", namespace: "team" },
      "dc2/team/service-defaults/web",
      "grpc",
    ],
    [configEntry, "dc2/team/service-defaults/web", {}, "dc2/team/service-defaults/web", "grpc"],
    [
      configEntry,
      "//service-defaults/web",
      { datacenter: "dc2", namespace: "default" },
      "/default/service-defaults/web",
      "http",
    ],
  ];

  test.each(reads.map((row) => [row[0].token, row[1], row[2], row] as const))(
    "reads a %s by the ID %s with the settings %j",
    async (_, id, settings, [definition, , , own, protocol]) => {
      const entry = mesh(definition, settings);
      await entry.get(id);
      expect(entry.id).toBe(own);
      expect(Object.values(entry.outputs.spec as object)).toContain(protocol);
    },
  );

  test.each([
    ["service-defaults/web", {}],
    ["/default/service-defaults/web", { namespace: "default" }],
  ])("by the ID %s sets the namespace only if the ID contains it", async (id, given) => {
    const { spec: _, ...taken } = await mesh(configEntry).get(id);
    expect(taken).toEqual({ kind: "service-defaults", name: "web", ...given });
  });

  test("accepts kind and name for an entry that is the only one of its kind", async () => {
    const entry = mesh(meshEntry);
    await entry.get("mesh/mesh");
    expect(entry.id).toBe("/default/mesh/mesh");
  });

  test("rejects any other ID and lists the accepted forms", async () => {
    await expect(mesh(configEntry).get("default/service-defaults/web")).rejects.toThrow(
      "IDs have the form {datacenter}/{namespace}/{kind}/{name} or {partition}@{datacenter}/{namespace}/{kind}/{name} or {kind}/{name}",
    );
    await expect(mesh(serviceDefaults).get("mesh/web")).rejects.toThrow(
      'Consul service-defaults entry: "mesh/web" is not an ID',
    );
  });

  test.each([
    ["a%2F..%2Fb", 'its name must not contain "." or ".." between slashes'],
    ["..", 'its name must not be ".."'],
    ["a%2F%2Fb", "its name must not start with a slash or contain two slashes in a row"],
    ["a%E2%80%8Bb", "its name must not contain U+200B"],
  ])("rejects the name %s without a request", async (name, reason) => {
    const entry = mesh(configEntry);
    await expect(entry.get(`service-defaults/${name}`)).rejects.toThrow(reason);
    expect(entry.world.requests).toEqual([]);
  });
});

test("the import of a workspace accepts its ID, and its organization and name", async () => {
  const { world, resource } = scene();
  await resource.create({ name: "app" });
  for (const id of [resource.id, "acme/app"]) {
    const read = new Resource(world, resource.definition);
    await read.get(id);
    expect(read.id).toBe(resource.id);
  }
});

const ofAWorkspace = subjects.filter(
  ([, { definition }]) => definition.where.id.template === "{workspaceId}" && definition.life.reads.locate,
);

describe.each(ofAWorkspace)("the import of a %s", (_, { definition }) => {
  const programs: Readonly<Record<string, Values>> = {
    "workspaces:DataRetentionPolicy": { deleteOlderThanDays: 30 },
    "workspaces:WorkspaceLock": { reason: "upgrade" },
    "workspaces:WorkspaceSshKey": { sshKeyId: "sshkey-deploy" },
    "workspaces:RemoteStateConsumers": { consumerIds: ["ws-web"] },
  };

  test("accepts the organization and the name of its workspace", async () => {
    const world = workspaceWorld(definition);
    const program = { workspaceId: WORKSPACE_ID, ...programs[definition.token] };
    await new Resource(world, definition).create(program);
    const read = new Resource(world, definition);
    await read.get("acme/app");
    expect(read.id).toBe(WORKSPACE_ID);
    expect(read.inputs).toMatchObject({ workspaceId: WORKSPACE_ID });
    expect(read.record.address).not.toHaveProperty("workspace");
    expect(await read.refresh()).toBe(true);
  });

  test("fails with a 404 if the workspace does not exist", async () => {
    const read = new Resource(workspaceWorld(definition), definition);
    await expect(read.get("acme/other")).rejects.toThrow("returned 404");
  });
});

test("four sub-resources of a workspace can be imported by organization and workspace name", () => {
  expect(ofAWorkspace.map(([token]) => token).sort()).toEqual([
    "workspaces:DataRetentionPolicy",
    "workspaces:RemoteStateConsumers",
    "workspaces:WorkspaceLock",
    "workspaces:WorkspaceSshKey",
  ]);
});
