import { PartialError } from "../../provider/core/state/errors";
import { hold, writesOf } from "./late";
import { type OneTimeAction, oneTimeActions, type Scene } from "./oneTimeActions";
import { Resource } from "./resource";
import type { Fate, World } from "./world";

const actions = oneTimeActions.filter(([, { definition }]) => definition.life.kind === "action");
const writeOnly = oneTimeActions.filter(([, { definition }]) => definition.life.kind === "writeOnly");

/** A real server has its own clock, and its waits take real time. */
const byOurClock = process.env.QUARTERDECK_REAL_SERVER === undefined ? test : test.skip;

/** Whether the service shows that the action was done. */
const canTell = ({ definition: { life } }: OneTimeAction) =>
  life.kind === "action" && life.witness !== undefined;

async function staged({
  definition,
  scene,
}: OneTimeAction): Promise<Scene & { resource: Resource; actions(): number }> {
  const prepared = await scene();
  const { world } = prepared;
  let carriedOut = 0;
  world.onResponse = ({ nature }) => {
    if (nature !== "read") carriedOut++;
  };
  return { ...prepared, resource: new Resource(world, definition), actions: () => carriedOut };
}

/** Loses the next write request, or its response. */
function loseNext(world: World, fate: Fate, next: World["fate"] = () => "passes"): void {
  world.fate = ({ nature }) => {
    if (nature === "read") return "passes";
    world.fate = next;
    return fate;
  };
}

describe.each(oneTimeActions)("%s", (_, action) => {
  test("is sent once; a preview, a refresh, a change of timeouts and a delete send nothing", async () => {
    const { world, program, resource, actions: done } = await staged(action);
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

  test("rejects a read by its ID alone and gives the reason", async () => {
    const { resource } = await staged(action);
    await expect(resource.get("x")).rejects.toThrow(/cannot be read by its ID or imported: .+ Next: /);
  });

  test("reports the HTTP status and stores no ID if the service rejects the token", async () => {
    const { scene, definition } = action;
    const { world, program } = await scene();
    const unauthorized = new Resource(world.with({ token: "nobody" }), definition);
    await expect(unauthorized.create(program)).rejects.toThrow(/returned 40[134]/);
    expect(unauthorized.id).toBe("");
  });
});

describe.each(actions)("the action %s", (_, action) => {
  test("is replaced if its triggers change, and shows no changes otherwise", async () => {
    const { program, resource } = await staged(action);
    await resource.create({ ...program, triggers: ["2030-01"] });
    expect(resource.outputs.outcome).toBe("done");
    expect(resource.preview({ ...program, triggers: ["2030-01"] }).changes).toEqual([]);
    const { changes } = resource.preview({ ...program, triggers: ["2030-02"] });
    expect(changes.map(({ path, replaces }) => [path, replaces])).toEqual([[["triggers"], true]]);
  });

  test("is not sent again after a lost response", async () => {
    const { world, program, resource, actions: done } = await staged(action);
    loseNext(world, "response lost");
    await resource.create(program);
    expect(done()).toBe(1);
    const { outcome } = resource.outputs;
    expect(outcome).toBe(canTell(action) ? "done" : "unclear");
    if (outcome === "unclear")
      expect(world.logged.join("\n")).toMatch(/the action is not repeated, because its outcome is unknown/);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("is unclear after a lost request if the later reads return a different object", async () => {
    const { world, program, resource, actions: done } = await staged(action);
    for (const text of ["{}", '{"data":{"another":"object"}}']) {
      loseNext(world, "request lost", () => ({ answer: { status: 200, text }, isCarriedOut: false }));
      await resource.create(program);
      expect(done()).toBe(0);
      expect(resource.outputs.outcome).toBe("unclear");
    }
  });

  byOurClock("logs when it was last done if that was recent and the service shows the time", async () => {
    const { world, program, resource } = await staged(action);
    await resource.create(program);
    world.now += 90_000;
    world.logged.length = 0;
    const again = new Resource(world, action.definition);
    await again.create(program).catch(() => undefined);
    const isShown = action.definition.token === "secrets:DirectoryRoleRotation";
    expect(
      world.logged.some((line) => /info: the action already ran at \S+, 90 s earlier: .*killed/.test(line)),
    ).toBe(isShown);
  });

  test("fails with the service's error message, and can be retried", async () => {
    const { world, program, resource, actions: done } = await staged(action);
    const text = '{"errors":["it is busy"]}';
    loseNext(world, { answer: { status: 500, text }, isCarriedOut: false });
    await expect(resource.create(program)).rejects.toThrow("it is busy");
    expect(resource.id).toBe("");
    await resource.create(program);
    expect(done()).toBe(1);
  });

  // A proxy may have received the request, and may deliver it later.
  byOurClock(
    "is unclear after a lost request, which is probed for 15 s if the service shows results",
    async () => {
      const { world, program, resource, actions: done } = await staged(action);
      const start = world.now;
      world.onSleep = (milliseconds) => {
        world.now += milliseconds;
      };
      loseNext(world, "request lost");
      await resource.create(program);
      expect(done()).toBe(0);
      expect(resource.outputs.outcome).toBe("unclear");
      expect(world.now - start).toBe(canTell(action) ? 15_000 : 0);
      expect(world.logged.join("\n")).not.toContain("not applied");
    },
  );

  byOurClock(
    "is done if a lost request is applied within the grace period and the service shows it",
    async () => {
      const { world, program, resource } = await staged(action);
      const sent = writesOf(world);
      hold(world, 1_500, { breaks: true });
      await resource.create(program);
      expect(sent()).toBe(1);
      expect(resource.outputs.outcome).toBe(canTell(action) ? "done" : "unclear");
    },
  );

  test("is unclear and not sent again after a request that hangs", async () => {
    const { world, program, resource, actions: done } = await staged(action);
    loseNext(world, "request hangs");
    world.onSleep = (milliseconds) => {
      world.now += milliseconds;
    };
    await resource.create(program);
    expect(done()).toBe(0);
    expect(resource.outputs.outcome).toBe("unclear");
    expect(world.logged.join("\n")).toMatch(/the action is not repeated, because its outcome is unknown/);
    expect(resource.preview(program).changes).toEqual([]);
  });
});

describe.each(writeOnly)("the write-only resource %s", (_, action) => {
  test("sends every field if one of them changes, and shows no changes afterward", async () => {
    const { world, program, another, resource, actions: done } = await staged(action);
    await resource.create(program);
    expect(await resource.up(another ?? {})).toBe(true);
    expect(done()).toBe(2);
    const [first, second] = world.requests.map(({ body }) => Object.keys((body ?? {}) as object));
    expect(second).toEqual(first);
    expect(resource.preview(another ?? {}).changes).toEqual([]);
  });

  test("warns once, on delete, about what remains on the service", async () => {
    const { world, program, resource } = await staged(action);
    await resource.create(program);
    world.logged.length = 0;
    await resource.delete();
    const { definition } = action;
    const stays = definition.life.kind === "writeOnly" ? definition.life.remains : "";
    expect(world.logged).toEqual([`warning: the resource is removed only from the state: ${stays}`]);
  });

  test.each<Fate>(["request lost", "response lost"])(
    "keeps its ID after a fault (%s), and the next up writes it again",
    async (fate) => {
      const { world, program, another = {}, resource, actions: done } = await staged(action);
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
