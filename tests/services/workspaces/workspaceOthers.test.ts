import type { Values } from "../../../provider/core/language/object";
import registryProvider from "../../../provider/services/workspaces/registryProvider";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";
import { as, made, patched, scene } from "./workspace-scene";

const write = (world: World, id: string, attributes: Values) =>
  world.send(
    "PATCH",
    `/api/v2/workspaces/${id}`,
    { data: { type: "workspaces", attributes: { ...attributes } } },
    as("owner"),
  );

const assign = (world: World, id: string, key: string) =>
  world.send(
    "PATCH",
    `/api/v2/workspaces/${id}/relationships/ssh-key`,
    { data: { type: "workspaces", attributes: { id: key } } },
    as("owner"),
  );

describe("what others do to a workspace while our step is under way", () => {
  test.each(["tags", "workspaces/ws-"])(
    "shows after a refresh, although our own request to %s came after it",
    async (part) => {
      const { world, resource } = await made({ name: "app", description: "ours" });
      const program = { name: "app", description: "ours", autoApply: true, tagNames: ["x"] };
      world.fate = async ({ path, nature }): Promise<Fate> => {
        if (nature === "write" && path.includes(part))
          await write(world, resource.id, { description: "theirs" });
        return "passes";
      };
      await resource.up(program);
      world.fate = () => "passes";
      await resource.refresh();
      expect(resource.preview(program).changes).toMatchObject([{ path: ["description"], cause: "drift" }]);
      await resource.up(program);
      expect(resource.preview(program).changes).toEqual([]);
    },
  );

  test("is no conflict where the program drops what nothing restores: that stays as others have it", async () => {
    const { world, resource } = await made({ name: "app", engineVersion: "1.5.0", description: "a" });
    await write(world, resource.id, { "engine-version": "1.6.0" });
    const program = { name: "app", description: "b" };
    await resource.up(program);
    expect(patched(world)).toEqual({ description: "b" });
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("is a conflict where it moves an SSH key that we are to take away", async () => {
    const { world, resource } = await made({ name: "app", description: "one", sshKeyId: "sshkey-deploy" });
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (method === "PATCH" && !path.endsWith("ssh-key")) await assign(world, resource.id, "sshkey-modules");
      return "passes";
    };
    await expect(resource.up({ name: "app", description: "two" })).rejects.toThrow(/sshKeyId/);
  });

  test("is a conflict also where the look in place of our update's answer is what shows it", async () => {
    const { world, resource } = await made({ name: "app", description: "one", sshKeyId: "sshkey-deploy" });
    const badGateway = { answer: { status: 502, text: "<html>502</html>" }, isCarriedOut: true };
    world.fate = ({ method }) => (method === "PATCH" ? badGateway : "passes");
    world.afterwards = async ({ method }) => {
      if (method === "PATCH") await assign(world, resource.id, "sshkey-modules");
    };
    await expect(resource.up({ name: "app", description: "two" })).rejects.toThrow(
      /sshKeyId +"sshkey-deploy" +\(none\) +"sshkey-modules"/,
    );
    expect(resource.record.observed).toMatchObject({ description: "two", sshKeyId: "sshkey-modules" });
  });
});

test("a key that somebody chose is not gone over by our request for it that has to be sent again", async () => {
  const { world, resource } = await made({ name: "app", sshKeyId: "sshkey-deploy" });
  let waited = 0;
  world.fate = async ({ path, method }): Promise<Fate> => {
    if (!path.endsWith("ssh-key") || method === "GET") return "passes";
    if (++waited === 2) await assign(world, resource.id, "sshkey-modules");
    return "waits";
  };
  await expect(resource.up({ name: "app" })).rejects.toThrow(
    /sshKeyId +"sshkey-deploy" +\(none\) +"sshkey-modules"/,
  );
});

describe("a create whose request was lost", () => {
  test("never takes a workspace for its own that is older", async () => {
    const { world, resource } = scene();
    await new Resource(world.another(), workspace).create({ name: "app", description: "theirs" });
    world.now += 3_600_000;
    world.fate = ({ method }) => (method === "POST" ? "request lost" : "passes");
    await expect(resource.create({ name: "app" })).rejects.toThrow(
      /exists\. Whether this create made it is not known/,
    );
    expect(resource.id).toBe("");
  });

  test("never takes a provider for its own that is older", async () => {
    const { world } = scene();
    const program = { registryName: "private", name: "tool" };
    await new Resource(world.another(), registryProvider).create(program);
    world.now += 3_600_000;
    const ours = new Resource(world, registryProvider);
    world.fate = ({ method }) => (method === "POST" ? "request lost" : "passes");
    await expect(ours.create(program)).rejects.toThrow(/exists\. Whether this create made it is not known/);
  });
});

describe("an update of a workspace", () => {
  test("to a name that is taken says so, after one request", async () => {
    const { world, resource } = await made({ name: "app" });
    await new Resource(world.another(), workspace).create({ name: "web" });
    await expect(resource.up({ name: "web" })).rejects.toThrow(/already been taken/);
    expect(world.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });

  test.each<[Values, Values]>([
    [{ executionMode: "agent", agentPoolId: "apool-general" }, { operations: true }],
    [{ executionMode: "remote" }, { operations: true }],
    [{ executionMode: "remote" }, { operations: false }],
  ])("from %j to %j is one that the service takes, and quiet", async (before, after) => {
    const { resource } = await made({ name: "app", ...before });
    await resource.up({ name: "app", ...after });
    expect(resource.preview({ name: "app", ...after }).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview({ name: "app", ...after }).changes).toEqual([]);
  });

  test("that drops its agent pool gives that back to the organization", async () => {
    const { world, resource } = await made({
      name: "app",
      executionMode: "agent",
      agentPoolId: "apool-general",
    });
    await resource.up({ name: "app" });
    expect(patched(world)).toMatchObject({
      "setting-overwrites": { "execution-mode": false, "agent-pool": false },
    });
  });
});

describe("the preview of a workspace", () => {
  test.each<[Values, string]>([
    [{ executionMode: "local", settingOverwrites: { executionMode: false } }, "executionMode says nothing"],
    [
      { executionMode: "agent", agentPoolId: "apool-general", settingOverwrites: { agentPool: false } },
      "agentPoolId says nothing",
    ],
    [{ autoDestroyAt: "tomorrow" }, "autoDestroyAt is no timestamp with a time and a zone"],
    [{ autoDestroyAt: "2031-01-01" }, "autoDestroyAt is no timestamp"],
    [{ autoDestroyAt: "20310101T120000Z" }, "autoDestroyAt is no timestamp"],
    [{ autoDestroyAt: "2031-01-01T12:00:00" }, "autoDestroyAt is no timestamp"],
    [{ tagNames: ["ok", "two words", "a.b"] }, 'tagNames: "two words", "a.b" may be refused'],
    [{ tagNames: ["-a"] }, 'tagNames: "-a"'],
    [{ tagNames: ["größe"] }, 'tagNames: "größe"'],
    [{ tagNames: ["a".repeat(256)] }, "may be refused"],
  ])("leaves %j to the service, and says what it may make of it", (inputs, note) => {
    const { resource } = scene();
    expect(resource.check({ name: "app", ...inputs })).toEqual([]);
    const notes = workspace.notes?.({ step: "create", inputs: { name: "app", ...inputs }, changed: [] });
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  test("says nothing of what every service takes", () => {
    const inputs = {
      name: "app",
      executionMode: "local",
      settingOverwrites: { executionMode: true },
      autoDestroyAt: "2031-01-01T12:00:00+01:00",
      tagNames: ["One", "9", "team:web_1-b", "a".repeat(255)],
    };
    expect(workspace.notes?.({ step: "create", inputs, changed: [] })).toEqual([]);
  });

  test("of a mode beside its inheritance is quiet after the service has taken the organization's", async () => {
    const program = { name: "app", executionMode: "local", settingOverwrites: { executionMode: false } };
    const { resource } = await made(program);
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("takes null for what is not written", () => {
    const { resource } = scene();
    expect(resource.check({ name: "app", executionMode: "remote", operations: null })).toEqual([]);
  });

  test("refuses a private provider of another namespace than its organization, whoever names that", () => {
    const { world } = scene();
    const provider = new Resource(world, registryProvider);
    const program = { registryName: "private", name: "tool", namespace: "other" };
    expect(provider.check(program)).toEqual([
      {
        path: "namespace",
        reason: 'given "other": must be "acme": a private provider\'s namespace is its organization',
      },
    ]);
    expect(provider.check({ ...program, namespace: "acme" })).toEqual([]);
  });
});
