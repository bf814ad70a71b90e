import {
  ActionableError,
  again,
  type Body,
  del,
  deletes,
  isObject,
  type Json,
  type Listing,
  type ObjectHookContext,
  type Observation,
  removeOnce,
  stringIn,
  type UpdateInput,
} from "../../core";
import { withoutSlashes } from "./namespaces";
import { pauses } from "./pauses";
import { keysAt, objectsAt } from "./service";

/** A namespace as the server returns it, with its own name and without the slash at the end of its path. */
export function withName(body: Observation["body"]): Observation["body"] {
  if (typeof body.path !== "string") return body;
  const path = withoutSlashes(body.path);
  return { ...body, path, name: path.slice(path.lastIndexOf("/") + 1) };
}

const listed = objectsAt("/sys/namespaces", "name");
const ownName = (key: Json) => withoutSlashes(stringIn(key));

/** The child namespaces of a namespace. Their keys end with a slash, although they are complete names. */
export const namespaceListing = {
  ...listed,
  items: (answer) => keysAt("/sys/namespaces").items(answer).map(ownName),
  isFolder: () => false,
  notes: () => [],
  refreshData: {
    ...listed.refreshData,
    responses: (answer) =>
      listed.refreshData.responses(answer).map(([key, data]) => [ownName(key), data] as const),
  },
} as const satisfies Listing;

/** A patch keeps keys that it omits, so it sets each removed key to null. */
export function withoutRemovedKeys(body: Body, { current }: UpdateInput): Body {
  const { custom_metadata: wanted } = body;
  const stored = current?.custom_metadata;
  if (wanted === undefined || !isObject(stored)) return body;
  const removed = Object.fromEntries(Object.keys(stored).map((key) => [key, null]));
  return { ...body, custom_metadata: { ...removed, ...(isObject(wanted) && wanted) } };
}

const removal = del("/sys/namespaces/{name}", { expects: ["status"] });

/** The delete of a namespace, which ends once the server has deleted the contents. */
export const namespaceDeletion = deletes(removal, {
  doc: "The server rejects the delete while the namespace contains child namespaces. It deletes the contents in the background; the delete waits for the end, within its timeout.",
  async perform(context, address, _, { body }) {
    // Another ID is that of a namespace that someone else created since.
    const stillThere = async (asking: ObjectHookContext) => {
      const found = await asking.observe(address);
      return found?.body.id === body.id ? found : undefined;
    };
    await removeOnce(context, removal, address, {
      async isGone(asking) {
        const found = await stillThere(asking);
        return found === undefined || found.body.tainted === true;
      },
    });
    const { connection, deadline, signal } = context;
    const { runtime } = connection;
    for (const pause of pauses()) {
      if ((await stillThere(context)) === undefined) return;
      if (runtime.now() + pause >= deadline || signal?.aborted)
        throw new ActionableError(
          `${context.name(address)}: the server is still deleting the contents of the namespace.`,
          [again(" to continue waiting")],
          { outcome: "unknown" },
        );
      await runtime.sleep(pause, signal).catch(() => undefined);
    }
  },
});
