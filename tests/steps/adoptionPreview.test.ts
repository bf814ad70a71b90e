import fc from "fast-check";
import { UNKNOWN } from "../../provider/core/value/unknown";
import { dumped } from "../faults/dump";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { kvSecretSubject } from "./subjects/keyValue";
import type { World } from "./world";

const RUNS = rounds(40, 5);

const adoptable = subjects.filter(([, { definition }]) => "adopt" in definition.fields);

/** The lines of the comparison table in the logged messages that contain a text. */
function tableIn({ logged }: World, text: string): string[] {
  const [message = ""] = logged.filter((line) => line.includes(text));
  return message.split("\n").slice(1);
}

/** An object of one program, in a world with an empty log. */
async function existing(subject: Subject, program: Parameters<Resource["create"]>[0]): Promise<World> {
  const world = await subject.world();
  await new Resource(world.another(), subject.definition).create(program);
  world.logged.length = 0;
  world.requests.length = 0;
  return world;
}

describe.each(adoptable)("the preview of an adoption of a %s", (token, subject) => {
  test("writes nothing, and shows each value that the adoption then changes", async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const world = await existing(subject, first);
        const before = dumped(world.stub.dump());
        const adopting = new Resource(world, subject.definition);
        const program = { ...second, adopt: true };
        await adopting.forecast((await adopting.prepare(program)).inputs);
        expect(dumped(world.stub.dump())).toBe(before);
        const shown = tableIn(world, "and changes these values:");
        const isRefused = world.logged.some((line) => line.includes("cannot be adopted"));
        const isUnchanged = world.logged.some((line) =>
          line.includes("adopts the existing object without a write"),
        );
        world.logged.length = 0;
        const failure = await adopting.create(program).catch((error: unknown) => error);
        expect(String(failure).includes("cannot be adopted")).toBe(isRefused);
        if (failure !== undefined) return;
        expect(shown).toEqual(tableIn(world, "adopted and updated to the program's values:"));
        if (isUnchanged) expect(dumped(world.stub.dump())).toBe(before);
        seen += 1;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, seen);
  });
});

const [[, simplest]] = adoptable as [(typeof adoptable)[number]];
const [sample = {}] = fc.sample(simplest.programs, { numRuns: 1, seed: 1 });

describe("the preview of an adoption", () => {
  test("sends nothing without adopt: true, or while a value is unknown", async () => {
    const world = await existing(simplest, sample);
    const [name = ""] = Object.keys(sample);
    await new Resource(world, simplest.definition).forecast(sample);
    await new Resource(world, simplest.definition).forecast({ ...sample, [name]: UNKNOWN, adopt: true });
    expect(world.requests).toEqual([]);
    expect(world.logged).toEqual([expect.stringContaining("once all values are known")]);
  });

  test("shows that an empty KV secret replaces a key whose value is 0", async () => {
    const world = await existing(kvSecretSubject, { mount: "kv", path: "app", data: { retries: 0 } });
    const empty = { mount: "kv", path: "app", data: {}, adopt: true };
    await new Resource(world, kvSecretSubject.definition).forecast(empty);
    expect(world.logged).toEqual([expect.stringContaining("data.retries")]);
  });

  test("reports an unreachable server once for all resources, and does not fail", async () => {
    const world = await existing(simplest, sample);
    world.fate = () => ({ answer: { status: 503, text: "" }, isCarriedOut: false });
    const unavailableScopes = new Set<string>();
    let sent = 0;
    for (let count = 0; count < 2; count++) {
      const resource = new Resource(world, simplest.definition);
      resource.unavailableScopes = unavailableScopes;
      await resource.forecast({ ...sample, adopt: true });
      if (count === 0) sent = world.requests.length;
    }
    // The second resource sends no request: each could take until the timeout.
    expect(world.requests).toHaveLength(sent);
    const warnings = world.logged.filter((line) => line.includes("cannot be compared in this preview"));
    expect(warnings).toHaveLength(1);
  });
});
