import fc from "fast-check";
import { verdictOf } from "../../cli/drift/verdict";
import { readOnly, withMiddleware } from "../../provider/core/requests/middleware";
import { formatRecords, RECORDS } from "../../provider/core/state/records";
import { hostOf } from "../core/bridge/host";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import { changeable, removable } from "./subjects";

const RUNS = rounds(60, 6);

/** The types whose service returns the time of the last write. */
const TIMED = ["scheduler:Job", "workspaces:Workspace"];

/** The verdict of a drift check on a read-only connection. */
async function checkDrift({ world, definition, id, inputs, outputs }: Resource) {
  const host = hostOf(() => withMiddleware(world.connection, readOnly(world.connection.service.name)));
  const sent = world.requests.length;
  const verdict = await verdictOf(definition, host, { id, inputs, outputs, ignored: [] });
  expect(world.requests.slice(sent).filter(({ nature }) => nature !== "read")).toEqual([]);
  return verdict;
}

/** The verdict of an engine's refresh, which compares the new outputs with the inputs in the state. */
async function checkByRefresh(resource: Resource): Promise<string> {
  const { inputs } = resource;
  if (!(await resource.refresh())) return "missing";
  return resource.preview(inputs).changes.length > 0 ? "drifted" : "in sync";
}

describe.each(changeable)("a drift check of a %s that someone else edits", (token, subject) => {
  test("has the same verdict as a refresh, and reports the changed fields and the time of the edit", async () => {
    let [drifted, timed] = [0, 0];
    const edits = fc.array(subject.edits, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(subject.programs, edits, async (program, several) => {
        const world = await subject.world();
        const resource = new Resource(world, subject.definition);
        await resource.create(program);
        expect(await checkDrift(resource)).toEqual({ verdict: "in sync" });
        for (const edit of several) {
          world.now += 60_000;
          const at = world.now;
          await subject.edit(world, resource, edit);
          // The reported time is that of the edit, and not of the check.
          world.now += 60_000;
          const verdict = await checkDrift(resource);
          expect([verdict.verdict, verdict]).toEqual([await checkByRefresh(resource), verdict]);
          if (verdict.verdict === "drifted") {
            drifted++;
            expect(verdict.fields.filter(({ was, is }) => was === is && !was.includes("[secret]"))).toEqual(
              [],
            );
            expect(verdict.fields.length).toBeGreaterThan(0);
            if (verdict.when !== undefined) {
              timed++;
              expect([token, Math.abs(Date.parse(verdict.when) - at) < 1000]).toEqual([token, true]);
            }
          }
          expect(await checkDrift(resource)).toEqual({ verdict: "in sync" });
        }
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, drifted);
    expect(timed > 0).toBe(TIMED.includes(token));
  });
});

describe.each(removable)("a drift check of a %s that someone else deleted", (_, subject) => {
  test("reports it as missing, as a refresh does", async () => {
    const [program] = fc.sample(subject.programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(program ?? {});
    await subject.takeAway?.(world, resource);
    expect(await checkDrift(resource)).toEqual({ verdict: await checkByRefresh(resource) });
    expect(await checkDrift(resource)).toEqual({ verdict: "missing" });
  });
});

describe.each(procedures)("a drift check of a %s", (_, { definition, scene }) => {
  test("has the same verdict as a refresh, and gives the reason if the last write is incomplete", async () => {
    const { world, program } = await scene();
    const resource = new Resource(world, definition);
    await resource.create(program);
    const complete = await checkDrift(resource);
    expect(complete.verdict).toBe(await checkByRefresh(resource));
    if (complete.verdict !== "in sync") return;
    resource.outputs[RECORDS] = formatRecords({
      ...resource.record,
      pending: { kind: "incomplete", reason: "it was cut off" },
    });
    const why = expect.stringMatching(/is incomplete.*it was cut off/);
    expect(await checkDrift(resource)).toEqual({ verdict: "drifted", fields: [], why });
    expect(await checkByRefresh(resource)).toBe("drifted");
  });
});
