import { ConflictError, PartialError } from "../../../provider/core/state/errors";
import { isLostCheck } from "../../../provider/services/scheduler/service";
import type { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import type { JobScene } from "./job-scene";

/** What the writers change. Every value that one of them comes upon is another. */
export const MEMBERS = ["priority", "owner", "count"] as const;
export type Member = (typeof MEMBERS)[number];
export type Values = Readonly<Record<Member, number>>;
/** Where a job has them, as messages name it. */
const PATHS: Readonly<Record<Member, string>> = {
  priority: "json\\.Priority",
  owner: "json\\.Meta\\.owner",
  count: 'json\\.TaskGroups\\["front"\\]\\.Count',
};

/** What happens just before one of the requests of a step, by its number. */
export interface Interruption {
  readonly at: number;
  run(): Promise<void>;
}

/** A program with a state of its own, and every value that it wrote or was shown. */
export class Writer {
  readonly resource: Resource;
  /** What its program writes now. */
  program: Values;
  /** How often the service refused a register of it, and how often it was told of a conflict, over all steps. */
  lost = 0;
  conflicts = 0;
  private readonly known = new Set<string>();
  private pending: Interruption | undefined;
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
  async up(program: Values, within?: Interruption): Promise<void> {
    this.program = program;
    this.learn(program);
    this.pending = within;
    this.sent = 0;
    const [lost, said] = [this.lost, this.resource.world.logged.length];
    const token = this.resource.record.revision ?? "";
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
    if (details.ownWrite === "applied") this.learn(now);
  }
}

/** A conflict, be it before or right after our own register. */
function conflictIn(error: unknown): ConflictError | undefined {
  if (error instanceof ConflictError) return error;
  return error instanceof PartialError && error.reason instanceof ConflictError ? error.reason : undefined;
}

/** What the service holds of it. */
export async function heldIn(scene: JobScene): Promise<Values> {
  return valuesIn(await scene.held());
}

function valuesIn(json: unknown): Values {
  // The service and a refresh answer the job that a writer wrote.
  const job = json as { Priority: number; Meta: { owner: string }; TaskGroups: { Count: number }[] };
  return { priority: job.Priority, owner: Number(job.Meta.owner), count: job.TaskGroups[0]?.Count ?? 0 };
}

/** The job that a writer registers. */
export const jobOf = ({ priority, owner, count }: Values) => ({
  ID: "web",
  Priority: priority,
  Meta: { owner: String(owner) },
  TaskGroups: [{ Name: "front", Count: count, Tasks: [{ Name: "server", Driver: "docker" }] }],
});
