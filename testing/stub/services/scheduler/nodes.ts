import { permissionError } from "./errors";
import { page } from "./listing";
import type { Endpoint, Operation, Outcome } from "./operation";

/** `/v1/nodes`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const nodeEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/nodes", section: "API: nodes", handle: listNodes },
];

/** The ID and the name of a node, by its number from 1 on. */
export const nodeOf = (number: number) => ({
  ID: `00000000-0000-0000-0000-0000000000${String(number).padStart(2, "0")}`,
  Name: `node-${number}`,
});

function listNodes(operation: Operation): Outcome {
  const { caller, switches, request, namespace } = operation;
  if (!caller.mayReadNodes) throw permissionError();
  const prefix = request.query.get("prefix") ?? "";
  const records = Array.from({ length: switches.nodes }, (_, index) => nodeOf(index + 1))
    .filter(({ ID }) => ID.startsWith(prefix))
    .map((node) => ({ namespace, key: node.ID, item: { ...READY, ...node } }));
  const { items, nextToken } = page(operation, records, undefined);
  return { body: items, nextToken, index: 1 };
}

const READY = {
  Address: "127.0.0.1",
  Datacenter: "dc1",
  NodeClass: "",
  NodePool: "default",
  Version: "2.0.5",
  Drain: false,
  SchedulingEligibility: "eligible",
  Status: "ready",
  StatusDescription: "",
  Drivers: { docker: { Attributes: null, Detected: true, Healthy: true } },
  LastDrain: null,
  CreateIndex: 1,
  ModifyIndex: 1,
};
