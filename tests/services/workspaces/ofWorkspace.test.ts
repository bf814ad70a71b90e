import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import dataRetentionPolicy from "../../../provider/services/workspaces/dataRetentionPolicy";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceSshKey from "../../../provider/services/workspaces/workspaceSshKey";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { expectNoChanges, notesOfCreate } from "../expectations";
import { ask, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const workspaceId = WORKSPACE_ID;
const days = { workspaceId, deleteOlderThanDays: 30 };
const key = { workspaceId, sshKeyId: "sshkey-deploy" };
const POLICY = `${WORKSPACE_ID}/relationships/data-retention-policy`;

function scene(definition: Definition) {
  const world = workspaceWorld(definition);
  return { world, resource: new Resource(world, definition) };
}

/** Removes the organization from the state, because earlier versions of the provider did not store it. */
function forgetOrganization(resource: Resource): void {
  const { organization: _, ...address } = resource.record.address;
  resource.outputs = { ...resource.outputs, [RECORDS]: formatRecords({ ...resource.record, address }) };
}

describe.each([
  ["data retention policy", dataRetentionPolicy, days],
  ["SSH key of a workspace", workspaceSshKey, key],
] as const)("%s", (_, definition, program) => {
  async function createResource() {
    const all = scene(definition);
    await all.resource.create(program);
    return all;
  }

  test("a refresh removes it from the state if its workspace was deleted, and a delete succeeds", async () => {
    const { world, resource } = await createResource();
    await ask(world, "DELETE", WORKSPACE_ID);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("a refresh and a delete fail if the token can no longer read the workspace", async () => {
    const { world, resource } = await createResource();
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
    await expect(resource.delete()).rejects.toThrow("returned 404");
  });

  test("a refresh after its workspace was deleted fails if the state has no organization", async () => {
    const { world, resource } = await createResource();
    forgetOrganization(resource);
    await ask(world, "DELETE", WORKSPACE_ID);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
  });
});

describe("data retention policy", () => {
  const both = expect.stringContaining("exactly one of deleteOlderThanDays and dontDelete");

  test.each<[string, Values, unknown]>([
    ["neither days nor dontDelete", { workspaceId }, [both]],
    ["both days and dontDelete", { ...days, dontDelete: true }, [both]],
    ["dontDelete: false only", { workspaceId, dontDelete: false }, [both]],
    [
      "a fraction of a day",
      { workspaceId, deleteOlderThanDays: 1.5 },
      expect.arrayContaining([expect.any(String)]),
    ],
    [
      "a string that is not a number",
      { workspaceId, deleteOlderThanDays: "many" },
      expect.arrayContaining([expect.any(String)]),
    ],
    ["0 days", { workspaceId, deleteOlderThanDays: 0 }, []],
  ])("the check of a policy with %s reports the expected problems", (_, program, reasons) => {
    const problems = scene(dataRetentionPolicy).resource.check(program);
    expect(problems.map(({ reason }) => reason)).toEqual(reasons);
    for (const { path } of problems.slice(0, 1)) expect(path).toBe("deleteOlderThanDays");
  });

  test("changes from days to dontDelete and back in place, and gets a new policyId each time", async () => {
    const { world, resource } = scene(dataRetentionPolicy);
    const ids = new Set<unknown>();
    for (const own of [{ deleteOlderThanDays: 30 }, { dontDelete: true }, { deleteOlderThanDays: 90 }]) {
      const program = { workspaceId, ...own };
      if (resource.id === "") await resource.create(program);
      else expect(await resource.up(program)).toBe(true);
      await expectNoChanges(resource, program);
      ids.add(resource.outputs.policyId);
      const type = "dontDelete" in own ? "dont-deletes" : "delete-olders";
      expect(await ask(world, "GET", POLICY)).toMatchObject({
        data: { type: `data-retention-policy-${type}` },
      });
    }
    expect(ids.size).toBe(3);
  });

  describe("of the organization, which a workspace without a policy shows,", () => {
    function inheriting() {
      const all = scene(dataRetentionPolicy);
      all.world.stub.seed({ organizations: { acme: { retentionDays: 7 } } });
      return all;
    }

    test("neither blocks a create nor remains after a delete", async () => {
      const { world, resource } = inheriting();
      await resource.create(days);
      expect(resource.outputs.deleteOlderThanDays).toBe(30);
      await resource.delete();
      expect(await ask(world, "GET", POLICY)).toMatchObject({ data: { id: "drp-acme" } });
    });

    test("is not the policy of the resource: a refresh removes the resource from the state", async () => {
      const { world, resource } = inheriting();
      await resource.create(days);
      await ask(world, "DELETE", POLICY);
      expect(await resource.refresh()).toBe(false);
    });
  });

  test("shows drift if another user sets dontDelete, and the next up restores the days", async () => {
    const { world, resource } = scene(dataRetentionPolicy);
    await resource.create(days);
    await ask(world, "POST", POLICY, { type: "data-retention-policy-dont-deletes" });
    await resource.refresh();
    expect(resource.preview(days).changes.map(({ path, cause }) => [path, cause])).toEqual([
      [["deleteOlderThanDays"], "drift"],
      [["dontDelete"], "drift"],
    ]);
    await resource.up(days);
    await expectNoChanges(resource, days);
  });
});

describe("SSH key of a workspace", () => {
  function scenes() {
    const all = scene(workspaceSshKey);
    const assignedKey = async () => {
      const { relationships } = (await ask(all.world, "GET", WORKSPACE_ID)).data;
      return (relationships as { "ssh-key": { data: { id: string } | null } })["ssh-key"].data?.id;
    };
    return { ...all, assignedKey, own: new Resource(all.world.another(), workspace) };
  }

  test("is assigned by a create, changed in place, and unassigned by a delete", async () => {
    const { world, assignedKey, resource } = scenes();
    await resource.create(key);
    expect(await assignedKey()).toBe("sshkey-deploy");
    await resource.up({ ...key, sshKeyId: "sshkey-modules" });
    expect(await assignedKey()).toBe("sshkey-modules");
    await resource.delete();
    expect(await assignedKey()).toBeUndefined();
    expect(world.requests.filter(({ nature }) => nature !== "read").map(({ body }) => body)).toEqual(
      ["sshkey-deploy", "sshkey-modules", null].map((id) => ({
        data: { type: "workspaces", attributes: { id } },
      })),
    );
  });

  test("a create overwrites an assigned key only with adopt: true", async () => {
    const { assignedKey, resource, world } = scenes();
    await resource.create(key);
    const other = new Resource(world.another(), workspaceSshKey);
    const theirs = { ...key, sshKeyId: "sshkey-modules" };
    await expect(other.create(theirs)).rejects.toThrow("already exists");
    expect(await assignedKey()).toBe("sshkey-deploy");
    await other.create({ ...theirs, adopt: true });
    expect(await assignedKey()).toBe("sshkey-modules");
  });

  test("a create fails if a key is assigned, and the error mentions the workspace's own sshKeyId", async () => {
    const { own, resource } = scenes();
    await own.get(WORKSPACE_ID);
    await own.up({ name: "app", sshKeyId: "sshkey-deploy" });
    await expect(resource.create(key)).rejects.toThrow(
      /already has the SSH key sshkey-deploy; if the Workspace resource sets sshKeyId, remove one of the two/,
    );
  });

  test("an assigned key is a conflict for a workspace that starts to set sshKeyId", async () => {
    const { own, assignedKey, resource } = scenes();
    await own.get(WORKSPACE_ID);
    await resource.create(key);
    await expect(own.up({ name: "app", sshKeyId: "sshkey-modules" })).rejects.toThrow(
      /sshKeyId +\(none\) +"sshkey-modules" +"sshkey-deploy"/,
    );
    expect(await assignedKey()).toBe("sshkey-deploy");
  });

  test("a refresh adds the organization, which earlier versions did not store, to the state", async () => {
    const { world, resource } = scenes();
    await resource.create(key);
    forgetOrganization(resource);
    await resource.refresh();
    await ask(world, "DELETE", WORKSPACE_ID);
    expect(await resource.refresh()).toBe(false);
  });

  test("the preview of a create has a note that only one resource may manage the key", () => {
    const note = expect.stringContaining("would overwrite the key of the other");
    expect(notesOfCreate(workspaceSshKey, key)).toEqual([note]);
  });

  test("a create fails with HTTP 404 if the organization does not have the key", async () => {
    const { resource } = scenes();
    await expect(resource.create({ ...key, sshKeyId: "sshkey-none" })).rejects.toThrow("returned 404");
    expect(resource.id).toBe("");
  });
});
