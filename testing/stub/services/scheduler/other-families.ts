import { notFound, serverError } from "./errors";
import { allocationRecord } from "./job-activity";
import { numericKey, page } from "./listing";
import { type Endpoint, type Operation, type Outcome, readBody, requireAny } from "./operation";
import { failDeployment, hasHealthyCanaries, promote } from "./progress/deployment";
import { isActive } from "./progress/deployment-record";
import type { Deployment } from "./records";
import { flag, list, struct, text } from "./shape/field";

/**
 * Endpoints of other families, which the specification does not describe: lists and reads of evaluations, allocations and
 * deployments, and an operator's two decisions on a deployment.
 */
export const otherFamilyEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/evaluations", section: "Evaluation", handle: listEvaluations },
  { method: "GET", path: "/evaluation/:id", section: "Evaluation", handle: readEvaluation },
  { method: "GET", path: "/allocations", section: "Allocation", handle: listAllocations },
  { method: "GET", path: "/allocation/:id", section: "Allocation", handle: readAllocation },
  { method: "GET", path: "/deployments", section: "Deployment", handle: listDeployments },
  { method: "GET", path: "/deployment/:id", section: "Deployment", handle: readDeployment },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/deployment/promote/:id", section: "Deployment", handle: promoteDeployment },
    { method, path: "/deployment/fail/:id", section: "Deployment", handle: failByOperator },
  ]),
];

interface Listable {
  readonly ID: string;
  readonly Namespace: string;
  readonly CreateIndex: number;
}

/** "Some endpoints order by `CreateIndex`": these do. */
function pageOf<Item extends Listable>(
  operation: Operation,
  items: Iterable<Item>,
  narrowing: readonly string[],
) {
  const prefix = operation.request.query.get("prefix") ?? "";
  const records = [...items]
    .filter((item) => item.ID.startsWith(prefix))
    .map((item) => ({ namespace: item.Namespace, key: numericKey(item.CreateIndex, item.ID), item }));
  return page(operation, records, "read-job", ["prefix", ...narrowing]);
}

function listEvaluations(operation: Operation): Outcome {
  const { world, request } = operation;
  const [status, job] = [request.query.get("status") ?? "", request.query.get("job") ?? ""];
  const narrowed = [...world.evaluations.values()].filter(
    (item) => (status === "" || item.Status === status) && (job === "" || item.JobID === job),
  );
  const { items, nextToken } = pageOf(operation, narrowed, ["status", "job"]);
  return { body: items, nextToken, index: world.indexOf("evals") };
}

function listAllocations(operation: Operation): Outcome {
  const { world } = operation;
  const { items, nextToken } = pageOf(operation, world.allocations.values(), []);
  return { body: items.map(allocationRecord), nextToken, index: world.indexOf("allocs") };
}

function listDeployments(operation: Operation): Outcome {
  const { world } = operation;
  const { items, nextToken } = pageOf(operation, world.deployments.values(), []);
  return { body: items, nextToken, index: world.indexOf("deployment") };
}

function readEvaluation(operation: Operation): Outcome {
  const { world } = operation;
  const item = theRecord(operation, world.evaluations, "eval not found", world.indexOf("evals"));
  return { body: item, index: item.ModifyIndex };
}

function readAllocation(operation: Operation): Outcome {
  const { world } = operation;
  const item = theRecord(operation, world.allocations, "alloc not found", world.indexOf("allocs"));
  return { body: allocationRecord(item), index: item.ModifyIndex };
}

function readDeployment(operation: Operation): Outcome {
  const { world } = operation;
  const item = theRecord(operation, world.deployments, "deployment not found", world.indexOf("deployment"));
  return { body: item, index: item.ModifyIndex };
}

/** The record of an ID; the caller needs permission in the record's namespace. */
function theRecord<Item extends Listable>(
  operation: Operation,
  records: ReadonlyMap<string, Item>,
  message: string,
  index: number,
): Item {
  const item = records.get(operation.request.params.id ?? "");
  requireAny(operation, ["read-job"], item?.Namespace ?? operation.namespace);
  if (item === undefined) throw notFound(message, index);
  return item;
}

const promoteBody = struct({ DeploymentID: text(), All: flag(), Groups: list(text()) });

function promoteDeployment(operation: Operation): Outcome {
  const given = readBody(operation, "DeploymentPromoteRequest", promoteBody);
  const deployment = theActiveDeployment(operation, "can't promote terminal deployment");
  const names = given.All === true ? undefined : (given.Groups ?? []);
  const chosen = Object.entries(deployment.TaskGroups).filter(
    ([name, group]) => group.DesiredCanaries > 0 && (names === undefined || names.includes(name)),
  );
  if (chosen.length === 0) throw serverError("no canaries to promote");
  const unhealthy = chosen.filter(([, group]) => !hasHealthyCanaries(group));
  if (unhealthy.length > 0) {
    const each = unhealthy.map(
      ([name, group]) =>
        `\t* Task group "${name}" has ${group.HealthyAllocs}/${group.DesiredCanaries} healthy allocations\n`,
    );
    throw serverError(`${each.length} error occurred:\n${each.join("")}\n`);
  }
  const index = operation.world.write("deployment", "evals");
  promote(operation, deployment, names);
  return { body: answerOf(index, operation), index };
}

function failByOperator(operation: Operation): Outcome {
  const deployment = theActiveDeployment(operation, "can't fail terminal deployment");
  const index = operation.world.write("deployment");
  failDeployment(operation, deployment, "Deployment marked as failed");
  return { body: answerOf(index, operation), index };
}

function theActiveDeployment(operation: Operation, message: string): Deployment {
  const { world, request } = operation;
  const deployment = world.deployments.get(request.params.id ?? "");
  requireAny(operation, ["submit-job"], deployment?.Namespace ?? operation.namespace);
  if (deployment === undefined) throw notFound("deployment not found");
  if (!isActive(deployment)) throw serverError(message);
  return deployment;
}

/** The response with the evaluation that continues the deployment, if there is one. */
function answerOf(index: number, { world }: Operation): unknown {
  const evaluation = [...world.evaluations.values()].findLast((each) => each.CreateIndex >= index);
  return {
    EvalID: evaluation?.ID ?? "",
    EvalCreateIndex: evaluation?.CreateIndex ?? 0,
    DeploymentModifyIndex: index,
    RevertedJobVersion: null,
    Index: index,
  };
}
