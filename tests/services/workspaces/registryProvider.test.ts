import type { Values } from "../../../provider/core/language/object";
import registryProvider from "../../../provider/services/workspaces/registryProvider";
import type { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { Resource } from "../../steps/resource";
import { registryProviderSubject, registryWorld } from "../../steps/subjects/registryProvider";
import { inWorld } from "../expectations";

const ours = { registryName: "private", name: "app" };
const pointer = { registryName: "public", namespace: "hashicorp", name: "random" };
const headers = { authorization: "Bearer owner" };

function provider(switches: object = {}) {
  const world = registryWorld(switches);
  return { world, resource: new Resource(world, registryProvider) };
}

describe("registry provider", () => {
  test("a private provider's namespace defaults to the organization, and writing it shows no changes", async () => {
    const { world, resource } = provider();
    await resource.create(ours);
    expect(resource.id).toBe("acme/private/acme/app");
    expect(world.requests[0]?.body).toMatchObject({
      data: {
        type: "registry-providers",
        attributes: { "registry-name": "private", namespace: "acme", name: "app" },
      },
    });
    expect(resource.outputs).toMatchObject({ providerId: expect.stringMatching(/^prov-/), versionIds: [] });
    expect(resource.preview({ ...ours, namespace: "acme", organization: "acme" }).changes).toEqual([]);
  });

  test("a public provider has the namespace in its ID, and no versionIds", async () => {
    const { resource } = provider();
    await resource.create(pointer);
    expect(resource.id).toBe("acme/public/hashicorp/random");
    expect(resource.outputs.versionIds).toBeUndefined();
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(pointer).changes).toEqual([]);
  });

  test.each<[string, Values, RegExp]>([
    [
      "a public provider without a namespace",
      { registryName: "public", name: "x" },
      /^namespace: is required for a public/,
    ],
    [
      "a private provider in another namespace",
      { ...ours, organization: "acme", namespace: "other" },
      /^namespace: given "other": must be "acme"/,
    ],
    ["an unknown registryName", { ...ours, registryName: "secret" }, /^registryName: given "secret"/],
  ])("the check rejects %s", (_, program, message) => {
    const problems = provider()
      .resource.check(program)
      .map(({ path, reason }) => `${path}: ${reason}`);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });

  test.each(["name", "namespace", "registryName", "organization"])(
    "is replaced if %s changes",
    async (name) => {
      const { resource } = provider();
      await resource.create(pointer);
      const { changes } = resource.preview({
        ...pointer,
        [name]: name === "registryName" ? "private" : "other",
      });
      expect(changes.filter(({ replaces }) => replaces).map(({ path }) => path[0])).toContain(name);
    },
  );

  test("an existing provider is adopted only with adopt: true", async () => {
    const { world, resource } = provider();
    await resource.create(ours);
    const again = new Resource(world.another(), registryProvider);
    await expect(again.create(ours)).rejects.toThrow("already exists");
    await again.create({ ...ours, adopt: true });
    expect(again.id).toBe(resource.id);
  });

  test("a refresh removes it from the state if the organization's list does not contain it", async () => {
    const { world, resource } = provider();
    await resource.create(ours);
    await registryProviderSubject.takeAway?.(world, resource);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("a refresh fails if the token is not allowed to read it", async () => {
    const { world, resource } = provider();
    await resource.create(ours);
    const stranger = inWorld(resource, world.with({ token: "nobody" }));
    await expect(stranger.refresh()).rejects.toThrow(/returned 40[14]/);
  });

  test("a create of a public provider fails with an explanation if public curation is disabled", async () => {
    const { resource } = provider({ publicCuration: false });
    await expect(resource.create(pointer)).rejects.toThrow(
      "returned 403: forbidden: Public provider curation is disabled. A 403 here means that the curation of public providers is disabled",
    );
    expect(resource.id).toBe("");
  });

  test("a replacement's preview and a delete warn about the versions that are deleted", async () => {
    const { world, resource } = provider({ dialect: "real" });
    await resource.create(ours);
    expect(resource.preview({ ...ours, name: "other" }).notes).toEqual([]);
    (world.stub as WorkspacesService).seed({
      registryProviders: [
        {
          organization: "acme",
          registryName: "private",
          namespace: "acme",
          name: "app",
          versions: ["provver-1", "provver-2"],
        },
      ],
    });
    await resource.refresh();
    expect(resource.preview(ours).notes).toEqual([]);
    const lost = expect.stringContaining("its 2 versions will also be deleted");
    expect(resource.preview({ ...ours, name: "other" }).notes).toEqual([lost]);
    await resource.delete();
    expect(world.logged).toEqual([lost]);
  });

  test("a delete of a provider without versions logs no warning", async () => {
    const { world, resource } = provider({ dialect: "real" });
    await resource.create(ours);
    await resource.delete();
    expect(world.logged).toEqual([]);
  });

  test("a delete fails and the provider remains if can-delete is false for the token", async () => {
    const { world, resource } = provider();
    await resource.create(ours);
    const member = inWorld(resource, world.with({ token: "member" }));
    await expect(member.delete()).rejects.toThrow(
      "lacks the permission to delete the provider (the server returns can-delete: false); nothing was sent",
    );
    expect(member.world.requests.every(({ nature }) => nature === "read")).toBe(true);
    const { status } = await world.send(
      "GET",
      "/api/v2/organizations/acme/registry-providers/private/acme/app",
      undefined,
      headers,
    );
    expect(status).toBe(200);
  });
});
