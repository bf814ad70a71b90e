import queueConnection from "../../provider/services/secrets/queueConnection";
import { made as madeWorkspace } from "../services/workspaces/workspace-scene";
import { deeds } from "./deeds";
import { blank, expectQuiet, hold, inTime, made, scenes, writesOf } from "./late";
import { Resource } from "./resource";

describe("a link whose request hangs", () => {
  const tagged = (value: string) => ({
    name: "app",
    tagBindings: { team: value },
    timeouts: { update: 1 },
  });

  async function bound() {
    const { world, resource } = await madeWorkspace(tagged("red"));
    return { world, resource, writes: writesOf(world) };
  }

  test.each(inTime)("and is carried out %s, is done by that one request", async (_, after) => {
    const { world, resource, writes } = await bound();
    hold(world, after);
    await resource.up(tagged("blue"));
    expect(writes()).toBe(1);
    await expectQuiet(resource, tagged("blue"));
  });

  test("and is never carried out, is told as open, and written by the next up", async () => {
    const { world, resource, writes } = await bound();
    hold(world);
    await expect(resource.up(tagged("blue"))).rejects.toThrow("may still be carried out");
    expect(resource.preview(tagged("blue")).changes).not.toEqual([]);
    await resource.up(tagged("blue"));
    expect(writes()).toBe(2);
    await expectQuiet(resource, tagged("blue"));
  });

  test("and is carried out after the grace, is quiet after the next up, and nobody is blamed", async () => {
    const { world, resource } = await bound();
    const late = hold(world);
    await expect(resource.up(tagged("blue"))).rejects.toThrow("may still be carried out");
    await late.arrive();
    world.logged.length = 0;
    await resource.up(tagged("blue"));
    expect(world.logged.join("\n")).not.toMatch(/somebody else/);
    await expectQuiet(resource, tagged("blue"));
  });
});

describe("a write of what is never shown, whose request hangs", () => {
  async function connection() {
    const [, deed] = deeds.find(([token]) => token === "secrets:QueueConnection") ?? [];
    if (deed === undefined) throw new Error("no such deed");
    const { world, program } = await deed.scene();
    return {
      world,
      program: { ...program, verifyConnection: false },
      resource: new Resource(world, queueConnection),
    };
  }

  test.each([...inTime, ["never", undefined] as const])(
    "and is carried out %s, is told as open with the reason, and is written again by the next up",
    async (_, after) => {
      const { world, program, resource } = await connection();
      const writes = writesOf(world);
      hold(world, after);
      await expect(resource.create(program)).rejects.toThrow(
        /Whether it was carried out is not known: the service does not show it\. Next: pulumi up again/,
      );
      expect(resource.preview(program).changes).not.toEqual([]);
      await resource.up(program);
      expect(writes()).toBe(2);
      expect(resource.preview(program).changes).toEqual([]);
    },
  );
});

describe.each(scenes)("a cancel while a %s is", (_, scene) => {
  const { second, first } = scene;

  test("updated does not keep the step from looking: what was carried out is known", async () => {
    const { world, resource, writes } = await made(scene);
    const reads = cancelAtWrite(resource);
    await resource.up(second);
    expect(writes()).toBe(1);
    expect(reads()).toBeGreaterThan(0);
    uncancelled(resource);
    await expectQuiet(resource, second);
    expect(world.logged.join("\n")).not.toMatch(/somebody else/);
  });

  test("created does not keep the step from looking: what was carried out is in the state", async () => {
    const { resource, writes } = await blank(scene);
    const reads = cancelAtWrite(resource);
    await resource.create(first);
    expect(writes()).toBe(1);
    expect(reads()).toBeGreaterThan(0);
    uncancelled(resource);
    await expectQuiet(resource, first);
  });

  test("updated, before its request, sends nothing", async () => {
    const { resource, writes } = await made(scene);
    const controller = new AbortController();
    controller.abort();
    resource.signal = controller.signal;
    await expect(resource.up(second)).rejects.toThrow(/cancel/i);
    expect(writes()).toBe(0);
    uncancelled(resource);
    await resource.up(second);
    await expectQuiet(resource, second);
  });
});

/** Cancels the step as its write is carried out; how many reads were sent after that. */
function cancelAtWrite(resource: Resource): () => number {
  const { world } = resource;
  const controller = new AbortController();
  resource.signal = controller.signal;
  let cancelledAt = Number.POSITIVE_INFINITY;
  world.fate = (request) => {
    if (request.nature === "read" || controller.signal.aborted) return "passes";
    cancelledAt = world.requests.length;
    controller.abort();
    return "response hangs";
  };
  return () => world.requests.slice(cancelledAt).filter(({ nature }) => nature === "read").length;
}

function uncancelled(resource: Resource): void {
  delete resource.signal;
}
