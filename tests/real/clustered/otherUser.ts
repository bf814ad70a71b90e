import { listObjects, questionOf } from "../../../provider/core/functions/objects";
import type { Values } from "../../../provider/core/language/object";
import { leavesOf } from "../../steps/leaves";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { until } from "../servers/cluster";
import type { Part } from "./parts";

/** Another user, who uses an address that always leads to the active server. */
export class OtherUser {
  constructor(
    private readonly world: World,
    private readonly part: Part,
  ) {}

  /** The values of an object, by path; undefined if the object does not exist. Retries until a server answers. */
  async values(id: string): Promise<ReadonlyMap<string, string> | undefined> {
    let values: ReadonlyMap<string, string> | undefined;
    await until("the service says what it holds", async () => {
      values = await this.#currentValues(id);
      return true;
    });
    return values;
  }

  async #currentValues(id: string): Promise<ReadonlyMap<string, string> | undefined> {
    const resource = new Resource(this.world, this.part.subject.definition);
    try {
      await resource.get(id);
    } catch (error) {
      if (/does not exist|returned 404/.test(String(error))) return undefined;
      throw error;
    }
    // A read by ID alone stores every property in the records. Counters of the server are ignored.
    const leaves = [...leavesOf(resource.record.observed as Values)];
    return new Map(leaves.filter(([path]) => !/(Index|Version|SubmitTime|Rotation)$/i.test(path)));
  }

  /** The IDs of all objects of this definition; undefined if they cannot be listed. */
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

  /** Applies the edit of the part, until a server accepts it. */
  async applyEdit(resource: Resource): Promise<void> {
    const { subject, edit } = this.part;
    await until("somebody's edit is taken", async () => {
      await subject.edit(this.world, resource, edit);
      return true;
    });
  }
}
