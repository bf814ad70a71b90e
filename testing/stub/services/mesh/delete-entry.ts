import { readCheckAndSet, verdict } from "./check-and-set";
import { theKind } from "./decode";
import { serverError } from "./errors";
import { requireWholeGraph } from "./graph/rules";
import { namespaceOf, partitionOf, type WriteEndpoint } from "./operation";

/** "DELETE /config/:kind/:name". */
export const deleteEntry: WriteEndpoint = {
  method: "DELETE",
  path: "/v1/config/:kind/:name*",
  write(operation) {
    const { request, caller, switches } = operation;
    const datacenter = operation.datacenter.in(partitionOf(operation));
    const kind = theKind(request.params.kind ?? "", switches);
    const cas = readCheckAndSet(request.query);
    const self = { name: request.params.name ?? "", namespace: namespaceOf(operation) };
    if (kind.onlyName !== undefined && self.name !== kind.onlyName) {
      throw serverError(
        `invalid name (${JSON.stringify(self.name)}), only ${JSON.stringify(kind.onlyName)} is supported`,
      );
    }
    caller.requireWrite(kind, { ...self, body: {} });
    const before = datacenter.find(kind.kind, self);
    // "DELETE with `cas` of an absent entry answers `true`."
    const isFree = before === undefined || cas === undefined || cas === BigInt(before.modifyIndex);
    if (!isFree) return verdict(kind, false);
    if (before !== undefined) {
      requireWholeGraph(datacenter, before, undefined);
      datacenter.remove(before);
    }
    if (cas !== undefined) return verdict(kind, true);
    const headers = { "content-type": "application/json" };
    return { kind: kind.kind, response: { status: 200, headers, body: {} } };
  },
};
