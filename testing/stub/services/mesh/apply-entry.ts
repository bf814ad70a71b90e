import { isDeepStrictEqual } from "node:util";
import { readCheckAndSet, verdict } from "./check-and-set";
import { decode } from "./decode";
import { draftOf } from "./drafting";
import { requireWholeGraph } from "./graph/rules";
import {
  namespaceOf,
  partitionOf,
  requireNamespace,
  requirePartition,
  type WriteEndpoint,
} from "./operation";
import { requirePrimary } from "./primary";

/** "PUT /config". */
export const applyEntry: WriteEndpoint = {
  method: "PUT",
  path: "/v1/config",
  write(operation) {
    const { request, caller, switches } = operation;
    const decoded = decode(request.json(), switches);
    const { kind } = decoded;
    requirePrimary(kind.kind, request.query.get("dc") ?? "", switches);
    const cas = readCheckAndSet(request.query);
    const namespace = namespaceOf(operation, decoded.namespace);
    requireNamespace(operation, namespace, kind.kind === "service-intentions");
    const partition = partitionOf(operation, decoded.partition);
    requirePartition(operation, partition);
    const datacenter = operation.datacenter.in(partition);
    const draft = draftOf(decoded, { namespace, partition }, switches);
    caller.requireWrite(kind, draft);
    const before = datacenter.find(kind.kind, draft);
    // "Writing exactly what is stored answers `true` whatever the `cas`, and leaves the index." Consul also compares the
    // conditions of its controller. No write contains conditions, so an entry that has any never counts as equal.
    const isControlled = switches.dialect === "real" && (before?.conditions.length ?? 0) > 0;
    const isEqual = before !== undefined && isDeepStrictEqual(before.spelled, draft.spelled);
    if (isEqual && !isControlled) return verdict(kind, true);
    // "0 stores only if the entry does not exist": an absent one has no index.
    if (cas !== undefined && cas !== BigInt(before?.modifyIndex ?? 0)) return verdict(kind, false);
    requireWholeGraph(datacenter, draft, draft);
    datacenter.store(draft);
    return verdict(kind, true);
  },
};
