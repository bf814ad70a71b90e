import type { Values } from "../../../provider/core/language/object";
import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import dataRetentionPolicy from "../../../provider/services/workspaces/dataRetentionPolicy";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";

const AT = `/api/v2/workspaces/${WORKSPACE_ID}/relationships/data-retention-policy`;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
const workspaceId = WORKSPACE_ID;

function policy() {
  const world = workspaceWorld(dataRetentionPolicy);
  return { world, resource: new Resource(world, dataRetentionPolicy) };
}

describe("a data retention policy", () => {
  test.each<[string, Values]>([
    ["neither days nor never", { workspaceId }],
    ["both", { workspaceId, deleteOlderThanDays: 30, dontDelete: true }],
    ["no days, and never being false", { workspaceId, dontDelete: false }],
  ])("with %s is refused in the preview", (_, program) => {
    expect(policy().resource.check(program)).toEqual([
      { path: "deleteOlderThanDays", reason: expect.stringContaining("exactly one of the two is a policy") },
    ]);
  });

  test.each([1.5, "many"])("of %j days is refused in the preview", (deleteOlderThanDays) => {
    const [problem] = policy().resource.check({ workspaceId, deleteOlderThanDays });
    expect(problem?.path).toBe("deleteOlderThanDays");
  });

  test("of no days is left to the service, of which no table says what it takes", () => {
    expect(policy().resource.check({ workspaceId, deleteOlderThanDays: 0 })).toEqual([]);
  });

  test("goes from days to never and back in place, each time with another id", async () => {
    const { world, resource } = policy();
    const ids = new Set<unknown>();
    for (const own of [{ deleteOlderThanDays: 30 }, { dontDelete: true }, { deleteOlderThanDays: 90 }]) {
      const program = { workspaceId, ...own };
      if (resource.id === "") await resource.create(program);
      else expect(await resource.up(program)).toBe(true);
      expect(resource.preview(program).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect(resource.preview(program).changes).toEqual([]);
      ids.add(resource.outputs.policyId);
      const { json } = await world.send("GET", AT, undefined, headers);
      const kept = "dontDelete" in own ? "dont-deletes" : "delete-olders";
      expect(json).toMatchObject({ data: { type: `data-retention-policy-${kept}` } });
    }
    expect(ids.size).toBe(3);
  });

  test("that somebody else sets to never shows as a drift, and the next up puts the days back", async () => {
    const { world, resource } = policy();
    const program = { workspaceId, deleteOlderThanDays: 30 };
    await resource.create(program);
    await world.send("POST", AT, { data: { type: "data-retention-policy-dont-deletes" } }, headers);
    await resource.refresh();
    expect(resource.preview(program).changes.map(({ path, cause }) => [path, cause])).toEqual([
      [["deleteOlderThanDays"], "drift"],
      [["dontDelete"], "drift"],
    ]);
    await resource.up(program);
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("of a workspace that is gone, by its organization's list, is gone with it", async () => {
    const { world, resource } = policy();
    await resource.create({ workspaceId, deleteOlderThanDays: 30 });
    await world.send("DELETE", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, headers);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("of a workspace that this token merely may not read any more is not taken for gone", async () => {
    const { world, resource } = policy();
    await resource.create({ workspaceId, deleteOlderThanDays: 30 });
    world.stub.seed({
      tokens: { owner: { user: "olga", organizations: { other: ["owners"] } } },
      organizations: { other: {} },
    });
    await expect(resource.refresh()).rejects.toThrow("answered 404");
    await expect(resource.delete()).rejects.toThrow("answered 404");
  });

  test("of a state that does not know the organization is not taken for gone where the workspace is", async () => {
    const { world, resource } = policy();
    await resource.create({ workspaceId, deleteOlderThanDays: 30 });
    const { organization: _, ...address } = resource.record.address;
    resource.outputs = { ...resource.outputs, [RECORDS]: formatRecords({ ...resource.record, address }) };
    await world.send("DELETE", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, headers);
    await expect(resource.refresh()).rejects.toThrow("answered 404");
  });
});
