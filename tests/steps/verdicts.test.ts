import fc from "fast-check";
import { verdictOf } from "../../cli/drift/verdict";
import { withMiddleware } from "../../provider/core/requests/middleware";
import { readOnly } from "../../provider/core/requests/middleware/readOnly";
import { formatRecords, RECORDS } from "../../provider/core/state/records";
import { hostOf } from "../core/bridge/host";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import { changeable, removable } from "./subjects";

const RUNS = rounds(60, 6);

/** The types whose service tells when an object was written last. */
const TIMED = ["scheduler:Job", "workspaces:Workspace"];

/** What a look says of a resource, by a connection that refuses to write. */
async function looked({ world, definition, id, inputs, outputs }: Resource) {
  const host = hostOf(() => withMiddleware(world.connection, readOnly(world.connection.service.name)));
  const sent = world.requests.length;
  const verdict = await verdictOf(definition, host, { id, inputs, outputs, ignored: [] });
  expect(world.requests.slice(sent).filter(({ nature }) => nature !== "read")).toEqual([]);
  return verdict;
}

/** What an engine's refresh says of it: it has the fresh outputs compared with the inputs of the state. */
async function refreshed(resource: Resource): Promise<string> {
  const { inputs } = resource;
  if (!(await resource.refresh())) return "missing";
  return resource.preview(inputs).changes.length > 0 ? "drifted" : "in sync";
}

describe.each(changeable)("a look at a %s that others edit", (token, subject) => {
  test("says what a refresh says, edit by edit; what moved is told, and told as moved", async () => {
    let [drifted, timed] = [0, 0];
    const edits = fc.array(subject.edits, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(subject.programs, edits, async (program, several) => {
        const world = await subject.world();
        const resource = new Resource(world, subject.definition);
        await resource.create(program);
        expect(await looked(resource)).toEqual({ verdict: "in sync" });
        for (const edit of several) {
          world.now += 60_000;
          const at = world.now;
          await subject.edit(world, resource, edit);
          // Whenever it is looked at, what is told is when it was moved.
          world.now += 60_000;
          const verdict = await looked(resource);
          expect([verdict.verdict, verdict]).toEqual([await refreshed(resource), verdict]);
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
          expect(await looked(resource)).toEqual({ verdict: "in sync" });
        }
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, drifted);
    expect(timed > 0).toBe(TIMED.includes(token));
  });
});

describe.each(removable)("a look at a %s that others take away", (_, subject) => {
  test("says that it is missing, as a refresh does", async () => {
    const [program] = fc.sample(subject.programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(program ?? {});
    await subject.takeAway?.(world, resource);
    expect(await looked(resource)).toEqual({ verdict: await refreshed(resource) });
    expect(await looked(resource)).toEqual({ verdict: "missing" });
  });
});

describe.each(procedures)("a look at a %s", (_, { definition, scene }) => {
  test("says what a refresh says, also of one whose last write is not whole, and why", async () => {
    const { world, program } = await scene();
    const resource = new Resource(world, definition);
    await resource.create(program);
    const whole = await looked(resource);
    expect(whole.verdict).toBe(await refreshed(resource));
    if (whole.verdict !== "in sync") return;
    resource.outputs[RECORDS] = formatRecords({
      ...resource.record,
      pending: { kind: "incomplete", reason: "it was cut off" },
    });
    const why = expect.stringMatching(/is not whole.*it was cut off/);
    expect(await looked(resource)).toEqual({ verdict: "drifted", fields: [], why });
    expect(await refreshed(resource)).toBe("drifted");
  });
});
