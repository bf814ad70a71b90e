import { QUERY_META, refuseEvaluationPriority } from "./create-job";
import { invalid, serverError } from "./errors";
import { evaluate } from "./evaluations";
import { isParameterized, isPeriodic, purge, refreshStatus, storeVersion } from "./job-store";
import {
  type Endpoint,
  jobAt,
  type Operation,
  type Outcome,
  pathJobId,
  queryFlag,
  requireAny,
} from "./operation";
import { type Job, job as jobShape } from "./shape/job";

/** Without `purge` the job stays as a stopped job; unknown jobs can be deregistered too. */
export const deleteJobEndpoints: readonly Endpoint[] = [
  { method: "DELETE", path: "/job/:job_id", section: "The other jobs endpoints", handle: deregister },
];

function deregister(operation: Operation): Outcome {
  const { request, world, switches } = operation;
  const purges = queryFlag(request, "purge", serverError);
  queryFlag(request, "global", serverError);
  queryFlag(request, "no_shutdown_delay", serverError);
  const priority = evaluationPriority(operation);
  requireAny(operation, ["submit-job"]);
  const job = jobAt(operation);
  if (job === undefined || purges) {
    if (job === undefined) world.write("jobs");
    else purge(world, job);
  } else {
    storeVersion(operation, { ...stopJob(job), Version: job.Version }, "inherited");
  }
  const subject = job ?? unknownJob(operation);
  // Nomad evaluates nothing for an unknown job; its response is the same, with an empty evaluation ID.
  const isEvaluated = job !== undefined || switches.dialect === "neutral";
  const evaluates = isEvaluated && !isPeriodic(subject) && !isParameterized(subject);
  const evaluation = evaluates
    ? evaluate(operation, subject, "job-deregister", {
        Type: "service",
        Priority: priority > 0 ? priority : subject.Priority,
        JobModifyIndex: world.index,
      })
    : undefined;
  refreshStatus(world, subject.Namespace, subject.ID);
  const Index = world.index;
  return {
    body: {
      EvalID: evaluation?.ID ?? "",
      EvalCreateIndex: Index,
      JobModifyIndex: Index,
      VolumeEvalID: "",
      VolumeEvalIndex: 0,
      Index,
      ...QUERY_META,
    },
    index: Index,
  };
}

function stopJob(job: Job): Job {
  const groups = job.TaskGroups?.map((group) =>
    group.Scaling === null ? group : { ...group, Scaling: { ...group.Scaling, Enabled: false } },
  );
  return { ...job, Stop: true, TaskGroups: groups ?? null };
}

function unknownJob({ request, namespace, switches }: Operation): Job {
  return jobShape.fill({ ID: pathJobId(request), Namespace: namespace, Priority: switches.defaultPriority });
}

function evaluationPriority({ request }: Operation): number {
  const text = request.query.get("eval_priority");
  if (text === null || text === "") return 0;
  const priority = Number(text);
  if (!Number.isInteger(priority)) {
    throw invalid(`Failed to parse value of "eval_priority" (${text}) as an int`);
  }
  if (priority > 0) refuseEvaluationPriority(priority);
  return priority;
}
