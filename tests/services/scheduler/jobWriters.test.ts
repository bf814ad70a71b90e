import fc from "fast-check";
import { rounds } from "../../rounds";
import { JobScene } from "./job-scene";
import {
  type Interruption,
  jobOf,
  MEMBERS,
  type Member,
  storedValues,
  type Values,
  Writer,
} from "./job-writer";

type Who = 0 | 1;

/** One step of a writer; with `meanwhile`, the other writer writes just before one of its requests. */
type Step =
  | { readonly kind: "refresh"; readonly who: Who }
  | { readonly kind: "up"; readonly who: Who; readonly member: Member; readonly meanwhile: Meanwhile | null };

interface Meanwhile {
  /** The number of the request before which the other writer acts. */
  readonly at: number;
  readonly member: Member;
  /** Refresh the other writer first. */
  readonly refreshesFirst: boolean;
}

const who = fc.constantFrom<Who>(0, 1);
const member = fc.constantFrom(...MEMBERS);
const meanwhile = fc.record({ at: fc.nat(2), member, refreshesFirst: fc.boolean() });
const refresh = fc.record({ kind: fc.constant("refresh" as const), who });
const up = fc.record({
  kind: fc.constant("up" as const),
  who,
  member,
  meanwhile: fc.option(meanwhile, { nil: null, freq: 2 }),
});
const stories = fc.array(fc.oneof<fc.Arbitrary<Step>[]>(refresh, up, up), { minLength: 2, maxLength: 6 });

async function play(story: readonly Step[]): Promise<{ lost: number; conflicts: number }> {
  const scene = new JobScene();
  let written = 1;
  const fresh = (values: Values, name: Member): Values => ({ ...values, [name]: ++written });
  const first: Values = { priority: 1, owner: 1, count: 1 };
  const writers = [new Writer(scene, first), new Writer(scene, first)] as const;
  for (const writer of writers) await writer.begin();

  for (const step of story) {
    const writer = writers[step.who];
    if (step.kind === "refresh") await writer.refresh();
    else await writer.up(fresh(writer.program, step.member), interruption(step));
  }

  function interruption(step: Extract<Step, { kind: "up" }>): Interruption | undefined {
    const other = writers[step.who === 0 ? 1 : 0];
    if (step.meanwhile === null) return undefined;
    const { at, member: name, refreshesFirst } = step.meanwhile;
    const run = async () => {
      if (refreshesFirst) await other.refresh();
      await other.up(fresh(other.program, name));
    };
    return { at, run };
  }

  // A writer that follows the message gets its values stored, and then shows no changes.
  for (const writer of writers) {
    const { resource, program } = writer;
    await writer.refresh();
    await writer.up(program);
    expect(await storedValues(scene)).toEqual(program);
    expect(resource.preview({ json: jobOf(program) }).changes).toEqual([]);
  }
  return writers.reduce(
    (sum, { lost, conflicts }) => ({ lost: sum.lost + lost, conflicts: sum.conflicts + conflicts }),
    { lost: 0, conflicts: 0 },
  );
}

const STORIES = rounds(1000, 50);

test("two writers in random order: every rejected index is reported, and no edit is lost", async () => {
  const all = { runs: 0, lost: 0, conflicts: 0 };
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const { lost, conflicts } = await play(story);
      all.runs += 1;
      all.lost += lost;
      all.conflicts += conflicts;
    }),
    { numRuns: STORIES },
  );
  expect(all.runs).toBeGreaterThanOrEqual(STORIES);
  expect(all.lost).toBeGreaterThan(0.8 * STORIES);
  expect(all.conflicts).toBeGreaterThan(0.8 * STORIES);
}, 600_000);
