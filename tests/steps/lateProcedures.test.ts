import { endedInUps, procedures } from "./procedures";
import { Resource } from "./resource";
import type { Fate } from "./world";

/** Longer than the timeout of any operation and shorter than any lease, on a clock that only the test advances. */
const TOO_LONG_MS = 1_000_000;

const resumed = procedures.filter(([, { staysOpen }]) => !staysOpen);

describe.each(resumed)("the procedure %s", (_, { definition, scene, startsWithoutEffect }) => {
  test.each<Fate>(["request hangs", "response hangs"])(
    "is probed and not repeated after a timeout at any write (%s), and further ups complete it",
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
        world.onSleep = (milliseconds) => {
          world.now += milliseconds;
        };
        await resource.create(program).catch(() => undefined);
        if (written <= at) break;
        const after = world.requests.slice(sent);
        expect(after.map(({ nature }) => nature)).not.toContain("single-use");
        if (!(startsWithoutEffect && at === 0))
          expect(after.length).toBeGreaterThan(fate === "request hangs" ? 1 : 0);
        const ended = await endedInUps(resource, program);
        expect(resource.preview(ended).changes).toEqual([]);
        expect(resource.record.pending).toBeUndefined();
      }
    },
  );
});
