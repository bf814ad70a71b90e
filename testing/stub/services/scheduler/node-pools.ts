import { parseDuration } from "../../durations";
import { invalid, notFound, permissionError, serverError } from "./errors";
import { BUILT_IN_POOLS, DAY, descriptionErrors, nodePoolShape, stored, withPrefix } from "./objects";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { errorsText } from "./validation/errors";

/** `/v1/node/pools` and `/v1/node/pool`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const nodePoolEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/node/pools", section: "API: node pools", handle: listNodePools },
  { method: "GET", path: "/node/pool/:name", section: "API: node pools", handle: readNodePool },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/node/pools", section: "API: node pools", handle: writeNodePool },
    { method, path: "/node/pool/:name", section: "API: node pools", handle: writeNodePool },
  ]),
  { method: "DELETE", path: "/node/pool/:name", section: "API: node pools", handle: deleteNodePool },
];

function listNodePools({ world, request, caller }: Operation): Outcome {
  const body = caller.mayInNodePools("read") ? withPrefix(request, world.nodePools.values(), "Name") : [];
  return { body, index: world.indexOf("node_pools") };
}

function readNodePool({ world, request, caller }: Operation): Outcome {
  if (!caller.mayInNodePools("read")) throw permissionError();
  const found = world.nodePools.get(request.params.name ?? "");
  if (found === undefined) throw notFound("node pool not found", world.indexOf("node_pools"));
  return { body: found, index: found.ModifyIndex };
}

/** Replaces the complete node pool. There is no check-and-set. */
function writeNodePool(operation: Operation): Outcome {
  const { world, request, caller, switches } = operation;
  const given = readBody(operation, "NodePool", nodePoolShape);
  const { Name: name = "" } = given;
  const ttl = durationOf(given.NodeIdentityTTL);
  if (request.params.name !== undefined && request.params.name !== name)
    throw invalid("Node pool name does not match request path");
  if (!caller.mayInNodePools("write")) throw permissionError();
  if (given.SchedulerConfiguration && !switches.enterprise)
    throw serverError('Feature "Node Pools Governance" is unlicensed');
  const errors = [
    ...(/^[a-zA-Z0-9-_]{1,128}$/.test(name)
      ? []
      : [`invalid name "${name}", must match regex ^[a-zA-Z0-9-_]{1,128}$`]),
    ...descriptionErrors(given.Description),
  ];
  if (errors.length > 0) throw invalid(`invalid node pool "${name}": ${errorsText(errors)}`);
  if (Object.hasOwn(BUILT_IN_POOLS, name)) throw invalid(`modifying node pool "${name}" is not allowed`);
  const before = world.nodePools.get(name);
  const index = world.write("node_pools");
  const full = { ...nodePoolShape.fill(given), NodeIdentityTTL: ttl === 0 ? DAY : ttl };
  world.nodePools.set(name, stored(full, before, index));
  return { body: undefined, index };
}

/** The nanoseconds of a duration. */
export function durationOf(given: unknown): number {
  if (typeof given === "number") return given;
  if (typeof given !== "string" || given === "") return 0;
  const nanoseconds = parseDuration(given);
  if (nanoseconds === undefined) throw invalid(`time: invalid duration ${JSON.stringify(given)}`);
  return nanoseconds;
}

function deleteNodePool({ world, request, caller, region }: Operation): Outcome {
  const name = request.params.name ?? "";
  if (!caller.mayInNodePools("delete")) throw permissionError();
  const isUsed = [...world.jobs.values()].some((job) => job.NodePool === name && job.Status !== "dead");
  if (isUsed)
    throw serverError(errorsText([`node pool "${name}" has non-terminal jobs in regions: [${region}]`]));
  if (Object.hasOwn(BUILT_IN_POOLS, name)) throw serverError(`deleting node pool "${name}" is not allowed`);
  if (!world.nodePools.delete(name)) throw serverError(`node pool ${name} not found`);
  const index = world.write("node_pools");
  return { body: undefined, index };
}
