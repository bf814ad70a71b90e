import { compileFilter, FilterError } from "../../filter";
import { theKind } from "./decode";
import { invalid, serverError } from "./errors";
import type { Kind } from "./kinds/define";
import { namespaceOf, partitionOf, type ReadEndpoint } from "./operation";
import { outlineEntry, presentEntry } from "./presenting";
import type { Switches } from "./settings";
import type { Entry } from "./world";

/** "GET /config/:kind/:name". */
export const readEntry: ReadEndpoint = {
  method: "GET",
  path: "/v1/config/:kind/:name*",
  read(operation) {
    const { request, caller, datacenter, switches } = operation;
    const within = datacenter.in(partitionOf(operation));
    const kind = theKind(request.params.kind ?? "", switches);
    const name = request.params.name ?? "";
    caller.requireRead(kind, name);
    const entry = within.find(kind.kind, { name, namespace: namespaceOf(operation) });
    if (entry === undefined) {
      return {
        status: 404,
        body: `Config entry not found for ${JSON.stringify(kind.kind)} / ${JSON.stringify(name)}`,
        stamp: "absent",
      };
    }
    return { body: presentEntry(entry, switches), stamp: `${entry.modifyIndex}` };
  },
};

/** "GET /config/:kind". */
export const listEntries: ReadEndpoint = {
  method: "GET",
  path: "/v1/config/:kind",
  read(operation) {
    const { request, caller, datacenter, switches } = operation;
    const kind = theKind(request.params.kind ?? "", switches);
    const filter = filterOf(request.query, switches);
    const entries = datacenter.in(partitionOf(operation)).ofKind(kind.kind, namespaceOf(operation));
    const readable = entries.filter(({ name }) => caller.reads(kind, name));
    // A filter may name only fields that exist, even if the list is empty.
    if (entries.length === 0) chooseEntries([emptyOf(kind)], filter, switches);
    return {
      body: chooseEntries(readable, filter, switches).map((entry) => presentEntry(entry, switches)),
      stamp: readable.map(({ namespace, name, modifyIndex }) => `${namespace}/${name}@${modifyIndex}`).join(),
      isFiltered: readable.length < entries.length,
    };
  },
};

/** The maps of entries whose keys belong to the user. */
const MAPS: ReadonlySet<string> = new Set([
  "Meta",
  "Config",
  "Subsets",
  "Failover",
  "Arguments",
  "Add",
  "Set",
  "LegacyMeta",
]);

function emptyOf({ kind }: Kind): Entry {
  const nothing = { partition: "", body: {}, spelled: {}, conditions: [], createIndex: 0, modifyIndex: 0 };
  return { kind, name: "", namespace: "default", ...nothing };
}

function filterOf(query: URLSearchParams, switches: Switches): (item: unknown) => boolean {
  const expression = query.get("filter") ?? "";
  return expression === "" ? () => true : withConsulStatus(switches, () => compileFilter(expression, MAPS));
}

function chooseEntries(
  entries: readonly Entry[],
  filter: (item: unknown) => boolean,
  switches: Switches,
): readonly Entry[] {
  return withConsulStatus(switches, () => entries.filter((entry) => filter(outlineEntry(entry))));
}

/** An unreadable filter is a 400; Consul answers 500 instead. */
function withConsulStatus<Result>({ dialect }: Switches, attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw (dialect === "real" ? serverError : invalid)(
      `Failed to create boolean expression evaluator: ${error.message}`,
    );
  }
}
