import { z } from "zod";
import {
  ActionableError,
  type Address,
  elementsIn,
  errorOfRead,
  field,
  filledQuery,
  get,
  type HttpResponse,
  isObject,
  type Listing,
  listElements,
  listRequestOf,
  manualCheck,
  type ObjectHookContext,
  type Observation,
  type Search,
  stringIn,
  type Values,
} from "../../core";
import { byToken, givenText } from "./lists";
import { inScope } from "./service";

/** Lists dynamic host volumes as stubs, page by page. */
export const volumeListing = {
  route: get("/volumes", { query: { ...inScope, type: "host" } }),
  itemContent: "stubs",
  pages: ({ dialect }) => byToken(dialect),
  filters: {
    prefix: field(z.string().optional(), { doc: "Prefix of the names or IDs.", role: "steering" }),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace of the volumes, or `*` for all namespaces that the token may read. Default: the connection's, then `default`.",
      location: "address",
    }),
  },
  query: ({ prefix }) => ({ prefix: givenText(prefix) }),
  items: ({ json }) => elementsIn(json),
  displayName: (stub) => (isObject(stub) ? givenText(stub.Name) : undefined),
} as const satisfies Listing;

/**
 * Finds a volume before its ID is known. A name is unique on a node only: without the node, the volume of a create is the one
 * that did not exist before.
 */
export const byNameAndNode: Search = {
  // Nomad may still be choosing another node, so such a create is never sent again.
  canFind: ({ nodeId }) => typeof nodeId === "string",
  async find(context, address, inputs) {
    const volumes = await volumesNamed(context, address, inputs);
    if (typeof inputs.nodeId === "string") return observeOnly(context, address, volumes);
    const before = existedBefore.get(inputs);
    if (before === undefined) {
      existedBefore.set(inputs, new Set(volumes));
      return undefined;
    }
    return observeOnly(
      context,
      address,
      volumes.filter((id) => !before.has(id)),
    );
  },
};

/** The volumes of the same name that existed before a create, by the inputs of the create. */
const existedBefore = new WeakMap<Values, ReadonlySet<string>>();

/** The IDs of the volumes that may be the volume of these inputs. */
async function volumesNamed(
  context: ObjectHookContext,
  address: Address,
  { name, nodeId, nodePool }: Values,
): Promise<string[]> {
  const { route, pages } = volumeListing;
  const { volumeId: _, ...scope } = address;
  const query = { ...filledQuery(route.query ?? {}, scope), prefix: stringIn(name ?? "") };
  const request = listRequestOf(context, route, scope, query);
  // A response without a list must not count as an empty list.
  const items = (answer: HttpResponse) => {
    if (!Array.isArray(answer.json)) throw errorOfRead(context, answer, route, scope);
    return answer.json;
  };
  const ids: string[] = [];
  for await (const stub of listElements(request, pages(context.connection), items)) {
    if (!isObject(stub) || stub.Name !== name) continue;
    const isOnNode = typeof nodeId !== "string" || stub.NodeID === nodeId;
    const isInPool = typeof nodePool !== "string" || stub.NodePool === nodePool;
    if (isOnNode && isInPool) ids.push(stringIn(stub.ID));
  }
  return ids;
}

/** @throws ActionableError if there are several volumes, so that none of them is certainly the right one */
async function observeOnly(
  context: ObjectHookContext,
  address: Address,
  ids: readonly string[],
): Promise<Observation | undefined> {
  const [volumeId, ...others] = ids;
  if (volumeId === undefined) return undefined;
  if (others.length > 0)
    throw new ActionableError(
      `${ids.length} new volumes have this name (${ids.join(", ")}), and it is unknown which of them this create created.`,
      [manualCheck("Delete the unwanted volumes, or import the right one with pulumi import.")],
    );
  return context.observe({ ...address, volumeId });
}
