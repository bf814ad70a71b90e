import { PartialError } from "../../provider/core/state/errors";
import { type Deed, deeds, type Scene } from "./deeds";
import { hold, writesOf } from "./late";
import { Resource } from "./resource";
import type { Fate, World } from "./world";

const actions = deeds.filter(([, { definition }]) => definition.life.kind === "action");
const writeOnly = deeds.filter(([, { definition }]) => definition.life.kind === "writeOnly");

/** A real server has a clock of its own, and real waits. */
const byOurClock = process.env.QUARTERDECK_REAL_SERVER === undefined ? test : test.skip;

/** Whether the service shows what was done. */
const canTell = ({ definition: { life } }: Deed) => life.kind === "action" && life.witness !== undefined;

async function staged({ definition, scene }: Deed): Promise<Scene & { resource: Resource; deeds(): number }> {
  const prepared = await scene();
  const { world } = prepared;
  let carriedOut = 0;
  world.afterwards = ({ nature }) => {
    if (nature !== "read") carriedOut++;
  };
  return { ...prepared, resource: new Resource(world, definition), deeds: () => carriedOut };
}

/** Loses the next request that is no read, or its answer. */
function loseNext(world: World, fate: Fate, next: World["fate"] = () => "passes"): void {
  world.fate = ({ nature }) => {
    if (nature === "read") return "passes";
    world.fate = next;
    return fate;
  };
}

describe.each(deeds)("%s", (_, deed) => {
  test("is done once, and then quiet: a preview, a refresh and a delete send nothing", async () => {
    const { world, program, resource, deeds: done } = await staged(deed);
    expect(resource.check(program)).toEqual([]);
    await resource.create(program);
    expect(done()).toBe(1);
    const sent = world.requests.length;
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
    await resource.up({ ...program, timeouts: { create: 5 } });
    expect(resource.preview({ ...program, timeouts: { create: 5 } }).changes).toEqual([]);
    await resource.delete();
    expect(world.requests.length).toBe(sent);
  });

  test("cannot be read by its id alone, and says why", async () => {
    const { resource } = await staged(deed);
    await expect(resource.get("x")).rejects.toThrow(
      /cannot be read by its id, and so not be imported: .+ Next: /,
    );
  });

  test("that the service refuses leaves nothing behind, and says what it said", async () => {
    const { scene, definition } = deed;
    const { world, program } = await scene();
    const stranger = new Resource(world.with({ token: "nobody" }), definition);
    await expect(stranger.create(program)).rejects.toThrow(/answered 40[134]/);
    expect(stranger.id).toBe("");
  });
});

describe.each(actions)("the action %s", (_, deed) => {
  test("acts again for other triggers only, as a replacement", async () => {
    const { program, resource } = await staged(deed);
    await resource.create({ ...program, triggers: ["2030-01"] });
    expect(resource.outputs.outcome).toBe("done");
    expect(resource.preview({ ...program, triggers: ["2030-01"] }).changes).toEqual([]);
    const { changes } = resource.preview({ ...program, triggers: ["2030-02"] });
    expect(changes.map(({ path, replaces }) => [path, replaces])).toEqual([[["triggers"], true]]);
  });

  test("whose answer is lost is never sent twice", async () => {
    const { world, program, resource, deeds: done } = await staged(deed);
    loseNext(world, "response lost");
    await resource.create(program);
    expect(done()).toBe(1);
    const { outcome } = resource.outputs;
    expect(outcome).toBe(canTell(deed) ? "done" : "unclear");
    if (outcome === "unclear")
      expect(world.logged.join("\n")).toMatch(/it is not repeated, because it is unclear what became of it/);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("whose answer is lost, and after it what shows it, is unclear: another answer is no sign that anything moved", async () => {
    const { world, program, resource, deeds: done } = await staged(deed);
    for (const text of ["{}", '{"data":{"another":"object"}}']) {
      loseNext(world, "request lost", () => ({ answer: { status: 200, text }, isCarriedOut: false }));
      await resource.create(program);
      expect(done()).toBe(0);
      expect(resource.outputs.outcome).toBe("unclear");
    }
  });

  byOurClock(
    "that was done a moment ago says when, where the service tells it: a killed up may have done it",
    async () => {
      const { world, program, resource } = await staged(deed);
      await resource.create(program);
      world.now += 90_000;
      world.logged.length = 0;
      const again = new Resource(world, deed.definition);
      await again.create(program).catch(() => undefined);
      const isTold = deed.definition.token === "secrets:DirectoryRoleRotation";
      expect(
        world.logged.some((line) => /info: it was done at \S+ already, 90 s before: .*killed/.test(line)),
      ).toBe(isTold);
    },
  );

  test("that the service itself refuses fails, in its words, and may be tried again", async () => {
    const { world, program, resource, deeds: done } = await staged(deed);
    const text = '{"errors":["it is busy"]}';
    loseNext(world, { answer: { status: 500, text }, isCarriedOut: false });
    await expect(resource.create(program)).rejects.toThrow("it is busy");
    expect(resource.id).toBe("");
    await resource.create(program);
    expect(done()).toBe(1);
  });

  // Something between us and the service may have it, and hand it on later.
  byOurClock(
    "whose request is lost is unclear: it is looked for until the grace ends, where the service can tell",
    async () => {
      const { world, program, resource, deeds: done } = await staged(deed);
      const start = world.now;
      world.slept = (milliseconds) => {
        world.now += milliseconds;
      };
      loseNext(world, "request lost");
      await resource.create(program);
      expect(done()).toBe(0);
      expect(resource.outputs.outcome).toBe("unclear");
      expect(world.now - start).toBe(canTell(deed) ? 15_000 : 0);
      expect(world.logged.join("\n")).not.toContain("not carried out");
    },
  );

  byOurClock(
    "whose request is lost and carried out a moment later is done, where the service can tell",
    async () => {
      const { world, program, resource } = await staged(deed);
      const sent = writesOf(world);
      hold(world, 1_500, { breaks: true });
      await resource.create(program);
      expect(sent()).toBe(1);
      expect(resource.outputs.outcome).toBe(canTell(deed) ? "done" : "unclear");
    },
  );

  test("whose request hangs may still be carried out, and so is unclear, whatever is shown of it", async () => {
    const { world, program, resource, deeds: done } = await staged(deed);
    loseNext(world, "request hangs");
    world.slept = (milliseconds) => {
      world.now += milliseconds;
    };
    await resource.create(program);
    expect(done()).toBe(0);
    expect(resource.outputs.outcome).toBe("unclear");
    expect(world.logged.join("\n")).toMatch(/it is not repeated, because it is unclear what became of it/);
    expect(resource.preview(program).changes).toEqual([]);
  });
});

describe.each(writeOnly)("the write-only %s", (_, deed) => {
  test("is written whole where anything of it changed, and not again", async () => {
    const { world, program, another, resource, deeds: done } = await staged(deed);
    await resource.create(program);
    expect(await resource.up(another ?? {})).toBe(true);
    expect(done()).toBe(2);
    const [first, second] = world.requests.map(({ body }) => Object.keys((body ?? {}) as object));
    expect(second).toEqual(first);
    expect(resource.preview(another ?? {}).changes).toEqual([]);
  });

  test("that is deleted says, once, what stays on the service", async () => {
    const { world, program, resource } = await staged(deed);
    await resource.create(program);
    world.logged.length = 0;
    await resource.delete();
    const { definition } = deed;
    const stays = definition.life.kind === "writeOnly" ? definition.life.staysAs : "";
    expect(world.logged).toEqual([`warning: it leaves the state only: ${stays}`]);
  });

  test.each<Fate>(["request lost", "response lost"])(
    "whose %s keeps its id, and is written again by the next up",
    async (fate) => {
      const { world, program, another = {}, resource, deeds: done } = await staged(deed);
      loseNext(world, fate);
      await expect(resource.create(program)).rejects.toThrow(PartialError);
      expect(resource.id).not.toBe("");
      expect(resource.preview(program).changes).not.toEqual([]);
      await resource.up(program);
      expect(resource.preview(program).changes).toEqual([]);
      loseNext(world, fate);
      await expect(resource.up(another)).rejects.toThrow(PartialError);
      expect(resource.preview(another).changes).not.toEqual([]);
      await resource.up(another);
      expect(resource.preview(another).changes).toEqual([]);
      expect(done()).toBe(fate === "response lost" ? 4 : 2);
    },
  );
});
