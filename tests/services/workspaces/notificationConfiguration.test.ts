import type { Json } from "../../../provider/core/value/json";
import notificationConfiguration from "../../../provider/services/workspaces/notificationConfiguration";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { bodiesOf, expectNoChanges, problemsOf, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const ALL = `/api/v2/workspaces/${WORKSPACE_ID}/notification-configurations`;
const URL = "https://hooks.example.com/canary-webhook";
const TOKEN = "canary-signing-key";
const program = {
  workspaceId: WORKSPACE_ID,
  name: "deploys",
  destinationType: "generic",
  url: URL,
  enabled: true,
  triggers: ["run:created", "run:errored"],
};
const mail = {
  workspaceId: WORKSPACE_ID,
  name: "mail",
  destinationType: "email",
  emailUserIds: ["user-olga"],
};

function scene() {
  const world = workspaceWorld(notificationConfiguration);
  return { world, resource: new Resource(world, notificationConfiguration) };
}
const sent = (world: ReturnType<typeof scene>["world"]) => bodiesOf(world, "PATCH");
const patchOf = (attributes: { [name: string]: Json }) => ({
  data: { type: "notification-configurations", attributes },
});

describe("notification configuration", () => {
  test("is updated in place with the changed properties only", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const before = resource.id;
    const changed = { ...program, enabled: false, triggers: ["run:completed"] };
    await resource.up(changed);
    expect(sent(world)).toEqual([patchOf({ enabled: false, triggers: ["run:completed"] })]);
    expect(resource.id).toBe(before);
    await expectNoChanges(resource, changed);
  });

  test("a create always contains enabled, which OTF requires", async () => {
    const { world, resource } = scene();
    const { enabled: _, ...rest } = program;
    await resource.create(rest);
    expect(bodiesOf(world, "POST")).toMatchObject([{ data: { attributes: { enabled: false } } }]);
    await expectNoChanges(resource, rest);
  });

  test("the order of the triggers is no change", async () => {
    const { resource } = scene();
    await resource.create(program);
    await expectNoChanges(resource, { ...program, triggers: ["run:errored", "run:created"] });
  });

  test("removed triggers become none, and enabled becomes false", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const { enabled: _, triggers: __, ...rest } = program;
    await resource.up(rest);
    expect(sent(world)).toEqual([patchOf({ enabled: false, triggers: [] })]);
  });

  test("a changed token is sent, a removed one is cleared, and no response shows it", async () => {
    const { world, resource } = scene();
    await resource.create({ ...program, token: TOKEN });
    await expectNoChanges(resource, { ...program, token: TOKEN });
    await resource.up({ ...program, token: "canary-other" });
    await resource.up(program);
    expect(sent(world)).toEqual([patchOf({ token: "canary-other" }), patchOf({ token: null })]);
  });

  test("the URL is compared, although it is secret, and a change by someone else is a conflict without its text", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const { notificationConfigurationId } = resource.outputs;
    await world.send(
      "PATCH",
      `/api/v2/notification-configurations/${notificationConfigurationId}`,
      patchOf({ url: "https://hooks.example.com/canary-theirs" }),
      as("owner"),
    );
    const update = resource.update({ ...program, url: "https://hooks.example.com/canary-ours" });
    await expect(update).rejects.toThrow("conflict");
    await expect(update).rejects.not.toThrow("canary");
    expect(sent(world)).toEqual([]);
  });

  test("a URL that does not answer the test message cannot be enabled, and the error explains it", async () => {
    const { world, resource } = scene();
    const unreachable = { ...program, url: "https://hooks.invalid/canary" };
    const created = resource.create(unreachable);
    await expect(created).rejects.toThrow("sends a test message to the URL");
    await expect(created).rejects.not.toThrow("canary");
    await resource.create({ ...unreachable, enabled: false });
    await expect(resource.update(unreachable)).rejects.toThrow("sends a test message to the URL");
    expect(world.logged).toEqual([]);
  });

  test("emails go to users, which are a relationship", async () => {
    const { world, resource } = scene();
    await resource.create(mail);
    const type = "users";
    const users = (...ids: string[]) => ({ users: { data: ids.map((id) => ({ type, id })) } });
    expect(bodiesOf(world, "POST")).toMatchObject([{ data: { relationships: users("user-olga") } }]);
    await expectNoChanges(resource, mail);
    await resource.up({ ...mail, emailUserIds: ["user-otto"] });
    expect(sent(world)).toMatchObject([{ data: { relationships: users("user-otto") } }]);
  });

  test("the kind of the receiver and the workspace replace it", async () => {
    const { resource } = scene();
    await resource.create(program);
    expect(replacedBy(resource, { ...program, destinationType: "slack" })).toEqual(["destinationType"]);
    expect(replacedBy(resource, { ...program, workspaceId: "ws-api" })).toEqual(["workspaceId"]);
  });

  test("a webhook requires a URL, an email does not, and a trigger has two parts", () => {
    const { resource } = scene();
    const { url: _, ...withoutUrl } = program;
    expect(problemsOf(resource, withoutUrl)).toEqual([expect.stringContaining("is required unless")]);
    expect(problemsOf(resource, mail)).toEqual([]);
    expect(problemsOf(resource, { ...program, triggers: ["created"] })).toEqual([
      expect.stringContaining("must be an event such as run:created"),
    ]);
  });

  test("a create of an existing name fails, unless adopt is true", async () => {
    const { world, resource } = scene();
    const attributes = { name: "deploys", "destination-type": "generic", url: URL };
    await world.send("POST", ALL, patchOf(attributes), as("owner"));
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect(bodiesOf(world, "POST")).toEqual([]);
    await resource.create({ ...program, adopt: true });
    await expectNoChanges(resource, { ...program, adopt: true });
  });

  test("is removed from the state if this token can still read its workspace, and not otherwise", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
    const other = scene();
    await other.resource.create(program);
    const path = `/api/v2/notification-configurations/${other.resource.outputs.notificationConfigurationId}`;
    await other.world.send("DELETE", path, undefined, as("owner"));
    expect(await other.resource.refresh()).toBe(false);
  });

  test("is imported by the IDs, or by the workspace's name, and not as a part of another workspace", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const id = resource.outputs.notificationConfigurationId;
    for (const path of [resource.id, `acme/app/${id}`])
      expect(await new Resource(world, notificationConfiguration).get(path)).toMatchObject({
        name: "deploys",
      });
    await expect(new Resource(world, notificationConfiguration).get(`ws-web/${id}`)).rejects.toThrow();
  });
});
