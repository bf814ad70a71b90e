import type { StubRequest, StubResponse } from "../../service";
import type { Caller } from "./callers";
import type { Consistency } from "./consistency";
import { headerName, sentHeader } from "./dialect";
import { serverError } from "./errors";
import type { Switches } from "./settings";
import type { Datacenter } from "./world";

/** One request in progress: its caller, and the datacenter it addresses. */
export interface Operation {
  readonly request: StubRequest;
  readonly caller: Caller;
  readonly datacenter: Datacenter;
  readonly namespaces: ReadonlySet<string>;
  readonly partitions: ReadonlySet<string>;
  readonly switches: Switches;
}

/** The result of a read, and the stamp whose change ends a blocking query. */
export interface Outcome {
  readonly body: unknown;
  readonly status?: 404;
  readonly stamp: string;
  /** True if ACLs hide part of the result. */
  readonly isFiltered?: boolean;
}

/** The response to a write, and the kind of the entries it may have changed, if any. */
export interface Written {
  readonly kind?: string;
  readonly response: StubResponse;
}

/** An endpoint that writes to a copy of the datacenter; the copy takes effect if this returns. */
export interface WriteEndpoint {
  readonly method: "PUT" | "DELETE";
  readonly path: string;
  /** The datacenter in the request takes the write, even if another one is the primary. */
  readonly isLocal?: boolean;
  write(operation: Operation): Written;
}

/** An endpoint with "Blocking queries: yes, consistency modes: all". */
export interface ReadEndpoint {
  readonly method: "GET";
  readonly path: string;
  read(operation: Operation): Outcome;
}

/** "Namespace selection order of precedence": the query, the header, the body, the token's namespace, `default`. */
export function namespaceOf({ request, caller, switches }: Operation, inBody = ""): string {
  const inQuery = request.query.get("ns") ?? "";
  const inHeader = sentHeader(request.headers, "namespace", switches);
  return inQuery || inHeader || inBody || caller.namespace || "default";
}

/** The partition, in this order: the query, the header, the body, the token's partition, the agent's own. */
export function partitionOf({ request, caller, switches }: Operation, inBody = ""): string {
  const inQuery = request.query.get("partition") ?? "";
  const inHeader = sentHeader(request.headers, "partition", switches);
  return inQuery || inHeader || inBody || caller.partition || switches.partition;
}

/** Throws a 500 for a partition that does not exist. */
export function requirePartition({ partitions, switches }: Operation, partition: string): void {
  if (!partitions.has(partition) && partition !== switches.partition)
    throw serverError(`Partition ${JSON.stringify(partition)} does not exist`);
}

/** Throws a 500 for a namespace that does not exist. */
export function requireNamespace(
  { namespaces }: Operation,
  namespace: string,
  isWildcardFine: boolean,
): void {
  if (namespaces.has(namespace) || (isWildcardFine && namespace === "*")) return;
  throw serverError(`Namespace ${JSON.stringify(namespace)} does not exist`);
}

/** The response to a read, with the headers that report how current it is. */
export function readResponse(
  { body, status = undefined, isFiltered = false }: Outcome,
  { switches, datacenter }: Pick<Operation, "switches" | "datacenter">,
  consistency: Consistency,
): StubResponse {
  const { lastContactMilliseconds, knownLeader } = switches;
  const type =
    typeof body === "string" || body === undefined ? "text/plain; charset=utf-8" : "application/json";
  return {
    status: status ?? 200,
    headers: {
      "content-type": type,
      [headerName("index", switches)]: String(datacenter.index),
      [headerName("lastcontact", switches)]: String(consistency === "stale" ? lastContactMilliseconds : 0),
      [headerName("knownleader", switches)]: String(knownLeader),
      ...(isFiltered && { [headerName("results-filtered-by-acls", switches)]: "true" }),
    },
    body,
  };
}
