import { deepStrictEqual } from "node:assert";
import { ConflictError } from "../../../provider/core/state/errors";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { reset } from "../reset";
import type { Clustered } from "../servers/clusters";
import { anew, comesBack, type Part } from "./cast";
import { Fall, type Moment } from "./fall";
import { Person } from "./person";
import type { Story } from "./stories";
import { differing, falseIn, type Held, lostOf } from "./truth";
import { StoryWay } from "./way";

/** How often a command is run at most until it succeeds. */
const ROUNDS = 20;

/** What a part's story came to. */
export interface Outcome {
  /** What each command that failed has said. */
  readonly said: readonly string[];
  /** What broke the story. */
  readonly broken?: unknown;
}

/** Lives a story with every part of a cast at once: the active server ends once, under all of their requests. */
export async function live(
  { cluster, server }: Clustered,
  cast: readonly Part[],
  story: Story,
  moment: Moment,
): Promise<ReadonlyMap<string, Outcome>> {
  await cluster.whole(server.token);
  await reset();
  const { address } = await cluster.standby();
  const parts: LivedPart[] = [];
  for (const part of cast.map(anew)) {
    const world = await part.subject.world();
    parts.push(new LivedPart(part, story, world, new StoryWay(world, address, server.token)));
  }
  for (const part of parts) await part.prepare();
  const fall = new Fall(cluster, moment, parts.length, async () => {
    if (story.edited === "meanwhile") await Promise.all(parts.map((part) => part.edit()));
  });
  const outcomes = await Promise.all(parts.map((part) => part.outcome(fall)));
  await fall.ended;
  return new Map(cast.map(({ token }, at) => [token, outcomes[at] ?? { said: [] }]));
}

class LivedPart {
  private readonly resource: Resource;
  private readonly person: Person;
  private readonly said: string[] = [];
  private idsBefore: readonly string[] | undefined;
  /** Before the edit, or the command; and after the edit. */
  private before: Held;
  private after: Held;
  private conflicts = 0;

  constructor(
    private readonly part: Part,
    private readonly story: Story,
    world: World,
    private readonly way: StoryWay,
  ) {
    this.resource = new Resource(way.world, part.subject.definition);
    this.person = new Person(world, part);
  }

  async prepare(): Promise<void> {
    this.idsBefore = await this.person.ids();
    if (!this.story.isMade) return;
    await this.resource.create(this.part.first);
    this.before = await this.person.held(this.resource.id);
    if (this.story.edited === "before") await this.edit();
  }

  async edit(): Promise<void> {
    this.before = await this.person.held(this.resource.id);
    await this.person.edits(this.resource);
    this.after = await this.person.held(this.resource.id);
  }

  async outcome(fall: Fall): Promise<Outcome> {
    this.way.arm(fall, this.story.meeting);
    try {
      await this.lived(fall, () => {
        const hasMet = this.way.disarm();
        if (!hasMet) fall.leave();
        return hasMet;
      });
      return { said: this.said };
    } catch (broken) {
      if (!this.way.disarm()) fall.leave();
      return { said: this.said, broken };
    } finally {
      await this.way.close();
    }
  }

  private async lived(fall: Fall, hasMet: () => boolean): Promise<void> {
    const { story, part, resource } = this;
    await this.untilDone(fall);
    if (!hasMet()) throw new Error("the active server ended beside this story");
    if (story.edited === "before" && this.conflicts !== 1) throw new Error(`${this.conflicts} conflicts`);
    const end = story.end(part);
    if (end === undefined) {
      const held = await this.person.held(resource.id);
      // Deleted by the server that ended, from its memory alone, it is back as it was.
      deepStrictEqual(held, held && comesBack(part) ? this.before : undefined);
      deepStrictEqual(await this.person.ids(), this.idsBefore);
      return;
    }
    // The write may be answered before the edit is.
    await fall.ended;
    if (story.edited === "meanwhile") await this.putRight();
    await this.expectQuiet(end);
    if (this.idsBefore && !story.isMade)
      deepStrictEqual(await this.person.ids(), [...new Set([...this.idsBefore, resource.id])].sort());
  }

  /** The command, until it succeeds, each time after what its error says. */
  private async untilDone(fall: Fall): Promise<void> {
    const { story, part, resource } = this;
    for (let round = 1; round <= ROUNDS; round++) {
      const known = round === 1 ? this.before : await this.heldNow();
      const logged = this.way.world.logged.length;
      let told = "";
      try {
        await story.command(resource, part);
        return await this.judge("", logged, this.after ?? known);
      } catch (error) {
        told = String(error);
        this.said.push(told);
        // A conflict may be reported before the edit beside the story is complete.
        if (this.way.hasMet) await fall.ended;
        await this.judge(told, logged, this.after ?? known);
        if (!(error instanceof ConflictError) && !/ConflictError|conflict:/.test(told)) continue;
        this.conflicts += 1;
        await this.expectShown();
      }
    }
    throw new Error(`${this.said.length} errors, the last: ${this.said.at(-1)}`);
  }

  private heldNow(): Promise<Held> {
    return this.person.held(this.resource.id || this.part.id);
  }

  /** Whether what was said is so, and nobody's edit is lost. */
  private async judge(told: string, logged: number, known: Held): Promise<void> {
    const now = await this.heldNow();
    const lines = [told, ...this.way.world.logged.slice(logged)].join("\n");
    const isFalse = falseIn(lines, known, now, this.story.edited !== undefined);
    if (isFalse !== undefined) throw new Error(`${isFalse}\nmoved: ${differing(known, now).join(", ")}`);
    if (this.conflicts > 0 || this.after === undefined) return;
    const lost = lostOf(this.before, this.after, now);
    if (lost.length > 0) throw new Error(`somebody's edit is lost: ${lost.join(", ")}\n${lines}`);
  }

  /** A refresh, as the message says, shows what somebody edited. */
  private async expectShown(): Promise<void> {
    const { story, part, resource } = this;
    if (story.edited === undefined) throw new Error(`a conflict with nobody: ${this.said.at(-1)}`);
    if (!(await resource.refresh())) throw new Error("it was called gone");
    const { changes } = resource.preview(story.end(part) ?? part.first);
    if (changes.length === 0) throw new Error("the edit does not show after a refresh");
  }

  /** What somebody edited after a write of ours shows, and only then is gone over. */
  private async putRight(): Promise<void> {
    if (this.conflicts > 0) return;
    await this.expectShown();
    await this.resource.up(this.story.end(this.part) ?? {});
  }

  private async expectQuiet(program: Part["first"]): Promise<void> {
    deepStrictEqual(this.resource.preview(program).changes, []);
    if (!(await this.resource.refresh())) throw new Error("it was called gone");
    deepStrictEqual(this.resource.preview(program).changes, []);
  }
}
