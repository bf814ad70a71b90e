import { type Proposed, readProposed } from "../../provider/core/bridge/proposed";
import type { Provider } from "../../provider/core/bridge/provider";
import { definitionOf } from "./definitionOf";

/** The result of reading one object: the inputs of a program, the reason why it could not be read, or that it is missing. */
export type ObjectRead = Proposed | { readonly why: string } | "missing";

/** The number of concurrent reads. */
const AT_ONCE = 16;

/** Reads objects by their IDs. The result has the order of the objects. */
export async function readObjects(
  objects: readonly { readonly type: string; readonly id: string }[],
  host: Provider,
  progress: (done: number, all: number) => void = () => {},
): Promise<ObjectRead[]> {
  const results: ObjectRead[] = [];
  let next = 0;
  let done = 0;
  const lane = async () => {
    for (let at = next++; at < objects.length; at = next++) {
      // The index is below the length.
      const { type, id } = objects[at] as (typeof objects)[number];
      results[at] = await readObject(type, id, host);
      progress(++done, objects.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

async function readObject(type: string, id: string, host: Provider): Promise<ObjectRead> {
  const definition = definitionOf(type);
  try {
    return (await readProposed(definition, host, id)) ?? "missing";
  } catch (error) {
    // The message is written for users.
    return { why: (error as Error).message };
  }
}
