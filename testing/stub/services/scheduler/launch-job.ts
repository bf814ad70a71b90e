import { QUERY_META } from "./create-job";
import { invalid, serverError } from "./errors";
import { evaluate } from "./evaluations";
import { isParameterized, isPeriodic, refreshStatus, storeVersion } from "./job-store";
import {
  type Endpoint,
  jobAt,
  type Operation,
  type Outcome,
  pathJobId,
  readBody,
  requireAny,
} from "./operation";
import { flag, integer, map, optional, struct, text } from "./shape/field";
import type { Job } from "./shape/job";

/** Endpoints that run a registered job: evaluations, launches and dispatches. */
export const launchJobEndpoints: readonly Endpoint[] = (["POST", "PUT"] as const).flatMap(
  (method): readonly Endpoint[] => [
    { method, path: "/job/:job_id/evaluate", section: "The other jobs endpoints", handle: reevaluate },
    { method, path: "/job/:job_id/periodic/force", section: "The other jobs endpoints", handle: force },
    { method, path: "/job/:job_id/dispatch", section: "The other jobs endpoints", handle: dispatch },
  ],
);

const evaluateBody = struct({ JobID: text(), EvalOptions: optional(struct({ ForceReschedule: flag() })) });

/** The body is optional. */
function reevaluate(operation: Operation): Outcome {
  const { request, world } = operation;
  if (request.body.length > 0) {
    const { JobID: sent = "" } = readBody(operation, "JobEvaluateRequest", evaluateBody);
    if (sent === "") throw invalid("Job ID must be specified");
    if (sent !== pathJobId(request)) throw invalid("JobID not same as job name");
  }
  requireAny(operation, ["submit-job"]);
  const job = jobAt(operation);
  if (job === undefined) throw serverError("job not found");
  if (isPeriodic(job)) throw serverError("can't evaluate periodic job");
  if (isParameterized(job)) throw serverError("can't evaluate parameterized job");
  const index = world.write("evals");
  const { ID } = evaluate(operation, job, "job-register", { JobModifyIndex: job.ModifyIndex });
  refreshStatus(world, job.Namespace, job.ID);
  return {
    body: {
      EvalID: ID,
      EvalCreateIndex: index,
      JobModifyIndex: job.ModifyIndex,
      Warnings: "",
      Index: index,
      ...QUERY_META,
    },
    index,
  };
}

/** Launches a periodic job now, regardless of its schedule. */
function force(operation: Operation): Outcome {
  requireAny(operation, ["dispatch-job", "submit-job"]);
  const { world, now } = operation;
  const parent = jobAt(operation);
  if (parent === undefined) throw serverError("job not found");
  if (!isPeriodic(parent)) throw serverError("can't force launch non-periodic job");
  const id = `${parent.ID}/periodic-${Math.floor(now / 1000)}`;
  const child = storeVersion(operation, {
    ...parent,
    ID: id,
    Name: id,
    ParentID: parent.ID,
    Periodic: null,
    Status: "",
    Stable: false,
  });
  const index = world.index;
  const { ID } = evaluate(operation, child, "periodic-job");
  return { body: { EvalID: ID, EvalCreateIndex: index, Index: index }, index };
}

const dispatchBody = struct({
  JobID: text(),
  /** In base64. */
  Payload: text(),
  Meta: map(text()),
  IdPrefixTemplate: text(),
  IdempotencyToken: text(),
  Priority: integer(),
});

type Dispatch = Exclude<ReturnType<typeof dispatchBody.read>, undefined>;

/** Launches a parameterized job with its own payload and meta values. */
function dispatch(operation: Operation): Outcome {
  const { request, world, now, identifiers } = operation;
  const given = readBody(operation, "JobDispatchRequest", dispatchBody);
  const named = given.JobID ?? "";
  if (named !== "" && named !== pathJobId(request)) throw invalid("Job ID does not match");
  requireAny(operation, ["dispatch-job"]);
  const parent = jobAt(operation);
  if (parent === undefined) throw serverError("parameterized job not found");
  if (!isParameterized(parent)) throw serverError(`Specified job "${parent.ID}" is not a parameterized job`);
  if (parent.Stop) throw serverError(`Specified job "${parent.ID}" is stopped`);
  refuseDispatch(given, parent);
  const token = request.query.get("idempotency_token") || given.IdempotencyToken || "";
  const earlier = token === "" ? undefined : childByToken(operation, parent, token);
  if (earlier !== undefined) return answer(earlier, "", 0, earlier.ModifyIndex);
  const prefix = given.IdPrefixTemplate ? `-${given.IdPrefixTemplate}` : "";
  const id = `${parent.ID}/dispatch${prefix}-${Math.floor(now / 1000)}-${identifiers.fresh().slice(0, 8)}`;
  const child = storeVersion(operation, {
    ...parent,
    ID: id,
    Name: id,
    ParentID: parent.ID,
    Dispatched: true,
    DispatchIdempotencyToken: token,
    Payload: given.Payload ?? null,
    Priority: given.Priority || parent.Priority,
    Meta: given.Meta === undefined ? parent.Meta : { ...parent.Meta, ...given.Meta },
    Status: "",
    Stable: false,
  });
  const index = world.index;
  const evaluation = isPeriodic(child) ? undefined : evaluate(operation, child, "job-register");
  return answer(child, evaluation?.ID ?? "", evaluation === undefined ? 0 : index, index);
}

function answer(child: Job, evaluation: string, evaluationIndex: number, index: number): Outcome {
  return {
    body: {
      DispatchedJobID: child.ID,
      EvalID: evaluation,
      EvalCreateIndex: evaluationIndex,
      JobCreateIndex: child.CreateIndex,
      Index: index,
    },
    index,
  };
}

function childByToken({ world }: Operation, parent: Job, token: string): Job | undefined {
  return world.childrenOf(parent).find((child) => child.DispatchIdempotencyToken === token);
}

const GREATEST_PAYLOAD = 16 * 1024;

function refuseDispatch(
  { Payload: payload = "", Meta: meta = {}, Priority: priority = 0 }: Dispatch,
  job: Job,
): void {
  const rules = job.ParameterizedJob;
  const size = Buffer.from(payload, "base64").length;
  if (rules?.Payload === "required" && size === 0) {
    throw serverError("Payload is not provided but required by parameterized job");
  }
  if (rules?.Payload === "forbidden" && size > 0) {
    throw serverError("Payload provided but forbidden by parameterized job");
  }
  if (size > GREATEST_PAYLOAD)
    throw serverError(`Payload exceeds maximum size; ${size} > ${GREATEST_PAYLOAD}`);
  const required = rules?.MetaRequired ?? [];
  const permitted = new Set([...required, ...(rules?.MetaOptional ?? [])]);
  const foreign = Object.keys(meta).filter((key) => !permitted.has(key));
  if (foreign.length > 0) {
    throw serverError(`Dispatch request included unpermitted metadata keys: [${foreign.join(" ")}]`);
  }
  const missing = required.filter((key) => !Object.hasOwn(meta, key));
  if (missing.length > 0)
    throw serverError(`Dispatch did not provide required meta keys: [${missing.join(" ")}]`);
  if (priority < 0 || priority > 100) throw serverError("dispatch job priority must be between [1, 100]");
}
