import type { Address, Observation } from "../../core/define";
import { isObject } from "../../core/json";
import { type StepContext, send } from "../../core/steps/context";
import { isSuccess } from "../../core/steps/observe";

/**
 * The job as one register left it (specification: List job versions): where somebody registered again before we
 * read back, the job's versions still hold the answer to our own register.
 */
export async function exactVersion(
  context: StepContext,
  address: Address,
  index: string | undefined,
): Promise<Observation["body"] | undefined> {
  const route = {
    method: "GET",
    path: "/job/{jobId}/versions",
    query: { namespace: "{namespace}", region: "{region}" },
  } as const;
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer) || !isObject(answer.json) || !Array.isArray(answer.json.Versions)) return undefined;
  const version = answer.json.Versions.find((job) => isObject(job) && String(job.JobModifyIndex) === index);
  return isObject(version) ? version : undefined;
}
