import { appendFileSync } from "node:fs";
import * as quarterdeck from "../../../sdk";
import { chosenEngine } from "../../../testing/tests/engine/comparison/engines";
import type { TestStack } from "../stack";
import { cases } from "./cases";
import { type Ended, type Hit, type Interruption, serverIn, Theater } from "./interruptedRun";
import { verdictOf } from "./verdict";

const IS_ALL = process.env.QUARTERDECK_PROPERTIES === "all";

/** A run of the tests hits one request of one resource; `npm run soak -- properties` hits each request of all of them. */
const tried = IS_ALL ? cases : cases.filter(({ token }) => token === "mesh:ConfigEntry");

const ON_EACH_ENGINE: readonly Interruption[] = [
  "the plugin is killed",
  "the dynamic provider host is killed",
  "the command is canceled",
];

/** The CLI's own process is killed as well: its state then has a pending operation. */
const BLOWS: readonly Interruption[] =
  chosenEngine() === "cli" ? [...ON_EACH_ENGINE, "the engine is killed"] : ON_EACH_ENGINE;

// Complete engine commands, on any machine.
jest.setTimeout(3_600_000);

describe.each(tried.map((one) => [one.token, one] as const))("%s", (token, one) => {
  const served = ["plugin", "dynamic"] as const;
  describe.each(served)("%s bridge", (server) => {
    const blows = BLOWS.filter((blow) => serverIn(blow) === server);
    let theater: Theater;
    let free: readonly Ended[];
    beforeAll(async () => {
      theater = await Theater.open(server);
      free = await theater.life(one);
    });
    afterAll(() => theater.close());

    test.each(blows)("recovers as the fault rules allow if %s", async (blow) => {
      const wrong: string[] = [];
      let count = 0;
      const hits: Hit[] = [...hitsOf(blow, Math.max(...free.map(({ requests }) => requests.length)))];
      for (const hit of hits) {
        const life = await theater.life(one, hit);
        for (const [index, ended] of life.entries()) {
          const undisturbed = free[index];
          if (!ended.isHit || undisturbed === undefined) continue;
          // If an earlier operation changed the result, this operation is hit again in a separate run.
          if (life.slice(0, index).some((one, at) => one.isHit && one.dump !== free[at]?.dump)) {
            hits.push({ ...hit, only: ended.operation });
            continue;
          }
          count += 1;
          const verdict = verdictOf(one, hit, ended, undisturbed);
          const request = ended.requests[hit.at];
          const details = [token, one.capability, ended.operation, hit, request, ended.ways, verdict];
          if ("wrong" in verdict) wrong.push(JSON.stringify(details));
          if (process.env.QUARTERDECK_KILLS)
            appendFileSync(process.env.QUARTERDECK_KILLS, `${JSON.stringify(details)}\n`);
        }
        if (life.some(({ unrest }) => unrest !== "")) {
          await theater.close();
          theater = await Theater.open(server);
        }
      }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(0);
    });
  });
});

const onTheCli = chosenEngine() === "cli" ? test : test.skip;

onTheCli(
  "a killed engine leaves a lock and a pending operation, and the created object can be imported",
  async () => {
    const theater = await Theater.open();
    const { stack } = theater;
    try {
      const program = async () => void new quarterdeck.mesh.ConfigEntry("it", ENTRY);
      await theater.hitUp(program, {
        blow: "the engine is killed",
        moment: "after",
        at: ({ method }) => method === "PUT",
      });
      const locked = await stack.up(program);
      expect(`${locked.failure}${locked.output}`).toMatch(/locked.*pulumi cancel/s);
      await stack.stack.cancel();
      expect(await pending(stack)).toBe(1);
      await stack.refresh({ clearPendingCreates: true });
      expect(await pending(stack)).toBe(0);
      const { failure, output } = await stack.up(program);
      const [, id] =
        /Consul configuration entry \\*"([^"\\]+)\\*" already exists/.exec(`${failure}${output}`) ?? [];
      expect(id).toMatch(/service-defaults.web$/);
      const resources = [{ type: "quarterdeck:mesh:ConfigEntry", name: "it", id: id ?? "" }];
      await stack.stack.import({ resources, protect: false, generateCode: false });
      expect(await stack.up(program)).toMatchObject({ failure: undefined, changes: {} });
      expect(await stack.preview(program)).toMatchObject({ changes: { same: 2 } });
    } finally {
      await theater.close();
    }
  },
);

const ENTRY = { kind: "service-defaults", name: "web", spec: { Protocol: "http" } } as const;

async function pending({ stack }: TestStack): Promise<number> {
  const { deployment } = await stack.exportStack();
  return (deployment.pending_operations ?? []).length;
}

/** Each request, before and after it is applied. A run of the tests hits one request; the engine is hit at both moments. */
function* hitsOf(blow: Interruption, most: number): Generator<Hit> {
  const isEngine = blow === "the engine is killed";
  const requests = IS_ALL ? Array.from({ length: most }, (_, at) => at) : [isEngine ? 1 : most - 1];
  for (const at of requests)
    for (const moment of ["before", "after"] as const)
      if (IS_ALL || isEngine || moment === "after") yield { blow, moment, at };
}
