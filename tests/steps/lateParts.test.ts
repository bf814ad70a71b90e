import queueConnection from "../../provider/services/secrets/queueConnection";
import { made as madeWorkspace } from "../services/workspaces/workspace-scene";
import { createFirst, expectUnchanged, hold, inTime, newResource, scenes, writesOf } from "./late";
import { oneTimeActions } from "./oneTimeActions";
import { Resource } from "./resource";

describe("a link of a workspace whose request hangs", () => {
  const tagged = (value: string) => ({
    name: "app",
    tagBindings: { team: value },
    timeouts: { update: 1 },
  });

  async function createTagged() {
    const { world, resource } = await madeWorkspace(tagged("red"));
    return { world, resource, writes: writesOf(world) };
  }

  test.each(inTime)("is updated by that one request if the service applies it %s", async (_, after) => {
    const { world, resource, writes } = await createTagged();
    hold(world, after);
    await resource.up(tagged("blue"));
    expect(writes()).toBe(1);
    await expectUnchanged(resource, tagged("blue"));
  });

  test("is reported with an unknown outcome if the request is never applied, and the next up writes it", async () => {
    const { world, resource, writes } = await createTagged();
    hold(world);
    await expect(resource.up(tagged("blue"))).rejects.toThrow("may still be applied");
    expect(resource.preview(tagged("blue")).changes).not.toEqual([]);
    await resource.up(tagged("blue"));
    expect(writes()).toBe(2);
    await expectUnchanged(resource, tagged("blue"));
  });

  test("is not attributed to someone else by the next up if the request is applied after the grace period", async () => {
    const { world, resource } = await createTagged();
    const late = hold(world);
    await expect(resource.up(tagged("blue"))).rejects.toThrow("may still be applied");
    await late.arrive();
    world.logged.length = 0;
    await resource.up(tagged("blue"));
    expect(world.logged.join("\n")).not.toMatch(/someone else/);
    await expectUnchanged(resource, tagged("blue"));
  });
});

describe("a write-only resource whose request hangs", () => {
  async function connection() {
    const [, action] = oneTimeActions.find(([token]) => token === "secrets:QueueConnection") ?? [];
    if (action === undefined) throw new Error("no such action");
    const { world, program } = await action.scene();
    return {
      world,
      program: { ...program, verifyConnection: false },
      resource: new Resource(world, queueConnection),
    };
  }

  test.each([...inTime, ["never", undefined] as const])(
    "is reported as unknown with the reason (applied: %s), and the next up writes it again",
    async (_, after) => {
      const { world, program, resource } = await connection();
      const writes = writesOf(world);
      hold(world, after);
      await expect(resource.create(program)).rejects.toThrow(
        /It is unknown whether the request was applied: the server does not show the result\. Next: pulumi up again/,
      );
      expect(resource.preview(program).changes).not.toEqual([]);
      await resource.up(program);
      expect(writes()).toBe(2);
      expect(resource.preview(program).changes).toEqual([]);
    },
  );
});

describe.each(scenes)("a cancellation during a step of a %s", (_, scene) => {
  const { second, first } = scene;

  test("does not stop an update from probing, and the state contains the applied update", async () => {
    const { world, resource, writes } = await createFirst(scene);
    const reads = cancelAtWrite(resource);
    await resource.up(second);
    expect(writes()).toBe(1);
    expect(reads()).toBeGreaterThan(0);
    resetSignal(resource);
    await expectUnchanged(resource, second);
    expect(world.logged.join("\n")).not.toMatch(/someone else/);
  });

  test("does not stop a create from probing, and the state contains the created object", async () => {
    const { resource, writes } = await newResource(scene);
    const reads = cancelAtWrite(resource);
    await resource.create(first);
    expect(writes()).toBe(1);
    expect(reads()).toBeGreaterThan(0);
    resetSignal(resource);
    await expectUnchanged(resource, first);
  });

  test("before the request of an update sends no write", async () => {
    const { resource, writes } = await createFirst(scene);
    const controller = new AbortController();
    controller.abort();
    resource.signal = controller.signal;
    await expect(resource.up(second)).rejects.toThrow(/cancel/i);
    expect(writes()).toBe(0);
    resetSignal(resource);
    await resource.up(second);
    await expectUnchanged(resource, second);
  });
});

/** Cancels the step when its write is applied. The result counts the reads after that. */
function cancelAtWrite(resource: Resource): () => number {
  const { world } = resource;
  const controller = new AbortController();
  resource.signal = controller.signal;
  let canceledAt = Number.POSITIVE_INFINITY;
  world.fate = (request) => {
    if (request.nature === "read" || controller.signal.aborted) return "passes";
    canceledAt = world.requests.length;
    controller.abort();
    return "response hangs";
  };
  return () => world.requests.slice(canceledAt).filter(({ nature }) => nature === "read").length;
}

function resetSignal(resource: Resource): void {
  delete resource.signal;
}
