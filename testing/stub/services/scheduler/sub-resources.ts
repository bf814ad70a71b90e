import type { StubRequest } from "../../service";
import { Refusal } from "./errors";
import type { Endpoint } from "./operation";
import type { SchedulerSwitches } from "./switches";

/** The sub-resources that Nomad serves below a job. */
const SUB_RESOURCES = [
  "action",
  "actions",
  "allocations",
  "deployment",
  "deployments",
  "dispatch",
  "dispatch/payload",
  "evaluate",
  "evaluations",
  "periodic/force",
  "plan",
  "revert",
  "scale",
  "services",
  "stable",
  "submission",
  "summary",
  "tag",
  "versions",
].map((path) => `/${path}`);

/**
 * Nomad decodes a path and looks for a sub-resource at its end. A request for a job `ops/plan` is therefore a request for
 * the plan of the job `ops`.
 */
export function subResourceOf(
  request: StubRequest,
  endpoint: Endpoint,
  endpoints: readonly Endpoint[],
  { dialect }: Pick<SchedulerSwitches, "dialect">,
): { request: StubRequest; endpoint: Endpoint } {
  const { job_id: jobId = "" } = request.params;
  const end = SUB_RESOURCES.find((path) => jobId.endsWith(path));
  if (dialect !== "real" || endpoint.path !== "/job/:job_id" || end === undefined)
    return { request, endpoint };
  if (end === "/tag") throw new Refusal(404, "invalid job tag endpoint");
  const found = endpoints.find(
    ({ method, path }) => method === request.method && path === `/job/:job_id${end}`,
  );
  if (found === undefined) throw new Refusal(405, "Invalid method");
  const params = { ...request.params, job_id: jobId.slice(0, -end.length) };
  return { request: { ...request, params }, endpoint: found };
}
