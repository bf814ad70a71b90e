import runTrigger from "../../../provider/services/workspaces/runTrigger";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { bodiesOf, expectNoChanges, inWorld, problemsOf, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const ALL = `/api/v2/workspaces/${WORKSPACE_ID}/run-triggers`;
const program = { workspaceId: WORKSPACE_ID, sourceableId: "ws-web" };
const body = (id: string) => ({
  data: {
    type: "run-triggers",
    attributes: {},
    relationships: { sourceable: { data: { type: "workspaces", id } } },
  },
});

function scene() {
  const world = workspaceWorld(runTrigger);
  const theirs = async (id: string) => {
    const { status } = await world.send("POST", ALL, body(id), as("owner"));
    expect(status).toBe(201);
  };
  return { world, resource: new Resource(world, runTrigger), theirs };
}

describe("run trigger", () => {
  test("names its source as a relationship, and gets its ID from the server", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    expect(bodiesOf(world, "POST")).toEqual([body("ws-web")]);
    expect(resource.outputs).toMatchObject({ ...program, workspaceName: "app", sourceableName: "web" });
    expect(resource.id).toBe(`${WORKSPACE_ID}/${resource.outputs.runTriggerId}`);
    await expectNoChanges(resource, program);
  });

  test("is replaced by every change", async () => {
    const { resource } = scene();
    await resource.create(program);
    expect(replacedBy(resource, { ...program, sourceableId: "ws-api" })).toEqual(["sourceableId"]);
    expect(replacedBy(resource, { ...program, workspaceId: "ws-api" })).toEqual(["workspaceId"]);
  });

  test("a create for a source with a trigger fails, unless adopt is true", async () => {
    const { world, resource, theirs } = scene();
    await theirs("ws-api");
    await theirs("ws-web");
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect(bodiesOf(world, "POST")).toEqual([]);
    await resource.create({ ...program, adopt: true });
    expect(resource.outputs.sourceableName).toBe("web");
  });

  test("a create waits while the server creates another trigger of the workspace", async () => {
    const { world, resource } = scene();
    let rejected = 0;
    world.fate = ({ method }) => {
      if (method !== "POST" || rejected === 3) return "passes";
      rejected += 1;
      const errors = [{ status: "409", title: "conflict", detail: "Run Trigger creation locked" }];
      return { answer: { status: 409, text: JSON.stringify({ errors }) }, isCarriedOut: false };
    };
    await resource.create(program);
    await expectNoChanges(resource, program);
    expect(world.logged).toEqual([]);
  });

  test("is removed from the state with its source, if the token can still read the workspace", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    await world.send("DELETE", "/api/v2/workspaces/ws-web", undefined, as("owner"));
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("stays in the state if the token can no longer read the organization", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
  });

  test("is imported by the IDs, or by the workspace's name", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const { runTriggerId } = resource.outputs;
    for (const id of [resource.id, `acme/app/${runTriggerId}`])
      expect(await new Resource(world, runTrigger).get(id)).toMatchObject(program);
  });

  test("is not imported as a trigger of its source, or of another workspace", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const other = new Resource(world, runTrigger);
    await expect(other.get(`ws-web/${resource.outputs.runTriggerId}`)).rejects.toThrow();
  });

  test("a workspace cannot be its own source", () => {
    const { resource } = scene();
    expect(problemsOf(resource, { ...program, sourceableId: WORKSPACE_ID })).toEqual([
      expect.stringContaining("a workspace cannot trigger its own runs"),
    ]);
  });

  test("a token without Read permission on the source cannot create it, and the error names the permission", async () => {
    const { world, resource } = scene();
    world.stub.seed({ tokens: { admin: { user: "max", organizations: { acme: ["admins"] } } } });
    world.stub.seed({ organizations: { acme: { teams: { admins: { workspaces: { app: "admin" } } } } } });
    await expect(inWorld(resource, world.with({ token: "admin" })).create(program)).rejects.toThrow(
      "Read permission on runs on the source workspace",
    );
  });
});
