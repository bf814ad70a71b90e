import { deepStrictEqual } from "node:assert";
import { ConflictError } from "../../../provider/core/state/errors";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { reset } from "../reset";
import type { Clustered } from "../servers/clusters";
import { Failover, type Moment } from "./failover";
import { changedPaths, falseStatementIn, lostPaths, type StoredValues } from "./messages";
import { OtherUser } from "./otherUser";
import { freshPart, isRestoredByFailover, type Part } from "./parts";
import type { Story } from "./stories";
import { StoryClient } from "./storyClient";

/** The maximum number of runs of a command until it succeeds. */
const MAX_ROUNDS = 20;

/** The result of the story of one part. */
export interface Outcome {
  /** The messages of the failed commands. */
  readonly messages: readonly string[];
  /** The error that ended the story. */
  readonly failure?: unknown;
}

/** Runs a story for every part at the same time: one failover interrupts a request of each. */
export async function runStory(
  { cluster, server }: Clustered,
  cast: readonly Part[],
  story: Story,
  moment: Moment,
): Promise<ReadonlyMap<string, Outcome>> {
  await cluster.makeComplete(server.token);
  await reset();
  const { address } = await cluster.standby();
  const parts: PartStory[] = [];
  for (const part of cast.map(freshPart)) {
    const world = await part.subject.world();
    parts.push(new PartStory(part, story, world, new StoryClient(world, address, server.token)));
  }
  for (const part of parts) await part.prepare();
  const failover = new Failover(cluster, moment, parts.length, async () => {
    if (story.editedAt === "meanwhile") await Promise.all(parts.map((part) => part.edit()));
  });
  const outcomes = await Promise.all(parts.map((part) => part.outcome(failover)));
  await failover.ended;
  return new Map(cast.map(({ token }, at) => [token, outcomes[at] ?? { messages: [] }]));
}

class PartStory {
  private readonly resource: Resource;
  private readonly otherUser: OtherUser;
  private readonly messages: string[] = [];
  private idsBefore: readonly string[] | undefined;
  /** The stored values before the edit or the command, and after the edit. */
  private before: StoredValues;
  private after: StoredValues;
  private conflicts = 0;

  constructor(
    private readonly part: Part,
    private readonly story: Story,
    world: World,
    private readonly client: StoryClient,
  ) {
    this.resource = new Resource(client.world, part.subject.definition);
    this.otherUser = new OtherUser(world, part);
  }

  async prepare(): Promise<void> {
    this.idsBefore = await this.otherUser.ids();
    if (!this.story.exists) return;
    await this.resource.create(this.part.first);
    this.before = await this.otherUser.values(this.resource.id);
    if (this.story.editedAt === "before") await this.edit();
  }

  async edit(): Promise<void> {
    this.before = await this.otherUser.values(this.resource.id);
    await this.otherUser.applyEdit(this.resource);
    this.after = await this.otherUser.values(this.resource.id);
  }

  async outcome(failover: Failover): Promise<Outcome> {
    this.client.arm(failover, this.story.meeting);
    try {
      await this.run(failover, () => {
        const hasMet = this.client.disarm();
        if (!hasMet) failover.leave();
        return hasMet;
      });
      return { messages: this.messages };
    } catch (failure) {
      if (!this.client.disarm()) failover.leave();
      return { messages: this.messages, failure };
    } finally {
      await this.client.close();
    }
  }

  private async run(failover: Failover, hasMet: () => boolean): Promise<void> {
    const { story, part, resource } = this;
    await this.runUntilSuccess(failover);
    if (!hasMet()) throw new Error("the failover happened without this story");
    if (story.editedAt === "before" && this.conflicts !== 1) throw new Error(`${this.conflicts} conflicts`);
    const end = story.finalProgram(part);
    if (end === undefined) {
      const values = await this.otherUser.values(resource.id);
      // The killed server deleted it only from memory, so it exists again, unchanged.
      deepStrictEqual(values, values && isRestoredByFailover(part) ? this.before : undefined);
      deepStrictEqual(await this.otherUser.ids(), this.idsBefore);
      return;
    }
    // The response to the write may arrive before the response to the edit.
    await failover.ended;
    if (story.editedAt === "meanwhile") await this.revertEdit();
    await this.expectNoChanges(end);
    if (this.idsBefore && !story.exists)
      deepStrictEqual(await this.otherUser.ids(), [...new Set([...this.idsBefore, resource.id])].sort());
  }

  /** Runs the command until it succeeds. After each error, checks the message and follows its remedy. */
  private async runUntilSuccess(failover: Failover): Promise<void> {
    const { story, part, resource } = this;
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const known = round === 1 ? this.before : await this.currentValues();
      const logged = this.client.world.logged.length;
      let message = "";
      try {
        await story.command(resource, part);
        return await this.checkMessage("", logged, this.after ?? known);
      } catch (error) {
        message = String(error);
        this.messages.push(message);
        // The conflict may be reported before the concurrent edit is complete.
        if (this.client.hasMet) await failover.ended;
        await this.checkMessage(message, logged, this.after ?? known);
        if (!(error instanceof ConflictError) && !/ConflictError|conflict:/.test(message)) continue;
        this.conflicts += 1;
        await this.expectEditShown();
      }
    }
    throw new Error(`${this.messages.length} errors, the last: ${this.messages.at(-1)}`);
  }

  private currentValues(): Promise<StoredValues> {
    return this.otherUser.values(this.resource.id || this.part.id);
  }

  /** Fails if a message is false, or if another user's edit is lost. */
  private async checkMessage(message: string, logged: number, known: StoredValues): Promise<void> {
    const now = await this.currentValues();
    const lines = [message, ...this.client.world.logged.slice(logged)].join("\n");
    const falseStatement = falseStatementIn(lines, known, now, this.story.editedAt !== undefined);
    if (falseStatement !== undefined)
      throw new Error(`${falseStatement}\nchanged: ${changedPaths(known, now).join(", ")}`);
    if (this.conflicts > 0 || this.after === undefined) return;
    const lost = lostPaths(this.before, this.after, now);
    if (lost.length > 0) throw new Error(`the other user's edit is lost: ${lost.join(", ")}\n${lines}`);
  }

  /** Refreshes, as the message of the conflict says. Fails if the edit is not shown. */
  private async expectEditShown(): Promise<void> {
    const { story, part, resource } = this;
    if (story.editedAt === undefined)
      throw new Error(`a conflict without another user: ${this.messages.at(-1)}`);
    if (!(await resource.refresh())) throw new Error("the refresh reported it as deleted");
    const { changes } = resource.preview(story.finalProgram(part) ?? part.first);
    if (changes.length === 0) throw new Error("a refresh does not show the edit");
  }

  /** An edit after our own write is shown first. Only then is it reverted. */
  private async revertEdit(): Promise<void> {
    if (this.conflicts > 0) return;
    await this.expectEditShown();
    await this.resource.up(this.story.finalProgram(this.part) ?? {});
  }

  private async expectNoChanges(program: Part["first"]): Promise<void> {
    deepStrictEqual(this.resource.preview(program).changes, []);
    if (!(await this.resource.refresh())) throw new Error("the refresh reported it as deleted");
    deepStrictEqual(this.resource.preview(program).changes, []);
  }
}
