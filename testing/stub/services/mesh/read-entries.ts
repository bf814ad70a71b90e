import { compileFilter, FilterError } from "../../filter";
import { theKind } from "./decode";
import { invalid } from "./errors";
import { namespaceOf, type ReadEndpoint } from "./operation";
import { outlined, presented } from "./presenting";
import type { Entry } from "./world";

/** "GET /config/:kind/:name". */
export const readEntry: ReadEndpoint = {
  method: "GET",
  path: "/v1/config/:kind/:name*",
  read(operation) {
    const { request, caller, datacenter, switches } = operation;
    const kind = theKind(request.params.kind ?? "");
    const name = request.params.name ?? "";
    caller.requireRead(kind, name);
    const entry = datacenter.find(kind.kind, { name, namespace: namespaceOf(operation) });
    if (entry === undefined) {
      return {
        status: 404,
        body: `Config entry not found for ${JSON.stringify(kind.kind)} / ${JSON.stringify(name)}`,
        stamp: "absent",
      };
    }
    return { body: presented(entry, switches), stamp: `${entry.modifyIndex}` };
  },
};

/** "GET /config/:kind". */
export const listEntries: ReadEndpoint = {
  method: "GET",
  path: "/v1/config/:kind",
  read(operation) {
    const { request, caller, datacenter, switches } = operation;
    const kind = theKind(request.params.kind ?? "");
    const filter = filterOf(request.query);
    const entries = datacenter.ofKind(kind.kind, namespaceOf(operation));
    const readable = entries.filter(({ name }) => caller.reads(kind, name));
    return {
      body: chosen(readable, filter).map((entry) => presented(entry, switches)),
      stamp: readable.map(({ namespace, name, modifyIndex }) => `${namespace}/${name}@${modifyIndex}`).join(),
      isFiltered: readable.length < entries.length,
    };
  },
};

/** The maps of entries whose keys are the user's own. */
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

function filterOf(query: URLSearchParams): (item: unknown) => boolean {
  const expression = query.get("filter") ?? "";
  return expression === "" ? () => true : reworded(() => compileFilter(expression, MAPS));
}

function chosen(entries: readonly Entry[], filter: (item: unknown) => boolean): readonly Entry[] {
  return reworded(() => entries.filter((entry) => filter(outlined(entry))));
}

function reworded<Result>(attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw invalid(`Failed to create boolean expression evaluator: ${error.message}`);
  }
}
