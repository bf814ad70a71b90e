import type { Values } from "../../provider/core/language/object";
import { ConflictError } from "../../provider/core/state/errors";
import { pendingInputs } from "../../provider/core/state/records";
import type { Json } from "../../provider/core/value/json";
import { createFirst, expectUnchanged, hold, inTime, scenes, writesOf } from "./late";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import { configEntrySubject } from "./subjects/configEntry";
import { queueRoleSubject } from "./subjects/secrets";
import { workspaceSubject } from "./subjects/workspace";

describe.each(scenes)("a %s whose update request is delayed or lost", (_, scene) => {
  const { subject, second, third, edit, driftedPath, own } = scene;

  test.each(inTime)("is updated by that one request if the service applies it %s", async (__, after) => {
    const { world, resource, writes } = await createFirst(scene);
    hold(world, after);
    await resource.up(second);
    expect(writes()).toBe(1);
    await expectUnchanged(resource, second);
  });

  test("is reported with an unknown outcome if the request is never applied, and the next up sends it again", async () => {
    const { world, resource, writes } = await createFirst(scene);
    hold(world);
    await expect(resource.up(second)).rejects.toThrow("may still be applied");
    expect(resource.preview(second).changes).not.toEqual([]);
    await resource.up(second);
    expect(writes()).toBe(2);
    await expectUnchanged(resource, second);
  });

  async function updateLate(way: "up" | "refresh") {
    const { world, resource } = await createFirst(scene);
    const late = hold(world);
    await expect(resource.up(second)).rejects.toThrow("may still be applied");
    await late.arrive();
    world.logged.length = 0;
    if (way === "refresh") expect(await resource.refresh()).toBe(true);
    return { world, resource, writes: writesOf(world) };
  }

  describe.each(["up", "refresh"] as const)(
    "and is applied after the grace period, before the next %s,",
    (way) => {
      test("is recognized as our own write and not sent again", async () => {
        const { world, resource, writes } = await updateLate(way);
        await resource.up(second);
        expect(writes()).toBe(0);
        expect(world.logged.join("\n")).not.toMatch(/someone else|others/);
        await expectUnchanged(resource, second);
      });

      test("is recorded as applied", async () => {
        const { resource } = await updateLate(way);
        if (way === "up") await resource.up(second);
        expect(resource.record.lastApplied).toEqual(second);
        expect(pendingInputs(resource.record)).toBeUndefined();
      });

      test("causes no conflict with a program that has changed since", async () => {
        const { world, resource, writes } = await updateLate(way);
        await resource.up(third);
        expect(writes()).toBe(1);
        expect(world.logged.join("\n")).not.toMatch(/someone else|others/);
        await expectUnchanged(resource, third);
      });
    },
  );

  test("is a conflict that names only another user's edit if the request is applied after the grace period", async () => {
    const { world, resource, writes } = await updateLate("up");
    await subject.edit(world, resource, edit);
    const failure = await resource.up(second).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConflictError);
    expect(String(failure)).toContain(driftedPath);
    expect(String(failure)).not.toMatch(/last read at modify index (\d+); the server is now at index \1\b/);
    expect(writes()).toBe(0);
  });

  test("is not listed in a conflict about another user's edit if the program has changed since", async () => {
    const { world, resource, writes } = await updateLate("up");
    await subject.edit(world, resource, edit);
    const failure = await resource.up(third).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConflictError);
    expect(String(failure)).toContain(driftedPath);
    expect(String(failure)).not.toContain(String(own));
    expect(writes()).toBe(0);
  });

  test.each(["request lost", "request hangs"] as const)(
    "reports that someone else deleted the object meanwhile, and how to create it again (%s)",
    async (fate) => {
      const { world, resource } = await createFirst(scene);
      world.fate = async ({ nature }) => {
        if (nature === "read") return "passes";
        world.fate = () => "passes";
        await subject.takeAway?.(world, resource);
        return fate;
      };
      await expect(resource.up(second)).rejects.toThrow(
        / no longer exists: .*pulumi refresh .*, then pulumi up/s,
      );
      expect(resource.record.pending).toBeUndefined();
      expect(await resource.refresh()).toBe(false);
    },
  );

  test("is not reported as never written if it arrives just before the second request and the object is deleted", async () => {
    const { world, resource, writes } = await createFirst(scene);
    const late = hold(world, undefined, { breaks: true });
    const holds = world.fate;
    let isTaken = false;
    world.fate = async (request) => {
      if (request.nature !== "read" && writes() === 2 && !isTaken) {
        isTaken = true;
        await late.arrive();
        await subject.takeAway?.(world, resource);
      }
      return holds(request);
    };
    const failure = await resource.up(second).catch((error: unknown) => error);
    expect(String(failure)).not.toMatch(/nothing was written/i);
    if (subject === queueRoleSubject) await expectUnchanged(resource, second);
    else expect(await resource.refresh()).toBe(false);
  });

  test("is a conflict in the next up if it is never applied and someone else edits the object", async () => {
    const { world, resource } = await createFirst(scene);
    hold(world);
    await expect(resource.up(second)).rejects.toThrow("may still be applied");
    await subject.edit(world, resource, edit);
    await expect(resource.up(second)).rejects.toThrow(ConflictError);
  });
});

describe.each(scenes)("a %s whose update loses its connection every time", (_, scene) => {
  test("is probed each time, and is sent at most four times", async () => {
    const { world, resource, writes } = await createFirst(scene);
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request lost");
    await expect(resource.up(scene.second)).rejects.toThrow(
      /A read after the request does not show the result\. Next: pulumi up again\.$/,
    );
    expect(writes()).toBe(4);
    world.fate = () => "passes";
    await resource.up(scene.second);
    await expectUnchanged(resource, scene.second);
  });
});

const unchecked = scenes.filter(([, { subject }]) => subject.definition !== configEntrySubject.definition);

describe.each(unchecked)("a %s whose delete loses its connection", (_, scene) => {
  // A second delete could remove a replacement, because a replacement deletes first.
  test.each(inTime)("is deleted by that one request if the service applies it %s", async (__, after) => {
    const { world, resource, writes } = await createFirst(scene);
    hold(world, after, { breaks: true });
    await resource.delete();
    expect(writes()).toBe(1);
  });

  test("sends the delete again after the grace period if it is not applied", async () => {
    const first = { ...scene.first, timeouts: { delete: 60 } };
    const { world, resource, writes } = await createFirst({ ...scene, first });
    const start = world.now;
    hold(world, undefined, { breaks: true });
    await resource.delete();
    expect(writes()).toBe(2);
    expect(world.now - start).toBe(15_000);
    expect(world.logged.join("\n")).toContain("sent again");
  });

  test("is not sent again after another user's edit, and no log says so", async () => {
    const first = { ...scene.first, timeouts: { delete: 60 } };
    const { world, resource, writes } = await createFirst({ ...scene, first });
    hold(world, undefined, { breaks: true });
    const holds = world.fate;
    let isEdited = false;
    world.fate = async (request) => {
      if (request.nature === "read" && writes() === 1 && !isEdited) {
        isEdited = true;
        await scene.subject.edit(world, resource, scene.edit);
      }
      return holds(request);
    };
    await expect(resource.delete()).rejects.toThrow(ConflictError);
    expect(writes()).toBe(1);
    expect(world.logged.join("\n")).not.toContain("sent again");
  });
});

describe.each(scenes)("a %s whose delete request hangs", (_, scene) => {
  const { subject, second } = scene;

  async function expectDeleted(resource: Resource) {
    const again = new Resource(resource.world, subject.definition);
    await again.create(second);
    await expectUnchanged(again, second);
  }

  test.each(inTime)("is deleted by that one request if the service applies it %s", async (__, after) => {
    const { world, resource, writes } = await createFirst(scene);
    hold(world, after);
    await resource.delete();
    expect(writes()).toBe(1);
    await expectDeleted(resource);
  });

  test("is reported with an unknown outcome if the request is never applied, and the next destroy deletes it", async () => {
    const { world, resource, writes } = await createFirst(scene);
    hold(world);
    await expect(resource.delete()).rejects.toThrow("may still be applied");
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
    expect(writes()).toBe(2);
    await expectDeleted(resource);
  });

  test("is accepted as deleted by the next destroy if the request is applied after the grace period", async () => {
    const { world, resource } = await createFirst(scene);
    const late = hold(world);
    await expect(resource.delete()).rejects.toThrow("may still be applied");
    await late.arrive();
    await resource.delete();
    await expectDeleted(resource);
  });
});

test("a different value of a field that a pending update only omits is a conflict and is not overwritten", async () => {
  const subject = new Map(subjects).get("secrets:MfaMethod");
  if (subject === undefined) throw new Error("there is no such subject");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  const method = { methodName: "corporate", orgName: "acme", apiToken: "api-token-1" };
  await resource.create({ ...method, baseUrl: "oktapreview.com" });
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
  await expect(resource.up(method)).rejects.toThrow("the request may still be applied");
  world.fate = () => "passes";
  await subject.edit(world, resource, { property: "baseUrl", value: "okta-emea.com" });
  await expect(resource.up({ ...method, baseUrl: "okta.com" })).rejects.toThrow(
    /baseUrl +"oktapreview.com" +"okta.com" +"okta-emea.com"/,
  );
});

describe("a workspace update with an unknown outcome", () => {
  async function open(attempted: Values) {
    const world = await workspaceSubject.world();
    const resource = new Resource(world, workspaceSubject.definition);
    await resource.create({ name: "app" });
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
    await expect(resource.up(attempted)).rejects.toThrow("the request may still be applied");
    world.fate = () => "passes";
    const edit = (property: string, value: Json) =>
      workspaceSubject.edit(world, resource, { property, value });
    return { resource, edit };
  }

  test("does not lead to overwriting a description that it did not contain and someone else wrote", async () => {
    const { resource, edit } = await open({ name: "app", autoApply: true });
    await edit("autoApply", true);
    await edit("description", "theirs");
    await expect(resource.up({ name: "app", autoApply: true, description: "ours" })).rejects.toThrow(
      /description +(""|\(none\)) +"ours" +"theirs"/,
    );
  });

  test("does not lead to overwriting an SSH key that it never sent and someone else chose", async () => {
    const { resource, edit } = await open({ name: "app", autoApply: true, sshKeyId: "sshkey-deploy" });
    await edit("autoApply", true);
    await edit("sshKeyId", "sshkey-modules");
    await expect(resource.up({ name: "app", autoApply: true, sshKeyId: "sshkey-deploy" })).rejects.toThrow(
      /sshKeyId +\(none\) +"sshkey-deploy" +"sshkey-modules"/,
    );
  });
});
