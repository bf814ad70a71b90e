import { ConflictError, PartialError } from "../../../provider/core/state/errors";
import { isLostCheck } from "../../../provider/services/scheduler/service";
import type { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import type { JobScene } from "./job-scene";

/** The fields that the writers change. Every write uses a new value, so that a value identifies its write. */
export const MEMBERS = ["priority", "owner", "count"] as const;
export type Member = (typeof MEMBERS)[number];
export type Values = Readonly<Record<Member, number>>;
/** The paths of these fields in messages. */
const PATHS: Readonly<Record<Member, string>> = {
  priority: "json\\.Priority",
  owner: "json\\.Meta\\.owner",
  count: 'json\\.TaskGroups\\["front"\\]\\.Count',
};

/** An action that runs just before the request with this number in a step. */
export interface Interruption {
  readonly at: number;
  run(): Promise<void>;
}

/** A program with its own state, and every value that it wrote or read. */
export class Writer {
  readonly resource: Resource;
  /** The current values of the program. */
  program: Values;
  /** The number of registrations that Nomad rejected, and of reported conflicts, over all steps. */
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

  /** A registration may overwrite only values that its program knows. */
  private expectNoLostEdit(after: Values): void {
    const overwritten = MEMBERS.filter(
      (name) => this.before !== undefined && this.before[name] !== after[name],
    );
    for (const name of overwritten) {
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
      if (method === "POST") this.before = await storedValues(this.scene);
      return "passes";
    };
    world.onResponse = async ({ method }, answer) => {
      if (isLostCheck(answer)) this.lost += 1;
      if (method === "POST") this.expectNoLostEdit(await storedValues(this.scene));
    };
  }

  async refresh(): Promise<void> {
    expect(await this.resource.refresh()).toBe(true);
    this.learn(valuesIn(this.resource.inputs.json));
  }

  /** Runs one `up`. If Nomad rejects its registration, it reports a conflict or logs that it carried on. */
  async up(program: Values, within?: Interruption): Promise<void> {
    this.program = program;
    this.learn(program);
    this.pending = within;
    this.sent = 0;
    const [lostBefore, loggedBefore] = [this.lost, this.resource.world.logged.length];
    const token = this.resource.record.revision ?? "";
    try {
      await this.resource.up({ json: jobOf(program) });
      const messages = this.resource.world.logged.slice(loggedBefore).join("\n");
      if (this.lost > lostBefore) expect(messages).toContain("continuing");
    } catch (error) {
      const conflict = conflictIn(error);
      if (conflict === undefined) throw error;
      this.conflicts += 1;
      await this.expectConflict(conflict, token);
    } finally {
      this.pending = undefined;
    }
  }

  /** A conflict names Nomad's index and every value that the program did not know. */
  private async expectConflict({ details, message }: ConflictError, token: string): Promise<void> {
    const serverIndex = String((await this.scene.held()).JobModifyIndex);
    expect(serverIndex).not.toBe(token);
    expect(message).toContain(`the server is now at index ${serverIndex}`);
    const now = await storedValues(this.scene);
    for (const name of MEMBERS.filter((each) => !this.known.has(`${each} ${now[each]}`)))
      expect(message).toMatch(new RegExp(`${PATHS[name]}.* "?${now[name]}"?$`, "m"));
    // A change right after our own registration is stored in the state, and shows as drift.
    if (details.ownWrite === "applied") this.learn(now);
  }
}

/** The conflict in an error, whether it was found before or right after our own registration. */
function conflictIn(error: unknown): ConflictError | undefined {
  if (error instanceof ConflictError) return error;
  return error instanceof PartialError && error.reason instanceof ConflictError ? error.reason : undefined;
}

/** The values that Nomad stores. */
export async function storedValues(scene: JobScene): Promise<Values> {
  return valuesIn(await scene.held());
}

function valuesIn(json: unknown): Values {
  // Nomad and a refresh return a job that a writer wrote.
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
