import { type Endpoint, type Operation, type Outcome, pathJobId, requireAny } from "./operation";
import type { Allocation, Deployment } from "./records";
import { keyOf } from "./world";

/** A job's activity: evaluations, allocations and deployments. */
export const jobActivityEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/job/:job_id/allocations",
    section: "List job allocations",
    handle: listAllocations,
  },
  {
    method: "GET",
    path: "/job/:job_id/evaluations",
    section: "List job evaluations",
    handle: listEvaluations,
  },
  {
    method: "GET",
    path: "/job/:job_id/deployments",
    section: "List job deployments",
    handle: listDeployments,
  },
  {
    method: "GET",
    path: "/job/:job_id/deployment",
    section: "The other jobs endpoints",
    handle: readLatestDeployment,
  },
];

function listAllocations(operation: Operation): Outcome {
  requireAny(operation, ["read-job"]);
  const { world, namespace, request } = operation;
  const all = world.allocationsOf(namespace, pathJobId(request));
  return {
    body: ofThisRegistration(operation, all).map(allocationRecord),
    index: world.indexOf("allocs"),
  };
}

function listEvaluations(operation: Operation): Outcome {
  requireAny(operation, ["read-job"]);
  const { world, namespace, request } = operation;
  return { body: world.evaluationsOf(namespace, pathJobId(request)), index: world.indexOf("evals") };
}

function listDeployments(operation: Operation): Outcome {
  requireAny(operation, ["read-job"]);
  return { body: deployments(operation), index: operation.world.indexOf("deployment") };
}

/** Null if the job never had a deployment. */
function readLatestDeployment(operation: Operation): Outcome {
  requireAny(operation, ["read-job"]);
  const latest = [...deployments(operation)].sort((left, right) => right.CreateIndex - left.CreateIndex)[0];
  return { body: latest ?? null, index: operation.world.indexOf("deployment") };
}

function deployments(operation: Operation): readonly Deployment[] {
  const { world, namespace, request } = operation;
  return ofThisRegistration(operation, world.deploymentsOf(namespace, pathJobId(request)));
}

/** Without `all`, omits the items of earlier registrations of the same job ID. */
function ofThisRegistration<Item extends { readonly JobCreateIndex: number }>(
  { world, namespace, request }: Operation,
  items: readonly Item[],
): readonly Item[] {
  const job = world.jobs.get(keyOf(namespace, pathJobId(request)));
  if (/^(1|t|true)$/i.test(request.query.get("all") ?? "") || job === undefined) return items;
  return items.filter((item) => item.JobCreateIndex === job.CreateIndex);
}

/** The section "Allocation"; `JobCreateIndex` is internal to the server. */
export function allocationRecord({ JobCreateIndex: _, ...allocation }: Allocation): unknown {
  return allocation;
}
