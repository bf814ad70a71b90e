import workspaceForceUnlock from "../../../provider/services/workspaces/workspaceForceUnlock";
import { deeds } from "../../steps/deeds";
import { Resource } from "../../steps/resource";

async function locked() {
  const [, deed] = deeds.find(([token]) => token === "workspaces:WorkspaceForceUnlock") ?? [];
  if (deed === undefined) throw new Error("no such deed");
  const { world, program } = await deed.scene();
  return { world, program, resource: new Resource(world, workspaceForceUnlock) };
}

describe("a forced unlock", () => {
  test("takes the lock from whoever holds it", async () => {
    const { world, program, resource } = await locked();
    await resource.create(program);
    const { json } = await world.send("GET", `/api/v2/workspaces/${program.workspaceId}`, undefined, {
      authorization: "Bearer owner",
    });
    expect(json).toMatchObject({ data: { attributes: { locked: false } } });
    expect(resource.id).toBe(program.workspaceId);
  });

  test("of an unlocked workspace leaves it as it is", async () => {
    const { program, resource, world } = await locked();
    await resource.create(program);
    const again = new Resource(world, workspaceForceUnlock);
    await again.create({ ...program, triggers: ["again"] });
    expect(again.outputs.outcome).toBe("done");
  });

  test("of a workspace that is not there is an error", async () => {
    const { resource } = await locked();
    await expect(resource.create({ workspaceId: "ws-none" })).rejects.toThrow(
      /answered 404.*This service says the same where the token may not look/,
    );
  });

  test("says in the preview that the holder loses the lock", () => {
    expect(workspaceForceUnlock.notes?.({ step: "create", inputs: {}, changed: [] })).toEqual([
      expect.stringContaining("whoever holds the lock loses it"),
    ]);
  });
});
