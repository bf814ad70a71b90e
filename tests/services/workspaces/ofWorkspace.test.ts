import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import dataRetentionPolicy from "../../../provider/services/workspaces/dataRetentionPolicy";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceSshKey from "../../../provider/services/workspaces/workspaceSshKey";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { expectNoChanges, notesOfCreate } from "../expectations";
import { ask, MOVED_AWAY } from "./workspace-scene";

const workspaceId = WORKSPACE_ID;
const days = { workspaceId, deleteOlderThanDays: 30 };
const key = { workspaceId, sshKeyId: "sshkey-deploy" };
const POLICY = `${WORKSPACE_ID}/relationships/data-retention-policy`;

function scene(definition: Definition) {
  const world = workspaceWorld(definition);
  return { world, resource: new Resource(world, definition) };
}

/** Removes the organization from the state, as earlier versions of the provider wrote it. */
function forgetOrganization(resource: Resource): void {
  const { organization: _, ...address } = resource.record.address;
  resource.outputs = { ...resource.outputs, [RECORDS]: formatRecords({ ...resource.record, address }) };
}

describe.each([
  ["a data retention policy", dataRetentionPolicy, days],
  ["an SSH key", workspaceSshKey, key],
] as const)("%s", (_, definition, program) => {
  async function created() {
    const all = scene(definition);
    await all.resource.create(program);
    return all;
  }

  test("is deleted for a refresh with its workspace", async () => {
    const { world, resource } = await created();
    await ask(world, "DELETE", WORKSPACE_ID);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("is not deleted for a token that can no longer read the workspace", async () => {
    const { world, resource } = await created();
    world.stub.seed(MOVED_AWAY);
    await expect(resource.refresh()).rejects.toThrow("answered 404");
    await expect(resource.delete()).rejects.toThrow("answered 404");
  });

  test("is not deleted for a state without the organization", async () => {
    const { world, resource } = await created();
    forgetOrganization(resource);
    await ask(world, "DELETE", WORKSPACE_ID);
    await expect(resource.refresh()).rejects.toThrow("answered 404");
  });
});

describe("a data retention policy", () => {
  const both = expect.stringContaining("exactly one of the two is a policy");

  test.each<[string, Values, unknown]>([
    ["neither days nor dontDelete", { workspaceId }, [both]],
    ["both", { ...days, dontDelete: true }, [both]],
    ["dontDelete: false only", { workspaceId, dontDelete: false }, [both]],
    [
      "a part of a day",
      { workspaceId, deleteOlderThanDays: 1.5 },
      expect.arrayContaining([expect.any(String)]),
    ],
    ["a text", { workspaceId, deleteOlderThanDays: "many" }, expect.arrayContaining([expect.any(String)])],
    ["no days, which the server decides", { workspaceId, deleteOlderThanDays: 0 }, []],
  ])("with %s has these problems", (_, program, reasons) => {
    const problems = scene(dataRetentionPolicy).resource.check(program);
    expect(problems.map(({ reason }) => reason)).toEqual(reasons);
    for (const { path } of problems.slice(0, 1)) expect(path).toBe("deleteOlderThanDays");
  });

  test("changes from days to dontDelete and back in place, each time with another id", async () => {
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

  test("that another user sets to dontDelete shows drift, and the next up restores the days", async () => {
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

describe("an SSH key", () => {
  function scenes() {
    const all = scene(workspaceSshKey);
    const held = async () => {
      const { relationships } = (await ask(all.world, "GET", WORKSPACE_ID)).data;
      return (relationships as { "ssh-key": { data: { id: string } | null } })["ssh-key"].data?.id;
    };
    return { ...all, held, own: new Resource(all.world.another(), workspace) };
  }

  test("is assigned, changed in place, and unassigned by a delete", async () => {
    const { world, held, resource } = scenes();
    await resource.create(key);
    expect(await held()).toBe("sshkey-deploy");
    await resource.up({ ...key, sshKeyId: "sshkey-modules" });
    expect(await held()).toBe("sshkey-modules");
    await resource.delete();
    expect(await held()).toBeUndefined();
    expect(world.requests.filter(({ nature }) => nature !== "read").map(({ body }) => body)).toEqual(
      ["sshkey-deploy", "sshkey-modules", null].map((id) => ({
        data: { type: "workspaces", attributes: { id } },
      })),
    );
  });

  test("that exists is replaced only with adopt", async () => {
    const { held, resource, world } = scenes();
    await resource.create(key);
    const other = new Resource(world.another(), workspaceSshKey);
    const theirs = { ...key, sshKeyId: "sshkey-modules" };
    await expect(other.create(theirs)).rejects.toThrow("already exists");
    expect(await held()).toBe("sshkey-deploy");
    await other.create({ ...theirs, adopt: true });
    expect(await held()).toBe("sshkey-modules");
  });

  test("that the workspace's own sshKeyId manages is named in the error", async () => {
    const { own, resource } = scenes();
    await own.get(WORKSPACE_ID);
    await own.up({ name: "app", sshKeyId: "sshkey-deploy" });
    await expect(resource.create(key)).rejects.toThrow(
      /has the SSH key sshkey-deploy already; if its own sshKeyId is written, drop one of the two: one manager each/,
    );
  });

  test("is a conflict for a workspace that begins to write its own", async () => {
    const { own, held, resource } = scenes();
    await own.get(WORKSPACE_ID);
    await resource.create(key);
    await expect(own.up({ name: "app", sshKeyId: "sshkey-modules" })).rejects.toThrow(
      /sshKeyId +\(none\) +"sshkey-modules" +"sshkey-deploy"/,
    );
    expect(await held()).toBe("sshkey-deploy");
  });

  test("learns its organization, which earlier versions did not store, in a refresh", async () => {
    const { world, resource } = scenes();
    await resource.create(key);
    forgetOrganization(resource);
    await resource.refresh();
    await ask(world, "DELETE", WORKSPACE_ID);
    expect(await resource.refresh()).toBe(false);
  });

  test("has a note that it must be the only manager", () => {
    const note = expect.stringContaining("one manager each");
    expect(notesOfCreate(workspaceSshKey, key)).toEqual([note]);
  });

  test("that the organization does not have is refused", async () => {
    const { resource } = scenes();
    await expect(resource.create({ ...key, sshKeyId: "sshkey-none" })).rejects.toThrow("answered 404");
    expect(resource.id).toBe("");
  });
});
