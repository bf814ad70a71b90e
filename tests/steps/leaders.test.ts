import { AlreadyExistsError, ConflictError } from "../../provider/core/state/errors";
import { createFirst, expectUnchanged, newResource, scenes } from "./late";
import { Resource } from "./resource";
import type { Fate, World } from "./world";

/** The error messages of each service while there is no leader, and after the leader was lost during a request. */
const WORDS: Readonly<Record<string, { readonly none: string; readonly lost?: string }>> = {
  scheduler: { none: "No cluster leader", lost: "rpc error: EOF" },
  mesh: {
    none: "rpc error getting client: failed to get conn: dial tcp: refused",
    lost: "leadership lost while committing log",
  },
  secrets: { none: '{"errors":["local node not active but active cluster node not found"]}' },
};

const ofClusters = scenes.filter(([, { subject }]) => subject.definition.service.name in WORDS);
const wordsOf = (world: World) => WORDS[world.connection.service.name] ?? { none: "" };

/** Each request gets the "no leader" error this number of times. */
function electLeader(world: World, times: number): void {
  const asked = new Map<object, number>();
  world.fate = (request): Fate => {
    const sent = request.attempts ?? request;
    const before = asked.get(sent) ?? 0;
    asked.set(sent, before + 1);
    if (before >= times) return "passes";
    return { answer: { status: 500, text: wordsOf(world).none }, isCarriedOut: false };
  };
}

describe.each(ofClusters)("a %s during a leader election", (_, scene) => {
  test("waits with every request, and logs no message", async () => {
    const { world, resource } = await newResource(scene);
    electLeader(world, 3);
    await resource.create(scene.first);
    await resource.up(scene.second);
    await expectUnchanged(resource, scene.second);
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
    expect(world.logged).toEqual([]);
  });

  /** The next write waits for a leader, and meanwhile `act` runs. */
  function whileWaiting(world: World, act: () => Promise<unknown>): void {
    let isOver = false;
    world.fate = async ({ nature }): Promise<Fate> => {
      if (nature === "read" || isOver) return "passes";
      isOver = true;
      await act();
      return { answer: { status: 500, text: wordsOf(world).none }, isCarriedOut: false };
    };
  }

  test.each(["update", "delete"] as const)(
    "has a conflict if someone else edits it meanwhile (%s)",
    async (command) => {
      const { world, resource } = await createFirst(scene);
      const { subject, edit, driftedPath, second } = scene;
      whileWaiting(world, () => subject.edit(world, resource, edit));
      const failure = command === "update" ? resource.up(second) : resource.delete();
      await expect(failure).rejects.toThrow(ConflictError);
      await expect(failure).rejects.toThrow(driftedPath);
      expect(await resource.refresh()).toBe(true);
      await resource.up(second);
      await expectUnchanged(resource, second);
    },
  );

  test("is not created if someone else creates it meanwhile", async () => {
    const { world, resource } = await newResource(scene);
    const theirs = new Resource(world.another(), resource.definition);
    whileWaiting(world, () => theirs.create(scene.second));
    await expect(resource.create(scene.first)).rejects.toThrow(AlreadyExistsError);
    await expectUnchanged(theirs, scene.second);
  });

  test("is not created again by an update if someone else deletes it meanwhile", async () => {
    const { world, resource } = await createFirst(scene);
    whileWaiting(world, async () => scene.subject.takeAway?.(world, resource));
    await expect(resource.up(scene.second)).rejects.toThrow(/does not exist|no longer|someone else/);
    expect(await resource.refresh()).toBe(false);
  });

  test("is written only once if it cannot be read after the write", async () => {
    const { world, resource } = await createFirst(scene);
    if (scene.subject.definition.life.check) return;
    let writes = 0;
    world.fate = ({ nature }): Fate => {
      if (nature === "read") return writes === 0 ? "passes" : "request lost";
      writes += 1;
      return { answer: { status: 500, text: wordsOf(world).none }, isCarriedOut: false };
    };
    await expect(resource.up(scene.second)).rejects.toThrow(/leader|get conn|not active/);
    expect(writes).toBe(1);
  });

  test("fails a refresh with the service's error message if no leader is elected", async () => {
    const { world, resource } = await createFirst(scene);
    electLeader(world, Number.POSITIVE_INFINITY);
    await expect(resource.refresh()).rejects.toThrow(/leader|get conn|not active/);
  });
});

describe.each(ofClusters.filter(([, { subject }]) => WORDS[subject.definition.service.name]?.lost))(
  "a %s whose leader is lost during a request",
  (_, scene) => {
    const lose = (world: World, isCarriedOut: boolean) => {
      let writes = 0;
      world.fate = ({ nature }) =>
        nature === "read" || writes++ > 0
          ? "passes"
          : { answer: { status: 500, text: wordsOf(world).lost ?? "" }, isCarriedOut };
    };

    test("logs no message if the write was applied", async () => {
      const { world, resource } = await createFirst(scene);
      lose(world, true);
      await resource.up(scene.second);
      expect(world.logged).toEqual([]);
      await expectUnchanged(resource, scene.second);
    });

    test("has an unknown outcome if the write was not applied, and the next up succeeds", async () => {
      const { world, resource } = await createFirst(scene);
      lose(world, false);
      await expect(resource.up(scene.second)).rejects.toThrow("may still be applied");
      await resource.up(scene.second);
      await expectUnchanged(resource, scene.second);
    });

    test("is read again after a failed read", async () => {
      const { world, resource } = await createFirst(scene);
      let reads = 0;
      world.fate = () =>
        reads++ > 0
          ? "passes"
          : { answer: { status: 500, text: wordsOf(world).lost ?? "" }, isCarriedOut: false };
      expect(await resource.refresh()).toBe(true);
    });
  },
);
