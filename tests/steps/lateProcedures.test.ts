import { endedInUps, procedures } from "./procedures";
import { Resource } from "./resource";
import type { Fate } from "./world";

/** Longer than any operation may take, and shorter than any lease: by a clock that only a test moves. */
const TOO_LONG_MS = 1_000_000;

const resumed = procedures.filter(([, { staysOpen }]) => !staysOpen);

describe.each(resumed)("the procedure %s", (_, { definition, scene }) => {
  test.each<Fate>(["request hangs", "response hangs"])(
    "is looked at after any %s until the operation's time was up, and comes to its end in ups alone",
    async (fate) => {
      for (let at = 0; at < 10; at++) {
        const { world, program } = await scene();
        const resource = new Resource(world, definition);
        let written = 0;
        let sent = Number.POSITIVE_INFINITY;
        world.fate = ({ nature }) => {
          if (nature === "read" || written++ !== at) return "passes";
          world.now += TOO_LONG_MS;
          sent = world.requests.length;
          return fate;
        };
        world.slept = (milliseconds) => {
          world.now += milliseconds;
        };
        await resource.create(program).catch(() => undefined);
        if (written <= at) break;
        const after = world.requests.slice(sent);
        expect(after.map(({ nature }) => nature)).not.toContain("single-use");
        expect(after.length).toBeGreaterThan(fate === "request hangs" ? 1 : 0);
        const ended = await endedInUps(resource, program);
        expect(resource.preview(ended).changes).toEqual([]);
        expect(resource.record.pending).toBeUndefined();
      }
    },
  );
});
