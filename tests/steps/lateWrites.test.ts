import type { Values } from "../../provider/core/language/object";
import { ConflictError } from "../../provider/core/state/errors";
import { pendingInputs } from "../../provider/core/state/records";
import type { Json } from "../../provider/core/value/json";
import { expectQuiet, hold, inTime, made, scenes, writesOf } from "./late";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import { configEntrySubject } from "./subjects/configEntry";
import { queueRoleSubject } from "./subjects/secrets";
import { workspaceSubject } from "./subjects/workspace";

describe.each(scenes)("a %s whose update hangs", (_, scene) => {
  const { subject, second, third, edit, moved, own } = scene;

  test.each(inTime)("and is carried out %s, is done by that one request", async (__, after) => {
    const { world, resource, writes } = await made(scene);
    hold(world, after);
    await resource.up(second);
    expect(writes()).toBe(1);
    await expectQuiet(resource, second);
  });

  test("and is never carried out, is told as open, and done by the next up", async () => {
    const { world, resource, writes } = await made(scene);
    hold(world);
    await expect(resource.up(second)).rejects.toThrow("may still be carried out");
    expect(resource.preview(second).changes).not.toEqual([]);
    await resource.up(second);
    expect(writes()).toBe(2);
    await expectQuiet(resource, second);
  });

  async function overdue(way: "up" | "refresh") {
    const { world, resource } = await made(scene);
    const late = hold(world);
    await expect(resource.up(second)).rejects.toThrow("may still be carried out");
    await late.arrive();
    world.logged.length = 0;
    if (way === "refresh") expect(await resource.refresh()).toBe(true);
    return { world, resource, writes: writesOf(world) };
  }

  describe.each(["up", "refresh"] as const)("and is carried out after the grace, by the next %s", (way) => {
    test("is known as our own, and not sent again", async () => {
      const { world, resource, writes } = await overdue(way);
      await resource.up(second);
      expect(writes()).toBe(0);
      expect(world.logged.join("\n")).not.toMatch(/somebody else|others/);
      await expectQuiet(resource, second);
    });

    test("is on record as written", async () => {
      const { resource } = await overdue(way);
      if (way === "up") await resource.up(second);
      expect(resource.record.lastApplied).toEqual(second);
      expect(pendingInputs(resource.record)).toBeUndefined();
    });

    test("is no conflict with what the program writes by then", async () => {
      const { world, resource, writes } = await overdue(way);
      await resource.up(third);
      expect(writes()).toBe(1);
      expect(world.logged.join("\n")).not.toMatch(/somebody else|others/);
      await expectQuiet(resource, third);
    });
  });

  test("and is carried out after the grace, hides nobody else's edit beside it", async () => {
    const { world, resource, writes } = await overdue("up");
    await subject.edit(world, resource, edit);
    const failure = await resource.up(second).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConflictError);
    expect(String(failure)).toContain(moved);
    expect(String(failure)).not.toMatch(/planned from index (\d+); the service is at index \1\b/);
    expect(writes()).toBe(0);
  });

  test("and is carried out after the grace, is our own beside somebody else's edit, whatever the program writes by then", async () => {
    const { world, resource, writes } = await overdue("up");
    await subject.edit(world, resource, edit);
    const failure = await resource.up(third).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConflictError);
    expect(String(failure)).toContain(moved);
    expect(String(failure)).not.toContain(String(own));
    expect(writes()).toBe(0);
  });

  test.each(["request lost", "request hangs"] as const)(
    "or is lost (%s) while somebody takes the object away, says that it is gone, and how to make it again",
    async (fate) => {
      const { world, resource } = await made(scene);
      world.fate = async ({ nature }) => {
        if (nature === "read") return "passes";
        world.fate = () => "passes";
        await subject.takeAway?.(world, resource);
        return fate;
      };
      await expect(resource.up(second)).rejects.toThrow(/ is gone: .*pulumi refresh .*, then pulumi up/s);
      expect(resource.record.pending).toBeUndefined();
      expect(await resource.refresh()).toBe(false);
    },
  );

  test("or breaks, and comes just before it is sent once more and somebody takes the object away, is not told as never written", async () => {
    const { world, resource, writes } = await made(scene);
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
    if (subject === queueRoleSubject) await expectQuiet(resource, second);
    else expect(await resource.refresh()).toBe(false);
  });

  test("and is never carried out, hides nobody else's edit", async () => {
    const { world, resource } = await made(scene);
    hold(world);
    await expect(resource.up(second)).rejects.toThrow("may still be carried out");
    await subject.edit(world, resource, edit);
    await expect(resource.up(second)).rejects.toThrow(ConflictError);
  });
});

describe.each(scenes)("a %s whose update loses its connection every time", (_, scene) => {
  test("was looked at each time, and is sent four times at most", async () => {
    const { world, resource, writes } = await made(scene);
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request lost");
    await expect(resource.up(scene.second)).rejects.toThrow(
      /It was looked at, and the service shows nothing of it\. Next: pulumi up again\.$/,
    );
    expect(writes()).toBe(4);
    world.fate = () => "passes";
    await resource.up(scene.second);
    await expectQuiet(resource, scene.second);
  });
});

const unchecked = scenes.filter(([, { subject }]) => subject.definition !== configEntrySubject.definition);

describe.each(unchecked)("a %s whose delete loses its connection", (_, scene) => {
  // What has its place by then would be taken away: a replacement deletes first.
  test.each(inTime)("and is carried out %s, is done by that one request", async (__, after) => {
    const { world, resource, writes } = await made(scene);
    hold(world, after, { breaks: true });
    await resource.delete();
    expect(writes()).toBe(1);
  });

  test("and is never carried out, is sent once more when the grace has ended", async () => {
    const first = { ...scene.first, timeouts: { delete: 60 } };
    const { world, resource, writes } = await made({ ...scene, first });
    const start = world.now;
    hold(world, undefined, { breaks: true });
    await resource.delete();
    expect(writes()).toBe(2);
    expect(world.now - start).toBe(15_000);
  });
});

describe.each(scenes)("a %s whose delete hangs", (_, scene) => {
  const { subject, second } = scene;

  async function expectGone(resource: Resource) {
    const again = new Resource(resource.world, subject.definition);
    await again.create(second);
    await expectQuiet(again, second);
  }

  test.each(inTime)("and is carried out %s, is done by that one request", async (__, after) => {
    const { world, resource, writes } = await made(scene);
    hold(world, after);
    await resource.delete();
    expect(writes()).toBe(1);
    await expectGone(resource);
  });

  test("and is never carried out, is told as open, and done by the next destroy", async () => {
    const { world, resource, writes } = await made(scene);
    hold(world);
    await expect(resource.delete()).rejects.toThrow("may still be carried out");
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
    expect(writes()).toBe(2);
    await expectGone(resource);
  });

  test("and is carried out after the grace, is done for the next destroy", async () => {
    const { world, resource } = await made(scene);
    const late = hold(world);
    await expect(resource.delete()).rejects.toThrow("may still be carried out");
    await late.arrive();
    await resource.delete();
    await expectGone(resource);
  });
});

test("what a write only leaves out is nobody's proof: another value of it than its default shows as moved, and is not written over", async () => {
  const subject = new Map(subjects).get("secrets:MfaMethod");
  if (subject === undefined) throw new Error("there is no such subject");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  const method = { methodName: "corporate", orgName: "acme", apiToken: "api-token-1" };
  await resource.create({ ...method, baseUrl: "oktapreview.com" });
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
  await expect(resource.up(method)).rejects.toThrow("it may still be carried out");
  world.fate = () => "passes";
  await subject.edit(world, resource, { property: "baseUrl", value: "okta-emea.com" });
  await expect(resource.up({ ...method, baseUrl: "okta.com" })).rejects.toThrow(
    /baseUrl +"oktapreview.com" +"okta.com" +"okta-emea.com"/,
  );
});

describe("an update of a workspace of which nobody knows whether it was carried out", () => {
  async function open(attempted: Values) {
    const world = await workspaceSubject.world();
    const resource = new Resource(world, workspaceSubject.definition);
    await resource.create({ name: "app" });
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
    await expect(resource.up(attempted)).rejects.toThrow("it may still be carried out");
    world.fate = () => "passes";
    const edit = (property: string, value: Json) =>
      workspaceSubject.edit(world, resource, { property, value });
    return { resource, edit };
  }

  test("shows nobody what it did not carry: a description that somebody wrote meanwhile is not written over", async () => {
    const { resource, edit } = await open({ name: "app", autoApply: true });
    await edit("autoApply", true);
    await edit("description", "theirs");
    await expect(resource.up({ name: "app", autoApply: true, description: "ours" })).rejects.toThrow(
      /description +(""|\(none\)) +"ours" +"theirs"/,
    );
  });

  test("sent no request for its links: a key that somebody chose meanwhile is not written over", async () => {
    const { resource, edit } = await open({ name: "app", autoApply: true, sshKeyId: "sshkey-deploy" });
    await edit("autoApply", true);
    await edit("sshKeyId", "sshkey-modules");
    await expect(resource.up({ name: "app", autoApply: true, sshKeyId: "sshkey-deploy" })).rejects.toThrow(
      /sshKeyId +\(none\) +"sshkey-deploy" +"sshkey-modules"/,
    );
  });
});
