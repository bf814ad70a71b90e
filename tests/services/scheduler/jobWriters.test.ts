import fc from "fast-check";
import { ConflictError } from "../../../provider/core/conflict";
import { PartialError } from "../../../provider/core/failures";
import { isLostCheck } from "../../../provider/services/scheduler/service";
import type { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { JobScene } from "./job-scene";

/** What the writers change. Every value that one of them comes upon is another. */
const MEMBERS = ["priority", "owner", "count"] as const;
type Member = (typeof MEMBERS)[number];
type Values = Readonly<Record<Member, number>>;
type Who = 0 | 1;

/** One thing that a writer does; with `meanwhile`, the other one writes just before one of its requests. */
type Deed =
  | { readonly kind: "refresh"; readonly who: Who }
  | { readonly kind: "up"; readonly who: Who; readonly member: Member; readonly meanwhile: Meanwhile | null };

interface Meanwhile {
  /** Which request of the step is held back. */
  readonly at: number;
  readonly member: Member;
  /** Whether the other one refreshes first. */
  readonly looks: boolean;
}

/** Where a job has them, as messages name it. */
const PATHS: Readonly<Record<Member, string>> = {
  priority: "json\\.Priority",
  owner: "json\\.Meta\\.owner",
  count: 'json\\.TaskGroups\\["front"\\]\\.Count',
};

const who = fc.constantFrom<Who>(0, 1);
const member = fc.constantFrom(...MEMBERS);
const meanwhile = fc.record({ at: fc.nat(2), member, looks: fc.boolean() });
const refresh = fc.record({ kind: fc.constant("refresh" as const), who });
const up = fc.record({
  kind: fc.constant("up" as const),
  who,
  member,
  meanwhile: fc.option(meanwhile, { nil: null, freq: 2 }),
});
const stories = fc.array(fc.oneof<fc.Arbitrary<Deed>[]>(refresh, up, up), { minLength: 3, maxLength: 8 });

const jobOf = ({ priority, owner, count }: Values) => ({
  ID: "web",
  Priority: priority,
  Meta: { owner: String(owner) },
  TaskGroups: [{ Name: "front", Count: count, Tasks: [{ Name: "server", Driver: "docker" }] }],
});

/** A program with a state of its own, and every value that it wrote or was shown. */
class Writer {
  readonly resource: Resource;
  /** What its program writes now. */
  program: Values;
  /** How often the service refused a register of it, and how often it was told of a conflict, over all steps. */
  lost = 0;
  conflicts = 0;
  private readonly known = new Set<string>();
  private pending: { at: number; run: () => Promise<void> } | undefined;
  private sent = 0;
  private before: Values | undefined;

  constructor(
    private readonly scene: JobScene,
    program: Values,
  ) {
    this.program = program;
    this.resource = scene.another();
  }

  /** What a register took away must have been known to its program. */
  private judge(after: Values): void {
    const taken = MEMBERS.filter((name) => this.before !== undefined && this.before[name] !== after[name]);
    for (const name of taken) {
      const value = `${name} ${this.before?.[name]}`;
      expect([value, this.known.has(value)]).toEqual([value, true]);
    }
  }

  private learn(values: Values): void {
    for (const name of MEMBERS) this.known.add(`${name} ${values[name]}`);
  }

  async begin(): Promise<void> {
    this.learn(this.program);
    await this.resource.create({ json: jobOf(this.program), adopt: true });
    const { world } = this.resource;
    world.fate = async ({ method }): Promise<Fate> => {
      const { pending } = this;
      if (pending?.at === this.sent++) {
        this.pending = undefined;
        await pending.run();
      }
      if (method === "POST") this.before = await heldIn(this.scene);
      return "passes";
    };
    world.afterwards = async ({ method }, answer) => {
      if (isLostCheck(answer)) this.lost += 1;
      if (method === "POST") this.judge(await heldIn(this.scene));
    };
  }

  async refresh(): Promise<void> {
    expect(await this.resource.refresh()).toBe(true);
    this.learn(valuesIn(this.resource.inputs.json));
  }

  /** One up. A register that the service refused is told as a conflict, or was no obstacle and is told as that. */
  async up(program: Values, within?: Writer["pending"]): Promise<void> {
    this.program = program;
    this.learn(program);
    this.pending = within;
    this.sent = 0;
    const [lost, said] = [this.lost, this.resource.world.logged.length];
    const token = this.resource.record.token ?? "";
    try {
      await this.resource.up({ json: jobOf(program) });
      const told = this.resource.world.logged.slice(said).join("\n");
      if (this.lost > lost) expect(told).toContain("carried on");
    } catch (error) {
      const conflict = conflictIn(error);
      if (conflict === undefined) throw error;
      this.conflicts += 1;
      await this.isTold(conflict, token);
    } finally {
      this.pending = undefined;
    }
  }

  /** A conflict names the service's index, and whatever its program did not know. */
  private async isTold({ details, message }: ConflictError, token: string): Promise<void> {
    const theirs = String((await this.scene.held()).JobModifyIndex);
    expect(theirs).not.toBe(token);
    expect(message).toContain(`the service is at index ${theirs}`);
    const now = await heldIn(this.scene);
    for (const name of MEMBERS.filter((each) => !this.known.has(`${each} ${now[each]}`)))
      expect(message).toMatch(new RegExp(`${PATHS[name]}.* "?${now[name]}"?$`, "m"));
    // What came right after our own register is in the state from here on, and shows as drift.
    if (details.afterOurs) this.learn(now);
  }
}

/** A conflict, be it before or right after our own register. */
function conflictIn(error: unknown): ConflictError | undefined {
  if (error instanceof ConflictError) return error;
  return error instanceof PartialError && error.reason instanceof ConflictError ? error.reason : undefined;
}

async function heldIn(scene: JobScene): Promise<Values> {
  return valuesIn(await scene.held());
}

function valuesIn(json: unknown): Values {
  // The service and a refresh answer the job that a writer wrote.
  const job = json as { Priority: number; Meta: { owner: string }; TaskGroups: { Count: number }[] };
  return { priority: job.Priority, owner: Number(job.Meta.owner), count: job.TaskGroups[0]?.Count ?? 0 };
}

async function play(story: readonly Deed[]): Promise<{ lost: number; conflicts: number }> {
  const scene = new JobScene();
  let written = 1;
  const fresh = (values: Values, name: Member): Values => ({ ...values, [name]: ++written });
  const first: Values = { priority: 1, owner: 1, count: 1 };
  const writers = [new Writer(scene, first), new Writer(scene, first)] as const;
  for (const writer of writers) await writer.begin();

  for (const deed of story) {
    const writer = writers[deed.who];
    if (deed.kind === "refresh") await writer.refresh();
    else await writer.up(fresh(writer.program, deed.member), interruption(deed));
  }

  function interruption(deed: Extract<Deed, { kind: "up" }>) {
    const other = writers[deed.who === 0 ? 1 : 0];
    if (deed.meanwhile === null) return undefined;
    const { at, member: name, looks } = deed.meanwhile;
    const run = async () => {
      if (looks) await other.refresh();
      await other.up(fresh(other.program, name));
    };
    return { at, run };
  }

  // Whoever resolves as the message says has its way, and is quiet.
  for (const writer of writers) {
    const { resource, program } = writer;
    await writer.refresh();
    await writer.up(program);
    expect(await heldIn(scene)).toEqual(program);
    expect(resource.preview({ json: jobOf(program) }).changes).toEqual([]);
  }
  return writers.reduce(
    (sum, { lost, conflicts }) => ({ lost: sum.lost + lost, conflicts: sum.conflicts + conflicts }),
    { lost: 0, conflicts: 0 },
  );
}

test("two writers in random order: every lost check is reported, and no edit is lost", async () => {
  const all = { runs: 0, lost: 0, conflicts: 0 };
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const { lost, conflicts } = await play(story);
      all.runs += 1;
      all.lost += lost;
      all.conflicts += conflicts;
    }),
    { numRuns: 1000 },
  );
  expect(all.runs).toBeGreaterThanOrEqual(1000);
  expect(all.lost).toBeGreaterThan(1000);
  expect(all.conflicts).toBeGreaterThan(1000);
}, 180_000);
