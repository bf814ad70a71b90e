import { listObjects, questionOf } from "../../../provider/core/functions/objects";
import type { Values } from "../../../provider/core/language/object";
import { leavesOf } from "../../steps/leaves";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { until } from "../servers/cluster";
import type { Part } from "./cast";

/** Somebody at a console, whose address leads to the active server, whichever that is. */
export class Person {
  constructor(
    private readonly world: World,
    private readonly part: Part,
  ) {}

  /** What the service holds of an object, value by value; nothing where it is not there. Asked until it is answered. */
  async held(id: string): Promise<ReadonlyMap<string, string> | undefined> {
    let held: ReadonlyMap<string, string> | undefined;
    await until("the service says what it holds", async () => {
      held = await this.#held(id);
      return true;
    });
    return held;
  }

  async #held(id: string): Promise<ReadonlyMap<string, string> | undefined> {
    const stranger = new Resource(this.world, this.part.subject.definition);
    try {
      await stranger.get(id);
    } catch (error) {
      if (/does not exist|answered 404/.test(String(error))) return undefined;
      throw error;
    }
    // What is read by its id alone has every property in the records. What the service counts by itself is nobody's.
    const leaves = [...leavesOf(stranger.record.observed as Values)];
    return new Map(leaves.filter(([path]) => !/(Index|Version|SubmitTime|Rotation)$/i.test(path)));
  }

  /** The ids of all that is there of this definition, where its service lists them. */
  async ids(): Promise<readonly string[] | undefined> {
    const question = questionOf(this.part.subject.definition);
    if (question === undefined || !this.part.isListed) return undefined;
    const ids: string[] = [];
    const caller = { connection: this.world.connection, log: () => undefined };
    await until("the service lists what it has", async () => {
      ids.length = 0;
      for await (const { id } of listObjects(question, {}, { size: 10 }, caller)) ids.push(id);
      return true;
    });
    return ids.sort();
  }

  /** Writes the part's edit, until somebody takes it. */
  async edits(resource: Resource): Promise<void> {
    const { subject, edit } = this.part;
    await until("somebody's edit is taken", async () => {
      await subject.edit(this.world, resource, edit);
      return true;
    });
  }
}
