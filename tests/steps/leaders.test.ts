import { AlreadyExistsError, ConflictError } from "../../provider/core/state/errors";
import { blank, expectQuiet, made, scenes } from "./late";
import { Resource } from "./resource";
import type { Fate, World } from "./world";

/** What each service's servers say while none of them leads, and after one was lost that had a request. */
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

/** Every request is answered that there is no leader, as often as this. */
function choosing(world: World, times: number): void {
  const asked = new Map<object, number>();
  world.fate = (request): Fate => {
    const sent = request.attempts ?? request;
    const before = asked.get(sent) ?? 0;
    asked.set(sent, before + 1);
    if (before >= times) return "passes";
    return { answer: { status: 500, text: wordsOf(world).none }, isCarriedOut: false };
  };
}

describe.each(ofClusters)("where the servers of a %s choose a leader", (_, scene) => {
  test("every request waits for it, and nothing is told", async () => {
    const { world, resource } = await blank(scene);
    choosing(world, 3);
    await resource.create(scene.first);
    await resource.up(scene.second);
    await expectQuiet(resource, scene.second);
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
    expect(world.logged).toEqual([]);
  });

  /** The next write waits for a leader, and while it does something happens. */
  function meanwhile(world: World, deed: () => Promise<unknown>): void {
    let isOver = false;
    world.fate = async ({ nature }): Promise<Fate> => {
      if (nature === "read" || isOver) return "passes";
      isOver = true;
      await deed();
      return { answer: { status: 500, text: wordsOf(world).none }, isCarriedOut: false };
    };
  }

  test.each(["update", "delete"] as const)(
    "what somebody edits while it waits is not gone over by a write: %s",
    async (command) => {
      const { world, resource } = await made(scene);
      const { subject, edit, moved, second } = scene;
      meanwhile(world, () => subject.edit(world, resource, edit));
      const failure = command === "update" ? resource.up(second) : resource.delete();
      await expect(failure).rejects.toThrow(ConflictError);
      await expect(failure).rejects.toThrow(moved);
      expect(await resource.refresh()).toBe(true);
      await resource.up(second);
      await expectQuiet(resource, second);
    },
  );

  test("what somebody makes while it waits is not gone over by a create", async () => {
    const { world, resource } = await blank(scene);
    const theirs = new Resource(world.another(), resource.definition);
    meanwhile(world, () => theirs.create(scene.second));
    await expect(resource.create(scene.first)).rejects.toThrow(AlreadyExistsError);
    await expectQuiet(theirs, scene.second);
  });

  test("what somebody takes away while it waits is not made anew by an update", async () => {
    const { world, resource } = await made(scene);
    meanwhile(world, async () => scene.subject.takeAway?.(world, resource));
    await expect(resource.up(scene.second)).rejects.toThrow(/is gone|does not exist|no longer|somebody else/);
    expect(await resource.refresh()).toBe(false);
  });

  test("a write that nobody can look after again is not sent again", async () => {
    const { world, resource } = await made(scene);
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

  test("a request that waited long enough fails in the service's words", async () => {
    const { world, resource } = await made(scene);
    choosing(world, Number.POSITIVE_INFINITY);
    await expect(resource.refresh()).rejects.toThrow(/leader|get conn|not active/);
  });
});

describe.each(ofClusters.filter(([, { subject }]) => WORDS[subject.definition.service.name]?.lost))(
  "where a leader is lost while it writes a %s",
  (_, scene) => {
    const lose = (world: World, isCarriedOut: boolean) => {
      let writes = 0;
      world.fate = ({ nature }) =>
        nature === "read" || writes++ > 0
          ? "passes"
          : { answer: { status: 500, text: wordsOf(world).lost ?? "" }, isCarriedOut };
    };

    test("what was written is found, and nothing is told", async () => {
      const { world, resource } = await made(scene);
      lose(world, true);
      await resource.up(scene.second);
      expect(world.logged).toEqual([]);
      await expectQuiet(resource, scene.second);
    });

    test("what was not may still come, and is no refusal", async () => {
      const { world, resource } = await made(scene);
      lose(world, false);
      await expect(resource.up(scene.second)).rejects.toThrow("may still be carried out");
      await resource.up(scene.second);
      await expectQuiet(resource, scene.second);
    });

    test("a read is asked for again", async () => {
      const { world, resource } = await made(scene);
      let reads = 0;
      world.fate = () =>
        reads++ > 0
          ? "passes"
          : { answer: { status: 500, text: wordsOf(world).lost ?? "" }, isCarriedOut: false };
      expect(await resource.refresh()).toBe(true);
    });
  },
);
